import Base
import ConsentContract
import ConsentService
import RPC
import Storage
import StorageTestKit
import Testing

/// Somebody hides the event of a withdrawal, and puts the record back to what it was.
@Suite(.serialized) struct HiddenWithdrawalTests {
  @Test("a consent that was withdrawn permits nothing", arguments: TestEngine.allCases, HiddenEvent.allCases)
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
    let check = CheckConsentRequest(studyID: World.study, subjectID: "s1", purpose: "research")
    let replica = try await Replica(of: world)
    await expectRefusal(.dataLoss, "data_corrupt") { try await replica.app.records.checkConsent(check) }
    for app in [world.app, replica.app] {
      await expectRefusal(.dataLoss, "data_corrupt") {
        try await app.records.getRecord(GetRecordRequest(recordID: record))
      }
    }
    await replica.end()
    // The record is as it was: where nothing is signed, nothing tells but the end of the log, if it was altered.
    let keyless = try await Replica(of: world, trusting: [])
    if way.isRecomputed {
      await expectRefusal(.dataLoss, "data_corrupt") { try await keyless.app.records.checkConsent(check) }
    } else {
      #expect(try await keyless.app.records.checkConsent(check).answer?.permitted == true)
    }
    await keyless.end()
    await world.end()
  }

  @Test(
    "a consent that was withdrawn permits nothing where an added event says that it stands",
    arguments: TestEngine.allCases, ForgedCode.allCases)
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
      let check = CheckConsentRequest(studyID: World.study, subjectID: "s1", purpose: "research")
      let replica = try await Replica(of: world)
      await expectRefusal(.dataLoss, "data_corrupt") { try await replica.app.records.checkConsent(check) }
      // From memory, which knows of the withdrawal, or not at all.
      let answer = try? await world.app.records.checkConsent(check).answer
      #expect(answer?.permitted != true)
      for app in [world.app, replica.app] {
        await expectRefusal(.dataLoss, "data_corrupt") {
          try await app.records.getRecord(GetRecordRequest(recordID: record))
        }
      }
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
      "UPDATE storage_vault_items SET changed_ms = changed_ms + 1 WHERE item = 'record/\(record)'",
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

  @Test("attempts and birth dates that were put back to what they were are refused", arguments: TestEngine.allCases)
  func vault(engine: TestEngine) async throws {
    let world = try await World(engine, evidence: .example())
    var content = Example.content()
    content.settings?.age = AgePolicy(minimumAge: 16)
    try await world.open(content: content)
    func start(_ born: CalendarDate) async throws {
      _ = try await world.app.sessions.startSession(
        StartSessionRequest(flowID: "flow", subjectID: "s1", clientSchema: 2, birthDate: born))
    }
    let born = CalendarDate(year: 1990, month: 1, day: 9)
    try await start(born)
    let schema = world.test.schema.name
    // What is removed, so that the person may state another date.
    try await world.test.location.alter(
      "CREATE TABLE kept AS SELECT * FROM storage_vault_items; DELETE FROM storage_vault_items "
        + "WHERE item = 'birth-date'", schema: schema)
    await expectRefusal(.dataLoss, "data_corrupt") { try await start(CalendarDate(year: 1980, month: 1, day: 9)) }
    try await world.test.location.alter(
      "INSERT INTO storage_vault_items SELECT * FROM kept WHERE item = 'birth-date'", schema: schema)
    try await start(born)
    try await world.test.location.alter(
      "UPDATE storage_vault_items SET changed_ms = changed_ms + 1 WHERE item = 'birth-date'", schema: schema)
    await expectRefusal(.dataLoss, "data_corrupt") { try await start(born) }
    await world.end()
  }
}
