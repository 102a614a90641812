import Base
import ConsentContract
import ConsentDomain
import RPC
import Sealing
import StorageTestKit
import TestSupport
import Testing
import Wire

/// What a signed copy says besides the document: what was chosen and entered, by whom it is, and which page it is.
@Suite("Choices on copies") struct ChoiceCopyTests {
  /// A document for people of any age, with an optional purpose and a recap, in English and German.
  private static func content(_ change: (inout DocumentSettings) -> Void = { _ in }) -> DocumentContent {
    var content = MajorityTests.contentForMinors()
    content.settings?.signatures.removeAll { $0.role == .investigator }
    content.settings?.purposes.append(ConsentPurpose(code: "contact", optional: true))
    content.settings?.namesOnPages = true
    content.settings?.comprehension?.questions[0].onCopy = true
    if var settings = content.settings {
      change(&settings)
      content.settings = settings
    }
    for index in content.texts.indices {
      content.texts[index].signatures.removeAll { $0.signatureID == "investigator" }
      content.texts[index].purposes.append(
        PurposeText(purposeCode: "contact", title: "May we contact you later?", description: "Once a year."))
    }
    return content
  }

  private func sealed(
    _ world: CopyWorld, locale: String = "en", born: CalendarDate = CalendarDate(year: 1980, month: 5, day: 17),
    assisted: Bool = false
  ) async throws -> (record: ConsentRecord, text: String, file: [UInt8]) {
    let consent = world.consent
    let start = try await consent.app.sessions.startSession(
      StartSessionRequest(flowID: "flow", subjectID: "s1", locale: locale, birthDate: born))
    var view = try #require(start.session)
    if assisted {
      // The app keeps another session of the person, and may go on reading.
      _ = try await consent.app.sessions.startSession(StartSessionRequest(flowID: "flow", subjectID: "s1"))
      let resumed = try await consent.investigator.sessions.resumeSession(
        ResumeSessionRequest(sessionID: view.sessionID, assistance: .readsAloud))
      view = try #require(resumed.session)
    }
    let client = assisted ? consent.investigator : consent.app
    while let screen = view.screen, !screen.offered.isEmpty {
      var action = Walker.goodAction(on: screen)
      if action.kind == .agree { action.answers = [QuestionAnswer(questionID: "contact", boolean: .no)] }
      view = try #require(
        try await client.sessions.actOnSession(
          ActOnSessionRequest(sessionID: view.sessionID, expectedVersion: view.version, action: action)
        ).session)
    }
    let record = try await consent.record(of: view)
    try await world.run(record.recordID) { $0.state == .sealed }
    let file = try await world.get(record.recordID).content
    #expect(world.verdict(file).verdict == .passed)
    // A part of a line may be broken where it does not fit.
    let text = try await CopyWorld.text(of: file).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return (record, text, file)
  }

  private func expect(_ text: String, has parts: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    for part in parts { #expect(text.contains(part), "\(part): \(text)", sourceLocation: sourceLocation) }
  }

  @Test("each purpose with yes or no, sharing, marked answers, and only those who sign")
  func chosen() async throws {
    let world = try await CopyWorld()
    try await world.consent.open(content: Self.content())
    world.startSealing()
    let (record, text, _) = try await sealed(world)
    expect(
      text,
      has: [
        "What was decided", "Research Yes", "May we contact you later? No",
        "Sharing Options Share my data with Uni and partners", "What was entered", "When may you leave? Any time",
        "Heart study (en) · Version 1 · Ada Lovelace · born 1980-05-17 · Page 1 of",
      ])
    #expect(!text.contains("What is gathered?"), "this answer is not marked")
    #expect(!text.contains("Guardian"), "who does not sign has no place")
    #expect(!text.contains("Certified"))
    // The choice of that time stays on the copy.
    _ = try await world.consent.client("s1").records.updateSharing(
      UpdateSharingRequest(recordID: record.recordID, sharing: .investigatorOnly))
    #expect(try await world.get(record.recordID, evidence: true).content.count > 0)
    await world.end()
  }

  @Test("all that was certified, and who assisted, in the document's language")
  func recap() async throws {
    let world = try await CopyWorld()
    try await world.consent.open(content: Self.content { ($0.recap, $0.namesOnPages) = (true, false) })
    world.startSealing()
    let (_, text, _) = try await sealed(world, locale: "de", assisted: true)
    expect(
      text,
      has: [
        "Was entschieden wurde", "Research Ja", "May we contact you later? Nein", "Was angegeben wurde",
        "Als richtig bestätigt", "When may you leave? Any time", "What is gathered? Pulse, Steps",
        "Ihr Geburtsdatum 1980-05-17", "Unterstützung", "ines hat die Seiten vorgelesen",
        "Heart study (de) · Version 1 · Seite 1 von",
      ])
    await world.end()
  }

  @Test("a minor's copy has the guardian; a title that is too long leaves the rest of the foot whole")
  func minor() async throws {
    let world = try await CopyWorld()
    var content = Self.content()
    content.texts[0].title = (1...40).map { "word\($0)" }.joined(separator: " ")
    try await world.consent.open(content: content)
    world.startSealing()
    let (_, text, _) = try await sealed(world, born: CalendarDate(year: 2010, month: 5, day: 17))
    expect(text, has: ["Guardian", "… · Version 1 · Ada Lovelace · born 2010-05-17 · Page 2 of"])
    await world.end()
  }

  @Test("a preview has no place for the guardian of somebody who is known to be of age")
  func preview() async throws {
    let world = try await CopyWorld()
    try await world.consent.open(content: Self.content())
    for (day, isShown) in [(CalendarDate(year: 1980, month: 5, day: 17), false), (nil, true)] {
      let start = try await world.consent.app.sessions.startSession(
        StartSessionRequest(flowID: "flow", subjectID: day == nil ? "s2" : "s1", birthDate: day))
      let file = try await world.consent.app.sessions.previewSignedCopy(
        PreviewSignedCopyRequest(sessionID: start.session?.sessionID ?? ""))
      #expect(try await CopyWorld.text(of: file.content).contains("Guardian") == isShown)
    }
    await world.end()
  }

  @Test("a consent on paper has a cover page, and its scan", arguments: [true, false])
  func paper(isPicture: Bool) async throws {
    let world = try await CopyWorld()
    try await world.consent.open(content: Self.content { $0.age = nil })
    world.startSealing()
    _ = try await world.consent.app.sessions.startSession(StartSessionRequest(flowID: "flow", subjectID: "s1"))
    let scan = isPicture ? EvidenceWorld.image : PlainPDF("Signed by hand").bytes
    let made = try await world.consent.coordinator.records.createPaperRecord(
      CreatePaperRecordRequest(
        studyID: World.study, subjectID: "s1", documentID: Example.documentID, documentVersion: 1, locale: "en",
        sharing: .wide, signedAt: Timestamp(Example.now + .seconds(-86_400)), scan: scan, attestedBy: "Dr. Carl",
        purposes: [PurposeDecision(purpose: "contact")]))
    let record = try #require(made.record)
    #expect(record.signedCopy?.state == .sealing)
    try await world.run(record.recordID) { $0.state == .sealed }
    let file = try await world.get(record.recordID).content
    #expect(world.verdict(file).verdict == .passed)
    let text = try await CopyWorld.text(of: file).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    expect(
      text,
      has: [
        "Consent on paper", "Person s1", "Document Heart study (en), Version 1", "Signed on 2026-02-28 08:30:00 UTC",
        "Attested by Dr. Carl", "Recorded by carl, 2026-03-01", "Research Yes", "May we contact you later? No",
        "Sharing Options Share my data", "Heart study (en) · Version 1 · Page 1 of",
      ])
    #expect(text.contains("The scan is attached to this file.") == !isPicture)
    #expect(try await CopyWorld.attachments(of: file) == (isPicture ? [:] : ["scan.pdf": scan]))
    await world.end()
  }
}
