public import Base

/// What a check looked at, and the faults that it found.
public struct CheckReport: Hashable, Sendable {
  public internal(set) var events = 0
  public internal(set) var subjects = 0
  public internal(set) var items = 0
  public internal(set) var commitments = 0
  public internal(set) var answers = 0
  /// Signed heads, in the database and given, that agree with the events.
  public internal(set) var heads = 0
  /// How many of these heads were given by the caller.
  public internal(set) var givenHeads = 0
  /// Rows that match what events committed to.
  public internal(set) var rows = 0
  /// One line each, at most `mostProblems`; empty when there is no fault.
  public internal(set) var problems: [String] = []

  /// Very many rows may be wrong; the first problems are enough for a report.
  static let mostProblems = 100

  mutating func note(_ problem: String) {
    if problems.count < Self.mostProblems { problems.append(problem) }
  }

  mutating func note(_ problems: [String]) {
    for problem in problems { note(problem) }
  }

  /// Notes a problem that may occur in many places, such as a key that does not open, only once.
  mutating func noteOnce(_ problem: String) {
    if !problems.contains(problem) { note(problem) }
  }

  mutating func add(_ log: LogCheck) {
    note(log.problems)
    events += log.events
    heads += log.heads
    givenHeads += log.givenHeadsThatFit
    rows += log.rows
  }
}

extension Row {
  /// Whether the opening of a commitment was removed, as an erasure does.
  fileprivate func isSealedAway() throws(DatabaseError) -> Bool { try get("sealed", as: [UInt8]?.self) == nil }
}

extension Database {
  /// Verifies everything that can be verified: the engine's own structures, references between rows, and the history of
  /// migrations; that the keys and the guards of append-only tables exist, and no triggers, rules, policies or default
  /// values that no migration made; the numbers and hashes of all events, their tree and its signed heads, and every
  /// row to which an event committed. Given the master key, also that the service wrote every event, that everything
  /// sealed opens, and that every commitment matches its digest. There is no time-out.
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
    try checkMigrations()
    try checkSchema()
    let tables = try CommittedTables(connection: connection, known: OwnCoverage.tables + context.schema.coverage)
    report.note(tables.problems)
    var seen: Set<String> = []
    for row in try connection.all(CheckStatements.tenants(in: tables), []) {
      guard let tenant = Tenant(try row.get("tenant")) else {
        report.note("a row of the event log or the vault belongs to no tenant")
        continue
      }
      let snapshot = Snapshot(tenant: tenant, connection: connection, context: context)
      seen.insert(tenant.id)
      var log = LogCheck(
        snapshot: snapshot, tables: tables, givenHeads: heads(of: tenant), trusted: trusted, opensKeys: opensVault,
        progress: progress)
      try log.run()
      report.add(log)
      if opensVault {
        try checkVault(snapshot)
        try checkAnswers(snapshot)
      }
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

  /// Checks that what migrations made exists, such as the triggers that refuse changes of append-only tables, and that
  /// nothing else does that changes rows or hides them.
  private mutating func checkSchema() throws {
    let migrations = try connection.all(AppliedMigration.all.query, []).map { try AppliedMigration(row: $0).sql }
    let check = try SchemaCheck(connection: connection, declared: DeclaredTables(migrations))
    report.note(try check.missing() + check.planted().map(\.line))
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

  private mutating func checkMigrations() throws {
    for row in try connection.all(AppliedMigration.all.query, []) {
      let applied = try AppliedMigration(row: row)
      let migration = try? Migration(remembered: Int(applied.version), applied.name, applied.sql)
      if migration?.checksum != applied.checksum {
        report.note("migration \(applied.version) of '\(applied.history)' does not match its checksum")
      }
    }
  }

  private mutating func checkVault(_ snapshot: Snapshot) throws {
    let vault = snapshot.vault
    for row in try snapshot.all(CheckStatements.keys) {
      do throws(DatabaseError) {
        _ = try snapshot.unwrapTenantKey(row)
        if let problem = try context.problemWithName(in: row) {
          report.noteOnce("tenant '\(snapshot.tenant)': \(problem)")
        }
      } catch {
        report.noteOnce("tenant '\(snapshot.tenant)': \(error.message)")
      }
    }
    for row in try snapshot.all(CheckStatements.subjects) {
      report.subjects += 1
      progress(report.subjects, "subjects are opened, now those of tenant '\(snapshot.tenant)'")
      let name: String = try row.get("subject")
      guard let subject = Subject(name) else {
        report.note("'\(name)' names no subject")
        continue
      }
      if try vault.isErased(subject) {
        for (what, rows) in [
          ("items", try snapshot.all(VaultStatements.items, name)),
          ("index entries", try snapshot.all(IndexStatements.ofSubject, name)),
          ("openings", try snapshot.all(VaultStatements.commitments, name).filter { try !$0.isSealedAway() }),
        ] where !rows.isEmpty {
          report.note("tenant '\(snapshot.tenant)': \(rows.count) \(what) of erased subject '\(subject)' are left")
        }
        continue
      }
      do throws(DatabaseError) {
        report.items += try vault.all(of: subject).count
        _ = try vault.entries(of: subject)
        for commitment in try snapshot.all(VaultStatements.commitments, subject.id) {
          _ = try vault.opening(of: try commitment.get("id"))
          report.commitments += 1
        }
      } catch {
        report.noteOnce("tenant '\(snapshot.tenant)': \(error.message)")
      }
    }
  }

  private mutating func checkAnswers(_ snapshot: Snapshot) throws {
    for row in try snapshot.all(CheckStatements.answers) {
      report.answers += 1
      progress(report.answers, "answers kept for repeats are opened, now those of tenant '\(snapshot.tenant)'")
      do throws(DatabaseError) {
        _ = try snapshot.openAnswer(row, caller: try row.get("caller"), key: try row.get("key"))
      } catch {
        report.noteOnce("tenant '\(snapshot.tenant)': \(error.message)")
      }
    }
  }
}

enum CheckStatements {
  /// All tenants with anything to check, including those that have only rows of the service.
  static func tenants(in tables: CommittedTables) -> Query {
    let logs = ["storage_event_heads", "storage_events", "storage_trees", "storage_signed_heads"]
    let names = logs + ["storage_vault_tenants"] + tables.shapes.keys.filter { tables.has($0) }.sorted()
    let selections = names.map { "SELECT tenant FROM \($0)" }.joined(separator: " UNION ")
    return Query(uncached: "storage.check.tenants", "\(selections) ORDER BY tenant")
  }
  static let keys = Statement(
    own: "storage.check.keys",
    "SELECT version, wrapped, master FROM storage_vault_tenants WHERE tenant = {tenant} ORDER BY version")
  static let subjects = Statement(
    own: "storage.check.subjects",
    "SELECT subject FROM storage_vault_subjects WHERE tenant = {tenant} ORDER BY subject")
  static let answers = Statement(
    own: "storage.check.answers",
    "SELECT caller, key, subject, version, sealed FROM storage_idempotency WHERE tenant = {tenant}")
}
