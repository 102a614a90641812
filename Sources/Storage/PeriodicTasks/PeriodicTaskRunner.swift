internal import Base

/// Runs a database's periodic tasks when they are due. Any number of processes may run a runner on the same database: a
/// lease lets one of them at a time run a task, and together they run it once per interval.
public struct PeriodicTaskRunner: Sendable {
  private let database: Database
  private let tasks: [PeriodicTask]
  private let lease: Duration
  private let report: @Sendable (_ task: String, _ failure: any Error) -> Void

  /// - Parameters:
  ///   - lease: how long a task's lease lasts unless it is renewed: after a process has died, others wait this long at
  ///     most.
  ///   - report: called with each failure. The task is retried after a minute, or after its interval if that is
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
      try? await Rounds.wait(about: pause)
    }
  }

  /// Runs each task that is due and that no other process is running.
  ///
  /// - Returns: the names of the tasks that were run.
  @discardableResult
  public func runDue() async -> [String] {
    var done: [String] = []
    // While the database cannot be reached, no task is run.
    guard let times = try? await register() else { return [] }
    for task in tasks where !Task.isCancelled && isDue(task, times[task.name]) {
      guard let token = try? await take(task) else { continue }
      do {
        try await Lease.keeping(
          for: lease, renew: { try await renew(task, token) }, orThrow: LeaseLost(name: task.name), task.work)
        try? await finish(task, token, failure: nil)
        done.append(task.name)
      } catch {
        // A process that ends has not failed. Its lease expires, and another one, or the next, runs the task.
        if Task.isCancelled { break }
        report(task.name, error)
        // If this fails too, the lease expires and the task is taken again.
        try? await finish(task, token, failure: error)
      }
    }
    return done
  }

  /// Adds rows for tasks that the database does not know yet.
  ///
  /// - Returns: when each task that it knew before is due.
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

  /// Whether a task may be due, by the same rule as the statement that takes it. Usually no task is due, so one query
  /// for all of them saves a query for each.
  private func isDue(_ task: PeriodicTask, _ time: Int64?) -> Bool {
    guard let time else { return true }
    let now = database.context.clock.now
    return time <= now.millisecondsSince1970
      || time > (now + task.interval + task.interval).millisecondsSince1970
  }

  /// Takes the task's lease if the task is due and no other process holds it. Returns the lease's token, or nil. Reads
  /// before it writes, since another process often runs the task already.
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
    // An error's text may quote personal values, so only its kind is stored.
    let kind = failure.map { ($0 as? DatabaseError)?.code.rawValue ?? String(describing: type(of: $0)) }
    let values: [Value] = [
      next.storedValue, kind.storedValue, (failure == nil ? now : Instant?.none).storedValue, .text(task.name),
      .text(token),
    ]
    _ = try await database.writeAcrossTenants { try $0.run(PeriodicTaskStatements.done.query, values) }
  }
}

/// Thrown when the lease has expired and another process has taken the task.
struct LeaseLost: Error {
  let name: String
}
