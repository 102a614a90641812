internal import Base

/// Notices what other processes commit to the same file. SQLite cannot notify, but asking costs a microsecond.
enum SQLiteWatch {
  private static let intervalMilliseconds: Int64 = 25

  static func start(
    path: String, isClosed: @escaping @Sendable () -> Bool, _ onCommit: @escaping @Sendable () -> Void
  ) {
    NativeThread.start(name: "sqlite-watch", stackBytes: 1 << 20) {
      var connection: SQLiteConnection?
      var seen: Value?
      while !isClosed() {
        BlockingSleep.milliseconds(intervalMilliseconds)
        do throws(DatabaseError) {
          if connection == nil { connection = try SQLiteEngine.open(path, mode: .existing) }
          let version = try connection?.value(of: "PRAGMA data_version")
          if version != seen { onCommit() }
          seen = version
        } catch {
          // The file cannot be read now (it may be locked, or on a disk that was removed): its users get the error.
          connection = nil
        }
      }
    }
  }
}
