import Base
import Storage
import StorageTestKit
import Synchronization
import TestSupport
import Testing

/// Somebody had the master key and the database, and so has the keys of the logs: a command gives each log another one.
@Suite struct LogKeyRenewalTests {
  private static let other = Tenant.named("b")
  /// The master key that the database was made with, and the one that is put on top of it.
  private static let former = String(repeating: "5a", count: 32)
  private static let newest = String(repeating: "6b", count: 32)
  private static let both = "\(newest)\n\(former)"
  private static let trusted = [GrantStore.key.verifyingKey]

  /// Two tenants with events under a signed head and after it, and with a job.
  private func make(_ engine: TestEngine) async throws -> TestDatabase {
    let test = try await GrantStore.open(engine)
    let scopes = [GrantStore.tenant, Self.other].map { test.database.scope($0) }
    for scope in scopes {
      for index in 1...5 { try await scope.write { try GrantStore.grant("reader", "g-\(index)", $0) } }
    }
    try await GrantStore.signer(test).signAll()
    for scope in scopes {
      try await scope.write { transaction in
        try GrantStore.put("given", "p-1", transaction)
        try transaction.enqueue("work", [], id: "queued")
      }
    }
    return test
  }

  /// The renewal as the command makes it, which knows nothing of the service.
  private func renew(
    _ test: TestDatabase, at location: DatabaseLocation? = nil, keys: String = Self.both,
    trusting trusted: [VerifyingKey] = Self.trusted
  ) async throws -> LogKeyRenewal {
    let database = try await Database.inspect(
      location ?? test.location, schema: test.schema.name, keys: MasterKeys(text: keys))
    let renewal = try await database.renewLogKeys(trusted: trusted)
    await database.close()
    return renewal
  }

  private func started(_ test: TestDatabase, keys: String = Self.both) async throws -> Database {
    try await test.reopen(keys: MasterKeys(text: keys))
  }

  private static let selectingCodes = Statement(
    acrossTenants: "test.codes",
    "SELECT code FROM storage_events WHERE tenant = ? UNION ALL SELECT code FROM storage_event_heads WHERE tenant = ? "
      + "UNION ALL SELECT code FROM storage_jobs WHERE tenant = ? "
      + "UNION ALL SELECT wrapped FROM storage_log_keys WHERE tenant = ?")

  /// All codes of a tenant, and the wrapped key that they are made with.
  private func codes(_ test: TestDatabase, _ tenant: Tenant) async throws -> Set<[UInt8]> {
    let database = try await Database.inspect(test.location, schema: test.schema.name, keys: nil)
    let name = Value.text(tenant.id)
    let rows = try await database.rows(Self.selectingCodes, [name, name, name, name])
    await database.close()
    return Set(try rows.compactMap { try $0.get(0, as: [UInt8]?.self) })
  }

  private func expectCorrupt(_ what: String, _ body: () async throws -> Void) async {
    let error = await #expect(throws: DatabaseError.self, "\(what)") { try await body() }
    #expect(error?.code == .corrupt, "\(what): \(error?.message ?? "")")
  }

  @Test("a log with a new key goes on, and nothing counts that its former key made", arguments: TestEngine.allCases)
  func renewed(engine: TestEngine) async throws {
    let test = try await make(engine)
    let stolen = try await test.stolenLogKey(of: GrantStore.tenant)
    // More than are read at once.
    try await test.database.scope(Self.other).write { transaction in
      for _ in 0..<600 { transaction.append("more", [], to: "s") }
    }
    await test.database.close()
    let before = try await codes(test, GrantStore.tenant)
    let renewal = try await renew(test)
    #expect(renewal.tenants == 2 && renewal.current == 0)
    #expect(renewal.problems == [])
    let after = try await codes(test, GrantStore.tenant)
    #expect(after.count == before.count && after.isDisjoint(with: before))

    // The former master key opens none of them.
    let fresh = try await started(test, keys: Self.newest)
    let scope = fresh.scope(GrantStore.tenant)
    let counts = try await [
      scope.read { try $0.lastEvent() }, fresh.scope(Self.other).read { try $0.lastEvent() },
    ]
    #expect(counts.reduce(0, +) == Int64(renewal.events))
    try await GrantStore.checkGrant("g-1", scope)
    try await scope.write { try GrantStore.revoke("g-1", $0) }
    try await EvidenceSigner(fresh, key: GrantStore.key, installation: "test").signAll()
    try await GrantStore.checkGrant("g-2", scope)
    #expect(try await fresh.check(trusted: Self.trusted).problems == [])
    for sql in ["UPDATE storage_events SET type = 'x'", "DELETE FROM storage_events"] {
      await #expect(throws: (any Error).self, "\(sql)") { try await test.location.alter(sql, schema: test.schema.name) }
    }
    let forged = try await test.appending("more", by: stolen, GrantStore.tenant, after: fresh)
    await fresh.close()

    try await test.location.alter(forged, schema: test.schema.name)
    let later = try await started(test, keys: Self.newest)
    let theirs = later.scope(GrantStore.tenant)
    await expectCorrupt("a page") { _ = try await theirs.read { try $0.events(after: 0) } }
    await expectCorrupt("a row") { try await GrantStore.checkGrant("g-2", theirs) }
    await expectCorrupt("a change") { try await theirs.write { $0.append("more", [], to: "s") } }
    let problems = try await later.check(trusted: Self.trusted).problems
    #expect(problems.contains { $0.contains("is not one that the service wrote") }, "\(problems)")
    try await later.scope(Self.other).write { $0.append("more", [], to: "s") }
    await later.close()
  }

  @Test("jobs that the service queued are done after a renewal, and no others", arguments: TestEngine.allCases)
  func jobs(engine: TestEngine) async throws {
    let test = try await make(engine)
    let stolen = try await test.stolenLogKey(of: GrantStore.tenant)
    await test.database.close()
    try await test.location.alter(
      "INSERT INTO storage_jobs (tenant, id, kind, payload, state, due_ms, attempts, created_ms) "
        + "SELECT tenant, 'added', kind, payload, state, due_ms, attempts, created_ms FROM storage_jobs "
        + "WHERE tenant = 'a'", schema: test.schema.name)
    #expect(try await renew(test).problems == [])
    try await test.location.alter(
      test.queueing("work", id: "stolen", by: stolen, GrantStore.tenant), schema: test.schema.name)

    let fresh = try await started(test)
    let done = Mutex<Set<String>>([])
    let handler = JobHandler("work") { job in done.withLock { _ = $0.insert("\(job.scope.tenant) \(job.id)") } }
    var policy = JobPolicy()
    policy.interval = .milliseconds(10)
    let hasty = policy
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await JobRunner(fresh, policy: hasty, handlers: [handler]).run() }
      defer { group.cancelAll() }
      try await eventually("two jobs are done", await Set(fresh.jobCounts().map { "\($0.state) \($0.count)" })) {
        $0 == ["dead 2", "finished 2"]
      }
    }
    #expect(done.withLock { $0 } == ["a queued", "b queued"])
    await fresh.close()
  }

  @Test("a log that does not fit keeps its key and its codes, and others get new ones", arguments: TestEngine.allCases)
  func untouched(engine: TestEngine) async throws {
    let exchanged =
      "UPDATE storage_log_keys SET wrapped = (SELECT k.wrapped FROM storage_log_keys k WHERE k.tenant = 'b') "
      + "WHERE tenant = 'a'"
    let alterations: [(sql: String?, finding: String)] = [
      (nil, "event 7 is not one that the service wrote"),
      ("UPDATE storage_event_heads SET last = 5 WHERE tenant = 'a'", "the log's head does not match its last event, 6"),
      ("DELETE FROM storage_event_heads WHERE tenant = 'a'", "events without a head"),
      ("INSERT INTO storage_signed_heads VALUES ('a', 2, 'x', 0)", "the signed head of 2 events is none"),
      ("INSERT INTO storage_signed_heads VALUES ('a', 900, 'x', 0)", "the signed head of 900 events is none"),
      ("UPDATE storage_trees SET size = 3 WHERE tenant = 'a'", "its newest signed head has 5 events, its tree 3"),
      (exchanged, "the key of its log does not open"),
      ("DELETE FROM storage_log_keys WHERE tenant = 'a'", "the key of its log is gone"),
    ]
    for (sql, finding) in alterations {
      let test = try await make(engine)
      let grant = "INSERT INTO grants (tenant, id, role) VALUES ('a', 'g-9', 'admin')"
      let forged = try await test.forging(grant, of: "grants", [.text("g-9")], code: .copied, GrantStore.tenant)
      await test.database.close()
      try await test.location.alter(sql ?? forged, schema: test.schema.name)
      let before = try await (codes(test, GrantStore.tenant), codes(test, Self.other))
      let renewal = try await renew(test)
      #expect(renewal.tenants == 1 && renewal.problems.count == 1, "\(finding): \(renewal)")
      let problem = renewal.problems.first ?? ""
      #expect(problem.hasPrefix("tenant 'a': \(finding)"), "\(finding): \(problem)")
      #expect(try await codes(test, GrantStore.tenant) == before.0, "\(finding)")
      #expect(try await codes(test, Self.other).isDisjoint(with: before.1), "\(finding)")
    }
  }

  @Test("heads that no trusted key signed keep a log from getting a new key", arguments: TestEngine.allCases)
  func signedByOthers(engine: TestEngine) async throws {
    let test = try await make(engine)
    await test.database.close()
    let renewal = try await renew(test, trusting: [EvidenceKey.example("22").verifyingKey])
    #expect(renewal.tenants == 0)
    #expect(
      renewal.problems == ["a", "b"].map { "tenant '\($0)': the signed head of 5 events is signed by no trusted key" })
  }

  @Test("a renewal that fails leaves the log whole, and the next one does the rest", arguments: TestEngine.allCases)
  func cutShort(engine: TestEngine) async throws {
    let test = try await make(engine)
    let masters = Statement(acrossTenants: "test.masters", "SELECT DISTINCT master FROM storage_log_keys")
    let rows = try await test.database.rows(masters, [])
    let master: String = try #require(rows.first).get("master")
    await test.database.close()
    // The second log's new key, which is written last, has no room beside the first one's.
    try await test.location.alter(
      "CREATE UNIQUE INDEX one_new_key ON storage_log_keys (master) WHERE master <> '\(master)'",
      schema: test.schema.name)
    let before = try await (codes(test, GrantStore.tenant), codes(test, Self.other))
    let error = await #expect(throws: DatabaseError.self) { try await renew(test) }
    #expect(error?.code == .uniqueViolation, "\(error?.message ?? "")")
    #expect(try await codes(test, GrantStore.tenant).isDisjoint(with: before.0))
    #expect(try await codes(test, Self.other) == before.1)
    let between = try await started(test)
    #expect(try await between.check(trusted: Self.trusted).problems == [])
    for tenant in [GrantStore.tenant, Self.other] {
      try await between.scope(tenant).write { $0.append("more", [], to: "s") }
    }
    await between.close()

    try await test.location.alter("DROP INDEX one_new_key", schema: test.schema.name)
    let rest = try await renew(test)
    #expect(rest.tenants == 1 && rest.current == 1 && rest.problems == [], "\(rest)")
    let fresh = try await started(test, keys: Self.newest)
    #expect(try await fresh.check(trusted: Self.trusted).problems == [])
    await fresh.close()
  }

  @Test("a row of the former key that was copied and put back opens no more", arguments: TestEngine.allCases)
  func putBack(engine: TestEngine) async throws {
    let test = try await make(engine)
    let keys = Statement(acrossTenants: "test.keys", "SELECT wrapped, master FROM storage_log_keys WHERE tenant = 'a'")
    let rows = try await test.database.rows(keys, [])
    let row = try #require(rows.first)
    let (wrapped, master): ([UInt8], String) = (try row.get("wrapped"), try row.get("master"))
    await test.database.close()
    // Under the same master key it would open, so nothing is done.
    let refused = try await renew(test, keys: Self.former)
    #expect(refused.tenants == 0 && refused.current == 2, "\(refused)")
    _ = try await renew(test)
    try await test.location.alter(
      "UPDATE storage_log_keys SET wrapped = \(engine.literal(wrapped)), master = '\(master)' WHERE tenant = 'a'",
      schema: test.schema.name)
    let fresh = try await started(test, keys: Self.newest)
    await expectCorrupt("a change") {
      try await fresh.scope(GrantStore.tenant).write { $0.append("more", [], to: "s") }
    }
    await fresh.close()
  }

  @Test("without a guard nothing is renewed: it could not be put back", arguments: TestEngine.allCases)
  func unguarded(engine: TestEngine) async throws {
    let test = try await make(engine)
    await test.database.close()
    try await test.location.alter(engine.unguarding("storage_events"), schema: test.schema.name)
    let before = try await codes(test, GrantStore.tenant)
    let error = await #expect(throws: DatabaseError.self) { try await renew(test) }
    #expect(error?.message.contains("the guard 'storage_events_keeps_update'") == true, "\(error?.message ?? "")")
    #expect(try await codes(test, GrantStore.tenant) == before)
  }

  @Test("on PostgreSQL a role that runs the service cannot renew the keys of logs")
  func role() async throws {
    let test = try await make(.postgres)
    let name = test.schema.name
    guard case .postgres(let url) = test.location else { return }
    try await PostgresServer.run("CREATE ROLE \(name) LOGIN", url: url)
    try await test.database.grant(to: name)
    await test.database.close()
    let before = try await codes(test, GrantStore.tenant)
    let theirs = DatabaseLocation.postgres(url: url.replacing("user=postgres", with: "user=\(name)"))
    await #expect(throws: DatabaseError.self) { try await renew(test, at: theirs) }
    #expect(try await codes(test, GrantStore.tenant) == before)
  }

  @Test("assent data renew-log-keys says what it did, and fails where a log keeps its key")
  func command() async throws {
    let test = try await make(.sqlite)
    await test.database.close()
    let (key, heads) = (test.folder.file("master.key"), test.folder.file("evidence.pub"))
    try Files.write(Array(Self.former.utf8), to: key, mode: 0o600)
    try Files.write(Array(GrantStore.key.publicText.utf8), to: heads)
    func run() async throws -> (exit: ProcessExit, lines: [String]) {
      var command = ChildCommand(
        Products.program("assent"),
        [
          "data", "renew-log-keys", "--data", test.folder.path, "--schema", test.schema.name, "--master-key-file", key,
          "--evidence-public-key", heads,
        ])
      command.errors = .discarded
      return try await ChildProcess.output(of: command)
    }
    // The former master key is still the only one.
    #expect(try await run().exit == .code(1))
    try Files.write(Array("\(Self.newest)\n\(Self.former)\n".utf8), to: key, mode: 0o600)
    func end(at last: Int) async throws {
      let sql = "UPDATE storage_event_heads SET last = \(last) WHERE tenant = 'a'"
      try await test.location.alter(sql, schema: test.schema.name)
    }
    try await end(at: 5)
    let some = try await run()
    #expect(some.exit == .code(1))
    #expect(
      some.lines == [
        "✗ tenant 'a': the log's head does not match its last event, 6",
        "✓ 6 events of 1 tenants have codes by a new key",
      ])
    try await end(at: 6)
    let rest = try await run()
    #expect(rest.exit.isSuccess)
    #expect(
      rest.lines == [
        "✓ 6 events of 1 tenants have codes by a new key",
        "– 1 logs have a key under the newest master key, and keep it",
      ])
  }
}
