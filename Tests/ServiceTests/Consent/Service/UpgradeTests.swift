import Base
import ConsentService
import Storage
import StorageTestKit
import Testing

/// Databases of earlier versions, opened by this one.
@Suite struct UpgradeTests {
  private static let copy = Statement(
    "test.copy",
    "INSERT INTO signed_copies (tenant, record_id, code, state, body) VALUES ({tenant}, ?, ?, ?, ?)")
  private static let remind = Statement(
    "test.remind", "INSERT INTO deadlines (tenant, kind, id, at_ms) VALUES ({tenant}, ?, ?, ?)")
  private static let reminders = Statement(
    "test.reminders", "SELECT kind, id, at_ms FROM deadlines WHERE tenant = {tenant} ORDER BY kind, id")

  @Test(
    "copies that were sealed before there were proofs are looked at once, and nothing else changes",
    arguments: TestEngine.allCases)
  func proofs(_ engine: TestEngine) async throws {
    let earlier = Array(ConsentSchema.migrations.prefix(5))
    let test = try await engine.makeDatabase(migrations: earlier, statements: [Self.copy, Self.remind])
    for tenant in ["t1", "t2"] {
      try await test.database.scope(.named(tenant)).write { transaction in
        for (index, state) in [1, 2, 3, 3, 4].enumerated() {
          try transaction.run(Self.copy, "\(tenant)-\(index)", "code-\(index)", Int64(state), [UInt8]())
        }
        try transaction.run(Self.remind, Int64(1), "session", Int64(77))
      }
    }
    await test.database.close()

    let schema = Schema(
      name: test.schema.name, migrations: ConsentSchema.migrations,
      statements: ConsentSchema.statements + [Self.reminders], coverage: ConsentSchema.coverage)
    for _ in 0..<2 {
      // The second time nothing is left to be done.
      let database = try await test.reopen(schema: schema)
      for tenant in ["t1", "t2"] {
        let found = try await database.scope(.named(tenant)).read { snapshot in
          try snapshot.all(Self.reminders).map { row in
            let (kind, at) = (try row.get("kind", as: Int64.self), try row.get("at_ms", as: Int64.self))
            return "\(kind) \(try row.get("id", as: String.self)) \(at)"
          }
        }
        #expect(found == ["1 session 77", "6 \(tenant)-2 0", "6 \(tenant)-3 0"])
      }
      await database.close()
    }
  }
}
