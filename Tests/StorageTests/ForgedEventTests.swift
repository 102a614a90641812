import Base
import Storage
import StorageTestKit
import TestSupport
import Testing

/// Somebody who can write to the database, and has none of the service's keys, adds an event that fits: its number, its
/// hash and the head of the log are right, and it commits to a row that was forged. Nobody believes it.
///
/// | forged | believed by |
/// |---|---|
/// | a row that grants something is added | answers that are proof |
/// | a row is put back to what it was before a withdrawal | pages, feeds and rows that events tell of |
/// | the same, and the event of the withdrawal is deleted | writers, which continue the log |
/// | each with no code, a copied one, one by a key of one's own | the comparison of logs, the signer, the check |
@Suite struct ForgedEventTests {
  private enum Target: CaseIterable, Sendable {
    case addedGrant, revertedPaper, deletedWithdrawal

    func check(_ scope: Scope) async throws {
      switch self {
      case .addedGrant: try await GrantStore.checkGrant("g-1", scope)
      case .revertedPaper, .deletedWithdrawal: try await GrantStore.checkPaper("p-1", scope)
      }
    }

    func sql(_ test: TestDatabase, _ code: ForgedCode) async throws -> String {
      let events = try await test.database.scope(GrantStore.tenant).read { try $0.events(after: 0) }
      let given = try #require(events.first { $0.stream == "p-1" })
      let reverting = "UPDATE papers SET state = 'given' WHERE tenant = 'a' AND id = 'p-1'"
      switch self {
      case .addedGrant:
        return try await test.forging(
          "INSERT INTO grants (tenant, id, role) VALUES ('a', 'g-9', 'admin')", of: "grants", [.text("g-9")],
          code: code, GrantStore.tenant)
      case .revertedPaper:
        return try await test.forging(
          reverting, of: "papers", [.text("p-1")], like: given, code: code, GrantStore.tenant)
      case .deletedWithdrawal:
        return try await test.forging(
          reverting, of: "papers", [.text("p-1")], like: given, after: events[events.count - 2], code: code,
          GrantStore.tenant)
      }
    }
  }

  /// Grants under a signed head, and a paper that is withdrawn by the newest event, which no head covers.
  private func make(_ engine: TestEngine) async throws -> TestDatabase {
    let test = try await GrantStore.open(engine)
    let scope = test.database.scope(GrantStore.tenant)
    for index in 1...5 { try await scope.write { try GrantStore.grant("reader", "g-\(index)", $0) } }
    try await scope.write { try GrantStore.put("given", "p-1", $0) }
    try await GrantStore.signer(test).signAll()
    try await scope.write { try GrantStore.put("withdrawn", "p-1", $0) }
    return test
  }

  /// Who reads events, or writes after them.
  private static let believers: [(name: String, act: @Sendable (Scope) async throws -> Void)] = [
    ("a page", { scope in _ = try await scope.read { try $0.events(after: 0) } }),
    ("a verified page", { scope in _ = try await scope.read { try $0.verifiedEvents(after: 0, limit: 100) } }),
    ("a feed", { scope in for try await _ in scope.watchEvents(after: 0) {} }),
    ("the last number", { scope in _ = try await scope.read { try $0.lastEvent() } }),
    ("a change", { scope in try await scope.write { $0.append("more", [], to: "s") } }),
  ]

  private func expectCorrupt(_ what: String, _ body: () async throws -> Void) async {
    let error = await #expect(throws: DatabaseError.self, "\(what)") { try await body() }
    #expect(error?.code == .corrupt, "\(what): \(error?.message ?? "")")
  }

  @Test(
    "an event that was added and fits is believed by nobody who has the key of the log", .timeLimit(.minutes(5)),
    arguments: LongTests.areWanted ? TestEngine.allCases : [.sqlite], ForgedCode.allCases)
  func refused(engine: TestEngine, code: ForgedCode) async throws {
    for target in Target.allCases {
      let test = try await make(engine)
      let trusted = [GrantStore.key.verifyingKey]
      let keyless = try await test.reopen()
      for database in [test.database, keyless] { try await target.check(database.scope(GrantStore.tenant)) }
      let sql = try await target.sql(test, code)
      try await test.location.alter(sql, schema: test.schema.name)
      let fresh = try await test.reopen()
      let freshKeyless = try await test.reopen()
      let databases = [
        ("running", test.database), ("running without an evidence key", keyless), ("started anew", fresh),
        ("started anew without an evidence key", freshKeyless),
      ]
      for (name, database) in databases {
        let scope = database.scope(GrantStore.tenant)
        await expectCorrupt("\(target), \(name): a row") { try await target.check(scope) }
        for (believer, act) in Self.believers {
          await expectCorrupt("\(target), \(name): \(believer)") { try await act(scope) }
        }
        let signer = EvidenceSigner(database, key: GrantStore.key, installation: "test")
        await expectCorrupt("\(target), \(name): the signer") { try await signer.signAll() }
        let problems = try await database.check(trusted: trusted).problems
        let findings = ["not one that the service wrote", "the key of its log does not open"]
        #expect(
          problems.contains { problem in findings.contains { problem.contains($0) } },
          "\(target), \(name): \(problems)")
        #expect(try await database.compareLogs().count == 1, "\(target), \(name)")
        #expect(database.logProblem != nil, "\(target), \(name)")
        // Other tenants are served.
        try await database.scope(.named("b")).write { $0.append("more", [], to: "s") }
      }
      for (_, database) in databases { await database.close() }
    }
  }

  @Test("without the master key the check still wants a code of every event", arguments: TestEngine.allCases)
  func withoutMasterKey(engine: TestEngine) async throws {
    let test = try await make(engine)
    let sql = try await Target.addedGrant.sql(test, .missing)
    #expect(try await test.database.check(opensVault: false).problems == [])
    try await test.location.alter(sql, schema: test.schema.name)
    let problems = try await test.database.check(opensVault: false).problems
    let finding = "event 8 is not one that the service wrote: there is no code"
    #expect(problems.contains { $0.contains(finding) }, "\(problems)")
    await test.database.close()
  }

  @Test("an older event in another place is not believed either", arguments: TestEngine.allCases)
  func moved(engine: TestEngine) async throws {
    let test = try await make(engine)
    let scope = test.database.scope(GrantStore.tenant)
    try await scope.write { try GrantStore.revoke("g-1", $0) }
    let ends = try await test.keptEnds()
    try await scope.write { $0.append("more", [], to: "s") }
    // The true event of the grant once more, with the code that it has, in the place of the newest.
    try await test.location.alter(
      engine.unguarding("storage_events")
        + "DELETE FROM storage_events WHERE tenant = 'a' AND sequence = 9;"
        + "INSERT INTO storage_events (tenant, sequence, stream, type, payload, at_ms, changes, chain, code) "
        + "SELECT tenant, 9, stream, type, payload, at_ms, changes, chain, code FROM storage_events "
        + "WHERE tenant = 'a' AND sequence = 1; INSERT INTO grants (tenant, id, role) VALUES ('a', 'g-1', 'reader');",
      schema: test.schema.name)
    for isBeyondEnd in [false, true] {
      // Where the log is said to end before it, too.
      if isBeyondEnd { try await test.location.alter(ends, schema: test.schema.name) }
      let fresh = try await test.reopen()
      for database in [test.database, fresh] {
        await expectCorrupt("beyond the end: \(isBeyondEnd)") {
          try await GrantStore.checkGrant("g-1", database.scope(GrantStore.tenant))
        }
      }
      await fresh.close()
    }
    await test.database.close()
  }

  @Test("a log goes on where what was added is taken away, and the head with it", arguments: TestEngine.allCases)
  func putRight(engine: TestEngine) async throws {
    let test = try await make(engine)
    let sql = try await Target.addedGrant.sql(test, .copied)
    await test.database.close()
    try await test.location.alter(sql, schema: test.schema.name)
    // An event that nobody wrote is no end of a log.
    try await test.location.alter("DELETE FROM storage_event_heads WHERE tenant = 'a'", schema: test.schema.name)
    let early = try await test.reopen()
    await expectCorrupt("a change") {
      try await early.scope(GrantStore.tenant).write { $0.append("more", [], to: "s") }
    }
    await early.close()
    try await test.location.alter(
      engine.unguarding("storage_events") + "DELETE FROM storage_events WHERE tenant = 'a' AND sequence = 8;"
        + "DELETE FROM grants WHERE tenant = 'a' AND id = 'g-9'", schema: test.schema.name)
    let fresh = try await test.reopen()
    try await Target.addedGrant.check(fresh.scope(GrantStore.tenant))
    try await fresh.scope(GrantStore.tenant).write { $0.append("more", [], to: "s") }
    try await EvidenceSigner(fresh, key: GrantStore.key, installation: "test").signAll()
    let problems = try await fresh.check(trusted: [GrantStore.key.verifyingKey]).problems
    #expect(problems.filter { !$0.hasPrefix("the guard '") } == [], "\(problems)")
    #expect(try await fresh.compareLogs() == [])
    await fresh.close()
  }

  @Test("the key of a log is not made anew when somebody has removed it", arguments: TestEngine.allCases)
  func keyRemoved(engine: TestEngine) async throws {
    let test = try await make(engine)
    try await test.location.alter("DELETE FROM storage_log_keys", schema: test.schema.name)
    let fresh = try await test.reopen()
    let scope = fresh.scope(GrantStore.tenant)
    await expectCorrupt("a change") { try await scope.write { $0.append("more", [], to: "s") } }
    await expectCorrupt("a job") { _ = try await scope.write { try $0.enqueue("work", []) } }
    await expectCorrupt("a row") { try await GrantStore.checkPaper("p-1", scope) }
    let problems = try await fresh.check().problems
    #expect(problems.contains("tenant 'a': the key of its log is gone"), "\(problems)")
    await fresh.close()
    await test.database.close()
  }

  @Test("a log whose key was altered is its tenant's trouble, and nobody else's", arguments: TestEngine.allCases)
  func keyAltered(engine: TestEngine) async throws {
    let wrapped = "wrapped = \(engine.literal([1]))"
    let alterations = [
      "UPDATE storage_log_keys SET master = 'x', \(wrapped) WHERE tenant = 'a'",
      "UPDATE storage_log_keys SET \(wrapped) WHERE tenant = 'a'",
      "UPDATE storage_log_keys SET master = 'x', \(wrapped) WHERE tenant = 'a'; "
        + "DELETE FROM storage_event_heads WHERE tenant = 'a'",
      "UPDATE storage_event_heads SET chain = \(engine.literal([1])) WHERE tenant = 'a'",
    ]
    for alteration in alterations {
      let test = try await engine.makeDatabase(migrations: NoteStore.migrations, statements: NoteStore.statements)
      for name in ["a", "b"] {
        try await test.database.scope(.named(name)).write { transaction in
          try transaction.vault.put([1], as: "name", of: .named("s-1"))
          transaction.append("first", [], to: "s")
        }
      }
      try await test.location.alter(alteration, schema: test.schema.name)
      // The process that saw the log before compares it with what it saw.
      _ = try await test.database.compareLogs()
      let fresh = try await test.reopen()
      let error = await #expect(throws: DatabaseError.self, "\(alteration)") {
        try await fresh.scope(.named("a")).write { $0.append("more", [], to: "s") }
      }
      #expect(error?.isDamage == true, "\(alteration): \(error?.message ?? "")")
      for database in [fresh, test.database] {
        try await database.scope(.named("b")).write { $0.append("more", [], to: "s") }
        let losses = try await database.compareLogs()
        #expect(losses.allSatisfy { $0.hasPrefix("tenant 'a'") }, "\(alteration): \(losses)")
      }
      for database in [fresh, test.database] { await database.close() }
    }
  }

  @Test(
    "a log is believed under a new master key, after a restore, and under new keys of its tenant",
    arguments: TestEngine.allCases)
  func keysReplaced(engine: TestEngine) async throws {
    let (old, new) = (MasterKeys.newKeyText(), MasterKeys.newKeyText())
    let test = try await engine.makeDatabase(
      migrations: NoteStore.migrations, statements: NoteStore.statements, keys: MasterKeys(text: old))
    let scope = test.database.scope(.named("a"))
    try await scope.write { transaction in
      try transaction.vault.put([1], as: "name", of: .named("s-1"))
      try transaction.vault.put([2], as: "name", of: .named("s-2"))
    }
    let both = try await test.reopen(keys: MasterKeys(text: "\(new)\n\(old)"))
    #expect(try await both.rotateMasterKey() == 2, "the key of the tenant, and that of its log")
    // A process that was started before goes on.
    try await scope.write { $0.append("more", [], to: "s") }
    await test.database.close()
    await both.close()
    let latest = try await test.reopen(keys: MasterKeys(text: new))
    _ = try await latest.scope(.named("a")).rotateKeys(by: "admin")
    try await latest.scope(.named("a")).write { try $0.vault.erase(.named("s-2"), by: "admin", reason: "request") }
    #expect(try await latest.check().problems == [])
    let archive = test.folder.file("backup.assent")
    _ = try await latest.backup(to: archive)
    await latest.close()
    let copy = try await engine.emptyPlace(in: test.folder, schema: test.schema.name)
    _ = try await Database.restore(archive, to: copy)
    let restored = try await Database.open(copy, schema: test.schema, keys: MasterKeys(text: new))
    try await restored.scope(.named("a")).write { $0.append("later", [], to: "s") }
    #expect(try await restored.scope(.named("a")).read { try $0.verifiedEvents(after: 0, limit: 100) }.count > 4)
    #expect(try await restored.check().problems == [])
    await restored.close()
  }
}
