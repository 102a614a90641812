internal import Base

/// For code that follows rows rather than events.
extension Transaction {
  /// Wakes the watchers of commits, here and in other processes, once this change is durable. A transaction that
  /// appends events does so anyway.
  public func wakeWatchers() {
    afterCommit.wakesWaiters = true
  }
}

extension Database {
  /// Yields an element when any process may have committed something for watchers since the last element was taken.
  /// Ends when the database is closed.
  public func watchCommits() -> AsyncStream<Void> { commits.subscribe() }

  /// Wakes the watchers of this process directly, and those of other processes through the engine.
  func announceCommit() {
    commits.tell(())
    engine.announce()
  }
}
