import Base
import ConsentContract
import ConsentService
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

@Suite("Privacy and exports")
struct PrivacyTests {
  private static let names = ["Zyxwvut", "Qwrtzpsd", "typed-by-hand-9"]

  /// Walks to the end with planted names.
  private func walk(_ world: World) async throws -> ConsentRecord {
    var view = try await world.walk { $0.kind == .name }
    view = try await world.act(
      view, FlowAction(kind: .enterName, name: PersonName(given: Self.names[0], family: Self.names[1])))
    let typed = SignatureInput(image: .typed(TypedSignature(text: Self.names[2], font: "plain")), otherThanName: true)
    view = try await world.act(view, FlowAction(kind: .sign, signature: typed))
    return try await world.record(of: view)
  }

  @Test("no byte of the database contains a name, a reason or a typed signature in plain text")
  func nothingInTheClear() async throws {
    let world = try await World()
    try await world.open()
    let record = try await walk(world)
    let reason = "reason-told-in-private"
    _ = try await world.coordinator.records.withdrawConsent(
      WithdrawConsentRequest(recordID: record.recordID, reason: reason))
    guard case .sqlite(let path) = world.test.location else { return }
    for file in [path, "\(path)-wal"] where Files.exists(file) {
      let bytes = try Files.read(file)
      for planted in Self.names + [reason] {
        #expect(!bytes.contains(planted), "\(planted) in \(file)")
      }
    }
    await world.end()
  }

  @Test(
    "erasing a subject destroys the names and breaks no proof; a legal hold forbids it", arguments: TestEngine.allCases)
  func erase(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    let record = try await walk(world)
    #expect(record.signatures.first?.printedName == "\(Self.names[0])\u{A0}\(Self.names[1])")
    _ = try await world.admin.records.setLegalHold(SetLegalHoldRequest(subjectID: "s1", held: true, reason: "dispute"))
    let erase = EraseSubjectRequest(subjectID: "s1", reason: "asked for")
    await expectRefusal(.failedPrecondition, "legal_hold") { try await world.admin.records.eraseSubject(erase) }
    await expectRefusal(.invalidArgument, "reason_missing") {
      try await world.admin.records.setLegalHold(SetLegalHoldRequest(subjectID: "s1", held: false))
    }
    _ = try await world.admin.records.setLegalHold(
      SetLegalHoldRequest(subjectID: "s1", held: false, reason: "settled"))
    let subject = try #require(Subject("s1"))
    let tenant = try #require(Tenant("t1"))
    let holds = try await world.test.database.scope(tenant).read { try $0.vault.allHolds(on: subject) }
    #expect(holds.map(\.reason) == ["dispute"] && holds.map(\.lifting?.reason) == ["settled"])
    _ = try await world.admin.records.eraseSubject(erase)
    let after = try #require(try await world.app.records.getRecord(GetRecordRequest(recordID: record.recordID)).record)
    #expect(after.signatures.first?.printedName == "")
    #expect(after.signatures.first?.nameCommitment == record.signatures.first?.nameCommitment)
    #expect(after.shownHash == record.shownHash && after.history.count == record.history.count)
    #expect(record.attempts.map(\.score) == [2] && after.attempts.isEmpty)
    let shown = try await world.app.records.getShownContent(GetShownContentRequest(recordID: record.recordID))
    #expect(Digest(of: shown.content).hex == record.shownHash)
    await expectRefusal(.failedPrecondition, "subject_erased") {
      try await world.app.sessions.getSession(GetSessionRequest(sessionID: record.sessionID))
    }
    #expect(try await world.events().contains { $0.kind == .subjectErased })
    let jobs = world.services.jobs()
    let running = Task { await jobs.run() }
    let erased = try await eventually("it is erased", world.fields.erased) { !$0.isEmpty }
    #expect(erased == ["s1"], "the strokes go too")
    running.cancel()
    await running.value
    await world.end()
    let head = try await Self.head(of: record.recordID, in: world.test)
    #expect(head?.recordID == record.recordID && head?.attempts == [], "no scores are left in the row")
  }

  private static let findHead = Statement(
    "test.head", "SELECT body FROM records WHERE tenant = {tenant} AND id = ?")

  /// A record's head as its row has it.
  private static func head(of recordID: String, in test: TestDatabase) async throws -> ConsentRecord? {
    let schema = Schema(
      name: test.schema.name, migrations: ConsentSchema.migrations, statements: ConsentSchema.statements + [findHead],
      coverage: ConsentSchema.coverage)
    let database = try await test.reopen(schema: schema)
    let found = try await database.scope(.named("t1")).read { snapshot in
      try snapshot.first(findHead, recordID).map { row in
        try ConsentRecord(decoding: try row.get("body", as: [UInt8].self))
      }
    }
    await database.close()
    return found
  }

  @Test("a stored answer for a repeated call is erased with the subject, too", arguments: TestEngine.allCases)
  func keptAnswers(engine: TestEngine) async throws {
    let world = try await World(engine)
    try await world.open()
    let naming = try await world.walk { $0.kind == .name }
    let named = try await world.act(
      naming, FlowAction(kind: .enterName, name: PersonName(given: Self.names[0], family: Self.names[1])))
    // Back shows the name again, so the stored answer under the call's key contains it.
    let back = ActOnSessionRequest(
      sessionID: named.sessionID, expectedVersion: named.version, action: FlowAction(kind: .back), clientSchema: 2)
    let once = CallOptions(idempotencyKey: .given("back-1"))
    let first = try await world.app.sessions.actOnSession(back, options: once)
    #expect(first.session?.screen?.entries?.name?.given == Self.names[0])
    #expect(try await world.app.sessions.actOnSession(back, options: once) == first)
    _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
    await expectRefusal(.failedPrecondition, "subject_erased") {
      try await world.app.sessions.actOnSession(back, options: once)
    }
    await world.end()
  }

  @Test("the answer to a choice that stands already, which stores nothing, is erased with the subject, too")
  func keptChoice() async throws {
    let world = try await World()
    try await world.open()
    let record = try await world.record(of: try await world.walk())
    let same = UpdateSharingRequest(recordID: record.recordID, sharing: .wide)
    let once = CallOptions(idempotencyKey: .given("same-1"))
    let first = try await world.app.records.updateSharing(same, options: once)
    #expect(first.record?.attempts.isEmpty == false)
    _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
    // The answer is gone, so the call is a new one.
    let after = try await world.app.records.updateSharing(same, options: once)
    #expect(after.record?.attempts.isEmpty == true)
    await world.end()
  }

  @Test("the answer to a session by invitation goes with the invited one, whoever else was named")
  func keptInvitation() async throws {
    let world = try await World()
    try await world.open()
    let invitation = StudyInvitation(flowID: "flow", siteID: "north", subjectID: "s2")
    let code = try await world.coordinator.studies.createInvitation(CreateInvitationRequest(invitation: invitation))
      .invitation?.code
    let start = StartSessionRequest(
      invitationCode: try #require(code), siteID: "north", subjectID: "s1", clientSchema: 2)
    let once = CallOptions(idempotencyKey: .given("invited-1"))
    let first = try await world.app.sessions.startSession(start, options: once)
    #expect(first.subjectID == "s2")
    #expect(try await world.app.sessions.startSession(start, options: once) == first)
    _ = try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s2", reason: "asked for"))
    // The answer is gone, so the call is a new one.
    await expectRefusal(.failedPrecondition, "subject_erased") {
      try await world.app.sessions.startSession(start, options: once)
    }
    await world.end()
  }

  @Test(
    "a subject who began a session and made no record is erased and held like any other, by that study's administrators"
  )
  func withoutRecord() async throws {
    let world = try await World()
    try await world.open()
    try await world.walk { $0.kind == .sharing }
    let erase = EraseSubjectRequest(subjectID: "s1", reason: "asked for")
    let stranger = world.client("ada", ["admin@lung"])
    await expectRefusal(.permissionDenied, "not_admitted") { try await stranger.records.eraseSubject(erase) }
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await stranger.records.setLegalHold(SetLegalHoldRequest(subjectID: "s1", held: true, reason: "dispute"))
    }
    await expectRefusal(.notFound, "unknown_subject") {
      try await world.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "nobody", reason: "asked for"))
    }
    _ = try await world.admin.records.eraseSubject(erase)
    let erased = try await world.events().filter { $0.kind == .subjectErased }
    #expect(erased.map(\.subjectID) == ["s1"] && erased.first?.studyID == World.study)
    await world.end()
  }

  @Test("staff of one study sees only that study's part of a subject's history")
  func history() async throws {
    let world = try await World()
    try await world.open()
    let record = try await world.record(of: try await world.walk())
    _ = try await world.admin.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: "lung", name: "Lung")))
    let publisher = world.client("lou", ["publisher@lung"])
    let draft = try await publisher.flows.createFlow(
      CreateFlowRequest(studyID: "lung", flowID: "forms", definition: Example.forms(Example.form("a"))))
    _ = try await publisher.flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: "forms", expectedRevision: draft.version?.revision ?? 0))
    let start = try await world.app.sessions.startSession(
      StartSessionRequest(flowID: "forms", subjectID: "s1", clientSchema: 2))
    _ = try await world.goOn(try #require(start.session))
    let all = GetSubjectHistoryRequest(subjectID: "s1")
    #expect(try await world.client("s1").records.getSubjectHistory(all).records.count == 2)
    #expect(try await world.investigator.records.getSubjectHistory(all).records.map(\.recordID) == [record.recordID])
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await world.investigator.records.getSubjectHistory(GetSubjectHistoryRequest(subjectID: "s1", studyID: "lung"))
    }
    await world.end()
  }

  @Test("a subject's own export contains what is known of the subject")
  func subjectExport() async throws {
    let world = try await World()
    try await world.open()
    _ = try await walk(world)
    let export = try await world.client("s1").records.exportSubject(ExportSubjectRequest(subjectID: "s1"))
    let text = String(decoding: export.content, as: UTF8.self)
    #expect(text.contains(Self.names[0]) && text.contains("any-time") && text.contains("assent-subject-export-1"))
    for part in [
      "\"typed\": \"\(Self.names[2])\"", "\"name_salt\"", "\"score\": 2", "\"choice\": \"wide\"", "\"shown_hash\"",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    await expectRefusal(.notFound, "unknown_subject") {
      try await world.admin.records.exportSubject(ExportSubjectRequest(subjectID: "nobody"))
    }
    await world.end()
  }

  @Test("the export has what came to no record: a signature, why attempts were renewed, and guardians")
  func subjectExportBesides() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.recap = true
    try await world.open(content: content)
    var view = try await world.walk { $0.kind == .name }
    view = try await world.act(
      view, FlowAction(kind: .enterName, name: PersonName(given: Self.names[0], family: Self.names[1])))
    let typed = SignatureInput(image: .typed(TypedSignature(text: Self.names[2], font: "plain")), otherThanName: true)
    view = try await world.act(view, FlowAction(kind: .sign, signature: typed))
    // What was entered is shown once more, and the person goes away.
    _ = try await world.app.sessions.abandonSession(AbandonSessionRequest(sessionID: view.sessionID))
    _ = try await world.coordinator.sessions.renewAttempts(
      RenewAttemptsRequest(
        subjectID: "s1", documentID: Example.documentID, documentVersion: 1, reason: "explained once more"))
    _ = try await world.coordinator.studies.setGuardian(
      SetGuardianRequest(studyID: World.study, subjectID: "s1", guardianID: "gil", authority: .appointed))
    let export = try await world.client("s1").records.exportSubject(ExportSubjectRequest(subjectID: "s1"))
    let text = String(decoding: export.content, as: UTF8.self)
    #expect(text.contains("\"consents\": []"))
    for part in ["explained once more", "\"guardian_id\": \"gil\"", "\"authority\": \"appointed\""] {
      #expect(text.contains(part), "\(part)")
    }
    let sessions = text.ranges(of: "\"sessions\":").first.map { text[$0.upperBound...] } ?? ""
    #expect(sessions.contains("\"typed\": \"\(Self.names[2])\"") && sessions.contains(Self.names[1]))
    await world.end()
  }

  @Test("a record's signature images are rendered by a job, kept in the vault, and named by hash on the record")
  func images() async throws {
    let world = try await World()
    try await world.open()
    let record = try await walk(world)
    let request = GetSignatureImageRequest(recordID: record.recordID, signatureID: "participant")
    await expectRefusal(.failedPrecondition, "not_rendered") { try await world.app.records.getSignatureImage(request) }
    let jobs = world.services.jobs()
    let running = Task { await jobs.run() }
    let rendered = try await eventually(
      "the image is there",
      await world.app.records.getRecord(GetRecordRequest(recordID: record.recordID)).record?.signatures.first
    ) { $0?.imageHash.isEmpty == false }
    let image = try await world.app.records.getSignatureImage(request)
    #expect(String(decoding: image.content, as: UTF8.self) == "picture of \(Self.names[2])")
    let opening = Commitment.Opening(
      label: "signature image", salt: image.salt, value: Digest(of: image.content).bytes)
    #expect(image.hash == opening.digest.hex && rendered?.imageHash == image.hash)
    #expect(image.hash != Digest(of: image.content).hex, "a list of names does not find the signer")
    running.cancel()
    await running.value
    await world.end()
  }

  @Test("a signature that cannot be drawn keeps no other one on its record without an image")
  func imagesOfOthers() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.inForceFrom = .lastSignature
    try await world.open(content: content)
    let record = try await world.counterSign(try await walk(world))
    world.fields.failPictures(with: Status(.dataLoss, "its strokes are gone"), of: Self.names[2])
    var policy = JobPolicy()
    policy.firstDelay = .milliseconds(2)
    policy.interval = .milliseconds(10)
    let jobs = world.services.jobs(policy: policy)
    let running = Task { await jobs.run() }
    func later() async throws -> ConsentRecord {
      world.clock.move(by: .seconds(700))
      return try #require(
        try await world.app.records.getRecord(GetRecordRequest(recordID: record.recordID)).record)
    }
    func signatures(are areDone: ([RecordSignature]) -> Bool) async throws -> ConsentRecord {
      try await eventually("they are drawn", await later()) { areDone($0.signatures) }
    }
    let partly = try await signatures { signed in
      signed.contains { $0.signatureID == "investigator" && !$0.imageHash.isEmpty }
    }
    #expect(partly.signatures.first { $0.signatureID == "participant" }?.imageHash == "")
    world.fields.failPictures(with: nil)
    let drawn = try await signatures { signed in signed.allSatisfy { !$0.imageHash.isEmpty } }
    #expect(drawn.history.count { $0.kind == .rendered } == 2)
    running.cancel()
    await running.value
    await world.end()
  }

  @Test("the images of signatures are made after an outage, however long")
  func imagesAfterOutage() async throws {
    let world = try await World()
    try await world.open()
    let record = try await walk(world)
    let request = GetSignatureImageRequest(recordID: record.recordID, signatureID: "participant")
    world.fields.failPictures(with: Status(.unavailable, "nobody is there"))
    var policy = JobPolicy()
    policy.firstDelay = .milliseconds(2)
    policy.interval = .milliseconds(10)
    let jobs = world.services.jobs(policy: policy)
    let running = Task { await jobs.run() }
    func failed() -> Int {
      world.clock.move(by: .seconds(700))
      return world.fields.failedPictures
    }
    try await eventually("it has failed often", failed()) { $0 > 25 }
    world.fields.failPictures(with: nil)
    func picture() async -> [UInt8]? {
      world.clock.move(by: .seconds(700))
      return (try? await world.app.records.getSignatureImage(request))?.content
    }
    let image = try await eventually("it is drawn", await picture()) { $0 != nil }
    #expect(image == Array("picture of \(Self.names[2])".utf8))
    running.cancel()
    await running.value
    await world.end()
  }
}

extension [UInt8] {
  /// True if the text's bytes occur anywhere in these.
  fileprivate func contains(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard count >= wanted.count, let first = wanted.first else { return false }
    return indices.dropLast(wanted.count - 1).contains {
      self[$0] == first && self[$0..<($0 + wanted.count)].elementsEqual(wanted)
    }
  }
}
