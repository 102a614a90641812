import Base
import ConsentContract
import ConsentDomain
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// From the first screen to the record and what follows, over the bus, on both engines.
@Suite("ConsentService")
struct ConsentServiceTests {
  @Test(
    "a walk to the end makes a record that names version, locale and the bytes shown", arguments: TestEngine.allCases)
  func record(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    let version = try #require(
      try await world.publisher.documents.getDocument(GetDocumentRequest(documentID: Example.documentID)).version)
    let view = try await world.walk(locale: "de-AT")
    #expect(view.outcome == .completed && view.recordIDs.count == 1)
    let record = try await world.record(of: view)
    #expect(record.versionHash == version.versionHash && record.locale == "de")
    #expect(record.localeHash == version.localeHashes.first { $0.locale == "de" }?.hash)
    #expect(record.state == .inForce && record.sharing == .wide && record.purposes == ["research"])
    #expect(record.history.map(\.kind) == [.given, .signed, .inForce])
    #expect(record.signatures.map(\.printedName) == ["Ada\u{A0}Lovelace"])
    #expect(record.attempts.map(\.passed) == [true])
    #expect(record.refolded() == record)

    let shown = try await world.app.records.getShownContent(GetShownContentRequest(recordID: record.recordID))
    #expect(Digest(of: shown.content).hex == record.shownHash)
    #expect(String(decoding: shown.content, as: UTF8.self).contains("Heart study (de)"))
    await world.end()
  }

  @Test(
    "CheckConsent says yes after consent and no after withdrawal; consent again makes a second record",
    arguments: TestEngine.allCases)
  func checkAndWithdraw(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    #expect(try await world.check().reason == "no_consent")
    let first = try await world.record(of: try await world.walk())
    let yes = try await world.check()
    #expect(yes.permitted && yes.recordID == first.recordID && yes.sharing == .wide)

    _ = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: first.recordID))
    let no = try await world.check()
    #expect(!no.permitted && no.reason == "withdrawn" && no.recordID == first.recordID)
    let withdrawn = try await world.record(of: first.sessionID)
    let again = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: first.recordID))
    #expect(again.records.map(\.history) == [withdrawn.history], "repeating a withdrawal adds nothing")
    world.clock.move(by: .seconds(60))
    let second = try await world.record(of: try await world.walk())
    #expect(second.recordID != first.recordID)
    #expect(try await world.check().recordID == second.recordID)
    // Another device says late what was said before.
    _ = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: first.recordID))
    #expect(try await world.check().recordID == second.recordID)
    let history = try await world.app.records.getSubjectHistory(GetSubjectHistoryRequest(subjectID: "s1")).records
    #expect(history.map(\.state) == [.withdrawn, .inForce])
    #expect(history[0].history.prefix(3).elementsEqual(first.history), "withdrawal alters nothing earlier")
    await world.end()
  }

  @Test("the sharing choice is changed by one call, and the earlier choice stays on record")
  func sharing() async throws {
    let world = try await World()
    try await world.open()
    let record = try await world.record(of: try await world.walk())
    let changed = try await world.app.records.updateSharing(
      UpdateSharingRequest(recordID: record.recordID, sharing: .investigatorOnly))
    #expect(changed.record?.history.map(\.sharing).filter { $0 != .unspecified } == [.wide, .investigatorOnly])
    #expect(try await world.check().sharing == .investigatorOnly)
    await expectRefusal(.invalidArgument, "sharing_not_chosen") {
      try await world.app.records.updateSharing(UpdateSharingRequest(recordID: record.recordID))
    }
    await world.end()
  }

  @Test(
    "a repeated action with the same key runs once and gets the same answer; a stale version is told the current one")
  func idempotentActions() async throws {
    let world = try await World()
    try await world.open()
    let start = try await world.app.sessions.startSession(
      StartSessionRequest(flowID: "flow", subjectID: "s1", clientSchema: 2))
    let request = ActOnSessionRequest(
      sessionID: start.session?.sessionID ?? "", expectedVersion: 1, action: FlowAction(kind: .next), clientSchema: 2)
    let once = CallOptions(idempotencyKey: .given("act-1"))
    let first = try await world.app.sessions.actOnSession(request, options: once)
    let again = try await world.app.sessions.actOnSession(request, options: once)
    #expect(first == again && first.session?.version == 2)
    do {
      _ = try await world.app.sessions.actOnSession(request)
      Issue.record("not refused")
    } catch {
      #expect(error.isRefusal(.aborted, "stale_version") && error.message.contains("is at 2"), "\(error)")
    }
    await world.end()
  }

  @Test("an action that the screen does not offer: FAILED_PRECONDITION with the offered ones, and nothing changed")
  func notOffered() async throws {
    let world = try await World()
    try await world.open()
    let view = try #require(
      try await world.app.sessions.startSession(StartSessionRequest(flowID: "flow", subjectID: "s1")).session)
    let before = try await world.events().count
    do {
      _ = try await world.act(view, FlowAction(kind: .sign))
      Issue.record("not refused")
    } catch let status as Status {
      #expect(status.code == .failedPrecondition && status.message.contains("offered: cancel, next"), "\(status)")
    }
    #expect(try await world.app.sessions.getSession(GetSessionRequest(sessionID: view.sessionID)).session?.version == 1)
    #expect(try await world.events().count { $0.kind != .personalDataRead } == before)
    await world.end()
  }

  @Test("a session resumes on another device, where the person left it; the first device can only read it")
  func resume() async throws {
    let world = try await World()
    try await world.open()
    let start = try await world.app.sessions.startSession(
      StartSessionRequest(flowID: "flow", subjectID: "s1", clientSchema: 2, deviceID: "phone"))
    let view = try await world.act(try #require(start.session), FlowAction(kind: .next))
    let resumed = try await world.app.sessions.resumeSession(
      ResumeSessionRequest(sessionID: view.sessionID, deviceID: "tablet", locale: "de", clientSchema: 2))
    #expect(resumed.session?.screen?.id == view.screen?.id && resumed.session?.screen?.locale == "de")
    let phone = world.client("app", kind: .device, device: "phone")
    await expectRefusal(.failedPrecondition, "other_device") {
      try await phone.sessions.actOnSession(
        ActOnSessionRequest(
          sessionID: view.sessionID, expectedVersion: resumed.session?.version ?? 0, action: FlowAction(kind: .next)))
    }
    #expect(
      try await phone.sessions.getSession(GetSessionRequest(sessionID: view.sessionID)).session?.outcome == .unspecified
    )
    await world.end()
  }

  @Test("a session that is idle too long expires; earlier decisions stay on record")
  func expiry() async throws {
    let world = try await World()
    var flow = Example.flow()
    flow.steps.insert(Example.form("location"), at: 0)
    flow.sessionLifetime = ProtobufDuration(.seconds(3600))
    try await world.open(flow: flow)
    let start = try await world.app.sessions.startSession(
      StartSessionRequest(flowID: "flow", subjectID: "s1", clientSchema: 2))
    let view = try await world.act(try #require(start.session), FlowAction(kind: .allow))
    world.clock.move(by: .seconds(3601))
    let ended = try await world.act(view, FlowAction(kind: .next))
    #expect(ended.outcome == .expired && ended.screen?.offered.isEmpty == true)
    #expect(try await world.check("s1", "location").permitted)
    await world.end()
  }

  @Test("stop now ends running sessions with a pointer to the successor, and no session begins on the version")
  func stopped() async throws {
    let world = try await World()
    try await world.open()
    let view = try #require(
      try await world.app.sessions.startSession(StartSessionRequest(flowID: "flow", subjectID: "s1", clientSchema: 2))
        .session)
    _ = try await world.publisher.documents.stopDocumentVersion(
      StopDocumentVersionRequest(documentID: Example.documentID, version: 1, reason: "wrong dose"))
    await expectRefusal(.failedPrecondition, "not_published") {
      try await world.app.sessions.startSession(StartSessionRequest(flowID: "flow", subjectID: "s2"))
    }
    var content = Example.content()
    content.settings?.reconsent = .noAction
    try await world.publish(content)
    let ended = try await world.act(view, FlowAction(kind: .next))
    #expect(ended.outcome == .stopped)
    #expect(ended.successor == FlowDocument(documentID: Example.documentID, version: 2))
    await world.end()
  }

  @Test("running sessions finish on the version they began")
  func finishesOnOwnVersion() async throws {
    let world = try await World()
    try await world.open()
    let view = try #require(
      try await world.app.sessions.startSession(StartSessionRequest(flowID: "flow", subjectID: "s1", clientSchema: 2))
        .session)
    var content = Example.content()
    content.settings?.reconsent = .noAction
    content.texts[0].title = "Second"
    try await world.publish(content)
    let record = try await world.record(of: try await world.goOn(view))
    #expect(record.documentVersion == 1)
    #expect(try await world.record(of: try await world.walk(subject: "s2")).documentVersion == 2)
    await world.end()
  }

  @Test("re-consent by date: until then the older consent stands, after it the answer is no; who is due is a list")
  func reconsent() async throws {
    let world = try await World()
    try await world.open()
    try await world.walk()
    var content = Example.content()
    content.settings?.reconsent = .byDate
    content.settings?.reconsentBy = Timestamp(Example.now + .days(1))
    try await world.publish(content)
    let stillYes = try await world.check()
    #expect(stillYes.permitted && stillYes.validUntil == content.settings?.reconsentBy)
    let due = try await world.coordinator.records.listDueConsents(ListDueConsentsRequest(studyID: World.study))
      .dueConsents
    #expect(due.map(\.reason) == [.newVersion] && due.first?.dueVersion == 2)
    world.clock.move(by: .seconds(86_401))
    #expect(try await world.check().reason == "reconsent_due")
    try await world.walk()
    #expect(try await world.check().permitted)
    #expect(
      try await world.coordinator.records.listDueConsents(ListDueConsentsRequest(studyID: World.study)).dueConsents
        .isEmpty)
    let history = try await world.app.records.getSubjectHistory(GetSubjectHistoryRequest(subjectID: "s1")).records
    #expect(history.map(\.state) == [.superseded, .inForce])
    await world.end()
  }

  @Test("who is due consents to the published version, also where an earlier one has ended their consent")
  func dueVersion() async throws {
    let world = try await World()
    try await world.open()
    try await world.walk()
    var content = Example.content()
    content.settings?.reconsent = .byDate
    content.settings?.reconsentBy = Timestamp(Example.now + .seconds(1))
    try await world.publish(content)
    world.clock.move(by: .seconds(2))
    content.settings?.reconsent = .noAction
    content.settings?.reconsentBy = nil
    try await world.publish(content)
    let due = try await world.coordinator.records.listDueConsents(ListDueConsentsRequest(studyID: World.study))
      .dueConsents
    #expect(due.map(\.reason) == [.newVersion] && due.first?.dueVersion == 3)
    #expect(try await world.check().reason == "reconsent_due")
    await world.end()
  }

  @Test("an investigator counter-signs later from a task list, in order and once")
  func counterSign() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.inForceFrom = .lastSignature
    try await world.open(content: content)
    let record = try await world.record(of: try await world.walk())
    #expect(record.state == .awaitingSignatures)
    #expect(try await world.check().reason == "awaiting_signatures")
    let tasks = try await world.investigator.sessions.listSigningTasks(ListSigningTasksRequest(studyID: World.study))
      .tasks
    #expect(tasks.map(\.signatureID) == ["investigator"] && tasks.first?.recordID == record.recordID)
    let witness = world.client("wim", ["witness@heart"])
    #expect(try await witness.sessions.listSigningTasks(ListSigningTasksRequest(studyID: World.study)).tasks.isEmpty)
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await world.coordinator.sessions.listSigningTasks(ListSigningTasksRequest(studyID: World.study))
    }
    let sign = SignRecordRequest(
      recordID: record.recordID, signatureID: "investigator", name: PersonName(given: "Ines", family: "Ito"),
      signature: SignatureInput(image: .drawn(DrawnSignature(fieldID: "field-1", revision: 1))))
    await expectRefusal(.permissionDenied, "not_admitted") { try await world.coordinator.sessions.signRecord(sign) }
    await expectRefusal(.failedPrecondition, "signature_not_saved") {
      try await world.investigator.sessions.signRecord(sign)
    }
    world.fields.save("field-1", at: try #require(tasks.first?.place))
    var unknown = sign
    unknown.signatureID = "nobody"
    await expectRefusal(.notFound, "unknown_signature") { try await world.investigator.sessions.signRecord(unknown) }
    let signed = try #require(try await world.investigator.sessions.signRecord(sign).record)
    #expect(signed.state == .inForce && signed.history.suffix(2).map(\.kind) == [.signed, .inForce])
    await expectRefusal(.alreadyExists, "already_signed") { try await world.investigator.sessions.signRecord(sign) }
    #expect(try await world.check().permitted)
    #expect(
      try await world.investigator.sessions.listSigningTasks(ListSigningTasksRequest(studyID: World.study)).tasks
        .isEmpty)
    await world.end()
  }

  @Test("declined consent is on record, permits nothing and is never signed")
  func declined() async throws {
    let world = try await World()
    try await world.open()
    let view = try await world.walk { $0.kind == .review }
    let end = try await world.act(view, FlowAction(kind: .disagree))
    #expect(end.outcome == .declined)
    let record = try await world.record(of: end)
    #expect(record.state == .declined && record.signatures.isEmpty)
    #expect(try await world.check().reason == "declined")
    let place = SignaturePlace(
      subjectID: "ines", studyID: World.study, sessionID: record.sessionID, signatureID: "investigator",
      documentID: record.documentID, documentVersion: record.documentVersion, recordID: record.recordID)
    world.fields.save("f", at: place)
    await expectRefusal(.failedPrecondition, "consent_not_given") {
      try await world.investigator.sessions.signRecord(
        SignRecordRequest(
          recordID: record.recordID, signatureID: "investigator", name: PersonName(given: "I", family: "I"),
          signature: SignatureInput(image: .drawn(DrawnSignature(fieldID: "f", revision: 1)))))
    }
    await world.end()
  }

  @Test("counts per version: started, completed, declined, withdrawn, where people stop; test participants apart")
  func counts() async throws {
    let world = try await World()
    try await world.open()
    try await world.walk(subject: "a")
    _ = try await world.app.records.withdrawConsent(
      WithdrawConsentRequest(recordID: try await world.walk(subject: "b").recordIDs[0]))
    _ = try await world.act(try await world.walk(subject: "c") { $0.kind == .review }, FlowAction(kind: .disagree))
    let quit = try await world.act(
      try await world.act(try await world.walk(subject: "d") { $0.kind == .review }, FlowAction(kind: .back)),
      FlowAction(kind: .cancel))
    _ = try await world.act(quit, FlowAction(kind: .confirm))
    try await world.walk(subject: "e", test: true)
    let counts = try await world.coordinator.records.getVersionCounts(
      GetVersionCountsRequest(documentID: Example.documentID, version: 1)
    ).counts
    #expect(
      counts
        == VersionCounts(
          started: 4, completed: 2, declined: 1, withdrawn: 1, stoppedAt: [StepCount(stepID: "sharing", count: 1)],
          inForce: 1, inForceAt: [SiteCount(siteID: "", count: 1)]))
    #expect(try await world.check("e").reason == "no_consent", "a test participant's consent permits nothing")
    await world.end()
  }

  @Test("reads of personal data by staff and by devices are on record; the subject's own are not")
  func reads() async throws {
    let world = try await World()
    try await world.open()
    let record = try await world.record(of: try await world.walk())
    _ = try await world.client("s1").records.getRecord(GetRecordRequest(recordID: record.recordID))
    func readers() async throws -> [String] {
      try await world.events().filter { $0.kind == .personalDataRead }.map(\.actor)
    }
    #expect(try await readers() == ["app"])
    let read = try await world.investigator.records.getRecord(GetRecordRequest(recordID: record.recordID)).record
    #expect(read?.signatures.first?.printedName == "Ada\u{A0}Lovelace")
    #expect(try await readers() == ["app", "ines"])
    await world.end()
  }

  @Test("events are in order without gaps, and a watcher gets what happens")
  func events() async throws {
    let world = try await World()
    try await world.open()
    let last = try await world.admin.records.listEvents(ListEventsRequest(pageSize: 1000)).nextPageToken
    try await world.walk()
    var seen: [ConsentEventKind] = []
    for try await answer in try world.admin.records.watchEvents(
      WatchEventsRequest(studyID: World.study, pageToken: last))
    {
      let event = try #require(answer.event)
      seen.append(event.kind)
      if event.kind == .sessionEnded { break }
    }
    #expect(seen.first == .sessionStarted && seen.contains(.recordEntry))
    let all = try await world.events()
    #expect(all.map(\.sequence) == all.map(\.sequence).sorted() && Set(all.map(\.sequence)).count == all.count)
    await world.end()
  }
}
