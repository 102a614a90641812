import Base
import ConsentContract
import ConsentService
import RPC
import Storage
import StorageTestKit
import Testing

/// Somebody hides the event of a withdrawal, and puts the record back to what it was.
@Suite(.serialized) struct HiddenWithdrawalTests {
  @Test("no proof says that a withdrawn consent stands", arguments: TestEngine.allCases, HiddenEvent.allCases)
  func hidden(engine: TestEngine, way: HiddenEvent) async throws {
    let world = try await World(engine, evidence: .example())
    try await world.open()
    let record = try await world.record(of: try await world.walk(subject: "s1")).recordID
    #expect(try await world.check().permitted)
    func alter(_ sql: String) async throws {
      try await world.test.location.alter(sql, schema: world.test.schema.name)
    }
    try await alter(
      "CREATE TABLE old_records AS SELECT * FROM records; CREATE TABLE old_entries AS SELECT * FROM record_entries")
    _ = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: record))
    try await world.signer?.signAll()
    let tenant = Tenant.named("t1")
    let events = try await world.test.database.scope(tenant).read { try $0.events(after: 0, limit: 10_000) }
    let index = try #require(
      events.lastIndex { $0.committedRows.contains { $0.table == "records" && $0.key == record } })
    try await alter(
      way.sql(engine, index, of: events, tenant) + engine.unguarding("record_entries")
        + "DELETE FROM record_entries; DELETE FROM records; INSERT INTO records SELECT * FROM old_records; "
        + "INSERT INTO record_entries SELECT * FROM old_entries")
    let replica = try await Replica(of: world)
    for app in [world.app, replica.app] { await expectNoProof(of: record, app) }
    await replica.end()
    await world.end()
  }

  private func expectNoProof(of record: String, _ app: ConsentClients) async {
    let statement = IssueStatementRequest(studyID: World.study, subjectID: "s1", purpose: "research")
    await expectRefusal(.dataLoss, "data_corrupt") { try await app.records.issueStatement(statement) }
    await expectRefusal(.dataLoss, "data_corrupt") {
      try await app.records.exportRecord(ExportRecordRequest(recordID: record, format: .receipt))
    }
  }

  @Test(
    "no proof says that a withdrawn consent stands where an added event says so", arguments: TestEngine.allCases,
    ForgedCode.allCases)
  func added(engine: TestEngine, code: ForgedCode) async throws {
    for key in [EvidenceKey.example(), nil] {
      let world = try await World(engine, evidence: key)
      try await world.open()
      let record = try await world.record(of: try await world.walk(subject: "s1")).recordID
      #expect(try await world.check().permitted)
      _ = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: record))
      try await world.signer?.signAll()
      let tenant = Tenant.named("t1")
      let events = try await world.test.database.scope(tenant).read { try $0.events(after: 0, limit: 10_000) }
      let given = try #require(
        events.first { $0.committedRows.contains { $0.table == "records" && $0.key == record } })
      let sql = try await world.test.forging(
        "UPDATE records SET state = 2 WHERE id = '\(record)'", of: "records", [.text(record)], like: given, code: code,
        tenant)
      try await world.test.location.alter(sql, schema: world.test.schema.name)
      let replica = try await Replica(of: world)
      for app in [world.app, replica.app] { await expectNoProof(of: record, app) }
      await replica.end()
      await world.end()
    }
  }

  @Test(
    "who withdraws, or shares less, does so also where what the answer tells besides is damaged",
    arguments: TestEngine.allCases)
  func damaged(engine: TestEngine) async throws {
    let world = try await World(engine, evidence: .example())
    try await world.open()
    let record = try await world.record(of: try await world.walk(subject: "s1")).recordID
    #expect(try await world.check().permitted)
    try await world.signer?.signAll()
    try await world.test.location.alter(
      "UPDATE storage_vault_items SET sealed = \(engine.literal([0])) WHERE item = 'record/\(record)'",
      schema: world.test.schema.name)
    let records = world.client("s1").records
    await expectRefusal(.dataLoss, "data_corrupt") { try await records.getRecord(GetRecordRequest(recordID: record)) }
    let shared = try await records.updateSharing(
      UpdateSharingRequest(recordID: record, sharing: .investigatorOnly)
    ).record
    #expect(shared?.sharing == .investigatorOnly && shared?.attempts.isEmpty == true)
    let withdrawn = try await records.withdrawConsent(
      WithdrawConsentRequest(subjectID: "s1", studyID: World.study)
    ).records
    #expect(withdrawn.map(\.state) == [.withdrawn] && withdrawn.allSatisfy(\.attempts.isEmpty))
    #expect(try await !world.check().permitted)
    await world.end()
  }
}
