import Bus
import ConsentContract
import ConsentService
import StorageTestKit
import Testing

/// Who may publish, and what cannot change after a publication.
@Suite("Publishing")
struct PublishingTests {
  private func open(secondPerson: Bool = true) async throws -> World {
    let world = try await World()
    _ = try await world.admin.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: World.study, name: "Heart", secondPerson: secondPerson)))
    return world
  }

  @Test("an edit withdraws the request for approval: nobody approves a text that changed after the request")
  func edited() async throws {
    let world = try await open()
    let asked = try await world.publish(Example.content())
    let paul = world.client("paul", ["publisher@heart"])
    var content = Example.content()
    content.texts[0].title = "Something else"
    let edited = try #require(
      try await paul.documents.updateDocumentDraft(
        UpdateDocumentDraftRequest(documentID: Example.documentID, expectedRevision: asked.revision, content: content)
      ).version)
    #expect(edited.state == .draft && edited.publishedBy.isEmpty)
    let publish = PublishDocumentDraftRequest(documentID: Example.documentID, expectedRevision: edited.revision)
    #expect(try await paul.documents.publishDocumentDraft(publish).version?.state == .awaitingApproval)
    await expectRefusal(.failedPrecondition, "second_person_needed") {
      try await paul.documents.publishDocumentDraft(publish)
    }
    let published = try #require(try await world.publisher.documents.publishDocumentDraft(publish).version)
    #expect(published.state == .published && published.publishedBy == "paul" && published.approvedBy == "pia")
    await world.end()
  }

  @Test("a flow, too, is published by two where the study asks for it")
  func flow() async throws {
    let world = try await open()
    let paul = world.client("paul", ["publisher@heart"])
    let create = CreateFlowRequest(
      studyID: World.study, flowID: "forms", name: "Forms", definition: Example.forms(Example.form("a")))
    let first = try #require(try await world.publisher.flows.createFlow(create).version)
    var publish = PublishFlowDraftRequest(flowID: "forms", expectedRevision: first.revision)
    #expect(try await world.publisher.flows.publishFlowDraft(publish).version?.state == .awaitingApproval)
    await expectRefusal(.failedPrecondition, "second_person_needed") {
      try await world.publisher.flows.publishFlowDraft(publish)
    }
    await expectRefusal(.failedPrecondition, "not_published") {
      try await world.app.sessions.startSession(StartSessionRequest(flowID: "forms"))
    }
    let edit = UpdateFlowDraftRequest(
      flowID: "forms", expectedRevision: first.revision, definition: Example.forms(Example.form("b")))
    publish.expectedRevision = try await paul.flows.updateFlowDraft(edit).version?.revision ?? 0
    #expect(try await paul.flows.publishFlowDraft(publish).version?.state == .awaitingApproval)
    let published = try #require(try await world.publisher.flows.publishFlowDraft(publish).version)
    #expect(published.state == .published && published.publishedBy == "paul" && published.approvedBy == "pia")
    #expect(try await world.events().count { $0.kind == .approvalRequested } == 2)
    await world.end()
  }

  @Test("a version's number is never used again: a retired flow does not change")
  func numbers() async throws {
    let world = try await World()
    try await world.open(flow: Example.forms(Example.form("a")))
    let first = try await world.publisher.flows.getFlow(GetFlowRequest(flowID: "flow", version: 1)).version
    _ = try await world.publisher.flows.retireFlowVersion(RetireFlowVersionRequest(flowID: "flow", version: 1))
    let draft = try await world.redraft(Example.forms(Example.form("b")))
    #expect(draft.version?.version == 2)
    let kept = try await world.publisher.flows.getFlow(GetFlowRequest(flowID: "flow", version: 1)).version
    #expect(kept?.definition == first?.definition && kept?.versionHash == first?.versionHash && kept?.state == .retired)
    await world.end()
  }

  @Test("a flow that does not fit a new version of its document starts no session, since that could not end well")
  func overtaken() async throws {
    let world = try await World()
    var content = Example.content()
    let comprehension = content.settings?.comprehension
    content.settings?.comprehension = nil
    for index in content.texts.indices { content.texts[index].questions = [] }
    var flow = Example.flow()
    flow.steps.removeAll { $0.id == "quiz" }
    try await world.open(content: content, flow: flow)
    let running = try await world.walk { $0.kind == .sharing }
    content = Example.content()
    content.settings?.comprehension = comprehension
    content.settings?.reconsent = .noAction
    try await world.publish(content)
    await expectRefusal(.failedPrecondition, "questions_not_asked") {
      try await world.app.sessions.startSession(StartSessionRequest(flowID: "flow", subjectID: "s2", clientSchema: 2))
    }
    #expect(try await world.goOn(running).outcome == .completed, "who began before finishes on the version before")
    let draft = try await world.redraft(Example.flow())
    _ = try await world.publisher.flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: "flow", expectedRevision: draft.version?.revision ?? 0))
    #expect(try await world.walk(subject: "s2").outcome == .completed)
    await world.end()
  }

  @Test("a flow is not published on a version of a document on which no session may begin")
  func pinnedToRetired() async throws {
    let world = try await World()
    try await world.open()
    var content = Example.content()
    content.settings?.reconsent = .noAction
    try await world.publish(content)
    var flow = Example.flow()
    flow.documents = [FlowDocument(documentID: Example.documentID, version: 1)]
    let draft = try await world.redraft(flow)
    #expect(draft.problems.contains { $0.rule == "unknown_document" })
    await world.end()
  }

  @Test("images are stored by publishers, a tenant's texts by administrators of the whole tenant")
  func roles() async throws {
    let world = try await World()
    try await world.open()
    let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0\"/></svg>".utf8)
    let image = CreateAssetRequest(kind: .svg, data: svg)
    await expectRefusal(.permissionDenied, "role_missing") { try await world.client("s1").documents.createAsset(image) }
    await expectRefusal(.permissionDenied, "role_missing") { try await world.coordinator.documents.createAsset(image) }
    #expect(try await !world.publisher.documents.createAsset(image).hash.isEmpty)
    let words = SetTextsRequest(
      overrides: [
        TextOverride(
          key: "button.next", text: LocalizedText(translations: [Translation(locale: "en", text: "Go")]))
      ])
    await expectRefusal(.permissionDenied, "role_missing") {
      try await world.client("ada", ["admin@heart"], access: .admin).studies.setTexts(words)
    }
    await world.end()
  }
}
