public import Base

/// What a check looked at, and the faults that it found.
public struct CheckReport: Hashable, Sendable {
  public internal(set) var events = 0
  public internal(set) var subjects = 0
  public internal(set) var items = 0
  public internal(set) var commitments = 0
  public internal(set) var answers = 0
  public internal(set) var jobs = 0
  /// Signed heads, in the database and given, that agree with the events.
  public internal(set) var heads = 0
  /// How many of these heads were given by the caller.
  public internal(set) var givenHeads = 0
  /// Rows that match what events committed to.
  public internal(set) var rows = 0
  /// One line each, at most `mostProblems` for each tenant; empty when there is no fault.
  public internal(set) var problems: [String] = []

  /// Very many rows may be wrong; the first problems are enough for a report.
  static let mostProblems = 100

  mutating func note(_ problem: String) { problems.append(problem) }

  mutating func add(_ check: TenantCheck) {
    let (log, vault) = (check.log.found, check.vault.found)
    events += log.events
    heads += log.heads
    givenHeads += log.givenHeads
    rows += log.rows
    subjects += vault.subjects
    items += vault.items
    commitments += vault.commitments
    answers += vault.answers
    jobs += vault.jobs
    let found = check.problems
    let listed = found.count > Self.mostProblems ? Self.mostProblems - 1 : found.count
    problems += found.prefix(listed).map { "tenant '\(check.tenant)': \($0.text)" }
    if listed < found.count {
      problems.append("tenant '\(check.tenant)': \(found.count - listed) more problems are not listed")
    }
  }
}

extension Database {
  /// Verifies everything that can be verified, in one snapshot: the engine's own structures, references between rows,
  /// and the history of migrations; that the keys and the guards of append-only tables exist, and no triggers, rules,
  /// policies or default values that no migration made; and each tenant's log, rows and vault (`TenantCheck`). There is
  /// no time-out.
  ///
  /// - Parameters:
  ///   - opensVault: whether the master key was given.
  ///   - heads: signed heads that were handed out earlier, by which a history shows that was replaced as a whole. Heads
  ///     of other services are ignored.
  ///   - trusted: keys one of which must have signed each head; if there are none, signatures are not checked.
  public func check(
    opensVault: Bool = true, heads: [SignedCheckpoint] = [], trusted: [VerifyingKey] = [],
    progress: @escaping DataProgress = { _, _ in }
  ) async throws -> CheckReport {
    let context = context
    return try await readAcrossTenants { connection in
      try connection.goOn()
      var check = DataCheck(
        connection: connection, context: context, givenHeads: heads, trusted: trusted, progress: progress)
      try check.run(opensVault: opensVault)
      return check.report
    }
  }
}

struct DataCheck {
  let connection: any Connection
  let context: DatabaseContext
  let givenHeads: [SignedCheckpoint]
  let trusted: [VerifyingKey]
  let progress: DataProgress
  var report = CheckReport()

  init(
    connection: any Connection, context: DatabaseContext, givenHeads: [SignedCheckpoint], trusted: [VerifyingKey],
    progress: @escaping DataProgress
  ) {
    self.connection = connection
    self.context = context
    self.givenHeads = givenHeads
    self.trusted = trusted
    self.progress = progress
  }

  mutating func run(opensVault: Bool) throws {
    try checkStructure()
    for problem in try SchemaCheck.problems(connection) { report.note(problem) }
    let tables = try CommittedTables(connection: connection, known: OwnCoverage.tables + context.schema.coverage)
    for problem in tables.problems { report.note(problem) }
    var seen: Set<String> = []
    for row in try connection.all(CheckStatements.tenants(in: tables), []) {
      guard let tenant = Tenant(try row.get("tenant")) else {
        report.note("a row of the event log or the vault belongs to no tenant")
        continue
      }
      seen.insert(tenant.id)
      let snapshot = Snapshot(tenant: tenant, connection: connection, context: context)
      var check = try TenantCheck(
        of: tenant, tables: tables, givenHeads: heads(of: tenant), trusted: trusted, opensVault: opensVault)
      while !check.isDone {
        let done = try check.step(snapshot)
        progress(done.count, done.what)
      }
      report.add(check)
    }
    for head in givenHeads.map(\.checkpoint) where isOurs(head) {
      let tenant = head.origin.split(separator: "/").last.map(String.init) ?? ""
      if !seen.contains(tenant) {
        report.note("tenant '\(tenant)': nothing is left of the \(head.size) events of a head that was handed out")
      }
    }
  }

  /// Whether a head is of one of this service's logs, whose names are `installation/service/tenant`.
  private func isOurs(_ head: Checkpoint) -> Bool {
    head.origin.split(separator: "/").dropLast().last.map(String.init) == context.schema.name
  }

  private func heads(of tenant: Tenant) -> [SignedCheckpoint] {
    givenHeads.filter { isOurs($0.checkpoint) && $0.checkpoint.origin.hasSuffix("/\(tenant)") }
  }

  private mutating func checkStructure() throws {
    progress(0, "events are read: the database's own structures come first")
    if connection.dialect == .sqlite {
      for row in try connection.all(Query(uncached: "storage.integrity", "PRAGMA integrity_check(20)"), []) {
        let line: String = try row.get(0)
        if line != "ok" { report.note("SQLite's own check: \(line)") }
      }
    }
    for line in try Catalogue(connection: connection).brokenReferences() { report.note(line) }
  }
}

extension SchemaCheck {
  /// What is wrong with the migrations as they were applied, and with the keys, guards and other objects that they made
  /// or that nobody should have made.
  static func problems(_ connection: any Connection) throws -> [String] {
    var problems: [String] = []
    var migrations: [String] = []
    for row in try connection.all(AppliedMigration.all.query, []) {
      let applied = try AppliedMigration(row: row)
      migrations.append(applied.sql)
      let migration = try? Migration(remembered: Int(applied.version), applied.name, applied.sql)
      if migration?.checksum != applied.checksum {
        problems.append("migration \(applied.version) of '\(applied.history)' does not match its checksum")
      }
    }
    let check = try SchemaCheck(connection: connection, declared: DeclaredTables(migrations))
    return problems + (try check.missing()) + (try check.planted().map(\.line))
  }
}

enum CheckStatements {
  /// All tenants with anything to check, including those that have only rows of the service.
  static func tenants(in tables: CommittedTables) -> Query {
    let logs = ["storage_event_heads", "storage_events", "storage_trees", "storage_signed_heads", "storage_jobs"]
    let names = logs + ["storage_vault_tenants"] + tables.shapes.keys.filter { tables.has($0) }.sorted()
    let selections = names.map { "SELECT tenant FROM \($0)" }.joined(separator: " UNION ")
    return Query(uncached: "storage.check.tenants", "\(selections) ORDER BY tenant")
  }
}
