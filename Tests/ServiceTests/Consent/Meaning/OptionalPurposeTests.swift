import Base
import ConsentContract
import ConsentDomain
import RPC
import TestSupport
import Testing
import Wire

/// Purposes of a document that are asked for by a question of their own, by every way on which a consent comes.
@Suite("Optional purposes") struct OptionalPurposeTests {
  private static func content() -> DocumentContent {
    var content = Example.content()
    content.settings?.purposes.append(ConsentPurpose(code: "contact", optional: true))
    content.settings?.recap = true
    for index in content.texts.indices {
      content.texts[index].purposes.append(
        PurposeText(purposeCode: "contact", title: "May we contact you later?", description: "Once a year at most."))
    }
    return content
  }

  private static func answer(_ answer: BooleanAnswer) -> FlowAction {
    FlowAction(kind: .agree, answers: [QuestionAnswer(questionID: "contact", boolean: answer)])
  }

  private func open() async throws -> World {
    let world = try await World()
    try await world.open(content: Self.content())
    return world
  }

  private func start(_ world: World, schema: Int32 = 0) async throws -> SessionView {
    try #require(
      try await world.app.sessions.startSession(
        StartSessionRequest(flowID: "flow", subjectID: "s1", clientSchema: schema)
      ).session)
  }

  /// What every view says of a consent with a no to the optional purpose.
  private func expectDeclined(_ record: ConsentRecord, _ world: World) async throws {
    #expect(record.purposes == ["research"] && record.declinedPurposes == ["contact"] && record.state == .inForce)
    #expect(try await world.check("s1", "research").permitted)
    let answer = try await world.check("s1", "contact")
    #expect(!answer.permitted && answer.reason == "declined" && answer.recordID == record.recordID)
    for format in [RecordFormat.fhirR5, .fhirR4b] {
      let export = try await world.coordinator.records.exportRecord(
        ExportRecordRequest(recordID: record.recordID, format: format)
      ).content
      let reader = try FHIRReader(export, isR5: format == .fhirR5, at: world.clock.clock.now)
      #expect(reader.permits("research") && !reader.permits("contact"))
      #expect(String(decoding: export, as: UTF8.self).contains("May we contact you later?"), "the no is stated")
    }
    let receipt = try PlainJSON(
      try await world.coordinator.records.exportRecord(
        ExportRecordRequest(recordID: record.recordID, format: .receipt)
      ).content)
    let purposes = receipt["pii_processing"]["purposes"].items
    #expect(purposes.map { $0["state"].text } == ["in_force", "declined"])
    #expect(purposes.last?["permitted"].isNone == true)
  }

  @Test("the review asks, with nothing preselected, and agreeing counts only with an answer")
  func asked() async throws {
    let world = try await open()
    let view = try await world.goOn(try await start(world), schema: 0) {
      $0.kind == .review && $0.offered.contains(.agree)
    }
    let screen = try #require(view.screen)
    #expect(screen.schemaVersion == 5 && screen.entries?.answers.isEmpty == true)
    #expect(
      screen.questions == [
        ScreenQuestion(
          id: "contact", kind: .boolean, prompt: "May we contact you later?", detail: "Once a year at most.",
          yesTitle: "Yes", noTitle: "No")
      ])
    for action in [FlowAction(kind: .agree), Self.answer(.unspecified)] {
      let status = await #expect(throws: Status.self) { try await world.act(view, action, schema: 0) }
      #expect(status?.isRefusal(.invalidArgument, "answer_missing") == true)
      #expect(status?.message.contains("action.answers[contact]") == true)
    }
    // Whoever thinks again finds the answer that they gave.
    func act(_ view: SessionView, _ action: FlowAction) async throws -> SessionView {
      try await world.act(view, action, schema: 0)
    }
    var next = try await act(view, Self.answer(.yes))
    next = try await act(next, FlowAction(kind: .dismiss))
    #expect(next.screen?.entries?.answers.map(\.boolean) == [.yes])
    next = try await act(next, Self.answer(.no))
    next = try await act(next, FlowAction(kind: .confirm))
    next = try await world.goOn(next, schema: 0) { $0.kind == .recap }
    #expect(next.screen?.entries?.recap.contains(RecapLine(label: "May we contact you later?", value: "No")) == true)
    next = try await act(next, FlowAction(kind: .next))
    #expect(next.outcome == .completed)
    #expect(next.screen?.text.hasSuffix("You did not agree to:\n• May we contact you later?") == true)
    try await expectDeclined(try await world.record(of: next), world)
    await world.end()
  }

  @Test("what agreeing includes is said in what is read and hashed, and before it counts; nothing optional is")
  func included() async throws {
    let world = try await open()
    var view = try await world.goOn(try await start(world), schema: 0) {
      $0.kind == .review && $0.offered.contains(.agree)
    }
    let markup = "<h4>If you agree, you say yes to:</h4><ul><li>Research</li></ul></div>"
    let screen = try #require(view.screen)
    #expect(screen.html.hasSuffix(markup) && screen.shownHash == Digest(of: Array(screen.html.utf8)).hex)
    view = try await world.act(view, Self.answer(.yes), schema: 0)
    #expect(view.screen?.alert?.message == "You want to take part.\nIf you agree, you say yes to:\n• Research")
    view = try await world.act(view, FlowAction(kind: .confirm), schema: 0)
    view = try await world.goOn(view, schema: 0) { $0.kind == .recap }
    view = try await world.act(view, FlowAction(kind: .next), schema: 0)
    let record = try await world.record(of: view)
    let shown = try await world.app.records.getShownContent(GetShownContentRequest(recordID: record.recordID))
    #expect(String(decoding: shown.content, as: UTF8.self).hasSuffix(markup) && shown.hash == record.shownHash)
    await world.end()
  }

  @Test("a client that does not know such reviews gets a plain screen, and no table")
  func olderClient() async throws {
    let world = try await open()
    let view = try await world.goOn(try await start(world, schema: 4), schema: 4) { $0.kind == .plain }
    #expect(view.screen?.offered.contains(.agree) == false)
    let other = try await start(world)
    await expectRefusal(.failedPrecondition, "client_too_old") {
      try await world.app.sessions.getOfflineBundle(
        GetOfflineBundleRequest(sessionID: other.sessionID, clientSchema: 4))
    }
    await world.end()
  }

  @Test("on screens of an app's own, each answer is stated by name")
  func ownScreens() async throws {
    let world = try await open()
    let missing = await #expect(throws: Status.self) {
      try await world.app.sessions.recordConsent(Example.recordConsent())
    }
    #expect(missing?.isRefusal(.failedPrecondition, "not_given") == true)
    #expect(missing?.message.contains("documents[heart-study].purposes[contact]") == true)
    await expectRefusal(.invalidArgument, "unknown_purpose") {
      try await world.app.sessions.recordConsent(
        Example.recordConsent { $0.documents[0].purposes = [PurposeDecision(purpose: "research", allowed: false)] })
    }
    let answer = try await world.app.sessions.recordConsent(
      Example.recordConsent { $0.documents[0].purposes = [PurposeDecision(purpose: "contact")] })
    try await expectDeclined(try #require(answer.records.first), world)
    await world.end()
  }

  @Test("on paper, too; what was decided after the paper was signed stands")
  func paper() async throws {
    let world = try await open()
    func register(_ purposes: [PurposeDecision], _ age: Int64 = 60) async throws -> ConsentRecord? {
      try await world.coordinator.records.createPaperRecord(
        CreatePaperRecordRequest(
          studyID: World.study, subjectID: "s1", documentID: Example.documentID, documentVersion: 1, locale: "en",
          sharing: .wide, signedAt: Timestamp(world.clock.clock.now + .seconds(-age)),
          scan: Array("%PDF-1.7 scan".utf8), attestedBy: "Dr. Carl", purposes: purposes)
      ).record
    }
    // The app has held a session of this person.
    _ = try await start(world)
    let missing = await #expect(throws: Status.self) { try await register([]) }
    #expect(missing?.isRefusal(.invalidArgument, "answer_missing") == true)
    #expect(missing?.message.contains("purposes[contact]") == true)
    await expectRefusal(.invalidArgument, "stated_twice") {
      try await register([PurposeDecision(purpose: "contact"), PurposeDecision(purpose: "contact", allowed: true)])
    }
    try await expectDeclined(try #require(try await register([PurposeDecision(purpose: "contact")])), world)
    world.clock.move(by: .seconds(100))
    _ = try await world.app.sessions.recordConsent(
      Example.recordConsent { $0.documents[0].purposes = [PurposeDecision(purpose: "contact", allowed: true)] })
    #expect(try await world.check("s1", "contact").permitted)
    _ = try await register([PurposeDecision(purpose: "contact")], 90)
    #expect(try await world.check("s1", "contact").permitted)
    await world.end()
  }

  @Test("without a connection, the table asks and the walk answers")
  func offline() async throws {
    let world = try await open()
    let view = try await start(world)
    let bundle = try #require(
      try await world.app.sessions.getOfflineBundle(GetOfflineBundleRequest(sessionID: view.sessionID)).bundle)
    await expectRefusal(.invalidArgument, "answer_missing") {
      try await world.submit(bundle, bundle.walked { if $0.kind == .agree { $0.answers = [] } })
    }
    let answer = try await world.submit(
      bundle, bundle.walked { if $0.kind == .agree { $0.answers = Self.answer(.no).answers } })
    try await expectDeclined(try await world.record(of: try #require(answer.session)), world)
    await world.end()
  }

  @Test("a no ends the yes before it at once, and leaves the rest; saying no again changes nothing")
  func ends() async throws {
    let world = try await open()
    func give(_ isYes: Bool) async throws -> ConsentRecord {
      let answer = try await world.app.sessions.recordConsent(
        Example.recordConsent { $0.documents[0].purposes = [PurposeDecision(purpose: "contact", allowed: isYes)] })
      return try #require(answer.records.first)
    }
    let first = try await give(true)
    let second = try await give(false)
    let ended = try await world.app.records.getRecord(GetRecordRequest(recordID: first.recordID)).record
    #expect(ended?.withdrawnPurposes == ["contact"] && ended?.supersededPurposes == ["research"])
    #expect(ended?.history.last { $0.kind == .withdrawn }?.supersededBy == second.recordID)
    try await expectDeclined(second, world)
    let answer = try await world.client("s1").records.withdrawConsent(
      WithdrawConsentRequest(subjectID: "s1", studyID: World.study, purposes: ["contact"]))
    #expect(answer.records.allSatisfy { $0.state != .withdrawn })
    try await expectDeclined(second, world)
    await world.end()
  }

  @Test("a document has a purpose that is not optional")
  func required() {
    var content = Self.content()
    for index in content.settings?.purposes.indices ?? 0..<0 { content.settings?.purposes[index].optional = true }
    let rules = DocumentValidation.problems(in: content, version: 1, assets: []).map(\.rule)
    #expect(rules.contains("no_required_purpose"))
    // Nor is a flow held up by what one of its documents calls optional.
    var flow = Example.flow()
    flow.steps.insert(Example.form("contact", .mandatory), at: 0)
    let problems = FlowValidation.problems(
      in: flow, documents: [Example.documentID: Self.content().settings ?? DocumentSettings()])
    #expect(problems.contains { $0.rule == "purpose_conditions_differ" })
  }
}
