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

  private static let version = Statement(
    "test.version",
    "INSERT INTO document_versions (tenant, document_id, version, state, reconsent, reconsent_by_ms, texts, body) "
      + "VALUES ({tenant}, 'consent', ?, ?, ?, ?, 1, ?)")
  private static let merge = Statement(
    "test.merge", "INSERT INTO merged_accounts (tenant, ended, staying) VALUES ({tenant}, ?, ?)")
  private static let record = Statement(
    "test.record",
    "INSERT INTO records (tenant, id, study_id, site_id, subject_id, session_id, document_id, document_version, state, "
      + "decided_ms, test, body) VALUES ({tenant}, ?, 's', '', 'a', '', 'consent', 1, ?, 0, 0, ?)")

  @Test(
    "consents that had ended unnoticed are looked at once, and what is kept of merged people",
    arguments: TestEngine.allCases)
  func ended(_ engine: TestEngine) async throws {
    let earlier = Array(ConsentSchema.migrations.prefix(11))
    let test = try await engine.makeDatabase(
      migrations: earlier, statements: [Self.version, Self.merge, Self.remind, Self.record])
    try await test.database.scope(.named("t1")).write { transaction in
      // All but the last ask for consent by a date; the second was stopped, and the fourth is a draft.
      for (number, state, reconsent, by) in [(1, 4, 3, 50), (2, 5, 3, 60), (3, 3, 3, 70), (4, 1, 3, 80), (5, 3, 1, 0)] {
        try transaction.run(Self.version, Int64(number), Int64(state), Int64(reconsent), Int64(by), [UInt8]())
      }
      try transaction.run(Self.remind, Int64(4), "consent/3", Int64(70))
      // In each state. Of the consent in force the reminder is kept beside the new one.
      for state in Int64(1)...8 { try transaction.run(Self.record, "record-\(state)", state, [UInt8]()) }
      try transaction.run(Self.remind, Int64(2), "record-2", Int64(90))
      try transaction.run(Self.merge, "old", "middle")
      try transaction.run(Self.merge, "middle", "new")
    }
    await test.database.close()

    let schema = Schema(
      name: test.schema.name, migrations: ConsentSchema.migrations,
      statements: ConsentSchema.statements + [Self.reminders], coverage: ConsentSchema.coverage)
    let database = try await test.reopen(schema: schema)
    let found = try await database.scope(.named("t1")).read { snapshot in
      try snapshot.all(Self.reminders).map { row in
        let (kind, at) = (try row.get("kind", as: Int64.self), try row.get("at_ms", as: Int64.self))
        return "\(kind) \(try row.get("id", as: String.self)) \(at)"
      }
    }
    let expected = [
      "2 record-2 90", "4 consent/1 50", "4 consent/3 70", "8 consent/2 0", "9 middle 0", "9 new 0", "9 old 0",
      "10 record-1 0", "10 record-2 0",
    ]
    #expect(found == expected)
    await database.close()
  }
}
