internal import Base

/// Runs a database's periodic tasks when they are due. Any number of processes may do so for the same database: one of
/// them runs a task at a time, and together they run it once in an interval.
public struct PeriodicTaskRunner: Sendable {
  private let database: Database
  private let tasks: [PeriodicTask]
  private let lease: Duration
  private let report: @Sendable (_ task: String, _ failure: any Error) -> Void

  /// - Parameters:
  ///   - lease: how long a process that stopped answering keeps a task from the others.
  ///   - report: called with each failure. The task is tried again after a minute, or after its interval if that is
  ///     shorter.
  public init(
    _ database: Database, lease: Duration = .seconds(30), _ tasks: [PeriodicTask],
    report: @escaping @Sendable (_ task: String, _ failure: any Error) -> Void = { _, _ in }
  ) {
    self.database = database
    self.tasks = tasks
    self.lease = lease
    self.report = report
  }

  /// Runs due tasks until its own task is cancelled.
  public func run() async {
    let shortest = tasks.map(\.interval).min() ?? .seconds(60)
    let pause = min(max(shortest / 4, .milliseconds(100)), .seconds(15))
    while !Task.isCancelled {
      await runDue()
      try? await Task.sleep(for: pause)
    }
  }

  /// Runs each task that is due and that no other process is running.
  ///
  /// - Returns: the names of the tasks that were run.
  @discardableResult
  public func runDue() async -> [String] {
    var done: [String] = []
    // While the database cannot be reached, no task is due.
    guard let times = try? await register() else { return [] }
    for task in tasks where !Task.isCancelled && isDue(task, times[task.name]) {
      guard let token = try? await take(task) else { continue }
      do {
        try await Lease.keeping(
          for: lease, renew: { try await renew(task, token) }, orThrow: LeaseLost(name: task.name), task.work)
        try? await finish(task, token, failure: nil)
        done.append(task.name)
      } catch {
        report(task.name, error)
        // Should this fail too, the lease expires and the task is taken again.
        try? await finish(task, token, failure: error)
      }
    }
    return done
  }

  /// - Returns: when each known task is due, as it was before.
  private func register() async throws -> [String: Int64] {
    // Names that differ only in their spelling are equal.
    let known = Dictionary(
      try await database.periodicTasks().map { ($0.name, $0.due) }, uniquingKeysWith: { min($0, $1) })
    let now = database.context.clock.now
    for task in tasks where known[task.name] == nil {
      _ = try await database.writeAcrossTenants {
        try $0.run(PeriodicTaskStatements.register.query, [.text(task.name), now.storedValue])
      }
    }
    return known
  }

  /// Whether a task may be due, as the statement that takes it says too: usually none is, and one look at all of them
  /// tells.
  private func isDue(_ task: PeriodicTask, _ time: Int64?) -> Bool {
    guard let time else { return true }
    let now = database.context.clock.now
    return time <= now.millisecondsSince1970
      || time > (now + task.interval + task.interval).millisecondsSince1970
  }

  /// A token for the lease of the task if it is due and free; nil otherwise. Reads before it writes: another process
  /// may run it.
  private func take(_ task: PeriodicTask) async throws -> String? {
    let context = database.context
    let now = context.clock.now
    let until = now + lease
    let condition: [Value] = [
      .text(task.name), now.storedValue, (now + task.interval + task.interval).storedValue, now.storedValue,
      (until + lease).storedValue,
    ]
    let isDue = try await database.readAcrossTenants {
      try !$0.all(PeriodicTaskStatements.due.query, condition).isEmpty
    }
    guard isDue else { return nil }
    let token = context.identifiers.next()
    let taken = try await database.writeAcrossTenants {
      try $0.run(PeriodicTaskStatements.take.query, [.text(token), until.storedValue] + condition)
    }
    return taken == 1 ? token : nil
  }

  private func renew(_ task: PeriodicTask, _ token: String) async throws -> Bool {
    let until = database.context.clock.now + lease
    return try await database.writeAcrossTenants {
      try $0.run(PeriodicTaskStatements.renew.query, [until.storedValue, .text(task.name), .text(token)]) == 1
    }
  }

  private func finish(_ task: PeriodicTask, _ token: String, failure: (any Error)?) async throws {
    let now = database.context.clock.now
    let next = now + (failure == nil ? task.interval : min(task.interval, .seconds(60)))
    // Errors may quote personal values: only their kind is stored.
    let kind = failure.map { ($0 as? DatabaseError)?.code.rawValue ?? String(describing: type(of: $0)) }
    let values: [Value] = [
      next.storedValue, kind.storedValue, (failure == nil ? now : Instant?.none).storedValue, .text(task.name),
      .text(token),
    ]
    _ = try await database.writeAcrossTenants { try $0.run(PeriodicTaskStatements.done.query, values) }
  }
}

/// The lease expired and another process has taken the task.
struct LeaseLost: Error {
  let name: String
}
