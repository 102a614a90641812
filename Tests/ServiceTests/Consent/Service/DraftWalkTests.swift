import Base
import ConsentContract
import ConsentDomain
import ConsentService
import RPC
import ServicePolicy
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Drafts: who gets them, and what happens to those who walk them.
@Suite("Drafts and those who see them")
struct DraftWalkTests {
  private static func asking(_ question: QuestionDefinition) -> FlowDefinition {
    let item = FlowQuestion(definition: question, prompt: "How much?".inEnglish)
    return FlowDefinition(
      defaultLocale: "en",
      steps: [
        FlowStep(id: "ask", step: .question(QuestionStep(questions: [item]))),
        FlowStep(id: "end", step: .completion(CompletionStep())),
      ])
  }

  private static let strange = [
    QuestionDefinition(id: "q", kind: .number, number: NumberRule(decimals: -1)),
    QuestionDefinition(id: "q", kind: .number, number: NumberRule(decimals: .max)),
    QuestionDefinition(id: "q", kind: .scale, scale: ScaleRule(minimum: .min, maximum: .max)),
  ]

  @Test("a draft that has problems is not walked, and its rules ask for nothing without end", arguments: strange)
  func problems(question: QuestionDefinition) async throws {
    let answer = QuestionAnswer(questionID: "q", number: NumberValue(value: 0.5))
    _ = try? AnswerRules.check([answer], for: [question], today: CalendarDay(of: Example.now))
    let world = try await World()
    try await world.open()
    let draft = try await world.redraft(Self.asking(question))
    #expect(draft.problems.contains { $0.severity == .error })
    await expectRefusal(.failedPrecondition, "draft_has_problems") { try await world.walkDraft() }
    #expect(try await world.walk(subject: "s2").outcome == .completed, "others walk what is published")
    await world.end()
  }

  @Test("a test walk of a draft whose page is gone says so, and ends by itself")
  func shorterDraft() async throws {
    let world = try await World()
    try await world.open()
    let draft = try await world.redraft(Example.flow())
    let view = try await world.walkDraft { $0.kind == .sharing }
    let short = Example.forms(Example.form("news"))
    _ = try await world.publisher.flows.updateFlowDraft(
      UpdateFlowDraftRequest(
        flowID: "flow", expectedRevision: draft.version?.revision ?? 0, definition: short))
    await expectRefusal(.failedPrecondition, "draft_changed") {
      try await world.act(view, FlowAction(kind: .share, sharing: .wide))
    }
    await expectRefusal(.failedPrecondition, "draft_changed") {
      try await world.app.sessions.getSession(GetSessionRequest(sessionID: view.sessionID))
    }
    world.clock.move(by: .seconds(8 * 86_400))
    let runner = PeriodicTaskRunner(
      world.services.database, world.services.periodicTasks(every: .seconds(60))
    ) { task, error in Issue.record("\(task): \(error)") }
    await runner.runDue()
    let sessions = try await world.coordinator.sessions.listConsentSessions(
      ListConsentSessionsRequest(studyID: World.study, subjectID: "s1"))
    #expect(sessions.sessions.map(\.outcome) == [.expired])
    await world.end()
  }

  static let unshowable: [@Sendable (inout FlowDefinition) -> Void] = [
    { $0.defaultLocale = "klingonisch!" }, { $0.steps.removeLast() }, { $0.steps[0].step = nil },
    { $0.steps[1].step = .visual(VisualStep(documentID: "nowhere")) },
  ]

  @Test("a test walk of a draft that can no longer be shown says so", arguments: unshowable.indices)
  func unshowableDraft(index: Int) async throws {
    let world = try await World()
    try await world.open()
    let draft = try await world.redraft(Example.flow())
    let view = try await world.walkDraft { $0.kind == .sharing }
    var definition = Example.flow()
    Self.unshowable[index](&definition)
    _ = try await world.publisher.flows.updateFlowDraft(
      UpdateFlowDraftRequest(
        flowID: "flow", expectedRevision: draft.version?.revision ?? 0, definition: definition))
    await expectRefusal(.failedPrecondition, "draft_changed") {
      try await world.app.sessions.getSession(GetSessionRequest(sessionID: view.sessionID))
    }
    await world.end()
  }

  @Test("devices and participants walk as a test what is published, unless they were invited to test")
  func whoWalks() async throws {
    let world = try await World()
    try await world.open()
    _ = try await world.redraft(Example.forms(Example.form("news")))
    func first(_ clients: ConsentClients, _ subject: String, _ assistance: Assistance) async throws -> SessionView? {
      try await clients.sessions.startSession(
        StartSessionRequest(
          flowID: "flow", subjectID: subject, clientSchema: 2, test: true, assistance: assistance)
      ).session
    }
    for (clients, subject) in [(world.client("s1"), "s1"), (world.app, "s2")] {
      let view = try await first(clients, subject, .unspecified)
      #expect(view?.test == true && view?.screen?.stepID == "hello")
    }
    #expect(try await first(world.coordinator, "s3", .readsAloud)?.screen?.stepID == "news")
    #expect(try await world.walkDraft(subject: "s4") { _ in true }.screen?.stepID == "news")
    await world.end()
  }

  /// What takes from a test walk the drafts that it walks.
  enum Loss: CaseIterable {
    case flow, document, languages
  }

  /// Somebody walks drafts as a test, in German, and the authors give up what is walked.
  private func lost(_ loss: Loss, _ world: World) async throws -> SessionView {
    let publisher = world.publisher
    let flow = try await world.redraft(Example.flow()).version
    let made = try await publisher.documents.createDocumentDraft(
      CreateDocumentDraftRequest(documentID: Example.documentID)
    ).version
    var content = made?.content ?? DocumentContent()
    content.settings?.reconsent = .noAction
    let document = try await publisher.documents.updateDocumentDraft(
      UpdateDocumentDraftRequest(
        documentID: Example.documentID, expectedRevision: made?.revision ?? 0, content: content)
    ).version
    let view = try await world.walkDraft(locale: "de") { $0.kind == .sharing }
    switch loss {
    case .flow:
      _ = try await publisher.flows.discardFlowDraft(
        DiscardFlowDraftRequest(flowID: "flow", expectedRevision: flow?.revision ?? 0))
    case .document:
      _ = try await publisher.documents.discardDocumentDraft(
        DiscardDocumentDraftRequest(documentID: Example.documentID, expectedRevision: document?.revision ?? 0))
    case .languages:
      content.texts = []
      _ = try await publisher.documents.updateDocumentDraft(
        UpdateDocumentDraftRequest(
          documentID: Example.documentID, expectedRevision: document?.revision ?? 0, content: content))
    }
    return view
  }

  private func outcomes(_ world: World) async throws -> [SessionOutcome] {
    try await world.coordinator.sessions.listConsentSessions(
      ListConsentSessionsRequest(studyID: World.study, subjectID: "s1")
    ).sessions.map(\.outcome)
  }

  @Test("a test walk whose drafts are gone is abandoned", arguments: Loss.allCases)
  func abandoned(loss: Loss) async throws {
    let world = try await World()
    try await world.open()
    let view = try await lost(loss, world)
    for _ in 0..<2 {
      let ended = try await world.app.sessions.abandonSession(AbandonSessionRequest(sessionID: view.sessionID)).session
      #expect(ended?.outcome == .abandoned && ended?.screen == nil && ended?.version == view.version + 1)
    }
    #expect(try await outcomes(world) == [.abandoned])
    await world.end()
  }

  @Test("a test walk whose drafts are gone ends by itself, and hinders no correction", arguments: Loss.allCases)
  func ends(loss: Loss) async throws {
    let world = try await World()
    try await world.open()
    _ = try await world.app.sessions.startSession(
      StartSessionRequest(flowID: "flow", subjectID: "s1", birthDate: CalendarDate(year: 1990, month: 1, day: 8)))
    _ = try await lost(loss, world)
    let other = try await world.walk(subject: "s2") { $0.kind == .sharing }
    let correction = CorrectBirthDateRequest(
      studyID: World.study, subjectID: "s1", birthDate: CalendarDate(year: 1990, month: 1, day: 9), reason: "a slip")
    #expect(try await world.coordinator.sessions.correctBirthDate(correction).endedSessionIDs.count == 2)
    #expect(try await outcomes(world) == [.abandoned, .abandoned])
    world.clock.move(by: .seconds(8 * 86_400))
    let runner = PeriodicTaskRunner(
      world.services.database, world.services.periodicTasks(every: .seconds(60))
    ) { task, error in Issue.record("\(task): \(error)") }
    await runner.runDue()
    let ended = try await world.app.sessions.getSession(GetSessionRequest(sessionID: other.sessionID)).session
    #expect(ended?.outcome == .expired)
    await world.end()
  }

  @Test("the time of a test walk whose drafts are gone runs out", arguments: Loss.allCases)
  func runsOut(loss: Loss) async throws {
    let world = try await World()
    try await world.open()
    _ = try await lost(loss, world)
    world.clock.move(by: .seconds(8 * 86_400))
    let runner = PeriodicTaskRunner(
      world.services.database, world.services.periodicTasks(every: .seconds(60))
    ) { task, error in Issue.record("\(task): \(error)") }
    await runner.runDue()
    #expect(try await outcomes(world) == [.expired])
    await world.end()
  }

  @Test("participants and devices get neither right answers nor drafts, by number neither")
  func hidden() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.comprehension?.questions.append(
      QuestionDefinition(id: "sure", kind: .boolean, rightAnswer: .yes))
    content.settings?.comprehension?.passMark = 3
    for index in content.texts.indices {
      content.texts[index].questions.append(QuestionText(questionID: "sure", prompt: "May you leave?"))
    }
    try await world.open(content: content)
    _ = try await world.walk { $0.kind == .visual }
    let participant = world.client("s1")
    func version(_ clients: ConsentClients, _ number: Int32 = 0) async throws -> DocumentVersion? {
      try await clients.documents.getDocument(
        GetDocumentRequest(documentID: Example.documentID, version: number)
      ).version
    }
    for clients in [participant, world.app] {
      let questions = try #require(try await version(clients)?.content?.settings?.comprehension?.questions)
      #expect(questions.count == 3)
      for question in questions {
        #expect(question.rightAnswer == .unspecified && question.acceptedAnswers.isEmpty)
        #expect(!question.choices.contains { $0.correct })
      }
    }
    _ = try await world.publisher.documents.createDocumentDraft(
      CreateDocumentDraftRequest(documentID: Example.documentID))
    _ = try await world.publisher.documents.retireDocumentVersion(
      RetireDocumentVersionRequest(documentID: Example.documentID, version: 1, reason: "pause"))
    _ = try await world.publisher.flows.createFlowDraft(CreateFlowDraftRequest(flowID: "flow"))
    _ = try await world.publisher.flows.retireFlowVersion(
      RetireFlowVersionRequest(flowID: "flow", version: 1, reason: "pause"))
    #expect(try await version(world.coordinator)?.state == .draft)
    for clients in [participant, world.app] {
      #expect(try await version(clients)?.version == 1)
      await expectRefusal(.notFound, "unknown_version") { try await version(clients, 2) }
      await expectRefusal(.notFound, "unknown_version") {
        try await clients.documents.diffDocumentVersions(
          DiffDocumentVersionsRequest(documentID: Example.documentID, fromVersion: 1, toVersion: 2))
      }
      #expect(try await clients.flows.getFlow(GetFlowRequest(flowID: "flow")).version?.version == 1)
      await expectRefusal(.notFound, "unknown_version") {
        try await clients.flows.getFlow(GetFlowRequest(flowID: "flow", version: 2))
      }
    }
    _ = try await world.publisher.documents.createDocument(
      CreateDocumentRequest(studyID: World.study, documentID: "other", name: "Other", content: content))
    let fresh = try await participant.documents.getDocument(GetDocumentRequest(documentID: "other"))
    #expect(fresh.document?.documentID == "other" && fresh.version == nil)
    await world.end()
  }

  @Test("who may not write is told so before what they send is read")
  func admittedFirst() async throws {
    let world = try await World()
    try await world.open()
    let broken = [0, 0, 0, 16] + Array("ftypisom0000".utf8)
    await expectRefusal(.invalidArgument, "broken_asset") {
      try await world.publisher.documents.createAsset(CreateAssetRequest(kind: .mp4, data: broken))
    }
    var content = Example.content()
    content.texts[0].htmlReviewContent = String(repeating: "<b>", count: 20_001)
    var flow = Example.flow()
    flow.steps[0].step = .instruction(
      InstructionStep(
        title: "a".inEnglish, text: "b".inEnglish, learnMoreHTML: content.texts[0].htmlReviewContent.inEnglish))
    let file = DocumentFile(
      format: 1, documentID: "other", name: "Other", content: content,
      assets: [ConsentAsset(kind: .mp4, data: broken)])
    for clients in [world.app, world.client("s1", ["participant@heart"])] {
      let (documents, flows) = (clients.documents, clients.flows)
      let calls: [() async throws -> Void] = [
        { _ = try await documents.createAsset(CreateAssetRequest(kind: .mp4, data: broken)) },
        { _ = try await documents.importDocument(ImportDocumentRequest(studyID: World.study, file: file)) },
        {
          _ = try await documents.validateDocument(ValidateDocumentRequest(content: content))
        },
        {
          _ = try await documents.createDocument(
            CreateDocumentRequest(studyID: World.study, documentID: "x", name: "X", content: content))
        },
        {
          _ = try await documents.updateDocumentDraft(
            UpdateDocumentDraftRequest(documentID: Example.documentID, content: content))
        },
        {
          _ = try await documents.setDocumentTranslation(
            SetDocumentTranslationRequest(documentID: Example.documentID, version: 1, text: content.texts[0]))
        },
        {
          _ = try await flows.createFlow(
            CreateFlowRequest(studyID: World.study, flowID: "x", name: "X", definition: flow))
        },
        { _ = try await flows.updateFlowDraft(UpdateFlowDraftRequest(flowID: "flow", definition: flow)) },
      ]
      for call in calls { await expectRefusal(.permissionDenied, "not_admitted", call) }
    }
    await world.end()
  }
}
