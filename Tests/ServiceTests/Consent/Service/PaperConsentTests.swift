import Base
import ConsentContract
import RPC
import TestSupport
import Testing
import Wire

/// What staff states with a consent on paper.
@Suite("Consent on paper") struct PaperConsentTests {
  private static let child = CalendarDate(year: 2013, month: 1, day: 9)
  private static let adult = CalendarDate(year: 2000, month: 1, day: 9)

  private func register(
    _ world: World, _ change: (inout CreatePaperRecordRequest) -> Void = { _ in }
  ) async throws -> ConsentRecord {
    var request = CreatePaperRecordRequest(
      studyID: World.study, subjectID: "s1", documentID: Example.documentID, documentVersion: 1, locale: "en",
      sharing: .wide, signedAt: Timestamp(Example.now + .seconds(-60)), scan: Array("%PDF-1.7 scan".utf8),
      attestedBy: "Dr. Carl")
    change(&request)
    return try #require(try await world.coordinator.records.createPaperRecord(request).record)
  }

  private func start(_ world: World, born: CalendarDate) async throws -> StartSessionResponse {
    try await world.client("s1").sessions.startSession(
      StartSessionRequest(flowID: "flow", clientSchema: 2, birthDate: born))
  }

  @Test("a sharing choice is stated where the document offers one, and nowhere else, also with own screens")
  func sharing() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.offersSharing = false
    var flow = Example.flow()
    flow.steps.removeAll { $0.id == "sharing" }
    try await world.open(content: content, flow: flow)
    for choice in [SharingChoice.wide, SharingChoice(number: 7)] {
      await expectRefusal(.invalidArgument, "sharing_not_offered") {
        try await register(world) { $0.sharing = choice }
      }
      await expectRefusal(.invalidArgument, "sharing_not_offered") {
        try await world.app.sessions.recordConsent(Example.recordConsent { $0.documents[0].sharing = choice })
      }
    }
    let answer = try await world.app.sessions.recordConsent(
      Example.recordConsent { $0.documents[0].sharing = .unspecified })
    #expect(answer.session?.outcome == .completed)
    #expect(try await register(world) { ($0.subjectID, $0.sharing) = ("s2", .unspecified) }.sharing == .unspecified)
    await world.end()
  }

  @Test("the birth date is the first statement of it where the document has an age rule", arguments: [true, false])
  func birthDate(hasRule: Bool) async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.age = hasRule ? AgePolicy(minimumAge: 12) : nil
    try await world.open(content: content)
    let paper = try await register(world) { $0.birthDate = Self.child }
    #expect(paper.state == .inForce)
    let stated = try await world.events().filter { $0.kind == .birthDateStated }
    #expect(stated.map(\.recordID) == (hasRule ? [paper.recordID] : []))
    guard hasRule else {
      _ = try await start(world, born: Self.adult)
      return await world.end()
    }
    #expect(stated.first?.actor == "carl" && stated.first?.hash.count == 64)
    await expectRefusal(.failedPrecondition, "birth_date_stated") { try await start(world, born: Self.adult) }
    _ = try await start(world, born: Self.child)
    let export = try await world.client("s1").records.exportSubject(ExportSubjectRequest(subjectID: "s1"))
    #expect(String(decoding: export.content, as: UTF8.self).contains("2013-01-09"))
    await world.end()
  }

  @Test("paper of a minor says who signed for them, and the record names them with their authority")
  func minor() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.age = AgePolicy(minimumAge: 6, majorityAge: 18, assentAge: 12)
    content.settings?.signatures.append(
      SignatureDefinition(id: "guardian", role: .guardian, order: 1, requiresName: true))
    for index in content.texts.indices {
      content.texts[index].signatures.append(
        SignatureText(signatureID: "guardian", title: "Parent", meaning: "I permit it."))
    }
    try await world.open(content: content)
    let guardian = PaperSigner(signatureID: "guardian", name: PersonName(given: "Gil", family: "Gray"))
    let child = PaperSigner(signatureID: "participant", name: PersonName(given: "Ada", family: "Gray"))
    for signers in [[], [guardian], [child]] {
      await expectRefusal(.failedPrecondition, "signer_missing") {
        try await register(world) { ($0.birthDate, $0.signers) = (Self.child, signers) }
      }
    }
    await expectRefusal(.invalidArgument, "unknown_signature") {
      try await register(world) { ($0.birthDate, $0.signers) = (Self.child, [PaperSigner(signatureID: "nobody")]) }
    }
    await expectRefusal(.invalidArgument, "name_missing") {
      try await register(world) {
        ($0.birthDate, $0.signers) = (Self.child, [child, PaperSigner(signatureID: "guardian")])
      }
    }
    let paper = try await register(world) { ($0.birthDate, $0.signers) = (Self.child, [child, guardian]) }
    #expect(paper.state == .inForce && paper.signatures.map(\.role) == [.participant, .guardian])
    let read = try await world.coordinator.records.getRecord(GetRecordRequest(recordID: paper.recordID)).record
    let signature = try #require(read?.signatures.last)
    #expect(signature.printedName == "Gil\u{A0}Gray" && signature.meaning == "I permit it.")
    #expect(!signature.authority.isEmpty && signature.nameCommitment.count == 64)
    let fhir = try await world.coordinator.records.exportRecord(
      ExportRecordRequest(recordID: paper.recordID, format: .fhirR5))
    #expect(String(decoding: fhir.content, as: UTF8.self).contains("Gil\u{A0}Gray"))
    // An adult's paper may go without.
    let adult = try await register(world) { ($0.subjectID, $0.birthDate) = ("s2", Self.adult) }
    #expect(adult.signatures.isEmpty)
    await world.end()
  }
}
