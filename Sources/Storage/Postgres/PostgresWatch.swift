internal import Base

/// Listens for the announcements of other processes, on a connection of its own.
struct PostgresWatch: Sendable {
  let parameters: [(String, String)]
  let channel: String
  /// How long to wait before watchers are woken anyway, since announcements are lost when a connection breaks.
  private static let patience = Duration.seconds(1)

  func start(isClosed: @escaping @Sendable () -> Bool, _ onCommit: @escaping @Sendable () -> Void) {
    NativeThread.start(name: "postgres-watch", stackBytes: 1 << 20) {
      var connection: PostgresConnection?
      while !isClosed() {
        do throws(DatabaseError) {
          if connection == nil { connection = try subscribe() }
          connection?.waitForNotification(Self.patience)
        } catch {
          NativeThread.sleep(for: .milliseconds(500))
        }
        if connection?.isUsable == false { connection = nil }
        onCommit()
      }
    }
  }

  private func subscribe() throws(DatabaseError) -> PostgresConnection {
    let deadline = Clock.system.monotonic + .seconds(5)
    let connection = try PostgresConnection(parameters, identity: "", until: deadline)
    connection.begin([], until: deadline)
    try connection.execute("LISTEN \(channel)")
    return connection
  }
}
