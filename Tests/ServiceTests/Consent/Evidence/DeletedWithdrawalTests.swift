import Base
import ConsentContract
import ConsentService
import RPC
import Storage
import StorageTestKit
import Testing
import Wire

/// Under running services, somebody puts the database back to the state before a withdrawal: every row, the log and its
/// head. Nothing in it tells.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DeletedWithdrawalTests {
  @Test(
    "services that have seen a withdrawal hand out no proof without it, and write nothing",
    arguments: TestEngine.allCases)
  func missed(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    let record = try await world.record(of: try await world.walk(subject: "s1")).recordID
    let replica = try await Replica(of: world)
    let statement = IssueStatementRequest(studyID: World.study, subjectID: "s1", purpose: "research")
    #expect(try await replica.app.records.issueStatement(statement).answer?.permitted == true)
    let older = OlderState(of: world.test)
    try await older.keep()
    _ = try await world.coordinator.records.withdrawConsent(
      WithdrawConsentRequest(recordID: record, reason: "moves away"))
    #expect(try await replica.app.records.issueStatement(statement).answer?.permitted == false)
    // As each process does every few seconds.
    try await replica.services.database.compareLogs()
    try await older.putBack()

    for app in [world.app, replica.app] {
      await expectLoss {
        try await app.sessions.startSession(StartSessionRequest(flowID: "flow", subjectID: "s2", clientSchema: 2))
      }
      await expectLoss { try await app.records.issueStatement(statement) }
    }
    #expect(try await world.test.database.compareLogs().count == 1)
    #expect(world.test.database.logProblem != nil)
    // A process that begins now has seen nothing: heads that were handed out are what is left against it.
    let fresh = try await Replica(of: world)
    #expect(try await fresh.app.records.issueStatement(statement).answer?.permitted == true, "docs/threats.md says so")
    for replica in [replica, fresh] { await replica.end() }
    await world.end()
  }

  private func expectLoss(_ call: () async throws -> some Any) async {
    do {
      _ = try await call()
      Issue.record("it was answered")
    } catch {
      #expect((error as? Status)?.code == .dataLoss, "\(error)")
    }
  }
}

/// All rows of a database as they are at a moment, put back by other means than Storage.
private struct OlderState {
  private let test: TestDatabase
  /// SQLite's copy.
  private let file: String
  /// PostgreSQL's.
  private var kept: String { "kept_\(test.schema.name)" }

  init(of test: TestDatabase) {
    self.test = test
    file = test.folder.file("older.db")
  }

  func keep() async throws {
    guard case .postgres = test.location else { return try await alter(".backup '\(file)'") }
    try await alter("CREATE SCHEMA \(kept)")
    try await each("CREATE TABLE \(kept).%1$I AS TABLE %2$I.%1$I")
  }

  func putBack() async throws {
    guard case .postgres = test.location else { return try await alter(".restore '\(file)'") }
    try await each(
      "DELETE FROM %2$I.%1$I; INSERT INTO %2$I.%1$I SELECT * FROM \(kept).%1$I",
      before: "SET session_replication_role = replica;")
    try await alter("DROP SCHEMA \(kept) CASCADE")
  }

  /// Runs a statement for each table but those of running processes.
  private func each(_ statement: String, before: String = "") async throws {
    let schema = test.schema.name
    try await alter(
      "\(before) DO $$ DECLARE t text; BEGIN FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = '\(schema)' "
        + "AND tablename NOT LIKE 'storage_outcome%' LOOP "
        + "EXECUTE format('\(statement)', t, '\(schema)'); END LOOP; END $$")
  }

  private func alter(_ sql: String) async throws { try await test.location.alter(sql, schema: test.schema.name) }
}
