import CommonContract
import ConsentContract
import RPC
import StorageTestKit
import Testing

/// Who asked about a consent, who read events, and who tried what no role of theirs may.
@Suite("Questions, events and attempts are on record") struct AskedQuestionTests {
  @Test(
    "asking about a consent is an event: one in an hour for caller, person and study", arguments: TestEngine.allCases)
  func asked(engine: TestEngine) async throws {
    let world = try await World(engine)
    var flow = Example.flow()
    flow.steps.insert(Example.form("newsletter"), at: 0)
    try await world.open(flow: flow)
    for subject in ["s1", "s2"] { try await world.walk(subject: subject) }
    for _ in 0..<3 {
      #expect(try await world.check("s1").permitted)
      #expect(try await world.check("s1", "newsletter").subjectID == "s1")
    }
    // Of somebody who is not known nothing is told, and what people hear of themselves is no reading.
    #expect(try await !world.check("made-up").permitted)
    let question = CheckConsentRequest(studyID: World.study, subjectID: "s1", purpose: "research")
    _ = try await world.client("s1").records.checkConsent(question)
    _ = try await world.app.records.issueStatement(
      IssueStatementRequest(studyID: World.study, subjectID: "s1", purpose: "research"))
    let batch = BatchCheckConsentsRequest(
      studyID: World.study,
      questions: ["s1", "s2", "s2", "made-up"].map { ConsentQuestion(subjectID: $0, purpose: "research") })
    for _ in 0..<2 { _ = try await world.coordinator.records.batchCheckConsents(batch) }
    let asked = try await world.events().filter { $0.purpose == "check of consent" }
    #expect(asked.map(\.subjectID) == ["s1", "s1", "s2"] && asked.map(\.actor) == ["app", "carl", "carl"])
    #expect(asked.map(\.capacity) == ["device", "coordinator", "coordinator"])
    #expect(asked.allSatisfy { $0.kind == .personalDataRead && $0.studyID == World.study })
    await world.end()
  }

  @Test("reading events is an event, and further pages are counted")
  func events() async throws {
    let world = try await World()
    try await world.open()
    var token = ""
    for _ in 0..<5 {
      let page = try await world.client("ivo", ["inspector@heart"]).records.listTrail(
        ListTrailRequest(studyID: World.study, pageSize: 2, pageToken: token))
      token = page.nextPageToken
    }
    let read = try await world.events().filter { $0.purpose == "trail of a study" }
    #expect(read.map(\.actor) == ["ivo"] && read.first?.studyID == World.study)
    await world.end()
  }

  @Test("an attempt by somebody who has none of a method's roles is an event, and the next ones end at the gateway")
  func attempts() async throws {
    let world = try await World()
    try await world.open()
    let inspector = world.client("ivo", ["inspector@heart"])
    for _ in 0..<3 {
      let refusal = await #expect(throws: Status.self) {
        try await inspector.documents.publishDocumentDraft(
          PublishDocumentDraftRequest(documentID: Example.documentID, expectedRevision: 1))
      }
      #expect(refusal?.code == .permissionDenied)
    }
    let denied = try await world.events().filter { $0.kind == .accessDenied }
    #expect(denied.map(\.actor) == ["ivo"] && denied.first?.studyID == World.study)
    #expect(denied.first?.method == "assent.consent.v1.DocumentService/PublishDocumentDraft")
    await world.end()
  }
}
