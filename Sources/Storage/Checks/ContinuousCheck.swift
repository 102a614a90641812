public import Base

/// Checks all data of a database over and over while its service runs, on spare time: after each step it rests for so
/// long that it takes a twentieth of a processor at most.
public struct ContinuousCheck: Sendable {
  private let database: Database
  private let trusted: [VerifyingKey]
  private let report: @Sendable (_ tenant: Tenant, _ problem: String) -> Void

  /// How long it rests after a step, in times that the step took. Tests change it.
  var rest = 19

  /// - Parameters:
  ///   - trusted: keys one of which must have signed each head; if there are none, signatures are not checked.
  ///   - report: called with each problem that was not known before.
  public init(
    _ database: Database, trusting trusted: [VerifyingKey],
    report: @escaping @Sendable (_ tenant: Tenant, _ problem: String) -> Void
  ) {
    self.database = database
    self.trusted = trusted
    self.report = report
  }

  /// The check as a periodic task, of which one process of the database at a time makes a pass.
  public func task(every interval: Duration) -> PeriodicTask {
    PeriodicTask("storage.check", every: interval) { try await pass() }
  }

  /// Checks everything once.
  public func pass() async throws {
    let known = OwnCoverage.tables + database.context.schema.coverage
    let (tables, schema, names) = try await database.readAcrossTenants { connection in
      let tables = try CommittedTables(connection: connection, known: known)
      let names = try connection.all(CheckStatements.tenants(in: tables), []).map { row in
        try row.get("tenant", as: String.self)
      }
      return (tables, tables.problems + (try SchemaCheck.problems(connection)), names)
    }
    for tenant in names.compactMap({ Tenant($0) }) {
      var check = try TenantCheck(of: tenant, tables: tables, trusted: trusted, opensVault: true)
      while !check.isDone {
        let began = database.context.clock.monotonic
        let before = check
        check = try await database.scope(tenant).read { snapshot in
          var check = before
          try check.step(snapshot)
          return check
        }
        try await Task.sleep(for: (database.context.clock.monotonic - began) * rest)
      }
      // What is wrong with the tables as such concerns every tenant.
      try await note(Findings.Found(schema.map { LogProblem(text: $0) } + check.problems), of: tenant)
    }
  }

  /// Lets all processes know what a pass found, if that is new.
  private func note(_ found: Findings.Found, of tenant: Tenant) async throws {
    let known = database.context.findings[tenant]
    database.context.findings.set(found, of: tenant)
    for problem in found.problems where !known.problems.contains(problem) { report(tenant, problem) }
    do {
      try await database.scope(tenant).write { transaction in
        guard try transaction.storedFindings() != found else { return }
        transaction.append(FindingEvent.type, found.payload, to: FindingEvent.stream)
      }
    } catch let error as DatabaseError where error.isDamage {
      // Nothing is added to a log that is damaged itself. This process knows, and refuses what is about that log
      // anyway.
    }
  }
}

extension Database {
  /// Learns what the check found in whichever process ran it.
  public func refreshFindings() async throws {
    for tenant in try await eventHeads().map(\.tenant) {
      do {
        let found = try await scope(tenant).read { try $0.storedFindings() }
        context.findings.set(found, of: tenant)
      } catch let error as DatabaseError where error.isDamage {
        continue
      }
    }
  }

  /// A summary of what the check found, without names of tenants; nil if all is well.
  public var findingsProblem: String? {
    let count = context.findings.count
    return count == 0 ? nil : "the check of the data found \(count == 1 ? "a problem" : "\(count) problems")"
  }

  /// How many problems the check found that are still there.
  public var findingsCount: Int { context.findings.count }
}
