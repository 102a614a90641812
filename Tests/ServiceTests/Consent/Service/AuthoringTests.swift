import ConsentContract
import ConsentService
import RPC
import StorageTestKit
import Testing

/// What authors and reviewers look at before and after a publication.
@Suite("Authoring")
struct AuthoringTests {
  @Test("validation lists all problems and what would be removed, of content or of a draft, and stores nothing")
  func validation() async throws {
    let world = try await World()
    try await world.open()
    var content = Example.content()
    content.texts[0].title = ""
    content.texts[1].sections[0].htmlContent = "<p onclick=x()>a</p>"
    content.settings?.comprehension?.passMark = 9
    let before = try await world.events().count
    let given = try await world.publisher.documents.validateDocument(ValidateDocumentRequest(content: content))
    #expect(given.problems.errors.map(\.rule).sorted() == ["missing_translation", "pass_mark_out_of_bounds"])
    #expect(given.removed.map(\.what) == ["onclick on <p>"])
    #expect(try await world.events().count == before)
    let stored = try await world.publisher.documents.validateDocument(
      ValidateDocumentRequest(documentID: Example.documentID))
    #expect(stored.problems.errors.isEmpty)
    let flow = try await world.publisher.flows.validateFlow(
      ValidateFlowRequest(studyID: World.study, definition: FlowDefinition(defaultLocale: "en")))
    #expect(flow.problems.map(\.rule) == ["completion_not_last"])
    await world.end()
  }

  @Test("lists that are too long are a problem where problems are listed, and are stored nowhere")
  func tooMany() async throws {
    let world = try await World()
    try await world.open()
    var content = Example.content()
    content.settings?.sections = Array(repeating: DocumentSection(type: .custom), count: 10_000)
    content.texts = Array(repeating: DocumentText(), count: 10_000)
    let steps = Array(repeating: FlowStep(step: .visual(VisualStep(documentID: Example.documentID))), count: 10_000)
    let flow = FlowDefinition(defaultLocale: "en", steps: steps)
    let (documents, flows) = (world.publisher.documents, world.publisher.flows)
    let given = try await documents.validateDocument(ValidateDocumentRequest(content: content))
    #expect(given.problems.errors.map(\.field) == ["settings.sections"])
    let validated = try await flows.validateFlow(ValidateFlowRequest(studyID: World.study, definition: flow))
    #expect(validated.problems.map(\.field) == ["steps"])
    await expectRefusal(.invalidArgument, "too_many") {
      try await documents.createDocument(
        CreateDocumentRequest(studyID: World.study, documentID: "other", content: content))
    }
    await expectRefusal(.invalidArgument, "too_many") {
      try await documents.importDocument(
        ImportDocumentRequest(
          studyID: World.study, file: DocumentFile(format: 1, documentID: "other", content: content)))
    }
    await expectRefusal(.invalidArgument, "too_many") {
      let text = DocumentText(locale: "fr", sections: Array(repeating: SectionText(), count: 101))
      return try await documents.setDocumentTranslation(
        SetDocumentTranslationRequest(documentID: Example.documentID, version: 1, text: text))
    }
    await expectRefusal(.invalidArgument, "too_many") {
      try await flows.createFlow(CreateFlowRequest(studyID: World.study, flowID: "other", definition: flow))
    }
    await world.end()
  }

  @Test("the preview of a draft shows every visual screen and the document with its signature page, marked as a test")
  func preview() async throws {
    let world = try await World()
    try await world.open()
    var content = Example.content()
    content.settings?.reconsent = .noAction
    content.texts[1].sections[0].summary = "Neue Worte"
    _ = try await world.publisher.documents.importDocument(
      ImportDocumentRequest(
        studyID: World.study, file: DocumentFile(format: 1, documentID: Example.documentID, content: content)))
    let preview = try await world.publisher.documents.previewDocument(
      PreviewDocumentRequest(documentID: Example.documentID, version: 2, locale: "de"))
    #expect(preview.screens.map(\.kind) == Array(repeating: .visual, count: 9) + [.review, .review])
    #expect(preview.screens.first?.text == "Neue Worte")
    #expect(preview.screens.allSatisfy { $0.navigationBar?.title.contains("TEST") == true })
    #expect(preview.review?.signaturePage?.blocks.count == 2 && preview.problems.errors.isEmpty)
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await world.client("s1").documents.previewDocument(PreviewDocumentRequest(documentID: Example.documentID))
    }
    await world.end()
  }

  @Test("everybody sees the difference of two versions, only authors see the right answers in it")
  func differences() async throws {
    let world = try await World()
    try await world.open()
    var content = Example.content()
    content.settings?.reconsent = .notify
    content.settings?.comprehension?.questions[0].choices.swapAt(0, 1)
    content.settings?.comprehension?.questions[1].choices[1].correct = false
    content.texts[0].sections[4].summary = "Five minutes a week"
    try await world.publish(content)
    let request = DiffDocumentVersionsRequest(documentID: Example.documentID, fromVersion: 1, toVersion: 2)
    func fields(_ client: ConsentClients) async throws -> [String] {
      try await client.documents.diffDocumentVersions(request).changes.map(\.field)
    }
    let questions = "settings.comprehension.questions"
    #expect(
      try await fields(world.publisher) == [
        "\(questions)[leave].choices", "\(questions)[data].right_answers", "settings.reconsent",
        "texts[en].sections[section-5].summary",
      ])
    #expect(try await !fields(world.app).contains("\(questions)[data].right_answers"))
    await expectRefusal(.notFound, "unknown_version") {
      try await world.publisher.documents.diffDocumentVersions(
        DiffDocumentVersionsRequest(documentID: Example.documentID, fromVersion: 1))
    }
    await world.end()
  }

  @Test("a document that is exported and imported again stays the same")
  func files() async throws {
    let world = try await World()
    try await world.open()
    let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0\"></path></svg>".utf8)
    let hash = try await world.publisher.documents.createAsset(CreateAssetRequest(kind: .svg, data: svg)).hash
    var content = Example.content()
    content.settings?.reconsent = .noAction
    content.settings?.sections[0].imageAsset = hash
    for index in content.texts.indices { content.texts[index].sections[0].imageAlt = "A line" }
    let published = try await world.publish(content)
    let file = try #require(
      try await world.publisher.documents.exportDocument(ExportDocumentRequest(documentID: Example.documentID)).file)
    #expect(file.version == 2 && file.versionHash == published.versionHash && file.assets.map(\.hash) == [hash])
    _ = try await world.admin.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: "lung", name: "Lung")))
    var copy = file
    copy.documentID = "copy"
    let imported = try await world.client("lou", ["publisher@*"]).documents.importDocument(
      ImportDocumentRequest(studyID: "lung", file: copy))
    #expect(imported.version?.content == file.content && imported.problems.errors.isEmpty && imported.removed.isEmpty)
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await world.app.documents.exportDocument(ExportDocumentRequest(documentID: Example.documentID))
    }
    await world.end()
  }

  @Test("an image in HTML has to be stored, and goes with the document's file")
  func images() async throws {
    let world = try await World()
    try await world.open()
    let documents = world.publisher.documents
    let hash = try await documents.createAsset(CreateAssetRequest(kind: .png, data: EvidenceWorld.image)).hash
    func image(_ hash: String) -> String { "<p><img src=\"asset:\(hash)\" alt=\"A chart\"></p>" }
    let unknown = String(repeating: "0a", count: 32)
    var content = Example.content()
    content.settings?.reconsent = .noAction
    content.texts[0].sections[0].htmlContent = image(unknown)
    await expectRefusal(.failedPrecondition, "unknown_asset") { try await world.publish(content) }
    content.texts[0].sections[0].htmlContent = image(hash)
    try await world.publish(content)
    let file = try await documents.exportDocument(ExportDocumentRequest(documentID: Example.documentID)).file
    #expect(file?.assets.map(\.hash) == [hash])
    // So do the images of a translation that is added later.
    var french = Example.text("fr")
    french.sharing?.learnMoreHTML = image(unknown)
    func translate() async throws -> SetDocumentTranslationResponse {
      try await documents.setDocumentTranslation(
        SetDocumentTranslationRequest(documentID: Example.documentID, version: 2, text: french))
    }
    await expectRefusal(.failedPrecondition, "unknown_asset") { try await translate() }
    french.sharing?.learnMoreHTML = image(hash)
    #expect(try await translate().version?.content?.texts.count == 3)
    var flow = Example.forms(Example.form("photos"))
    let hello = InstructionStep(
      title: "Hello".inEnglish, text: "Welcome.".inEnglish, learnMoreHTML: image(hash).inEnglish)
    flow.steps.insert(FlowStep(id: "hello", step: .instruction(hello)), at: 0)
    #expect(try await world.redraft(flow).problems.isEmpty)
    await world.end()
  }

  @Test("lists contain everything, in pages")
  func lists() async throws {
    let world = try await World()
    try await world.open()
    for id in ["a", "b"] {
      _ = try await world.publisher.documents.createDocument(
        CreateDocumentRequest(studyID: World.study, documentID: id, name: id, content: Example.content()))
    }
    let first = try await world.app.documents.listDocuments(ListDocumentsRequest(studyID: World.study, pageSize: 2))
    let second = try await world.app.documents.listDocuments(
      ListDocumentsRequest(studyID: World.study, pageSize: 2, pageToken: first.nextPageToken))
    #expect((first.documents + second.documents).map(\.documentID) == ["a", "b", Example.documentID])
    #expect(second.nextPageToken.isEmpty)
    #expect(try await world.app.flows.listFlows(ListFlowsRequest(studyID: World.study)).flows.map(\.flowID) == ["flow"])
    #expect(
      try await world.app.studies.listSites(ListSitesRequest(studyID: World.study)).sites.map(\.siteID) == [
        "north", "south",
      ])
    let sites = try await world.app.studies.listSites(ListSitesRequest(studyID: World.study, pageSize: 1))
    let rest = try await world.app.studies.listSites(
      ListSitesRequest(studyID: World.study, pageSize: 1, pageToken: sites.nextPageToken))
    #expect((sites.sites + rest.sites).map(\.siteID) == ["north", "south"] && rest.nextPageToken.isEmpty)
    #expect(try await world.app.studies.listStudies(ListStudiesRequest()).studies.map(\.studyID) == [World.study])
    await world.end()
  }

  @Test("no session begins on a retired version, and running ones go on")
  func retired() async throws {
    let world = try await World()
    try await world.open()
    let running = try await world.walk { $0.kind == .sharing }
    let retired = try await world.publisher.documents.retireDocumentVersion(
      RetireDocumentVersionRequest(documentID: Example.documentID, version: 1, reason: "the study is full"))
    #expect(retired.version?.state == .retired && retired.version?.endedReason == "the study is full")
    await expectRefusal(.failedPrecondition, "not_published") {
      try await world.app.sessions.startSession(StartSessionRequest(flowID: "flow", subjectID: "s2"))
    }
    let events = try await world.events().count
    let again = try await world.publisher.documents.retireDocumentVersion(
      RetireDocumentVersionRequest(documentID: Example.documentID, version: 1, reason: "again"))
    #expect(again.version == retired.version, "a repeat changes nothing")
    #expect(try await world.events().count == events)
    #expect(try await world.goOn(running).outcome == .completed)
    #expect(try await world.check().permitted)
    await world.end()
  }
}
