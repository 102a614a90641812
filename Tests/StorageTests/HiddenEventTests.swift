import Base
import Storage
import StorageTestKit
import Testing

/// Somebody who can write to the database hides that an event took something back, and puts back the row as an older
/// event committed to it. Nothing is answered from such a row.
@Suite struct HiddenEventTests {
  private enum Target: CaseIterable, Sendable {
    case removedGrant, changedGrant, paper

    var stream: String {
      switch self {
      case .removedGrant: "row:grants:g-1"
      case .changedGrant: "row:grants:g-2"
      case .paper: "p-1"
      }
    }

    /// Puts the row back to where it was.
    var restoring: String {
      switch self {
      case .removedGrant: "INSERT INTO grants (tenant, id, role) VALUES ('a', 'g-1', 'admin');"
      case .changedGrant: "UPDATE grants SET role = 'admin' WHERE tenant = 'a' AND id = 'g-2';"
      case .paper: "UPDATE papers SET state = 'given' WHERE tenant = 'a' AND id = 'p-1';"
      }
    }

    func check(_ scope: Scope) async throws {
      switch self {
      case .removedGrant: try await GrantStore.checkGrant("g-1", scope)
      case .changedGrant: try await GrantStore.checkGrant("g-2", scope)
      case .paper: try await GrantStore.checkPaper("p-1", scope)
      }
    }
  }

  /// Rights that were taken back, among others that were not.
  private func make(_ engine: TestEngine, signed: Bool) async throws -> TestDatabase {
    let test = try await GrantStore.open(engine)
    let scope = test.database.scope(GrantStore.tenant)
    for index in 1...40 { try await scope.write { try GrantStore.grant("admin", "g-\(index)", $0) } }
    try await scope.write { try GrantStore.put("given", "p-1", $0) }
    try await GrantStore.signer(test).signAll()
    try await scope.write { try GrantStore.revoke("g-1", $0) }
    try await scope.write { try GrantStore.grant("reader", "g-2", $0) }
    try await scope.write { try GrantStore.put("withdrawn", "p-1", $0) }
    for index in 3...5 { try await scope.write { try GrantStore.grant("reader", "g-\(index)", $0) } }
    if signed { try await GrantStore.signer(test).signAll() }
    return test
  }

  private func expectCorrupt(_ what: String, _ body: () async throws -> Void) async {
    let error = await #expect(throws: DatabaseError.self, "\(what)") { try await body() }
    #expect(error?.code == .corrupt, "\(what): \(error?.message ?? "")")
  }

  @Test("an older row is not taken for the newest", arguments: TestEngine.allCases, [true, false])
  func hidden(engine: TestEngine, signed: Bool) async throws {
    for target in Target.allCases {
      for way in HiddenEvent.allCases {
        let name = "\(target), \(way)"
        let test = try await make(engine, signed: signed)
        let scope = test.database.scope(GrantStore.tenant)
        try await target.check(scope)
        let events = try await scope.read { try $0.events(after: 0, limit: 1000) }
        let index = try #require(events.lastIndex { $0.stream == target.stream })
        try await test.location.alter(
          way.sql(engine, index, of: events, GrantStore.tenant) + target.restoring, schema: test.schema.name)
        let fresh = try await test.reopen(trusting: [GrantStore.key.verifyingKey])
        for database in [test.database, fresh] {
          await expectCorrupt(name) { try await target.check(database.scope(GrantStore.tenant)) }
          await expectCorrupt("\(name), in a change") {
            try await database.scope(GrantStore.tenant).write { transaction in
              try transaction.verify([
                target == .paper
                  ? CommittedRow("papers", "p-1", in: "p-1")
                  : CommittedRow("grants", target == .removedGrant ? "g-1" : "g-2")
              ])
            }
          }
        }
        // Rows of which nothing was hidden are still answered from, unless the log after the map is broken.
        if signed, !way.isRecomputed { try await GrantStore.checkGrant("g-9", fresh.scope(GrantStore.tenant)) }
        await fresh.close()
        // The row is as it really was: where there is no evidence key, and so no map, it passes, unless the end of the
        // log was altered as well.
        let keyless = try await test.reopen()
        let scopeOfKeyless = keyless.scope(GrantStore.tenant)
        if way.isRecomputed {
          await expectCorrupt("\(name), without an evidence key") { try await target.check(scopeOfKeyless) }
        } else {
          try await target.check(scopeOfKeyless)
        }
        await keyless.close()
        await test.database.close()
      }
    }
  }

  @Test("a process that saw events follows them, whatever is put in their place", arguments: TestEngine.allCases)
  func remembered(engine: TestEngine) async throws {
    let test = try await make(engine, signed: false)
    let scope = test.database.scope(GrantStore.tenant)
    for target in Target.allCases { try await target.check(scope) }
    let events = try await scope.read { try $0.events(after: 0, limit: 1000) }
    let index = try #require(events.lastIndex { $0.stream == Target.removedGrant.stream })
    // The chain after it stays as it was, so that nothing but the event itself is another one.
    let before = events[index - 1].chain
    let forged = events[index].forged(payload: [], hidesRows: true, after: before, of: GrantStore.tenant)
    try await test.location.alter(
      engine.unguarding("storage_events")
        + "UPDATE storage_events SET changes = NULL, chain = \(engine.literal(forged.chain.bytes)) "
        + "WHERE tenant = 'a' AND sequence = \(events[index].sequence);" + Target.removedGrant.restoring,
      schema: test.schema.name)
    await expectCorrupt("seen") { try await Target.removedGrant.check(scope) }
    for target in [Target.changedGrant, .paper] { try await target.check(scope) }
  }

  @Test(
    "an invented head, larger than the true ones, leaves nothing behind when it is gone",
    arguments: TestEngine.allCases)
  func inventedHead(engine: TestEngine) async throws {
    let test = try await make(engine, signed: true)
    let scope = test.database.scope(GrantStore.tenant)
    let forged = Checkpoint(origin: "x", size: 999, root: Digest(of: [])).signed(by: EvidenceKey.example("66").key)
    try await test.location.alter(
      "INSERT INTO storage_signed_heads (tenant, size, checkpoint, signed_ms) VALUES ('a', 999, '\(forged.note)', 0)",
      schema: test.schema.name)
    await expectCorrupt("invented") { _ = try await scope.read { try $0.verifiedEvents(after: 0, limit: 10) } }
    try await test.location.alter(
      engine.unguarding("storage_signed_heads") + "DELETE FROM storage_signed_heads WHERE size = 999",
      schema: test.schema.name)
    #expect(try await scope.read { try $0.verifiedEvents(after: 0, limit: 10) }.count == 10)
    await test.database.close()
  }
}
