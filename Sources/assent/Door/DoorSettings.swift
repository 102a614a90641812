internal import Base
internal import Bus
internal import RPC
internal import ServiceKit

/// Where a command finds the gateways of an installation.
struct DoorSettings: SettingGroup {
  let data = Setting(
    "data", default: "data", shown: "FOLDER", "the folder that 'assent up' was given, in which the bus is found")
  let bus = BusSettings(.clients, folder: "")
}

extension Settings<DoorSettings> {
  private var folder: String { "\(self[\.data])/bus" }

  /// A connection that a gateway has accepted.
  ///
  /// - Parameter wait: how long a gateway may take to answer.
  func connect(as name: String, within wait: Duration = .seconds(5)) async throws -> BusConnection {
    let bus = settings(of: \.bus)
    let connection = try await bus.connect(as: name, log: .silent, in: folder)
    let isReady: Bool
    do {
      isReady = try await Self.isReady(connection, within: wait)
    } catch {
      try? await connection.close()
      throw error
    }
    guard isReady else {
      try? await connection.close()
      throw NoGateway(places: try bus.endpoints(in: folder).map(\.description), waited: wait)
    }
    return connection
  }

  /// Whether a gateway has accepted the connection in time.
  private static func isReady(_ connection: BusConnection, within wait: Duration) async throws -> Bool {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await connection.ready()
        return true
      }
      group.addTask {
        try await Task.sleep(for: wait)
        return false
      }
      defer { group.cancelAll() }
      return try await group.next() ?? false
    }
  }
}

/// No gateway answered, with the places that were tried.
struct NoGateway: Error, CustomStringConvertible {
  let places: [String]
  let waited: Duration

  var description: String {
    "UNAVAILABLE: no gateway answered within \(waited.settingText) at \(places.joined(separator: ", ")): is 'assent up' "
      + "running, and is --data the folder that it was given?"
  }
}
