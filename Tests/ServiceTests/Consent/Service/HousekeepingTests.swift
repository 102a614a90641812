import Base
import ConsentContract
import ConsentService
import RPC
import Storage
import StorageTestKit
import Synchronization
import TestSupport
import Testing
import Wire

/// Changes that time alone brings, in virtual time.
@Suite("Housekeeping")
struct HousekeepingTests {
  private static let day = 86_400

  @Test(
    "a session that was idle past its expiry becomes expired without a call, with an event",
    arguments: TestEngine.allCases)
  func sessions(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    let resting = try await world.walk(subject: "s1") { $0.kind == .sharing }
    let used = try await world.walk(subject: "s2") { $0.kind == .sharing }
    world.clock.move(by: .seconds(Int64(4 * Self.day)))
    _ = try await world.act(used, FlowAction(kind: .back))
    world.clock.move(by: .seconds(Int64(4 * Self.day)))
    await world.runPeriodicTasks()
    let ended = try await world.events().filter { $0.kind == .sessionEnded }
    #expect(ended.map(\.sessionID) == [resting.sessionID] && ended.map(\.outcome) == [.expired])
    #expect(ended.first?.actor == "system")
    let view = try await world.app.sessions.getSession(GetSessionRequest(sessionID: resting.sessionID)).session
    #expect(view?.outcome == .expired && view?.screen?.offered == [])
    world.clock.move(by: .seconds(Int64(4 * Self.day)))
    await world.runPeriodicTasks()
    #expect(try await world.events().count { $0.outcome == .expired } == 2, "the other one's turn came later")
    let counts = try await world.coordinator.records.getVersionCounts(
      GetVersionCountsRequest(documentID: Example.documentID, version: 1)
    ).counts
    #expect(counts?.started == 2 && counts?.completed == 0)
    await world.end()
  }

  @Test("an erased subject's session ends too, though its data can no longer be read")
  func erasedSession() async throws {
    let world = try await World()
    try await world.open()
    let view = try await world.walk { $0.kind == .sharing }
    _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
    world.clock.move(by: .seconds(Int64(8 * Self.day)))
    await world.runPeriodicTasks()
    let ended = try await world.events().filter { $0.kind == .sessionEnded }
    #expect(ended.map(\.sessionID) == [view.sessionID])
    await world.end()
  }

  @Test("a deadline that cannot be handled is reported and delays no other")
  func oneBadDeadline() async throws {
    let world = try await World()
    try await world.open()
    let resting = try await world.walk { $0.kind == .sharing }
    let planted = Statement(
      "test.deadline", "INSERT INTO deadlines (tenant, kind, id, at_ms) VALUES ({tenant}, 2, 'no-such-record', 0)")
    let schema = Schema(
      name: world.test.schema.name, migrations: world.test.schema.migrations,
      statements: world.test.schema.statements + [planted])
    let planting = try await world.test.reopen(schema: schema, clock: world.clock.clock)
    try await planting.scope(.named("t1")).write { try $0.run(planted) }
    await planting.close()
    world.clock.move(by: .seconds(Int64(8 * Self.day)))
    let reported = Mutex<[String]>([])
    let runner = PeriodicTaskRunner(world.services.database, world.services.periodicTasks(every: .seconds(60))) {
      task, error in
      reported.withLock { $0.append("\(task): \(error)") }
    }
    await runner.runDue()
    #expect(reported.withLock { $0.count == 1 && $0[0].contains("no-such-record") })
    #expect(try await world.events().filter { $0.kind == .sessionEnded }.map(\.sessionID) == [resting.sessionID])
    await world.end()
  }

  @Test(
    "a subject whose data are damaged keeps no other from being erased, of this tenant or the next, and is reported")
  func oneBadSubject() async throws {
    let world = try await World()
    try await world.open()
    try await world.keepTenDays()
    for subject in ["s1", "s2"] {
      let record = try await world.record(of: try await world.walk(subject: subject))
      _ = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: record.recordID))
    }
    try await world.merge("s0", into: "s1")
    let other = try #require(Subject("s1"))
    let next = world.services.database.scope(.named("t2"))
    try await next.write { transaction in
      try transaction.vault.setPolicy("short", keep: .seconds(60), by: "admin")
      try transaction.vault.retain(other, under: "short")
    }
    try await world.test.location.alter(
      "UPDATE records SET body = x'' WHERE subject_id = 's1'", schema: world.test.schema.name)
    world.clock.move(by: .seconds(Int64(11 * Self.day)))
    let reported = Mutex<[String]>([])
    let runner = PeriodicTaskRunner(world.services.database, world.services.periodicTasks(every: .seconds(60))) {
      task, _ in
      reported.withLock { $0.append(task) }
    }
    await runner.runDue()
    #expect(reported.withLock { $0 } == ["consent.retention"])
    #expect(try await world.events().filter { $0.kind == .subjectErased }.map(\.subjectID) == ["s2"])
    #expect(try await next.read { try $0.vault.isErased(other) })
    #expect(try await !world.services.database.scope(.named("t1")).read { try $0.vault.isErased(other) })
    await world.end()
  }

  @Test("a validity period that ended is recorded once, although two replicas check it", arguments: TestEngine.allCases)
  func validity(engine: TestEngine) async throws {
    let world = try await World(engine)
    var content = Example.content()
    content.settings?.validity = ValidityPeriod(lastsDays: 60)
    try await world.open(content: content)
    let record = try await world.record(of: try await world.walk())
    let second = try await Replica(of: world)
    world.clock.move(by: .seconds(Int64(59 * Self.day)))
    await world.runPeriodicTasks()
    #expect(try await world.check().permitted)
    world.clock.move(by: .seconds(Int64(2 * Self.day)))
    #expect(try await world.check().reason == "expired", "the answer does not wait for housekeeping")
    async let here: Void = world.runPeriodicTasks()
    async let there: Void = world.runPeriodicTasks(of: second.services)
    _ = await (here, there)
    let after = try #require(try await world.app.records.getRecord(GetRecordRequest(recordID: record.recordID)).record)
    #expect(after.state == .expired && after.history.count { $0.kind == .expired } == 1)
    #expect(after.history.prefix(record.history.count).elementsEqual(record.history), "nothing earlier is altered")
    #expect(try await world.events().count { $0.entry == .expired && $0.recordID == record.recordID } == 1)
    #expect(try await world.check().reason == "expired")
    let due = try await world.coordinator.records.listDueConsents(ListDueConsentsRequest(studyID: World.study))
      .dueConsents
    #expect(due.map(\.reason) == [.expiry] && due.first?.recordID == record.recordID)
    try await world.walk()
    #expect(
      try await world.coordinator.records.listDueConsents(ListDueConsentsRequest(studyID: World.study)).dueConsents
        .isEmpty)
    await second.end()
    await world.end()
  }

  @Test("when the date of a re-consent has passed, consents to earlier versions are expired, and still due")
  func reconsent() async throws {
    let world = try await World()
    try await world.open()
    let record = try await world.record(of: try await world.walk())
    var content = Example.content()
    content.settings?.reconsent = .byDate
    content.settings?.reconsentBy = Timestamp(Example.now + .days(1))
    try await world.publish(content)
    let newer = try await world.record(of: try await world.walk(subject: "s2"))
    await world.runPeriodicTasks()
    #expect(try await world.events().allSatisfy { $0.entry != .reconsentDue }, "not before the date")
    world.clock.move(by: .seconds(Int64(Self.day) + 61))
    await world.runPeriodicTasks()
    let ended = try await world.events().filter { $0.entry == .reconsentDue }
    #expect(ended.map(\.recordID) == [record.recordID])
    #expect(try await world.check().reason == "reconsent_due")
    let due = try await world.coordinator.records.listDueConsents(ListDueConsentsRequest(studyID: World.study))
      .dueConsents
    #expect(due.map(\.reason) == [.newVersion] && due.first?.dueVersion == 2)
    #expect(try await world.record(of: newer.sessionID).state == .inForce)
    try await world.walk()
    let history = try await world.app.records.getSubjectHistory(GetSubjectHistoryRequest(subjectID: "s1")).records
    #expect(history.map(\.state) == [.superseded, .inForce])
    await world.end()
  }

  @Test("what is agreed to on the earlier version after that date expires too, and its retention begins")
  func afterReconsent() async throws {
    let world = try await World()
    try await world.open()
    try await world.keepTenDays()
    let session = try await world.walk { $0.kind == .name }
    var content = Example.content()
    content.settings?.reconsent = .byDate
    content.settings?.reconsentBy = Timestamp(Example.now + .days(1))
    try await world.publish(content)
    world.clock.move(by: .seconds(Int64(Self.day) + 61))
    await world.runPeriodicTasks()
    let record = try await world.record(of: try await world.goOn(session))
    #expect(record.documentVersion == 1 && record.state == .reconsentDue, "it is over, whenever that is noted")
    #expect(try await world.check().reason == "reconsent_due")
    world.clock.move(by: .seconds(61))
    await world.runPeriodicTasks()
    #expect(try await world.record(of: record.sessionID).history.last?.kind == .reconsentDue)
    #expect(try await world.check().reason == "reconsent_due")
    try await expectErased(["s1"], in: world)
    await world.end()
  }

  @Test("an expiry that turns out to be early is put off: the version that asked for it was stopped")
  func earlyExpiry() async throws {
    let world = try await World()
    try await world.open()
    let session = try await world.walk { $0.kind == .name }
    var content = Example.content()
    content.settings?.reconsent = .byDate
    content.settings?.reconsentBy = Timestamp(Example.now + .days(1))
    try await world.publish(content)
    let record = try await world.record(of: try await world.goOn(session))
    _ = try await world.publisher.documents.stopDocumentVersion(
      StopDocumentVersionRequest(documentID: Example.documentID, version: 2, reason: "wrong dose"))
    world.clock.move(by: .seconds(Int64(2 * Self.day)))
    await world.runPeriodicTasks()
    #expect(try await world.record(of: record.sessionID).state == .inForce)
    #expect(try await world.check().permitted)
    await world.end()
  }

  @Test(
    "nobody is asked to sign on a version that was stopped, and a consent that waits for that has ended",
    arguments: [InForceFrom.lastSignature, .participantSignature])
  func stoppedVersion(inForceFrom: InForceFrom) async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.inForceFrom = inForceFrom
    try await world.open(content: content)
    try await world.keepTenDays()
    let record = try await world.record(of: try await world.walk())
    func tasks() async throws -> Int {
      let request = ListSigningTasksRequest(studyID: World.study)
      return try await world.investigator.sessions.listSigningTasks(request).tasks.count
    }
    #expect(try await tasks() == 1)
    _ = try await world.publisher.documents.stopDocumentVersion(
      StopDocumentVersionRequest(documentID: Example.documentID, version: 1, reason: "wrong dose"))
    world.clock.move(by: .seconds(61))
    await world.runPeriodicTasks()
    #expect(try await tasks() == 0)
    let isWaiting = inForceFrom == .lastSignature
    let after = try await world.record(of: record.sessionID)
    #expect(after.state == (isWaiting ? .expired : .inForce))
    #expect(try await world.check().reason == (isWaiting ? "expired" : ""))
    try await expectErased(isWaiting ? ["s1"] : [], in: world)
    await world.end()
  }

  @Test("retention begins with a withdrawal, also where another consent waits for a signature")
  func withdrawnWhileWaiting() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.inForceFrom = .lastSignature
    try await world.open(content: content)
    try await world.keepTenDays()
    func sign(_ record: ConsentRecord) async throws -> RecordState? {
      try await world.investigator.sessions.signRecord(
        SignRecordRequest(
          recordID: record.recordID, signatureID: "investigator", name: PersonName(given: "Ines", family: "Ito"),
          signature: SignatureInput(image: .typed(TypedSignature(text: "Ines Ito"))))
      ).record?.state
    }
    let first = try await world.record(of: try await world.walk())
    #expect(try await sign(first) == .inForce)
    world.clock.move(by: .seconds(60))
    let waiting = try await world.record(of: try await world.walk())
    world.clock.move(by: .seconds(1))
    _ = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: first.recordID))
    #expect(waiting.state == .awaitingSignatures)
    await expectRefusal(.failedPrecondition, "consent_not_given") { try await sign(waiting) }
    try await expectErased(["s1"], in: world)
    await world.end()
  }

  /// Expects that the retention periods of these subjects run, and of no others.
  private func expectErased(_ subjects: [String], in world: World) async throws {
    world.clock.move(by: .days(11))
    await world.runPeriodicTasks()
    #expect(try await world.events().filter { $0.kind == .subjectErased }.map(\.subjectID) == subjects)
  }

  @Test("retention begins when the last consent has ended, runs without a call, and erases the strokes too")
  func retention() async throws {
    let world = try await World()
    try await world.open()
    try await world.keepTenDays()
    let record = try await world.record(of: try await world.walk())
    world.clock.move(by: .seconds(Int64(400 * Self.day)))
    await world.runPeriodicTasks()
    #expect(try await world.record(of: record.sessionID).signatures[0].printedName != "", "in force: kept")
    _ = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: record.recordID))
    world.clock.move(by: .seconds(Int64(9 * Self.day)))
    await world.runPeriodicTasks()
    #expect(try await world.record(of: record.sessionID).signatures[0].printedName != "", "its period runs")
    world.clock.move(by: .seconds(Int64(2 * Self.day)))
    await world.runPeriodicTasks()
    let after = try #require(
      try await world.investigator.records.getRecord(GetRecordRequest(recordID: record.recordID)).record)
    #expect(after.signatures[0].printedName == "" && after.signatures[0].nameCommitment != "")
    #expect(try await world.events().contains { $0.kind == .subjectErased && $0.actor == "system" })
    let jobs = Task { [jobs = world.services.jobs()] in await jobs.run() }
    let erased = try await eventually("it is erased", world.fields.erased) { !$0.isEmpty }
    #expect(erased == ["s1"])
    jobs.cancel()
    await jobs.value
    await world.end()
  }
}

extension World {
  /// The last record that a session made.
  func record(of sessionID: String) async throws -> ConsentRecord {
    try await record(
      of: try #require(try await app.sessions.getSession(GetSessionRequest(sessionID: sessionID)).session))
  }
}
