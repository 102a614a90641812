import Base
import ConsentContract
import RPC
import TestSupport
import Testing
import Wire

@Suite("The purposes of a study") struct StudyPurposeTests {
  /// The message of a refusal; nil if there is none.
  private func refused(
    _ code: StatusCode, _ rule: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ call: () async throws -> some Any
  ) async -> String? {
    do {
      _ = try await call()
    } catch let status as Status where status.isRefusal(code, rule) {
      return status.message
    } catch {
      Issue.record("\(error)", sourceLocation: sourceLocation)
    }
    return nil
  }

  @Test("a question about a purpose for which nothing asks is refused, and names the one that was meant")
  func unknownPurpose() async throws {
    let place = try await DecisionWorld()
    let records = place.world.app.records
    let checked = await refused(.invalidArgument, "unknown_purpose") {
      try await records.checkConsent(
        CheckConsentRequest(studyID: World.study, subjectID: "s1", purpose: "contcat"))
    }
    #expect(checked?.hasSuffix("did you mean 'contact'?") == true)
    let stated = await refused(.invalidArgument, "unknown_purpose") {
      try await records.issueStatement(
        IssueStatementRequest(studyID: World.study, subjectID: "s1", purpose: "researhc"))
    }
    #expect(stated?.hasSuffix("did you mean 'research'?") == true)
    let questions = ["contact", "nothing-like-it"].map { ConsentQuestion(subjectID: "s1", purpose: $0) }
    let batch = await refused(.invalidArgument, "unknown_purpose") {
      try await records.batchCheckConsents(
        BatchCheckConsentsRequest(studyID: World.study, questions: questions))
    }
    #expect(batch?.contains("questions[1].purpose is 'nothing-like-it'") == true && batch?.contains("mean") == false)
    await expectRefusal(.invalidArgument, "not_stated") {
      try await records.checkConsent(CheckConsentRequest(studyID: World.study, subjectID: "s1"))
    }
    for purpose in ["contact", "research"] {
      #expect(try await place.world.check("s1", purpose).reason == "no_consent")
    }
    await place.world.end()
  }

  @Test("a question about an unknown study is refused, and names the one that was meant to those who may know it")
  func unknownStudy() async throws {
    let place = try await DecisionWorld()
    let request = CheckConsentRequest(studyID: "hearth", subjectID: "s1", purpose: "contact")
    let told = await refused(.notFound, "unknown_study") { try await place.world.app.records.checkConsent(request) }
    #expect(told?.hasSuffix("did you mean 'heart'?") == true)
    let untold = await refused(.notFound, "unknown_study") {
      try await place.world.client("s1").records.checkConsent(request)
    }
    #expect(untold?.contains("heart'") == false)
    await place.world.end()
  }

  @Test("a purpose stays known after its version was retired")
  func retired() async throws {
    let place = try await DecisionWorld()
    var content = DecisionWorld.content(["contact"])
    content.settings?.reconsent = .noAction
    try await place.publish(Example.documentID, content)
    #expect(try await place.world.check("s1", "research").reason == "no_consent")
    await place.world.end()
  }

  @Test("a purpose for which something else asks, too, is information for authors, and prevents nothing")
  func shared() async throws {
    let place = try await DecisionWorld()
    let documents = place.world.publisher.documents
    var content = DecisionWorld.content(["contact", "samples"])
    content.settings?.reconsent = .noAction
    let draft = try await documents.importDocument(
      ImportDocumentRequest(
        studyID: World.study,
        file: DocumentFile(
          format: 1, documentID: "biobank", name: "Biobank", content: content)))
    let problems = try await documents.validateDocument(ValidateDocumentRequest(documentID: "biobank")).problems
      .filter { $0.severity == .information }
    #expect(problems.map(\.rule) == ["purpose_shared"])
    #expect(problems.first?.field == "settings.purposes[contact].code")
    let askers = "document 'heart-study', document 'register', a form of flow 'form'"
    for asker in askers.split(separator: ", ") { #expect(problems.first?.message.contains(asker) == true) }
    _ = try await documents.publishDocumentDraft(
      PublishDocumentDraftRequest(documentID: "biobank", expectedRevision: draft.version?.revision ?? 0))
    let flow = try await place.world.publisher.flows.validateFlow(
      ValidateFlowRequest(studyID: World.study, definition: Example.forms(Example.form("samples"))))
    let told = flow.problems.filter { $0.severity == .information }
    #expect(told.count == 1 && told.first?.message.contains("document 'biobank'") == true)
    await place.world.end()
  }

  @Test("an end that has passed is not published")
  func past() async throws {
    let place = try await DecisionWorld()
    let passed = Timestamp(Example.now + .seconds(-1))
    let changes: [(inout DocumentSettings) -> Void] = [
      { ($0.reconsent, $0.reconsentBy) = (.byDate, passed) },
      { $0.validity = ValidityPeriod(offeredUntil: passed) },
      { $0.ethics = EthicsApproval(number: "1", committee: "c", validUntil: passed) },
    ]
    for change in changes {
      var content = DecisionWorld.content(["research"])
      var settings = content.settings ?? DocumentSettings()
      settings.reconsent = .noAction
      change(&settings)
      content.settings = settings
      await expectRefusal(.failedPrecondition, "expired_already") {
        try await place.publish(Example.documentID, content)
      }
    }
    await place.world.end()
  }
}
