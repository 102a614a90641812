internal import Base

/// Notices commits of other processes to the same file. SQLite cannot notify, but the system reports when its log has
/// changed, and asking SQLite then whether that was a commit costs a microsecond.
final class SQLiteWatch: Sendable {
  /// How often the thread asks SQLite right after a change, and while there are commits. It goes on asking, after ever
  /// longer times, since a commit becomes visible only some time after the log was written.
  private static let interval = Duration.milliseconds(25)
  /// For how long after the last change it goes on asking.
  private static let attention = Duration.seconds(1)
  /// How often it asks otherwise, in case the system did not report a change.
  private static let longestRest = Duration.seconds(10)

  private let path: String
  private let changes = FileChanges()

  init(path: String) {
    self.path = path
  }

  func start(isClosed: @escaping @Sendable () -> Bool, _ onCommit: @escaping @Sendable () -> Void) {
    NativeThread.start(name: "sqlite-watch", stackBytes: 1 << 20) { [self] in
      var connection: SQLiteConnection?
      var seen: Value?
      var changedAt = Clock.system.monotonic
      while !isClosed() {
        do throws(DatabaseError) {
          if connection == nil { connection = try SQLiteEngine.open(path, mode: .existing) }
          let version = try connection?.value(of: "PRAGMA data_version")
          if version != seen { onCommit() }
          seen = version
        } catch {
          // The file cannot be read now (it may be locked, or on a disk that was removed). Reads and writes get the
          // error.
          connection = nil
        }
        rest(since: &changedAt, canRest: connection != nil)
      }
    }
  }

  /// Ends the wait for a change, so that the thread notices that the database is closed.
  func stop() { changes?.stop() }

  /// Sleeps until there may be a commit to see.
  private func rest(since changedAt: inout MonotonicTime, canRest: Bool) {
    guard canRest, let changes, isFollowed(changes) else { return NativeThread.sleep(for: Self.interval) }
    let elapsed = Clock.system.monotonic - changedAt
    if elapsed < Self.interval { return NativeThread.sleep(for: Self.interval) }
    if changes.wait(elapsed < Self.attention ? elapsed : Self.longestRest) { changedAt = Clock.system.monotonic }
  }

  /// Watches the file and its log. The log is created anew when a connection opens the file after the last one was
  /// closed, so it is added before every wait; adding a file twice changes nothing.
  private func isFollowed(_ changes: FileChanges) -> Bool { changes.follow(path) && changes.follow("\(path)-wal") }
}
