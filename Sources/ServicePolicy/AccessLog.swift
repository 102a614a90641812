internal import Base
internal import CommonContract
internal import Storage
internal import Synchronization

/// Writes an event when a caller reads personal data or is denied a call. The event of a reading is durable before the
/// call is answered.
final class AccessLog: Sendable {
  private let database: Database
  private let windows: AccessWindows
  let asked = AskedQuestions()
  private let length: Duration
  /// The tenants with a background task that will write their counts of repeats.
  private let waiting = Mutex<Set<Tenant>>([])

  /// - Parameter length: how long repeats are counted before they are written.
  init(_ database: Database, length: Duration) {
    self.database = database
    self.length = length
    windows = AccessWindows(length: length)
  }

  private var now: MonotonicTime { Clock.system.monotonic }

  /// - Parameters:
  ///   - entries: each is written as an event of its own.
  ///   - looks: readings and denied attempts that callers repeat. The first of a kind is written as an event at once,
  ///     its repeats within the next minute as one event with their number.
  func write(
    _ entries: [TrailEntry], looks: [TrailEntry] = [], in tenant: Tenant, within time: Duration
  ) async throws {
    let due = windows.take(looks, in: tenant, at: now)
    try await write(entries, due, in: tenant, within: time)
    if !looks.isEmpty { writeCountsLater(in: tenant) }
  }

  /// Writes the counts of all repeats, also of windows that are still open. Called when the process ends.
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
    _ entries: [TrailEntry], _ due: [DueEntry], in tenant: Tenant, within time: Duration
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

  /// Starts a task, unless one runs, that writes each count of a tenant when its window has ended, until no window is
  /// open. While the database cannot be written, the task keeps the counts and retries.
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
        // Both checks are made under the lock that a writer takes after it has opened a window. So either this task
        // sees the new window, or the writer finds no task and starts one.
        goesOn = waiting.withLock { waiting in
          if windows.areEmpty(in: tenant) { waiting.remove(tenant) }
          return waiting.contains(tenant)
        }
      }
    }
  }
}
