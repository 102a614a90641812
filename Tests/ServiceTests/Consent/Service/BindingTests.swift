import Base
import ConsentContract
import ConsentService
import RPC
import ServicePolicy
import StorageTestKit
import TestSupport
import Testing
import Wire

/// A signature is bound to what was signed: to one study, subject, session or record, version, and signature.
@Suite("A field signs what it was made for, once") struct BindingTests {
  /// Each part of a place, changed: the rule that refuses a field made for the changed place.
  private static let parts: [(rule: String, change: @Sendable (inout SignaturePlace) -> Void)] = [
    ("field_of_other_study", { $0.studyID = "lung" }),
    ("field_of_other_site", { $0.siteID = "south" }),
    ("field_of_other_subject", { $0.subjectID = "s2" }),
    ("field_of_other_session", { $0.sessionID = "another" }),
    ("field_of_other_session", { $0.sessionID = "" }),
    ("field_of_other_record", { $0.recordID = "another" }),
    ("field_of_other_document", { $0.documentID = "another" }),
    ("field_of_other_version", { $0.documentVersion = 2 }),
    ("field_of_other_version", { $0.documentVersion = 0 }),
    ("field_of_other_signature", { $0.signatureID = "guardian" }),
  ]

  private func drawn(_ field: String, _ revision: Int32 = 1) -> FlowAction {
    FlowAction(
      kind: .sign, signature: SignatureInput(image: .drawn(DrawnSignature(fieldID: field, revision: revision))))
  }

  private func signing(
    _ world: World, subject: String = "s1"
  ) async throws -> (view: SessionView, place: SignaturePlace) {
    let view = try await world.walk(subject: subject, site: "north") { $0.kind == .signature }
    return (view, try #require(view.screen?.signatureForm?.place))
  }

  @Test("a screen for signing and a task say what the field must be made for")
  func places() async throws {
    let world = try await World()
    try await world.open()
    let (view, place) = try await signing(world)
    let expected = SignaturePlace(
      subjectID: "s1", studyID: World.study, siteID: "north", sessionID: view.sessionID, signatureID: "participant",
      documentID: Example.documentID, documentVersion: 1)
    #expect(place == expected)
    let record = try await world.record(of: try await world.goOn(view))
    let tasks = try await world.investigator.sessions.listSigningTasks(
      ListSigningTasksRequest(studyID: World.study)
    ).tasks
    var counter = expected
    (counter.subjectID, counter.signatureID, counter.recordID) = ("ines", "investigator", record.recordID)
    #expect(tasks.map(\.place) == [counter])
    await world.end()
  }

  @Test("a field that was made for anything else is refused, in a session and after it, each part by its own rule")
  func madeForOther() async throws {
    let world = try await World()
    try await world.open()
    let (view, place) = try await signing(world)
    for (index, part) in Self.parts.enumerated() {
      var other = place
      part.change(&other)
      world.fields.save("f\(index)", at: other)
      await expectRefusal(.failedPrecondition, part.rule) { try await world.act(view, drawn("f\(index)")) }
    }
    let record = try await world.record(of: try await world.goOn(view))
    let task = try #require(
      try await world.investigator.sessions.listSigningTasks(ListSigningTasksRequest(studyID: World.study)).tasks.first)
    let own = try #require(task.place)
    for (index, part) in Self.parts.enumerated() {
      var other = own
      part.change(&other)
      world.fields.save("c\(index)", at: other)
      let sign = SignRecordRequest(
        recordID: record.recordID, signatureID: "investigator", name: PersonName(given: "Ines", family: "Ito"),
        signature: drawn("c\(index)").signature)
      await expectRefusal(.failedPrecondition, part.rule) { try await world.investigator.sessions.signRecord(sign) }
    }
    await world.end()
  }

  @Test("a field that is unknown, empty, closed, or no longer what the signer saw is refused")
  func notAsSeen() async throws {
    let world = try await World()
    try await world.open()
    let (view, place) = try await signing(world)
    await expectRefusal(.failedPrecondition, "signature_not_saved") { try await world.act(view, drawn("none")) }
    await expectRefusal(.failedPrecondition, "signature_not_saved") { try await world.act(view, drawn("")) }
    world.fields.save("empty", at: place) { $0.revision = 0 }
    await expectRefusal(.failedPrecondition, "field_empty") { try await world.act(view, drawn("empty")) }
    world.fields.save("closed", at: place) { $0.isClosed = true }
    await expectRefusal(.failedPrecondition, "field_used") { try await world.act(view, drawn("closed")) }
    world.fields.save("again", at: place) { $0.revision = 2 }
    await expectRefusal(.aborted, "stale_version") { try await world.act(view, drawn("again")) }
    #expect(world.fields.closings.isEmpty)
    await world.end()
  }

  @Test("a revision is used once: not for another signer, another session, or with a different revision")
  func usedOnce() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.signatures[1].role = .guardian
    content.settings?.age = AgePolicy(minimumAge: 8, majorityAge: 99, assentAge: 9)
    try await world.open(content: content)
    let start = try await world.app.sessions.startSession(
      StartSessionRequest(
        flowID: "flow", subjectID: "s1", clientSchema: 2, birthDate: CalendarDate(year: 2010, month: 1, day: 1)))
    var view = try await world.goOn(try #require(start.session)) { $0.kind == .signature }
    let first = try #require(view.screen?.signatureForm?.place)
    world.fields.save("field", at: first)
    view = try await world.act(view, drawn("field"))
    #expect(world.fields.closings == ["field@1"], "closed before the answer came")
    // Back to the same signature: the same use may be repeated.
    view = try await world.act(view, FlowAction(kind: .back))
    #expect(view.screen?.signatureForm?.place == first)
    view = try await world.act(view, drawn("field"))
    view = try await world.goOn(view) { $0.kind == .signature }
    let second = try #require(view.screen?.signatureForm?.place)
    #expect(second.signatureID != first.signatureID)
    await expectRefusal(.failedPrecondition, "field_of_other_signature") { try await world.act(view, drawn("field")) }
    // Even if the field now claimed to be made for this signature, its revision is used up.
    world.fields.save("field", at: second)
    await expectRefusal(.failedPrecondition, "field_used") { try await world.act(view, drawn("field")) }
    world.fields.save("other", at: second)
    let end = try await world.goOn(try await world.act(view, drawn("other")))
    let record = try await world.record(of: end)
    #expect(record.signatures.map(\.fieldID) == ["field", "other"])
    #expect(record.signatures.allSatisfy { $0.fieldRevision == 1 && $0.savedSignatureID == "saved-\($0.fieldID)" })
    await world.end()
  }

  @Test("a name typed in a field signs nothing that must be drawn, and is on record as typed elsewhere")
  func typedInField() async throws {
    for mustBeDrawn in [true, false] {
      let world = try await World()
      var content = Example.content()
      content.settings?.signatures[0].refusesTyped = mustBeDrawn
      try await world.open(content: content)
      let (view, place) = try await signing(world)
      world.fields.save("field", at: place) { $0.typedText = "Lovelace, Ada" }
      if mustBeDrawn {
        await expectRefusal(.failedPrecondition, "typed_signature_refused") {
          try await world.act(view, drawn("field"))
        }
        #expect(world.fields.closings.isEmpty, "a refused signature uses nothing up")
      } else {
        let record = try await world.record(of: try await world.goOn(try await world.act(view, drawn("field"))))
        #expect(record.signatures.first?.typed == true && record.signatures.first?.fieldID == "field")
      }
      await world.end()
    }
  }

  @Test("a typed signature with a letter that no font has is refused when it is given, and names that are none too")
  func typedNames() async throws {
    let world = try await World()
    try await world.open()
    func typed(_ text: String) -> FlowAction {
      FlowAction(kind: .sign, signature: SignatureInput(image: .typed(TypedSignature(text: text, font: "plain"))))
    }
    let naming = try await world.walk { $0.kind == .name }
    for (text, rule) in [("A\u{202E}da", "control_characters"), ("A\nda", "control_characters"), ("7", "no_letter")] {
      for name in [PersonName(given: text, family: "Ito"), PersonName(given: "Ada", family: text)] {
        await expectRefusal(.invalidArgument, rule) {
          try await world.act(naming, FlowAction(kind: .enterName, name: name))
        }
      }
    }
    let view = try await world.goOn(naming) { $0.kind == .signature }
    await expectRefusal(.invalidArgument, "unknown_letter") { try await world.act(view, typed("𓀀")) }
    await expectRefusal(.invalidArgument, "control_characters") { try await world.act(view, typed("A\u{2066}da")) }
    await expectRefusal(.invalidArgument, "no_letter") { try await world.act(view, typed("\u{3164}")) }
    _ = try await world.act(view, typed("Ada Lovelace"))
    await world.end()
  }

  @Test("an act without drawing or typing has no image, and says so instead of 'not rendered yet'")
  func noImage() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.signatures[0].requiresImage = false
    try await world.open(content: content)
    let record = try await world.record(of: try await world.walk())
    await expectRefusal(.failedPrecondition, "no_image") {
      try await world.app.records.getSignatureImage(
        GetSignatureImageRequest(recordID: record.recordID, signatureID: "participant"))
    }
    await world.end()
  }

  @Test(
    "nobody starts a session whose document may not be agreed to now",
    arguments: [
      ("outside_ethics_approval", true), ("not_offered_now", false),
    ])
  func datesAtStart(rule: String, isEthics: Bool) async throws {
    let world = try await World()
    var content = Example.content()
    let end = Timestamp(Example.now + .seconds(3600))
    if isEthics {
      content.settings?.ethics = EthicsApproval(number: "1", committee: "c", validUntil: end)
    } else {
      content.settings?.validity = ValidityPeriod(offeredUntil: end)
    }
    try await world.open(content: content)
    let view = try await world.walk { $0.kind == .review }
    world.clock.move(by: .seconds(3600))
    await expectRefusal(.failedPrecondition, rule) { try await world.walk(subject: "s2") }
    await expectRefusal(.failedPrecondition, rule) { try await world.goOn(view) }
    await world.end()
  }
}
