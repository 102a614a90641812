internal import Base
internal import CommonContract
internal import Storage
internal import Synchronization

/// Writes down who read what and who was refused. An entry is durable before the call is answered.
final class AccessLog: Sendable {
  private let database: Database
  private let windows: AccessWindows
  let asked = AskedQuestions()
  private let length: Duration
  /// The tenants for whose counts a task waits.
  private let waiting = Mutex<Set<String>>([])

  /// - Parameter length: how long repeats are counted before they are written.
  init(_ database: Database, length: Duration) {
    self.database = database
    self.length = length
    windows = AccessWindows(length: length)
  }

  private var now: MonotonicTime { Clock.system.monotonic }

  /// - Parameters:
  ///   - entries: an event each.
  ///   - looks: an event for the first of a kind, and one for all others of the next minute.
  func write(
    _ entries: [AccessEntry], looks: [AccessEntry] = [], in tenant: Tenant, within time: Duration
  ) async throws {
    var due = entries
    for look in looks { due += windows.take(look, in: tenant, at: now) }
    if !looks.isEmpty { writeCountsLater(in: tenant) }
    try await write(due, in: tenant, within: time)
  }

  private func write(_ entries: [AccessEntry], in tenant: Tenant, within time: Duration) async throws {
    guard !entries.isEmpty else { return }
    try await database.scope(tenant).write(within: time) { transaction in
      for entry in entries { try transaction.note(entry) }
    }
  }

  private func writeCountsLater(in tenant: Tenant) {
    guard waiting.withLock({ $0.insert(tenant.id).inserted }) else { return }
    Task(executorPreference: database.executor) { [self, length] in
      try? await Task.sleep(for: length)
      _ = waiting.withLock { $0.remove(tenant.id) }
      // A database that cannot be written has refused the calls themselves.
      try? await write(windows.due(in: tenant, at: now), in: tenant, within: .seconds(30))
    }
  }
}
