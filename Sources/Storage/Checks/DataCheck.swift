internal import Base

/// What a check looked at, and the faults that it found.
public struct CheckReport: Hashable, Sendable {
  public internal(set) var events = 0
  public internal(set) var subjects = 0
  public internal(set) var items = 0
  public internal(set) var commitments = 0
  public internal(set) var answers = 0
  /// One line each, at most a hundred; empty when there is no fault.
  public internal(set) var problems: [String] = []

  mutating func note(_ problem: String) {
    if problems.count < 100 { problems.append(problem) }
  }
}

extension Database {
  /// Verifies what can be verified: the engine's own structures, references between rows, the history of migrations,
  /// the numbers and hashes of all events, and, given the master key, that everything sealed opens and every
  /// commitment matches its digest.
  public func check(opensVault: Bool = true, within time: Duration = .seconds(3600)) async throws -> CheckReport {
    let context = context
    return try await readAcrossTenants(within: time) { connection in
      var check = DataCheck(connection: connection, context: context)
      try check.run(opensVault: opensVault)
      return check.report
    }
  }
}

struct DataCheck {
  let connection: any Connection
  let context: DatabaseContext
  var report = CheckReport()

  init(connection: any Connection, context: DatabaseContext) {
    self.connection = connection
    self.context = context
  }

  mutating func run(opensVault: Bool) throws {
    try checkStructure()
    try checkMigrations()
    for row in try connection.all(CheckStatements.tenants.query, []) {
      guard let tenant = Tenant(try row.get("tenant")) else {
        report.note("a row of the event log or the vault belongs to no tenant")
        continue
      }
      let snapshot = Snapshot(tenant: tenant, connection: connection, context: context)
      try checkEvents(snapshot)
      if opensVault {
        try checkVault(snapshot)
        try checkAnswers(snapshot)
      }
    }
  }

  private mutating func checkStructure() throws {
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

  /// Checks that every number from 1 to the head's exists, and each hash against its predecessor's.
  private mutating func checkEvents(_ snapshot: Snapshot) throws {
    let tenant = snapshot.tenant
    var expected: Int64 = 0
    var chain = Event.beginning
    var found = report
    try snapshot.each(EventStatements.after, 0, Int64.max) { row in
      let event = try Event(row: row)
      expected += 1
      found.events += 1
      if event.sequence != expected {
        found.note("tenant '\(tenant)': event \(event.sequence) stands where \(expected) belongs")
        expected = event.sequence
      }
      let computed = Event.chain(
        after: chain, tenant: tenant, sequence: event.sequence, stream: event.stream, type: event.type,
        payload: event.payload, at: event.at)
      if computed != event.chain {
        found.note("tenant '\(tenant)': the hash of event \(event.sequence) does not match")
      }
      chain = event.chain
    }
    report = found
    guard let head = try snapshot.first(EventStatements.headForChecking) else {
      if expected > 0 { report.note("tenant '\(tenant)': events without a head") }
      return
    }
    if try head.get("last") != expected || head.get("chain", as: Digest.self) != chain {
      report.note("tenant '\(tenant)': the log's head does not match its last event, \(expected)")
    }
  }

  private mutating func checkVault(_ snapshot: Snapshot) throws {
    let vault = snapshot.vault
    for row in try snapshot.all(CheckStatements.subjects) {
      report.subjects += 1
      let name: String = try row.get("subject")
      guard let subject = Subject(name) else {
        report.note("'\(name)' names no subject")
        continue
      }
      if try vault.isErased(subject) { continue }
      do throws(DatabaseError) {
        report.items += try vault.all(of: subject).count
        for commitment in try snapshot.all(VaultStatements.commitments, subject.id) {
          _ = try vault.opening(of: try commitment.get("id"))
          report.commitments += 1
        }
      } catch {
        report.note("tenant '\(snapshot.tenant)': \(error.message)")
      }
    }
  }

  private mutating func checkAnswers(_ snapshot: Snapshot) throws {
    for row in try snapshot.all(CheckStatements.answers) {
      report.answers += 1
      do throws(DatabaseError) {
        _ = try snapshot.openAnswer(row, caller: try row.get("caller"), key: try row.get("key"))
      } catch {
        report.note("tenant '\(snapshot.tenant)': \(error.message)")
      }
    }
  }
}

enum CheckStatements {
  static let tenants = Statement(
    acrossTenants: "storage.check.tenants",
    "SELECT tenant FROM storage_event_heads UNION SELECT tenant FROM storage_events "
      + "UNION SELECT tenant FROM storage_vault_tenants ORDER BY tenant")
  static let subjects = Statement(
    own: "storage.check.subjects",
    "SELECT subject FROM storage_vault_subjects WHERE tenant = {tenant} ORDER BY subject")
  static let answers = Statement(
    own: "storage.check.answers",
    "SELECT caller, key, subject, version, sealed FROM storage_idempotency WHERE tenant = {tenant}")
}
