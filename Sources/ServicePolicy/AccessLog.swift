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
  private let waiting = Mutex<Set<Tenant>>([])

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
    let due = windows.take(looks, in: tenant, at: now)
    try await write(entries, due, in: tenant, within: time)
    if !looks.isEmpty { writeCountsLater(in: tenant) }
  }

  /// Writes all counts, also of minutes that have not ended: for the end of a process.
  func writeCounts() async throws {
    var work = SeparateWork()
    for tenant in windows.tenants {
      try await work.attempt {
        try await write([], windows.takeCounts(in: tenant, at: .never), in: tenant, within: .seconds(5))
      }
    }
    try work.finish()
  }

  private func write(
    _ entries: [AccessEntry], _ due: [DueEntry], in tenant: Tenant, within time: Duration
  ) async throws {
    let all = entries + due.map(\.entry)
    guard !all.isEmpty else { return }
    do {
      try await database.scope(tenant).write(within: time) { transaction in
        for entry in all { try transaction.note(entry) }
      }
    } catch {
      windows.giveBack(due, in: tenant, at: now)
      writeCountsLater(in: tenant)
      throw error
    }
    windows.confirm(due, in: tenant, at: now)
  }

  /// Writes a tenant's counts as their time ends, until there are none. Where the database cannot be written they wait.
  private func writeCountsLater(in tenant: Tenant) {
    guard waiting.withLock({ $0.insert(tenant).inserted }) else { return }
    Task(executorPreference: database.executor) { [self] in
      var goesOn = true
      while goesOn {
        try? await Task.sleep(for: length / 4)
        do {
          try await write([], windows.takeCounts(in: tenant, at: now), in: tenant, within: .seconds(30))
        } catch let error as DatabaseError where error.code == .closed {
          return
        } catch {}
        // Whoever opens a window looks here afterwards, so none is left behind.
        goesOn = waiting.withLock { waiting in
          if windows.areEmpty(in: tenant) { waiting.remove(tenant) }
          return waiting.contains(tenant)
        }
      }
    }
  }
}
