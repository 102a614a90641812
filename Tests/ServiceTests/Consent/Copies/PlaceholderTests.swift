import Base
import ConsentContract
import ConsentDomain
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Names and dates that are filled into texts when they are shown.
@Suite("Placeholders") struct PlaceholderTests {
  private static func content(_ change: (inout DocumentText) -> Void = { _ in }) -> DocumentContent {
    var content = Example.content()
    content.settings?.signatures.removeAll { $0.role == .investigator }
    for index in content.texts.indices {
      content.texts[index].signatures.removeAll { $0.signatureID == "investigator" }
      content.texts[index].reviewText = "For {participant.name}, at {site.name}."
      content.texts[index].sections[0].htmlContent =
        "<p title=\"{site.name}\">{study.name} at {site.name} on {today} with {participant.name}</p>"
      change(&content.texts[index])
    }
    return content
  }

  private static var flow: FlowDefinition {
    var flow = Example.flow()
    flow.steps[0].step = .instruction(
      InstructionStep(title: "{study.name}".inEnglish, text: "Hello {participant.name} at {site.name}.".inEnglish))
    return flow
  }

  private func open(_ world: World) async throws {
    _ = try await world.admin.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: World.study, name: "Heart & <b>Soul</b>")))
    _ = try await world.admin.studies.createSite(
      CreateSiteRequest(site: StudySite(studyID: World.study, siteID: "north", name: "North <1>")))
    try await world.publish(Self.content())
    let draft = try await world.publisher.flows.createFlow(
      CreateFlowRequest(studyID: World.study, flowID: "flow", name: "Flow", definition: Self.flow))
    #expect(draft.problems.filter { $0.severity == .error }.isEmpty, "\(draft.problems)")
    _ = try await world.publisher.flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: "flow", expectedRevision: draft.version?.revision ?? 0))
  }

  @Test("what is shown has them filled in, escaped in markup, and stays as it is until the session ends")
  func filled() async throws {
    let world = try await World()
    try await open(world)
    var view = try await world.walk(site: "north") { $0.kind == .instruction }
    #expect(view.screen?.title == "Heart & <b>Soul</b>")
    #expect(view.screen?.text == "Hello ________ at North <1>.")
    view = try await world.goOn(view) { $0.kind == .review }
    let html = try #require(view.screen?.html)
    let filled = "Heart &amp; &lt;b&gt;Soul&lt;/b&gt; at North &lt;1&gt; on 2026-03-01 with ________"
    #expect(html.contains(filled) && html.contains("For ________, at North &lt;1&gt;."), "\(html)")
    // Neither another name of the study nor midnight changes what a person is reading.
    _ = try await world.admin.studies.updateStudy(
      UpdateStudyRequest(study: ConsentStudy(studyID: World.study, name: "Another")))
    world.clock.move(by: .seconds(86_400))
    view = try await world.goOn(view)
    #expect(view.outcome == .completed)
    let record = try await world.record(of: view)
    let shown = try await world.app.records.getShownContent(GetShownContentRequest(recordID: record.recordID))
    #expect(String(decoding: shown.content, as: UTF8.self) == html)
    #expect(shown.salt.isEmpty && Digest(of: shown.content).hex == record.shownHash)
    await world.end()
  }

  @Test("a review that names the person is in the vault, in the evidence, on the copy, and erased with them")
  func named() async throws {
    let world = try await CopyWorld()
    let consent = world.consent
    try await open(consent)
    world.startSealing()
    _ = try await consent.walk(site: "north")
    let view = try await consent.goOn(try await consent.walk(site: "north") { $0.kind == .review })
    #expect(view.outcome == .completed)
    let record = try await consent.record(of: view)
    let shown = try await consent.app.records.getShownContent(GetShownContentRequest(recordID: record.recordID))
    let html = String(decoding: shown.content, as: UTF8.self)
    #expect(html.contains("with Ada\u{A0}Lovelace") && shown.contentType.hasPrefix("text/html"))
    #expect(html.contains("For Ada\u{A0}Lovelace, at North &lt;1&gt;."))
    let opening = Commitment.Opening(label: "shown text", salt: shown.salt, value: Digest(of: shown.content).bytes)
    #expect(opening.digest.hex == record.shownHash, "anybody with the text and the salt can check the record's hash")
    let result = try await consent.app.sessions.getSessionResult(GetSessionResultRequest(sessionID: view.sessionID))
    let decided = result.result?.steps.compactMap(\.document).first
    #expect(decided?.shownHash == record.shownHash && decided?.shownCommitment.isEmpty == true)
    try await world.run(record.recordID) { $0.state == .sealed }
    let text = try await CopyWorld.text(of: try await world.get(record.recordID).content)
    #expect(text.contains("with Ada\u{A0}Lovelace") || text.contains("with Ada Lovelace"), "\(text)")
    try await world.evidence.signHeads()
    let bundle = try await consent.coordinator.records.getEvidence(GetEvidenceRequest(recordID: record.recordID))
    #expect(String(decoding: bundle.content, as: UTF8.self).contains("\"shown\""))
    _ = try await consent.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
    await expectRefusal(.failedPrecondition, "subject_erased") {
      try await consent.coordinator.records.getShownContent(GetShownContentRequest(recordID: record.recordID))
    }
    await world.end()
  }

  /// A flow with a second document, which names whoever has signed the first one.
  private func openTwo(_ consent: World) async throws {
    _ = try await consent.admin.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: World.study, name: "Heart")))
    var second = Self.content()
    second.settings?.comprehension = nil
    second.settings?.offersSharing = false
    for index in second.texts.indices {
      second.texts[index].questions = []
      second.texts[index].sharing = nil
    }
    for (id, content) in [(Example.documentID, Self.content()), ("biobank", second)] {
      let draft = try await consent.publisher.documents.importDocument(
        ImportDocumentRequest(
          studyID: World.study, file: DocumentFile(format: 1, documentID: id, name: id, content: content)))
      _ = try await consent.publisher.documents.publishDocumentDraft(
        PublishDocumentDraftRequest(documentID: id, expectedRevision: draft.version?.revision ?? 0))
    }
    var definition = Example.flow()
    let place = try #require(definition.steps.firstIndex { if case .completion? = $0.step { true } else { false } })
    definition.steps.insert(
      FlowStep(id: "second", step: .review(ReviewStep(documentID: "biobank"))), at: place)
    let draft = try await consent.publisher.flows.createFlow(
      CreateFlowRequest(studyID: World.study, flowID: "flow", name: "Flow", definition: definition))
    #expect(draft.problems.filter { $0.severity == .error }.isEmpty, "\(draft.problems)")
    _ = try await consent.publisher.flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: "flow", expectedRevision: draft.version?.revision ?? 0))
  }

  @Test("a name that is first given in a session stands in the documents that follow, and not in the one before")
  func laterDocuments() async throws {
    let world = try await CopyWorld()
    let consent = world.consent
    try await openTwo(consent)
    world.startSealing()
    var view = try await consent.walk { $0.kind == .review }
    #expect(view.screen?.html.contains("with ________") == true)
    view = try await consent.goOn(view) { $0.kind == .review && $0.html.contains("Ada\u{A0}Lovelace") }
    #expect(view.screen?.html.contains("For Ada\u{A0}Lovelace, at") == true)
    let read = try await consent.app.sessions.getSession(
      GetSessionRequest(sessionID: view.sessionID, clientSchema: 2))
    #expect(read.session?.screen == view.screen, "what is shown again is what was shown")
    view = try await consent.goOn(view)
    #expect(view.outcome == .completed && view.recordIDs.count == 2)
    for id in view.recordIDs {
      let record = try await consent.app.records.getRecord(GetRecordRequest(recordID: id)).record
      let words = record?.documentID == "biobank" ? "with Ada\u{A0}Lovelace" : "with ________"
      let shown = try await consent.app.records.getShownContent(GetShownContentRequest(recordID: id))
      #expect(String(decoding: shown.content, as: UTF8.self).contains(words))
      try await world.run(id) { $0.state == .sealed }
      let text = try await CopyWorld.text(of: try await world.get(id).content)
      #expect(text.contains(words) || text.contains(words.replacing("\u{A0}", with: " ")), "\(text)")
    }
    await world.end()
  }

  /// What the records of two documents have as shown, the second one's first.
  private func shown(_ ids: [String], in world: CopyWorld) async throws -> [String] {
    let consent = world.consent
    var found: [String] = []
    for id in ids {
      let record = try await consent.app.records.getRecord(GetRecordRequest(recordID: id)).record
      let shown = try await consent.app.records.getShownContent(GetShownContentRequest(recordID: id))
      let words = String(decoding: shown.content, as: UTF8.self)
      if record?.documentID == "biobank" {
        let opening = Commitment.Opening(
          label: "shown text", salt: shown.salt, value: Digest(of: shown.content).bytes)
        #expect(opening.digest.hex == record?.shownHash)
        found.insert(words, at: 0)
      } else {
        #expect(Digest(of: shown.content).hex == record?.shownHash)
        found.append(words)
      }
      try await world.run(id) { $0.state == .sealed }
      let text = try await CopyWorld.text(of: try await world.get(id).content)
      let name = record?.documentID == "biobank" ? "with Ada" : "with ________"
      #expect(text.contains(name), "\(text)")
    }
    return found
  }

  @Test("one call that brings a whole walk has the name in the documents that follow, in the record and on the copy")
  func recorded() async throws {
    let world = try await CopyWorld()
    try await openTwo(world.consent)
    world.startSealing()
    let answer = try await world.consent.app.sessions.recordConsent(
      Example.recordConsent { request in
        request.siteID = ""
        var second = request.documents[0]
        (second.documentID, second.sharing) = ("biobank", .unspecified)
        request.documents.append(second)
      })
    let words = try await shown(answer.records.map(\.recordID), in: world)
    #expect(words.count == 2 && words[0].contains("For Ada\u{A0}Lovelace, at") && words[1].contains("with ________"))
    await world.end()
  }

  @Test("a table leaves the name open where it is entered on the way, and the walk makes a record with it")
  func openInTable() async throws {
    let world = try await CopyWorld()
    let consent = world.consent
    try await openTwo(consent)
    world.startSealing()
    let bundle = try await consent.offlineBundle()
    let reviews = bundle.screens.filter { $0.screen?.kind == .review && $0.screen?.alert == nil }
    let open = reviews.filter { !$0.names.isEmpty }
    #expect(!open.isEmpty && open.count < reviews.count)
    for row in open {
      #expect(row.screen?.html.contains("For {participant.name}, at ________.") == true && row.screen?.shownHash == "")
      #expect(row.names == [NamePlace(stepID: "review", signatureID: "participant")] && row.nameBefore == "________")
      #expect(row.screen?.schemaVersion == ScreenSchema.newest)
    }
    #expect(reviews.filter(\.names.isEmpty).allSatisfy { $0.screen?.html.contains("{participant") == false })
    let request = GetOfflineBundleRequest(sessionID: bundle.sessionID, clientSchema: 5)
    await expectRefusal(.failedPrecondition, "client_too_old") {
      try await consent.app.sessions.getOfflineBundle(request)
    }
    let view = try #require(try await consent.submit(bundle, bundle.walked()).session)
    #expect(view.outcome == .completed)
    let words = try await shown(view.recordIDs, in: world)
    #expect(words.count == 2 && words[0].contains("For Ada\u{A0}Lovelace, at") && words[1].contains("with ________"))
    await world.end()
  }

  @Test("a name that was entered before the table was made stands there unless another one is entered")
  func enteredBefore() async throws {
    let world = try await World()
    try await openTwo(world)
    let view = try await world.walk { $0.kind == .signature }
    let bundle = try #require(
      try await world.app.sessions.getOfflineBundle(GetOfflineBundleRequest(sessionID: view.sessionID)).bundle)
    let open = bundle.screens.filter { !$0.names.isEmpty }
    #expect(!open.isEmpty && open.allSatisfy { $0.nameBefore == "Ada\u{A0}Lovelace" })
    let answer = try await world.submit(bundle, bundle.walked())
    #expect(answer.session?.outcome == .completed)
    await world.end()
  }

  @Test("a preview has sample words for them")
  func preview() async throws {
    let world = try await World()
    try await open(world)
    let preview = try await world.publisher.documents.previewDocument(
      PreviewDocumentRequest(documentID: Example.documentID, locale: "en"))
    let html = preview.review?.html ?? ""
    #expect(html.contains("at North &lt;1&gt; on 2026-03-01 with Ada Lovelace"), "\(html)")
    #expect(preview.screens.allSatisfy { !$0.html.contains("{participant.name}") })
    await world.end()
  }

  @Test("a table without a connection has them, and the walk makes a record of the same text")
  func offline() async throws {
    let world = try await World()
    try await open(world)
    _ = try await world.walk(site: "north")
    let bundle = try await world.offlineBundle()
    let html = bundle.screens.compactMap(\.screen).first { $0.kind == .review }?.html ?? ""
    #expect(html.contains("with Ada\u{A0}Lovelace"))
    let answer = try await world.submit(bundle, bundle.walked())
    let record = try await world.record(of: try #require(answer.session))
    let shown = try await world.app.records.getShownContent(GetShownContentRequest(recordID: record.recordID))
    #expect(String(decoding: shown.content, as: UTF8.self) == html)
    await world.end()
  }

  @Test("unknown ones are problems, and so are known ones where nothing is filled in")
  func validated() {
    func rules(_ change: @escaping (inout DocumentText) -> Void) -> [String] {
      DocumentValidation.problems(in: Self.content(change), version: 1, assets: [])
        .filter { $0.severity == .error }.map(\.rule)
    }
    #expect(rules { _ in } == [])
    #expect(rules { $0.reviewText = "{participant.nmae}" }.contains("unknown_placeholder"))
    #expect(rules { $0.title = "{study.name}" }.contains("placeholder_not_here"))
    #expect(rules { $0.signatures[0].meaning = "I, {participant.name}, agree." }.contains("placeholder_not_here"))
    #expect(rules { $0.reviewText = "{1, 2} and { } and {A}" } == [], "braces are letters, too")
    var flow = Example.forms(Example.form("photos"))
    if case .form(var form)? = flow.steps[0].step {
      form.pages[0].body = "{participant.name} at {site.name}".inEnglish
      flow.steps[0].step = .form(form)
    }
    let problems = FlowValidation.problems(in: flow, documents: [:]).filter { $0.severity == .error }
    #expect(problems.map(\.rule) == ["placeholder_not_here"], "\(problems)")
  }
}
