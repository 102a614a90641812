internal import Bus
internal import RPC

/// A process's connection to the bus, opened when it is first needed and then shared.
actor BusMembership {
  private var opening: Task<BusConnection, any Error>?

  func connection(_ open: @escaping @Sendable () async throws -> BusConnection) async throws -> BusConnection {
    if let opening { return try await opening.value }
    let task = Task { try await open() }
    opening = task
    return try await task.value
  }
}
