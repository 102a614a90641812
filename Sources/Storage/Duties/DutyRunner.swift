internal import Base

/// Does a database's duties when they are due. Any number of processes may run one on the same database: each duty is
/// taken by one of them at a time, and done once an interval by all of them together.
public struct DutyRunner: Sendable {
  private let database: Database
  private let duties: [Duty]
  private let lease: Duration
  private let report: @Sendable (_ duty: String, _ failure: any Error) -> Void

  /// - Parameters:
  ///   - lease: how long a silent process keeps a duty from the others.
  ///   - report: hears of what failed. It is tried again after a minute, or after the interval when that is shorter.
  public init(
    _ database: Database, lease: Duration = .seconds(30), _ duties: [Duty],
    report: @escaping @Sendable (_ duty: String, _ failure: any Error) -> Void = { _, _ in }
  ) {
    self.database = database
    self.duties = duties
    self.lease = lease
    self.report = report
  }

  /// Takes turns until its task is cancelled.
  public func run() async {
    let shortest = duties.map(\.interval).min() ?? .seconds(60)
    let pause = min(max(shortest / 4, .milliseconds(100)), .seconds(15))
    while !Task.isCancelled {
      await turn()
      try? await Task.sleep(for: pause)
    }
  }

  /// Does what is due now and what no other process is at.
  ///
  /// - Returns: the names of the duties that were done.
  @discardableResult
  public func turn() async -> [String] {
    var done: [String] = []
    // A database that cannot be reached has no duties for now.
    guard (try? await register()) != nil else { return [] }
    for duty in duties where !Task.isCancelled {
      guard let token = try? await take(duty) else { continue }
      do {
        try await Lease.keeping(
          for: lease, renew: { try await renew(duty, token) }, orThrow: DutyLost(name: duty.name), duty.work)
        try? await finish(duty, token, failure: nil)
        done.append(duty.name)
      } catch {
        report(duty.name, error)
        // Should this fail too, the lease runs out and the duty is taken again.
        try? await finish(duty, token, failure: error)
      }
    }
    return done
  }

  private func register() async throws {
    let known = Set(try await database.duties().map(\.name))
    let now = database.context.clock.now
    for duty in duties where !known.contains(duty.name) {
      _ = try await database.maintain {
        try $0.run(DutyStatements.register.query, [.text(duty.name), now.storedValue])
      }
    }
  }

  /// A token for the duty if it is due and free; nil otherwise. Looks before it takes: mostly nothing is due, and
  /// looking is no write.
  private func take(_ duty: Duty) async throws -> String? {
    let context = database.context
    let now = context.clock.now
    let until = now + lease
    let condition: [Value] = [
      .text(duty.name), now.storedValue, (now + duty.interval + duty.interval).storedValue, now.storedValue,
      (until + lease).storedValue,
    ]
    let isDue = try await database.survey { try !$0.all(DutyStatements.due.query, condition).isEmpty }
    guard isDue else { return nil }
    let token = context.identifiers.next()
    let taken = try await database.maintain {
      try $0.run(DutyStatements.take.query, [.text(token), until.storedValue] + condition)
    }
    return taken == 1 ? token : nil
  }

  private func renew(_ duty: Duty, _ token: String) async throws -> Bool {
    let until = database.context.clock.now + lease
    return try await database.maintain {
      try $0.run(DutyStatements.renew.query, [until.storedValue, .text(duty.name), .text(token)]) == 1
    }
  }

  private func finish(_ duty: Duty, _ token: String, failure: (any Error)?) async throws {
    let now = database.context.clock.now
    let next = now + (failure == nil ? duty.interval : min(duty.interval, .seconds(60)))
    // Errors may quote what they are about: only their kind goes on record.
    let kind = failure.map { ($0 as? DatabaseError)?.code.rawValue ?? String(describing: type(of: $0)) }
    let values: [Value] = [
      next.storedValue, kind.storedValue, (failure == nil ? now : Instant?.none).storedValue, .text(duty.name),
      .text(token),
    ]
    _ = try await database.maintain { try $0.run(DutyStatements.done.query, values) }
  }
}

/// Another process has taken the duty: this one was silent for too long.
struct DutyLost: Error {
  let name: String
}
