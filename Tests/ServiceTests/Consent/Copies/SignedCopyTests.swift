import Base
import Bus
import ConsentContract
import ConsentService
import RPC
import Sealing
import SignatureContract
import SignatureService
import Storage
import StorageTestKit
import TestSupport
import Testing

/// The file of a consent: made and sealed after the last signature, once, whatever is missing meanwhile.
@Suite("Signed copies") struct SignedCopyTests {
  @Test("waits for the last signature, then for a key, and is sealed when one comes", arguments: TestEngine.allCases)
  func life(_ engine: TestEngine) async throws {
    let world = try await CopyWorld(engine)
    try await world.open()
    let record = try await world.evidence.give("s1").record
    let id = record.recordID
    #expect(record.signedCopy?.state == .signing)
    let early = try await world.get(id)
    #expect(!early.sealed && early.content.starts(with: Array("%PDF".utf8)) && early.copy?.state == .signing)
    #expect(world.verdict(early.content).verdict == .indeterminate)

    _ = try await world.evidence.counterSign(record)
    #expect(try await world.copy(id).state == .sealing)
    let waiting = try await world.run(id) { !$0.reason.isEmpty }
    #expect(waiting.state == .sealing && waiting.reason.hasPrefix("no_seal_key: "))
    #expect(try await !world.get(id).sealed)

    world.startSealing()
    let sealed = try await world.run(id) { $0.state == .sealed }
    #expect(sealed.reason.isEmpty && sealed.level == "B-B" && sealed.sealedBy.contains("Seal"))
    let file = try await world.get(id)
    #expect(file.sealed && file.copy == sealed && file.content.count == Int(sealed.byteCount))
    let report = world.verdict(file.content)
    #expect(report.verdict == .passed, "\(report.lines)")
    let opening = Commitment.Opening(
      label: "signed copy", salt: file.salt, value: Digest(of: file.content).bytes)
    #expect(opening.digest.hex == sealed.hash, "anybody with the file and the salt can check the record's hash")

    let states = try await world.events(id).map(\.signedCopy)
    #expect(states == [.signing, .sealing, .sealing, .sealed])
    await world.end()
  }

  /// A sealed record to which somebody has agreed who said they were born on a day.
  private func sealedRecord(
    of subject: String, bornOn day: CalendarDate, _ world: CopyWorld
  ) async throws -> (id: String, copy: SignedCopy) {
    let consent = world.consent
    let start = try await consent.app.sessions.startSession(
      StartSessionRequest(flowID: "flow", subjectID: subject, clientSchema: 2, birthDate: day))
    let record = try await consent.record(of: try await consent.goOn(try #require(start.session)))
    _ = try await consent.counterSign(record)
    return (record.recordID, try await world.run(record.recordID) { $0.state == .sealed })
  }

  /// Corrects a birth date, and confirms the record that is questioned by it.
  private func correct(
    _ subject: String, to day: CalendarDate, confirming recordID: String, _ consent: World
  ) async throws {
    _ = try await consent.coordinator.sessions.correctBirthDate(
      CorrectBirthDateRequest(studyID: World.study, subjectID: subject, birthDate: day, reason: "misread"))
    _ = try await consent.coordinator.records.resolveAttention(
      ResolveAttentionRequest(recordID: recordID, decision: .confirm, reason: "talked to them"))
  }

  @Test("is sealed again when a corrected birth date is corrected back, with the signatures that it had")
  func correctedBack() async throws {
    let world = try await CopyWorld()
    try await world.consent.open(content: MajorityTests.contentForMinors())
    world.startSealing()
    let (adult, minor) = (CalendarDate(year: 1996, month: 1, day: 9), CalendarDate(year: 2010, month: 5, day: 17))
    let (id, first) = try await sealedRecord(of: "s1", bornOn: adult, world)
    for _ in 0..<2 {
      try await correct("s1", to: minor, confirming: id, world.consent)
      #expect(try await world.copy(id).state == .signing)
      try await correct("s1", to: adult, confirming: id, world.consent)
      let sealed = try await world.run(id) { $0.state == .sealed }
      #expect(sealed.verificationID == first.verificationID)
    }
    await world.end()
  }

  @Test("is sealed once more when a guardian has to sign after all; the file before it stays known")
  func guardianAfterAll() async throws {
    let world = try await CopyWorld()
    let consent = world.consent
    try await consent.open(content: MajorityTests.contentForMinors())
    world.startSealing()
    let adult = CalendarDate(year: 1996, month: 1, day: 9)
    let (id, first) = try await sealedRecord(of: "s1", bornOn: adult, world)
    let early = try await world.get(id)
    try await correct("s1", to: CalendarDate(year: 2010, month: 5, day: 17), confirming: id, consent)
    let waiting = try await world.get(id)
    #expect(waiting.copy?.state == .signing && waiting.sealed && waiting.content == early.content)
    let found = try await world.check(first.verificationID, early.content)
    #expect(found.copy?.sealedAt == first.sealedAt && found.comparison == .same, "whoever was handed it finds it")
    _ = try await consent.coordinator.studies.setGuardian(
      SetGuardianRequest(studyID: World.study, subjectID: "s1", guardianID: "gil", authority: .parent))
    _ = try await consent.client("gil").sessions.signRecord(
      SignRecordRequest(
        recordID: id, signatureID: "guardian", name: PersonName(given: "Gil", family: "Lovelace"),
        signature: SignatureInput(image: .typed(TypedSignature(text: "Gil Lovelace")))))
    let last = try await world.run(id) { $0.state == .sealed }
    #expect(last.verificationID == first.verificationID && last.hash != first.hash)
    let final = try await world.get(id)
    #expect(world.verdict(final.content).verdict == .passed)
    #expect(try await CopyWorld.text(of: final.content).contains("Gil Lovelace"))
    #expect(try await world.check(last.verificationID, final.content).comparison == .same)
    #expect(try await world.check(last.verificationID, early.content).comparison == .earlier)
    await world.end()
  }

  @Test("two replicas and many tries make one sealed file")
  func once() async throws {
    let world = try await CopyWorld()
    try await world.open()
    world.startSealing()
    var ids: [String] = []
    for subject in ["s1", "s2", "s3"] {
      let record = try await world.evidence.give(subject).record
      _ = try await world.evidence.counterSign(record)
      ids.append(record.recordID)
    }
    for id in ids { try await world.run(id, replicas: 3) { $0.state == .sealed } }
    for id in ids {
      let count = try await world.events(id).count { $0.signedCopy == .sealed }
      #expect(count == 1)
    }
    await world.end()
  }

  @Test("an expired certificate seals nothing and says so; the next key does")
  func expired() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    let old = try KeyMaker.make(
      name: "Old", from: Example.now + .seconds(-600), until: Example.now + .seconds(-60), serial: [3])
    let seals = SwitchedSeals(
      [old, world.key].map { key in
        SealHandlers(
          sealer: Sealer(key: key, nonce: { Randomness.system.bytes(16) }), clock: world.consent.clock.clock)
      })
    world.consent.bus.serve([seals])
    let waiting = try await world.run(record.recordID) { !$0.reason.isEmpty }
    #expect(waiting.state == .sealing && waiting.reason.hasPrefix("seal_key_unusable: "))
    seals.use(1)
    let sealed = try await world.run(record.recordID) { $0.state == .sealed }
    #expect(sealed.reason.isEmpty && sealed.sealedBy.contains("Seal"))
    await world.end()
  }

  @Test("a letter that no font has fails the copy; its owner learns which, the record does not")
  func unknownLetter() async throws {
    let world = try await CopyWorld()
    var content = Example.content()
    for index in content.texts.indices { content.texts[index].title = "Study \u{1B170}" }
    try await world.consent.open(content: content)
    world.startSealing()
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    let copy = try await world.run(record.recordID) { $0.state == .failed }
    #expect(copy.reason.hasPrefix("unknown_letter: ") && !copy.reason.contains("\u{1B170}"))
    try await world.run(record.recordID, participants: true) { $0.state == .failed }
    #expect(try await world.consent.concerned(.copyFailed) == [record.recordID])
    #expect(try await world.consent.concerned(.copyWaits) == [])
    do {
      _ = try await world.get(record.recordID)
      Issue.record("composed")
    } catch let status as Status {
      #expect(status.code == .invalidArgument && status.message.contains("U+1B170"), "\(status)")
    }
    await world.end()
  }

  @Test("a session's document can be looked at as a file before anybody signs, and a declined one has none")
  func preview() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let start = try await world.consent.app.sessions.startSession(
      StartSessionRequest(flowID: "flow", subjectID: "s1", clientSchema: 2))
    let session = try #require(start.session?.sessionID)
    let preview = try await world.consent.app.sessions.previewSignedCopy(
      PreviewSignedCopyRequest(sessionID: session))
    #expect(preview.contentType == "application/pdf" && world.verdict(preview.content).verdict == .indeterminate)
    await expectRefusal(.notFound, "unknown_document") {
      try await world.consent.app.sessions.previewSignedCopy(
        PreviewSignedCopyRequest(sessionID: session, documentID: "none"))
    }
    await world.end()
  }

  @Test("an author sees a draft as a file, which says that it is one; what is published, as a preview")
  func draft() async throws {
    let world = try await CopyWorld()
    try await world.open()
    var content = Example.content()
    content.texts[0].title = "The next version"
    _ = try await world.consent.publisher.documents.createDocumentDraft(
      CreateDocumentDraftRequest(documentID: Example.documentID))
    _ = try await world.consent.publisher.documents.updateDocumentDraft(
      UpdateDocumentDraftRequest(documentID: Example.documentID, expectedRevision: 1, content: content))
    func words(_ version: Int32) async throws -> [String] {
      let preview = try await world.consent.publisher.documents.previewDocumentCopy(
        PreviewDocumentCopyRequest(documentID: Example.documentID, version: version))
      #expect(preview.contentType == "application/pdf" && world.verdict(preview.content).verdict == .indeterminate)
      return try await CopyWorld.pages(of: preview.content)
    }
    let draft = try await words(2)
    #expect(draft.contains { $0.contains("Thenextversion") } && draft.allSatisfy { $0.contains("DRAFT") }, "\(draft)")
    let pictures = try await world.consent.publisher.documents.previewDocumentCopy(
      PreviewDocumentCopyRequest(documentID: Example.documentID, version: 2, asPictures: true))
    #expect(pictures.pages.count == draft.count && pictures.pages.allSatisfy { $0.picture.starts(with: [0xFF, 0xD8]) })
    #expect(pictures.pages.first?.text.contains("The next version") == true)
    let published = try await words(0)
    #expect(published.allSatisfy { $0.contains("PREVIEW") && !$0.contains("DRAFT") }, "\(published)")
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await world.consent.client("s1").documents.previewDocumentCopy(
        PreviewDocumentCopyRequest(documentID: Example.documentID))
    }
    await world.end()
  }

  @Test("the readings of staff are on record, the person's own are not")
  func readings() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let record = try await world.evidence.give("s1").record
    let request = GetSignedCopyRequest(recordID: record.recordID)
    _ = try await world.consent.investigator.records.getSignedCopy(request)
    _ = try await world.consent.client("s1").records.getSignedCopy(request)
    let reads = try await world.consent.events().filter {
      $0.kind == .personalDataRead && $0.purpose == "signed copy"
    }
    #expect(reads.map(\.actor) == ["ines"])
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await world.consent.client("s2").records.getSignedCopy(request)
    }
    await expectRefusal(.notFound, "unknown_record") {
      try await world.consent.client("ines", ["investigator@heart"], tenant: "t2").records.getSignedCopy(request)
    }
    await world.end()
  }
}
