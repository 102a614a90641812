internal import Base

/// For code that follows rows rather than events.
extension Transaction {
  /// Wakes those that watch commits once this change is durable, here and in other processes. Appending events does so
  /// by itself.
  public func wakeWatchers() {
    afterCommit.wakesWaiters = true
  }
}

extension Database {
  /// Yields whenever any process may have committed something that concerns watchers since the last element was taken.
  /// It ends when the database closes.
  public func watchCommits() -> AsyncStream<Void> { commits.subscribe() }

  /// Wakes waiting tasks of this process directly, and those of other processes through the engine.
  func announceCommit() {
    commits.tell(())
    engine.announce()
  }
}
