import ArchiveKit
import Base
import Bus
import ConsentContract
import ConsentService
import Documents
import Sealing
import SignatureContract
import SignatureService
import Storage
import StorageTestKit
import TestSupport
import Testing

/// The file of a consent: made and sealed after the last signature, once, whatever is missing meanwhile.
@Suite("Signed copies") struct SignedCopyTests {
  /// Which part of PDF/A a file says that it keeps to: its metadata are not compressed.
  private static func archivePart(of file: [UInt8]) -> String? {
    let mark = Array("<pdfaid:part>".utf8)
    return file.firstRange(of: mark).map { String(decoding: file[$0.upperBound...].prefix(1), as: UTF8.self) }
  }

  @Test("waits for the last signature, then for a key, and is sealed when one comes", arguments: TestEngine.allCases)
  func life(_ engine: TestEngine) async throws {
    let world = try await CopyWorld(engine)
    try await world.open()
    let record = try await world.evidence.give("s1").record
    let id = record.recordID
    #expect(record.signedCopy?.state == .signing)
    let early = try await world.get(id)
    #expect(!early.sealed && early.content.starts(with: Array("%PDF".utf8)) && early.copy?.state == .signing)
    #expect(world.verdict(early.content).verdict == .unsigned)

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
    #expect(report.verdict == .valid, "\(report.lines)")
    let opening = Commitment.Opening(
      label: "signed copy", salt: file.salt, value: Digest(of: file.content).bytes)
    #expect(opening.digest.hex == sealed.hash, "anybody with the file and the salt can check the record's hash")

    let states = try await world.events(id).map(\.signedCopy)
    #expect(states == [.signing, .sealing, .sealing, .sealed])
    await world.end()
  }

  @Test("a consent on an app's own screens gets a copy that says what the app showed")
  func ownScreens() async throws {
    let world = try await CopyWorld()
    try await world.open()
    world.startSealing()
    let shown = "We look at your pulse & steps.\n\nLeave whenever you like: <no reason> is asked for."
    let participant = RecordedSignature(
      signatureID: "participant", name: PersonName(given: "Ada", family: "Lovelace"),
      signature: SignatureInput(image: .typed(TypedSignature(text: "Ada Lovelace"))))
    let quiz = [
      QuestionAnswer(questionID: "leave", choiceIDs: ["any-time"]),
      QuestionAnswer(questionID: "data", choiceIDs: ["pulse", "steps"]),
    ]
    let answer = try await world.consent.app.sessions.recordConsent(
      RecordConsentRequest(
        flowID: "flow", siteID: "north", subjectID: "s1", locale: "en",
        answers: [StepAnswers(stepID: "quiz", answers: quiz)],
        documents: [
          DocumentDecision(
            documentID: Example.documentID, documentVersion: 1, locale: "en", agreed: true, shownText: shown,
            sharing: .wide, signatures: [participant])
        ]))
    let record = try #require(answer.records.first)
    _ = try await world.evidence.counterSign(record)
    let sealed = try await world.run(record.recordID) { $0.state == .sealed || $0.state == .failed }
    #expect(sealed.state == .sealed, "\(sealed.reason)")
    let file = try await world.get(record.recordID).content
    #expect(world.verdict(file).verdict == .valid)
    let folder = try TemporaryFolder(named: "own-screens")
    try Files.write(file, to: folder.file("copy.pdf"))
    let text = try await ChildProcess.output(of: ChildCommand("pdftotext", [folder.file("copy.pdf"), "-"])).lines
      .joined(separator: " ")
    for words in ["pulse & steps.", "<no reason>", "Ada Lovelace"] { #expect(text.contains(words), "\(text)") }
    // What the version says, and the app did not show, is not in the copy.
    #expect(!text.contains("second line"))
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

  @Test("whoever holds a file learns whether it is the one on record, and nothing about anybody")
  func checking() async throws {
    let world = try await CopyWorld()
    try await world.open()
    world.startSealing()
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    let sealed = try await world.run(record.recordID) { $0.state == .sealed }
    let file = try await world.get(record.recordID).content
    let plain = try await world.check(sealed.verificationID)
    #expect(plain.copy?.hash == sealed.hash && plain.comparison == .unspecified && !plain.erased)
    #expect(try await world.check(sealed.verificationID, file).comparison == .same)
    #expect(try await world.check(sealed.verificationID, file + [10]).comparison == .different)
    let said = "\(try await world.check(sealed.verificationID, file))"
    for word in ["s1", "Ada", "Ines", record.recordID, "heart"] { #expect(!said.contains(word), "\(word)") }
    for unknown in [
      "", "t1.", "t1.00", "t1." + String(repeating: "0", count: 32), "t9" + sealed.verificationID.dropFirst(2),
    ] {
      await expectRefusal(.notFound, "unknown_verification") { try await world.check(unknown) }
    }
    let stranger = ConsentClients(
      world.consent.bus.channel(for: CallerIdentity(kind: .stranger, tenant: "", subject: "")))
    await expectRefusal(.invalidArgument, "bad_digest") {
      try await stranger.records.checkSignedCopy(
        CheckSignedCopyRequest(verificationID: sealed.verificationID, sha256: "xyz"))
    }
    await world.end()
  }

  @Test("an erasure makes the file unreadable, what proves that it existed stays; a legal hold keeps both")
  func erasure() async throws {
    let world = try await CopyWorld()
    try await world.open()
    world.startSealing()
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    let id = record.recordID
    let sealed = try await world.run(id) { $0.state == .sealed }
    let file = try await world.get(id).content
    _ = try await world.consent.admin.records.setLegalHold(
      SetLegalHoldRequest(subjectID: "s1", held: true, reason: "dispute"))
    let erase = EraseSubjectRequest(subjectID: "s1", reason: "asked for")
    await expectRefusal(.failedPrecondition, "legal_hold") {
      try await world.consent.admin.records.eraseSubject(erase)
    }
    #expect(try await world.get(id).content == file)
    _ = try await world.consent.admin.records.setLegalHold(
      SetLegalHoldRequest(subjectID: "s1", held: false, reason: "settled"))
    _ = try await world.consent.admin.records.eraseSubject(erase)
    await expectRefusal(.failedPrecondition, "subject_erased") { try await world.get(id) }
    await expectRefusal(.failedPrecondition, "subject_erased") { try await world.get(id, evidence: true) }
    let left = try await world.check(sealed.verificationID, file)
    #expect(left.erased && left.comparison == .erased && left.copy?.hash == sealed.hash)
    #expect(left.copy?.sealedAt == sealed.sealedAt)
    await world.end()
  }

  @Test("nothing is sealed for somebody who was erased before")
  func erasedBefore() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    _ = try await world.consent.admin.records.eraseSubject(
      EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
    world.startSealing()
    let copy = try await world.run(record.recordID) { $0.state == .failed }
    #expect(copy.reason.hasPrefix("subject_erased: ") && copy.hash.isEmpty)
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
    world.startSealing(with: old)
    let waiting = try await world.run(record.recordID) { !$0.reason.isEmpty }
    #expect(waiting.state == .sealing && waiting.reason.hasPrefix("seal_key_unusable: "))
    await world.end()
  }

  @Test("while the authority for the time is down the seal has none; it is added later, and both files are known")
  func time() async throws {
    let world = try await CopyWorld()
    try await world.open()
    world.startSealing(stamped: true)
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    let id = record.recordID
    let basic = try await world.run(id) { $0.state == .sealed }
    #expect(basic.level == "B-B" && basic.reason.hasPrefix("time_not_attested: "))
    let first = try await world.get(id).content
    try world.authority.start(world.consent.clock.clock)
    let timed = try await world.run(id) { $0.level == "B-T" }
    // What is next, proofs about a seal that vouches for itself, may have had its say already.
    #expect(!timed.reason.hasPrefix("time_not_attested: ") && timed.hash != basic.hash)
    #expect(timed.sealedAt == basic.sealedAt)
    let second = try await world.get(id).content
    #expect(second.count == first.count && second != first)
    #expect(world.verdict(second).signatures.first?.attestedTime != nil)
    #expect(try await world.check(timed.verificationID, first).comparison == .earlier)
    #expect(try await world.check(timed.verificationID, second).comparison == .same)
    await world.end()
  }

  @Test("a process without an authority for the time ends nothing: the time is asked for when one has it again")
  func unattended() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let key = try KeyMaker.make(
      name: "Seal", from: Example.now + .seconds(-60), until: Example.now + .days(400), serial: [1])
    let seals = SwitchedSeals(
      [world.authority, nil].map { stamper in
        SealHandlers(
          sealer: Sealer(key: key, stamper: stamper, nonce: { Randomness.system.bytes(16) }),
          clock: world.consent.clock.clock)
      })
    world.consent.bus.serve([seals])
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    let id = record.recordID
    let basic = try await world.run(id) { $0.state == .sealed }
    #expect(basic.level == "B-B" && basic.reason.hasPrefix("time_not_attested: "))
    seals.use(1)
    try await world.run(id) { $0.reason.hasPrefix("no_time_authority: ") }
    // Its tries end within some hours; reminders follow.
    for _ in 0..<14 {
      world.consent.clock.move(by: .seconds(600))
      try await world.settle()
    }
    #expect(try await world.settle() == 0)
    #expect(try await world.copy(id).reason.hasPrefix("no_time_authority: "))
    seals.use(0)
    try world.authority.start(world.consent.clock.clock, days: 300)
    world.consent.clock.move(by: .days(2))
    await world.remind()
    let timed = try await world.run(id) { $0.level == "B-T" }
    #expect(timed.hash != basic.hash && !timed.reason.hasPrefix("no_time_authority: "))
    await world.end()
  }

  @Test("an attested time that has no room in the file is left out: the seal is B-B, says so, and is timed later")
  func largeTime() async throws {
    let world = try await CopyWorld()
    try await world.open()
    try world.authority.startBulky(world.consent.clock.clock)
    world.startSealing(stamped: true)
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    let id = record.recordID
    let basic = try await world.run(id) { $0.state == .sealed }
    #expect(basic.level == "B-B" && basic.reason.contains("has no room in the file"), "\(basic)")
    let first = try await world.get(id).content
    #expect(world.verdict(first).verdict == .valid)
    try world.authority.start(world.consent.clock.clock)
    let timed = try await world.run(id) { $0.level == "B-T" }
    #expect(!timed.reason.contains("room") && timed.hash != basic.hash)
    #expect(try await world.check(timed.verificationID, first).comparison == .earlier)
    await world.end()
  }

  @Test("the participants' copy of a consent on an app's own screens says what the app showed, line by line")
  func ownScreensForParticipants() async throws {
    let world = try await CopyWorld()
    try await world.open()
    world.startSealing()
    let answer = try await world.consent.app.sessions.recordConsent(
      RecordConsentRequest(
        flowID: "flow", siteID: "north", subjectID: "s1", locale: "en",
        answers: [
          StepAnswers(
            stepID: "quiz",
            answers: [
              QuestionAnswer(questionID: "leave", choiceIDs: ["any-time"]),
              QuestionAnswer(questionID: "data", choiceIDs: ["pulse", "steps"]),
            ])
        ],
        documents: [
          DocumentDecision(
            documentID: Example.documentID, documentVersion: 1, locale: "en", agreed: true,
            shownText: "Our <own> words.\r\nA second line.\n\nAnd a second part & more.", sharing: .wide,
            signatures: [
              RecordedSignature(
                signatureID: "participant", name: PersonName(given: "Ada", family: "Lovelace"),
                signature: SignatureInput(image: .typed(TypedSignature(text: "Ada Lovelace"))))
            ])
        ]))
    let id = try #require(answer.records.first { $0.kind == .document }).recordID
    let copy = try await world.run(id, participants: true) { $0.state != .sealing }
    #expect(copy.state == .sealed, "\(copy)")
    let words = try await CopyWorld.text(of: try await world.get(id).content)
    for line in ["Our <own> words.", "A second line.", "And a second part & more.", "Ada Lovelace"] {
      #expect(words.contains(line), "\(line): \(words)")
    }
    #expect(!words.contains("Content 1"), "what was not shown is not on it: \(words)")
    await world.end()
  }

  @Test("what was kept of a shown document can be laid out as it is, with our own words in its language")
  func shownMarkup() async throws {
    for locale in ["en", "de"] {
      var text = Example.text(locale)
      text.reviewText = "Read it & decide."
      text.sections[0].htmlContent = "<p>It's <b>this</b> &quot;part&quot;.</p><ul><li>one</li></ul>"
      let review = ReviewComposer(
        settings: Example.settings(), text: text,
        texts: ScreenTexts(locale: try .of(locale), standIn: try .of("en"))
      ).review()
      var paper = ConsentPaper(
        title: review.title, language: locale, size: .a4, sections: [],
        signaturePage: Documents.SignaturePage(title: "Signatures", blocks: []), created: Example.now)
      paper.separateMarkup = review.html
      let words = try await CopyWorld.text(of: try PaperComposer().compose(paper))
      for line in ["Heart study (\(locale))", "Read it & decide.", "It's this \"part\"."] {
        #expect(words.contains(line), "\(line): \(words)")
      }
    }
  }

  @Test("what proves the seal is put beside it once it can be had, by replicas and many tries only once")
  func proofs() async throws {
    let world = try await CopyWorld()
    // What openssl makes counts from now on.
    world.consent.clock.move(
      by: .milliseconds(Clock.system.now.millisecondsSince1970 - Example.now.millisecondsSince1970))
    try await world.open()
    let authorities = try await SealAuthorities()
    authorities.setOpen(true)
    try world.startSealing(by: authorities)
    authorities.setOpen(false)
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    let id = record.recordID
    let waiting = try await world.run(id) { $0.reason.hasPrefix("proofs_missing: ") }
    #expect(waiting.state == .sealed && waiting.level == "B-T")
    let first = try await world.get(id).content
    authorities.setOpen(true)
    let proven = try await world.run(id, replicas: 2) { $0.level == "B-LTA" }
    #expect(proven.reason.isEmpty && proven.state == .sealed && proven.sealedAt == waiting.sealedAt)
    let second = try await world.get(id).content
    #expect(second.starts(with: first) && second.count == Int(proven.byteCount))
    let report = DocumentVerifier(trusting: Trust(roots: [authorities.root]), at: world.consent.clock.clock.now)
      .verify(second)
    #expect(report.verdict == .valid && report.signatures.first?.level == .archived, "\(report.lines)")
    #expect(try await world.check(proven.verificationID, first).comparison == .earlier)
    #expect(try await world.check(proven.verificationID, second).comparison == .same)
    let levels = try await world.events(id).count { $0.signedCopy == .sealed && $0.hash == proven.hash }
    #expect(levels == 1)
    await world.end()
  }

  @Test("a seal that vouches for itself stays at B-T, and the record says why")
  func noProofs() async throws {
    let world = try await CopyWorld()
    try await world.open()
    try world.authority.start(world.consent.clock.clock)
    world.startSealing(stamped: true)
    let record = try await world.evidence.give("s1").record
    _ = try await world.evidence.counterSign(record)
    let copy = try await world.run(record.recordID) { $0.reason.hasPrefix("no_revocation_data: ") }
    #expect(copy.state == .sealed && copy.level == "B-T")
    let file = try await world.get(record.recordID).content
    #expect(world.verdict(file).signatures.first?.level == .timed)
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
    do {
      _ = try await world.get(record.recordID)
      Issue.record("composed")
    } catch let status as Status {
      #expect(status.code == .invalidArgument && status.message.contains("U+1B170"), "\(status)")
    }
    await world.end()
  }

  @Test("with evidence: another sealed file of the same pages, with the bundle and the sealed file attached")
  func evidence() async throws {
    let world = try await CopyWorld()
    try await world.open()
    let record = try await world.evidence.give("s1").record
    await expectRefusal(.failedPrecondition, "not_sealed") { try await world.get(record.recordID, evidence: true) }
    _ = try await world.evidence.counterSign(record)
    world.startSealing()
    try await world.run(record.recordID) { $0.state == .sealed }
    let plain = try await world.get(record.recordID).content
    let full = try await world.get(record.recordID, evidence: true)
    #expect(full.sealed && full.salt.isEmpty && full.content.count > plain.count)
    #expect(world.verdict(full.content).verdict == .valid)
    // What is said of it is said of this file, and whoever holds it asks about the one that is on record.
    #expect(full.copy?.byteCount == Int32(full.content.count) && full.copy?.hash == "" && full.copy?.level == "B-B")
    let text = try await CopyWorld.text(of: full.content)
    #expect(!text.contains("Verify this document") && text.contains("Electronic seal"), "\(text)")
    #expect(try await CopyWorld.text(of: plain).contains("Verify this document"))
    #expect(Self.archivePart(of: full.content) == "3" && Self.archivePart(of: plain) == "2")
    for file in [plain, full.content] { #expect(try ArchiveRules.faults(file) == []) }
    let files = try await CopyWorld.attachments(of: full.content)
    #expect(files.keys.sorted() == ["evidence.json", "signed-copy.pdf"])
    #expect(files["signed-copy.pdf"] == plain)
    #expect(files["evidence.json"]?.firstRange(of: Array("participant_copies".utf8)) != nil)
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
    #expect(preview.contentType == "application/pdf" && world.verdict(preview.content).verdict == .unsigned)
    await expectRefusal(.notFound, "unknown_document") {
      try await world.consent.app.sessions.previewSignedCopy(
        PreviewSignedCopyRequest(sessionID: session, documentID: "none"))
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
