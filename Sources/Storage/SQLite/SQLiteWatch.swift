internal import Base

/// Notices what other processes commit to the same file. SQLite cannot notify, but the system says when its log has
/// grown, and asking then whether that was a commit costs a microsecond.
final class SQLiteWatch: Sendable {
  /// After a change the thread asks again, since a commit becomes visible after the log was written: first after this
  /// time, which is also how often it asks while there are commits, then after ever longer ones.
  private static let interval = Duration.milliseconds(25)
  /// How long it asks after the last change.
  private static let attention = Duration.seconds(1)
  /// How often it asks otherwise, in case the system has not told of a change.
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
          // The file cannot be read now (it may be locked, or on a disk that was removed): its users get the error.
          connection = nil
        }
        rest(since: &changedAt, canRest: connection != nil)
      }
    }
  }

  /// Ends the wait for the next change.
  func stop() { changes?.stop() }

  /// Sleeps until there may be a commit to see.
  private func rest(since changedAt: inout MonotonicTime, canRest: Bool) {
    guard canRest, let changes, isFollowed(changes) else { return NativeThread.sleep(for: Self.interval) }
    let elapsed = Clock.system.monotonic - changedAt
    if elapsed < Self.interval { return NativeThread.sleep(for: Self.interval) }
    if changes.wait(elapsed < Self.attention ? elapsed : Self.longestRest) { changedAt = Clock.system.monotonic }
  }

  /// The log is created anew when the last connection to the file has closed and another one opens it. So it is named
  /// at every wait; naming a file twice changes nothing.
  private func isFollowed(_ changes: FileChanges) -> Bool { changes.follow(path) && changes.follow("\(path)-wal") }
}
