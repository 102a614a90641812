import Base
import ConsentContract
import ConsentService
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// People whom earlier releases let be called like what services keep for themselves: they are on record, have the
/// rights that others have, and hold up nobody.
@Suite("People of names that earlier releases took", .timeLimit(.minutes(2))) struct EarlierNameTests {
  private static let names = ["device:anna", "key:0123456789abcdef", "onboarding:1", "webhook:1"]

  private static let rename = Statement(
    "test.rename", "UPDATE sessions SET subject_id = ? WHERE tenant = {tenant} AND id = ?")
  private static let place = Statement(
    "test.guardian",
    "INSERT INTO guardians (tenant, study_id, subject_id, guardian_id, body) VALUES ({tenant}, ?, ?, ?, ?)")

  /// Writes as an earlier release did.
  private func write(in world: World, _ body: @escaping @Sendable (Transaction) throws -> Void) async throws {
    let schema = Schema(
      name: world.test.schema.name, migrations: ConsentSchema.migrations,
      statements: ConsentSchema.statements + [Self.rename, Self.place], coverage: ConsentSchema.coverage)
    let database = try await world.test.reopen(schema: schema, clock: world.clock.clock)
    try await database.scope(.named("t1")).write { try body($0) }
    await database.close()
  }

  /// Begins a session as an earlier release did, and goes on with it as this one does.
  @discardableResult
  private func walk(
    _ name: String, in world: World, until isThere: (ConsentScreen) -> Bool = { _ in false }
  ) async throws -> SessionView {
    let start = try await world.app.sessions.startSession(StartSessionRequest(flowID: "flow", clientSchema: 2))
    let (subject, nobody) = (try #require(Subject(name)), try #require(Subject(start.subjectID)))
    let id = try #require(start.session).sessionID
    try await write(in: world) { transaction in
      let state = try #require(try transaction.vault.get("session/\(id)", of: nobody))
      try transaction.run(Self.rename, name, id)
      try transaction.vault.put(state, as: "session/\(id)", of: subject)
      try transaction.vault.keep(subject, under: "study-\(World.study)")
    }
    let now = try await world.app.sessions.getSession(GetSessionRequest(sessionID: id, clientSchema: 2)).session
    return try await world.goOn(try #require(now), until: isThere)
  }

  /// Runs jobs until the other services have erased these, and no others.
  private func expectErased(_ names: Set<String>, in world: World) async throws {
    let jobs = Task { [jobs = world.services.jobs()] in await jobs.run() }
    try await world.eventually {
      Set(world.fields.erased) == names && world.accounts.erased == names
    } where: {
      $0
    }
    jobs.cancel()
    await jobs.value
  }

  /// Runs due tasks, none of which may fail.
  private func pass(_ days: Int, in world: World) async {
    world.clock.move(by: .days(days))
    await world.runPeriodicTasks()
  }

  @Test("they are read, listed, exported and held, may withdraw, and are erased on request", arguments: names)
  func rights(name: String) async throws {
    let world = try await World()
    try await world.open()
    let other = try await world.record(of: try await world.walk())
    let own = try await world.record(of: try await walk(name, in: world))
    #expect(own.subjectID == name && own.signatures.first?.printedName.isEmpty == false)
    let (admin, staff) = (world.admin.records, world.coordinator)
    let listed = try await staff.records.listRecords(ListRecordsRequest(studyID: World.study)).records
    #expect(Set(listed.map(\.subjectID)) == ["s1", name])
    _ = try await staff.records.listDueConsents(ListDueConsentsRequest(studyID: World.study))
    let sessions = try await staff.sessions.listConsentSessions(
      ListConsentSessionsRequest(studyID: World.study, subjectID: name))
    #expect(sessions.sessions.map(\.sessionID) == [own.sessionID])
    let export = try await staff.records.exportSubject(ExportSubjectRequest(subjectID: name))
    #expect(String(decoding: export.content, as: UTF8.self).contains(own.recordID))
    func hold(_ isHeld: Bool) async throws {
      _ = try await admin.setLegalHold(SetLegalHoldRequest(subjectID: name, held: isHeld, reason: "a lawsuit"))
    }
    let erase = EraseSubjectRequest(subjectID: name, reason: "asked for")
    try await hold(true)
    #expect(try await admin.getLegalHold(GetLegalHoldRequest(subjectID: name)).holds.count == 1)
    await expectRefusal(.failedPrecondition, "legal_hold") { try await admin.eraseSubject(erase) }
    try await hold(false)
    let withdrawn = try await staff.records.withdrawConsent(
      WithdrawConsentRequest(recordID: own.recordID, reason: "asked for"))
    #expect(withdrawn.records.map(\.state) == [.withdrawn])
    _ = try await admin.eraseSubject(erase)
    try await expectErased([name], in: world)
    #expect(try await world.check(name).reason == "subject_erased")
    #expect(try await world.check().recordID == other.recordID)
    await world.end()
  }

  @Test("their sessions and consents end with time, and so does what is kept of them", arguments: names)
  func time(name: String) async throws {
    let world = try await World()
    try await world.open()
    try await world.keepTenDays()
    let resting = "\(name).resting"
    var records: Set<String> = [try await world.record(of: try await walk(name, in: world)).recordID]
    records.insert(try await world.record(of: try await world.walk()).recordID)
    try await walk(resting, in: world) { $0.kind == .sharing }
    var content = Example.content()
    content.settings?.reconsent = .byDate
    content.settings?.reconsentBy = Timestamp(Example.now + .days(1))
    try await world.publish(content)
    await pass(8, in: world)
    let ended = try await world.events()
    #expect(Set(ended.filter { $0.entry == .expired }.map(\.recordID)) == records)
    #expect(ended.contains { $0.kind == .sessionEnded && $0.subjectID == resting && $0.outcome == .expired })
    await pass(11, in: world)
    let erased = try await world.events().filter { $0.kind == .subjectErased }.map(\.subjectID)
    #expect(Set(erased) == [name, resting, "s1"])
    try await expectErased([name, resting, "s1"], in: world)
    await world.end()
  }

  @Test("they are merged into others, and are guardians no longer where staff says so", arguments: names)
  func merged(name: String) async throws {
    let world = try await World()
    try await world.open()
    let given = try await world.record(of: try await walk(name, in: world))
    try await world.walk { $0.kind == .review }
    try await write(in: world) { transaction in
      let guardian = Guardian(studyID: World.study, subjectID: "s1", guardianID: name, authority: .appointed)
      try transaction.run(Self.place, World.study, "s1", name, try guardian.encoded())
    }
    let removal = SetGuardianRequest(studyID: World.study, subjectID: "s1", guardianID: name, removed: true)
    #expect(try await world.coordinator.studies.setGuardian(removal).guardians.isEmpty)
    try await world.merge(name, into: "s1")
    _ = try await world.client("s1").records.withdrawConsent(WithdrawConsentRequest(recordID: given.recordID))
    _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
    try await expectErased([name, "s1"], in: world)
    await world.end()
  }

  @Test("they are erased again after a restore with all that is theirs, and a webhook is not", arguments: names)
  func restored(name: String) async throws {
    let world = try await World()
    try await world.open()
    let view = try await walk(name, in: world) { $0.kind == .sharing }
    let (subject, webhook) = (try #require(Subject(name)), try #require(Subject("webhook:of-the-tenant")))
    try await world.test.database.scope(.named("t1")).write { transaction in
      try transaction.vault.erase(subject, by: "storage", reason: "restored")
      for one in [subject, webhook] { try ConsentServices.eraseAgain(one, transaction) }
    }
    #expect(try await world.events().filter { $0.kind == .sessionEnded }.map(\.sessionID) == [view.sessionID])
    try await expectErased([name], in: world)
    await world.end()
  }
}
