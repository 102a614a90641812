import Base
import ConsentContract
import ConsentDomain
import ConsentService
import RPC
import Storage
import TestSupport
import Testing
import Wire

/// What a reader of FHIR concludes from an export is what `CheckConsent` answers, purpose by purpose.
@Suite struct FHIRTests {
  private static let purposes = ["research", "contact"]

  /// A document with two purposes.
  private static func content() -> DocumentContent {
    var content = Example.content()
    content.settings?.purposes.append(ConsentPurpose(code: "contact"))
    for index in content.texts.indices {
      content.texts[index].purposes.append(PurposeText(purposeCode: "contact", title: "Contact later"))
    }
    content.settings?.controller = ConsentParty(name: "Example University")
    return content
  }

  /// A record as it is exported in both releases, after the reader and `CheckConsent` were held against each other.
  private func agree(
    _ world: World, _ record: ConsentRecord, permitted: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [RecordFormat: [UInt8]] {
    var files: [RecordFormat: [UInt8]] = [:]
    for format in [RecordFormat.fhirR5, .fhirR4b] {
      let export = try await world.app.records.exportRecord(
        ExportRecordRequest(recordID: record.recordID, format: format))
      files[format] = export.content
      let reader = try FHIRReader(export.content, isR5: format == .fhirR5, at: world.clock.clock.now)
      #expect(!reader.permits("never_asked"), sourceLocation: sourceLocation)
      for purpose in Self.purposes {
        let answer = try await world.check(record.subjectID, purpose)
        #expect(reader.permits(purpose) == answer.permitted, "\(format) \(purpose)", sourceLocation: sourceLocation)
        #expect(answer.permitted == permitted.contains(purpose), "\(purpose)", sourceLocation: sourceLocation)
      }
    }
    return files
  }

  /// fhir.resources reads the files, and no invariant is broken.
  private func validate(_ files: [[RecordFormat: [UInt8]]], _ expected: [String]) async throws {
    for (format, release) in [(RecordFormat.fhirR5, "r5"), (.fhirR4b, "r4b")] {
      let folder = try TemporaryFolder(named: "assent-fhir")
      var paths: [String] = []
      for (number, file) in files.enumerated() {
        paths.append(folder.file("\(number).json"))
        try Files.write(try #require(file[format]), to: paths[number])
      }
      let script = Repository.path("Tests/Fixtures/fhir/check.py")
      let said = try await ChildProcess.output(of: ChildCommand(Repository.python, [script, release] + paths))
      #expect(said.exit.isSuccess, "scripts/lib/setup test installs what this needs")
      let rejected = release == "r5" ? "active" : "rejected"
      #expect(said.lines == expected.map { $0.replacing("REJECTED", with: rejected) }, "\(release): \(said.lines)")
      withExtendedLifetime(folder) {}
    }
  }

  @Test("given, withdrawn in part and in whole, superseded by another one")
  func given() async throws {
    let world = try await World()
    try await world.open(content: Self.content())
    let record = try await world.record(of: try await world.walk())
    let given = try await agree(world, record, permitted: ["research", "contact"])
    let text = String(decoding: try #require(given[.fhirR5]), as: UTF8.self)
    for part in [
      "\"decision\": \"deny\"", "Example University", "1.2.840.10065.1.12.1.7", "\"display\": \"Contact later\"",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    world.clock.move(by: .seconds(60))
    _ = try await world.app.records.withdrawConsent(
      WithdrawConsentRequest(recordID: record.recordID, purposes: ["contact"]))
    let part = try await agree(world, record, permitted: ["research"])
    world.clock.move(by: .seconds(60))
    _ = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: record.recordID))
    let whole = try await agree(world, record, permitted: [])
    try await validate(
      [given, part, whole], ["Consent Provenance active", "Consent Provenance active", "Consent Provenance inactive"])
    await world.end()
  }

  @Test("a purpose that two devices withdraw one after the other is withdrawn from the first time on")
  func withdrawnTwice() async throws {
    let world = try await World()
    try await world.open(content: Self.content())
    let record = try await world.record(of: try await world.walk())
    for _ in 0..<2 {
      world.clock.move(by: .seconds(60))
      _ = try await world.app.records.withdrawConsent(
        WithdrawConsentRequest(recordID: record.recordID, purposes: ["contact"]))
    }
    let files = try await agree(world, record, permitted: ["research"])
    for (seconds, isPermitted) in [(30, true), (90, false)] {
      for (format, file) in files {
        let reader = try FHIRReader(file, isR5: format == .fhirR5, at: Example.now + .seconds(seconds))
        #expect(reader.permits("contact") == isPermitted && reader.permits("research"), "\(format) \(seconds)")
      }
    }
    await world.end()
  }

  private static func time(_ second: Int64) -> Timestamp { Timestamp(Example.now + .seconds(second)) }

  static let endings: [(name: String, kinds: [EntryKind], end: Int64?)] = [
    ("in force", [.given, .inForce], nil),
    ("withdrawn in part", [.given, .inForce, .withdrawn], nil),
    ("in need of attention after that", [.given, .inForce, .withdrawn, .needsAttention], 3),
    ("rejected after that", [.given, .inForce, .withdrawn, .needsAttention, .rejected], 3),
    ("confirmed", [.given, .inForce, .needsAttention, .attentionConfirmed, .inForce], nil),
    ("superseded, and rendered after that", [.given, .inForce, .superseded, .rendered], 2),
    ("expired", [.given, .inForce, .expired], 2),
  ]

  @Test("the period of a consent ends when it no longer stands", arguments: endings.indices)
  func ended(index: Int) throws {
    let (name, kinds, end) = Self.endings[index]
    var record = ConsentRecord(
      recordID: "r1", studyID: World.study, subjectID: "s1", purposes: ["research", "contact"])
    for (second, kind) in kinds.enumerated() {
      let purposes = kind == .withdrawn ? ["contact"] : []
      record.append(RecordEntry(kind: kind, at: Self.time(Int64(second)), purposes: purposes))
    }
    let bundle = try PlainJSON(Array(FHIRExport.bundle(of: record, ExportFacts(), .r5).text.utf8))
    let consent = try #require(bundle["entry"].items.first)["resource"]
    #expect(!consent["period"]["start"].isNone, "\(name)")
    let expected = end.map { TimeText.rfc3339(Example.now + .seconds($0)) } ?? ""
    #expect(consent["period"]["end"].text == expected, "\(name)")
  }

  @Test("a period ends at the date of a later version's demand, not when that is noted")
  func lapsed() throws {
    var record = ConsentRecord(recordID: "r1", studyID: World.study, subjectID: "s1", purposes: ["research"])
    for (second, kind) in [(0, EntryKind.given), (1, .inForce), (9, .expired)] {
      record.append(RecordEntry(kind: kind, at: Self.time(Int64(second))))
    }
    var facts = ExportFacts()
    facts.reconsentBy = Self.time(3)
    let bundle = try PlainJSON(Array(FHIRExport.bundle(of: record, facts, .r5).text.utf8))
    let consent = try #require(bundle["entry"].items.first)["resource"]
    #expect(consent["period"]["end"].text == TimeText.rfc3339(Example.now + .seconds(3)))
    let receipt = try PlainJSON(Array(ReceiptExport.receipt(of: record, facts).text.utf8))
    let permitted = receipt["pii_processing"]["purposes"].items.first?["permitted"].items ?? []
    #expect(permitted.map { $0["until"].text } == [TimeText.rfc3339(Example.now + .seconds(3))])
  }

  @Test("a signature's time is in the device's zone, at most fourteen hours from UTC")
  func offsets() throws {
    for (offset, suffix) in [(Int32(60), "+01:00"), (1080, "+14:00"), (-1080, "-14:00"), (-841, "-14:00")] {
      var record = ConsentRecord(recordID: "r1", studyID: World.study, subjectID: "s1")
      record.signatures = [
        RecordSignature(
          signatureID: "participant", role: .participant, signedAt: Self.time(0),
          deviceTime: DeviceTime(utcOffsetMinutes: offset))
      ]
      let bundle = try PlainJSON(Array(FHIRExport.bundle(of: record, ExportFacts(), .r4b).text.utf8))
      let provenance = try #require(bundle["entry"].items.last)["resource"]
      #expect(provenance["recorded"].text.hasSuffix(suffix), "\(offset): \(provenance["recorded"].text)")
    }
  }

  @Test("a test participant's consent is tagged, and active for no reader")
  func testParticipant() async throws {
    let world = try await World()
    try await world.open(content: Self.content())
    let record = try await world.record(of: try await world.walk(test: true))
    let files = try await agree(world, record, permitted: [])
    for file in files.values {
      let resources = try PlainJSON(file)["entry"].items.map { $0["resource"] }
      #expect(resources.count == 2)
      for resource in resources { #expect(resource["meta"]["tag"].items.map { $0["code"].text } == ["HTEST"]) }
    }
    try await validate([files], ["Consent Provenance inactive"])
    await world.end()
  }

  @Test("declined")
  func declined() async throws {
    let world = try await World()
    try await world.open(content: Self.content())
    let view = try await world.act(try await world.walk { $0.kind == .review }, FlowAction(kind: .disagree))
    let record = try await world.record(of: view)
    #expect(record.state == .declined)
    try await validate([try await agree(world, record, permitted: [])], ["Consent REJECTED"])
    await world.end()
  }

  @Test("a guardian permits, with initials too, and the child assents: one guardian grants, for the child")
  func guardian() async throws {
    let world = try await World()
    var content = Self.content()
    content.settings?.age = AgePolicy(minimumAge: 6, majorityAge: 18, assentAge: 12)
    content.settings?.signatures.insert(
      contentsOf: [
        SignatureDefinition(id: "page-1", role: .guardian, order: 0, requiresImage: true, initials: true),
        SignatureDefinition(id: "guardian", role: .guardian, order: 0, requiresName: true, requiresImage: true),
      ], at: 0)
    for index in content.texts.indices {
      content.texts[index].guardianAuthority = "I may decide for this child."
      content.texts[index].signatures += [
        SignatureText(signatureID: "page-1", title: "Guardian", meaning: "I have read page 1."),
        SignatureText(signatureID: "guardian", title: "Guardian", meaning: "I permit it."),
      ]
    }
    try await world.open(content: content)
    let start = try await world.app.sessions.startSession(
      StartSessionRequest(
        flowID: "flow", subjectID: "s1", clientSchema: 2, birthDate: CalendarDate(year: 2012, month: 3, day: 8)))
    var view = try #require(start.session)
    while let screen = view.screen, !screen.offered.isEmpty {
      var action = Walker.goodAction(on: screen)
      if action.kind == .enterName {
        let isGuardian = screen.nameForm?.signatureID == "guardian"
        action.name = isGuardian ? PersonName(given: "Gil", family: "Gray") : PersonName(given: "Kim", family: "Gray")
      }
      if screen.signatureForm?.initials == true {
        action.signature = SignatureInput(image: .typed(TypedSignature(text: "G. G.", font: "plain")))
      }
      view = try await world.act(view, action)
    }
    let record = try await world.record(of: view)
    #expect(record.signatures.map(\.signatureID) == ["page-1", "guardian", "participant"])
    #expect(record.signatures.map(\.role) == [.guardian, .guardian, .participant])
    let files = try await agree(world, record, permitted: ["research", "contact"])
    let bundle = try PlainJSON(try #require(files[.fhirR5]))
    let resources = bundle["entry"].items.map { $0["resource"] }
    let people = resources[0]["contained"].items.filter { $0["resourceType"].text == "RelatedPerson" }
    #expect(resources[0]["grantor"].items.count == 1 && people.count == 1)
    let grantor = try #require(resources[0]["grantor"].items.first)["reference"].text
    let guardian = resources[0]["contained"].items.first { "#\($0["id"].text)" == grantor }
    #expect(
      guardian?["resourceType"].text == "RelatedPerson"
        && guardian?["name"].items.first?["text"].text == "Gil\u{A0}Gray")
    #expect(resources[0]["grantee"].items.first?["reference"].text == "#controller")
    let signed = resources.dropFirst().flatMap { $0["signature"].items }
    #expect(signed.filter { !$0["onBehalfOf"].isNone }.count == 2)
    try await validate([files], ["Consent Provenance Provenance Provenance active"])
    await world.end()
  }

  @Test("two signers: nothing is permitted until the second one has signed, and their pictures go along")
  func twoSigners() async throws {
    let world = try await World()
    var content = Self.content()
    content.settings?.inForceFrom = .lastSignature
    try await world.open(content: content)
    let record = try await world.record(of: try await world.walk())
    let before = try await agree(world, record, permitted: [])
    let tasks = try await world.investigator.sessions.listSigningTasks(ListSigningTasksRequest(studyID: World.study))
    world.fields.save("field-1", at: try #require(tasks.tasks.first?.place))
    _ = try await world.investigator.sessions.signRecord(
      SignRecordRequest(
        recordID: record.recordID, signatureID: "investigator", name: PersonName(given: "Ines", family: "Ito"),
        signature: SignatureInput(image: .drawn(DrawnSignature(fieldID: "field-1", revision: 1)))))
    let jobs = world.services.jobs()
    let running = Task { await jobs.run() }
    try await eventually(
      "all are drawn", await world.app.records.getRecord(GetRecordRequest(recordID: record.recordID)).record?.signatures
    ) { $0?.allSatisfy { !$0.imageHash.isEmpty } == true }
    running.cancel()
    await running.value
    let after = try await agree(world, record, permitted: ["research", "contact"])
    let bundle = try PlainJSON(try #require(after[.fhirR5]))
    let signed = bundle["entry"].items.flatMap { $0["resource"]["signature"].items }
    #expect(signed.count == 2)
    for signature in signed { #expect(signature["data"].text.hasPrefix(Base64.encode(Array("picture o".utf8)))) }
    try await validate(
      [before, after], ["Consent Provenance draft", "Consent Provenance Provenance active"])
    await world.end()
  }
}
