/// For those who follow rows rather than events.
extension Transaction {
  /// Wakes those who watch commits when this change is durable, here and in other processes. Events do that by themselves.
  public func wakeWatchers() {
    aftermath.wakesWaiters = true
  }
}

extension Database {
  /// An element for each time that something that concerns watchers may have been committed, by whichever process, since
  /// the last one was taken. It ends when the database closes.
  public func watchCommits() -> AsyncStream<Void> { commits.subscribe() }
}
