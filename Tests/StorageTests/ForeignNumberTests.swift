import Base
import Storage
import StorageTestKit
import Testing

/// Numbers and names that nobody but an intruder writes into Storage's own rows: whatever counts on from them refuses
/// them or reports them, and the process goes on.
@Suite(.timeLimit(.minutes(1))) struct ForeignNumberTests {
  private static let tenant = Tenant.named("a")

  private func open(_ engine: TestEngine) async throws -> TestDatabase {
    try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements)
  }

  private func alter(_ test: TestDatabase, _ sql: String) async throws {
    try await test.location.alter(sql, schema: test.schema.name)
  }

  private func expectCorrupt(_ name: String, _ body: () async throws -> Void) async {
    do {
      try await body()
      Issue.record("\(name) was answered")
    } catch {
      #expect((error as? DatabaseError)?.code == .corrupt, "\(name): \(error)")
    }
  }

  private func note(in scope: Scope) async throws {
    try await scope.write { $0.append("noted", [], to: "s") }
  }

  @Test("a log whose head was forged is not continued", arguments: TestEngine.allCases, [.max, -1, .min] as [Int64])
  func head(engine: TestEngine, last: Int64) async throws {
    let test = try await open(engine)
    // As by a process that has not seen the log before.
    let other = try await test.reopen()
    let scope = other.scope(Self.tenant)
    try await note(in: test.database.scope(Self.tenant))
    try await alter(test, "UPDATE storage_event_heads SET last = \(last == .min ? "-\(Int64.max) - 1" : "\(last)")")
    await expectCorrupt("writing") { try await note(in: scope) }
    await expectCorrupt("the last event") { _ = try await scope.read { try $0.lastEvent() } }
    await other.close()
    await test.database.close()
  }

  /// PostgreSQL's references between rows refuse to write such a version.
  @Test("no key follows one whose version was forged")
  func keyVersions() async throws {
    let test = try await open(.sqlite)
    let scope = test.database.scope(Self.tenant)
    try await scope.write { try $0.vault.index("text", as: "mail", of: .named("s-1")) }
    try await alter(test, "UPDATE storage_vault_tenants SET version = -\(Int64.max) - 1 WHERE version = 0")
    await expectCorrupt("rotating") { _ = try await scope.rotateKeys(by: "admin") }
    await test.database.close()
  }

  @Test("periodic tasks whose names differ only in their spelling keep nothing from running")
  func taskNames() async throws {
    let test = try await open(.sqlite)
    try await alter(
      test, "INSERT INTO storage_periodic_tasks (name, due_ms) VALUES ('\u{E9}', 1), ('e\u{301}', 1);")
    let runner = PeriodicTaskRunner(test.database, [PeriodicTask("tidy", every: .seconds(60)) {}])
    #expect(await runner.runDue() == ["tidy"])
    await test.database.close()
  }

  @Test("the check reports a tree of an impossible size, and lists no more problems than anybody reads")
  func check() async throws {
    let made = try await LetterCase.make(.sqlite)
    let bench = try await TamperBench(made.test, heads: [], trusting: [EvidenceKey.example().verifyingKey])
    await made.test.database.close()
    let huge = try await bench.problems(after: "UPDATE storage_trees SET size = \(Int64.max)")
    #expect(huge.contains { $0.contains("its tree lacks nodes of level 0") }, "\(huge)")
    let many = try await bench.problems(
      after: """
        INSERT INTO storage_tree_nodes (tenant, level, position, hash)
        WITH RECURSIVE numbers (n) AS (SELECT 5000 UNION ALL SELECT n + 1 FROM numbers WHERE n < 6999)
        SELECT 'a', 0, n, x'00' FROM numbers
        """)
    #expect(many.count == 100)
    #expect(many.last?.hasSuffix("more problems are not listed") == true)
    // Tables, too, may have names that are equal to each other: the check comes to its end.
    _ = try await bench.problems(
      after: "CREATE TABLE \"\u{E9}\" (x TEXT); CREATE TABLE \"e\u{301}\" (x TEXT)")
    try await bench.end()
  }
}
