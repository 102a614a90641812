import ConsentContract
import ConsentService
import RPC
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

  @Test("the rule of the second person is switched off by two, and by nobody alone")
  func switchedOff() async throws {
    let world = try await open()
    func update(by name: String, secondPerson: Bool = false, _ title: String = "Heart") async throws -> ConsentStudy {
      let study = ConsentStudy(
        studyID: World.study, name: title, secondPerson: secondPerson,
        pendingChange: PendingStudyChange(askedBy: "somebody", fields: ["second_person"]))
      let admin = world.client(name, ["admin@heart"])
      return try await admin.studies.updateStudy(UpdateStudyRequest(study: study)).study ?? ConsentStudy()
    }
    for _ in 1...2 {
      let asked = try await update(by: "amy", "Heart and lung")
      #expect(asked.secondPerson && asked.pendingChange?.askedBy == "amy" && asked.name == "Heart and lung")
    }
    // Somebody who wants the rule kept withdraws what waits.
    #expect(try await update(by: "abe", secondPerson: true).pendingChange == nil)
    #expect(try await update(by: "abe").pendingChange?.askedBy == "abe")
    let off = try await update(by: "amy")
    #expect(!off.secondPerson && off.pendingChange == nil)
    let asked = try await world.events().filter { $0.kind == .approvalRequested }
    #expect(asked.map(\.actor) == ["amy", "abe"])
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
    await expectRefusal(.permissionDenied, "not_admitted") { try await world.client("s1").documents.createAsset(image) }
    await expectRefusal(.permissionDenied, "not_admitted") { try await world.coordinator.documents.createAsset(image) }
    #expect(try await !world.publisher.documents.createAsset(image).hash.isEmpty)
    let words = SetTextsRequest(
      overrides: [
        TextOverride(
          key: "button.next", text: LocalizedText(translations: [Translation(locale: "en", text: "Go")]))
      ])
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await world.client("ada", ["admin@heart"]).studies.setTexts(words)
    }
    await world.end()
  }

  private func translation(_ title: String) -> SetDocumentTranslationRequest {
    var text = Example.text("fr")
    text.title = title
    return SetDocumentTranslationRequest(documentID: Example.documentID, version: 1, text: text)
  }

  /// A study that wants a second person, with a document that two people have published.
  private func openByTwo() async throws -> (world: World, pia: ConsentClients, paul: ConsentClients) {
    let world = try await World()
    _ = try await world.admin.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: World.study, name: "Heart", secondPerson: true)))
    let paul = world.client("paul", ["publisher@heart"])
    let draft = try await world.publish(Example.content())
    #expect(draft.state == .awaitingApproval)
    _ = try await paul.documents.publishDocumentDraft(
      PublishDocumentDraftRequest(documentID: Example.documentID, expectedRevision: draft.revision))
    return (world, world.publisher, paul)
  }

  @Test("a translation reaches signers when a second person sets the very same text")
  func translationByTwo() async throws {
    let (world, pia, paul) = try await openByTwo()
    let asked = try #require(try await pia.documents.setDocumentTranslation(translation("Étude")).version)
    let pending = try #require(asked.pendingTranslations.first)
    #expect(asked.content?.texts.contains { $0.locale == "fr" } == false, "no signer sees it")
    #expect(asked.localeHashes.count == 2 && pending.askedBy == "pia" && pending.hash.count == 64)
    #expect(try await pia.documents.setDocumentTranslation(translation("Étude")).version == asked)
    // Another text is another question, and nobody approves what has changed since.
    let changed = try #require(try await paul.documents.setDocumentTranslation(translation("Étude du cœur")).version)
    #expect(changed.pendingTranslations.map(\.askedBy) == ["paul"] && changed.localeHashes.count == 2)
    let added = try #require(try await pia.documents.setDocumentTranslation(translation("Étude du cœur")).version)
    let hash = try #require(added.localeHashes.last)
    #expect(added.pendingTranslations.isEmpty && hash.locale == "fr")
    #expect(hash.addedBy == "paul" && hash.approvedBy == "pia" && hash.hash == changed.pendingTranslations.first?.hash)
    let events = try await world.events()
    #expect(events.last { $0.kind == .translationAdded }?.hash == hash.hash)
    #expect(events.count { $0.kind == .approvalRequested && $0.hash == hash.hash } == 1)
    await expectRefusal(.alreadyExists, "already_published") {
      try await pia.documents.setDocumentTranslation(translation("Autre"))
    }
    await world.end()
  }

  @Test("a translation that could not be added is not offered for approval")
  func badTranslation() async throws {
    let (world, pia, _) = try await openByTwo()
    var request = translation("Étude")
    request.text?.questions = []
    let incomplete = request
    await #expect(throws: Status.self) { try await pia.documents.setDocumentTranslation(incomplete) }
    await world.end()
  }

  private func words(_ text: String) -> SetTextsRequest {
    SetTextsRequest(overrides: [
      TextOverride(key: "button.agree", text: LocalizedText(translations: [Translation(locale: "en", text: text)]))
    ])
  }

  @Test("a tenant's own words reach screens when a second person sets the very same, where a study asks for that")
  func textsByTwo() async throws {
    let world = try await World()
    try await world.open()
    _ = try await world.admin.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: "lung", name: "Lung", secondPerson: true)))
    let other = world.client("alma", ["admin@*"]).studies
    func agree() async throws -> String? {
      try await world.app.studies.getTexts(GetTextsRequest(locale: "en")).texts.first { $0.key == "button.agree" }?.text
    }
    let asked = try await world.admin.studies.setTexts(words("Decide later"))
    #expect(asked.texts == nil && asked.pending?.setBy == "admin" && asked.pending?.hash.count == 64)
    #expect(try await agree() == "Agree")
    #expect(try await world.admin.studies.setTexts(words("Decide later")) == asked, "nobody approves what one asks for")
    #expect(try await agree() == "Agree")
    #expect(try await other.setTexts(words("I agree")).pending?.setBy == "alma", "another text is another question")
    let seen = try await world.admin.studies.getTexts(GetTextsRequest(locale: "en"))
    #expect(seen.pending?.overrides.first?.text?.translations.first?.text == "I agree" && seen.version == 0)
    #expect(try await world.app.studies.getTexts(GetTextsRequest(locale: "en")).pending == nil)
    let set = try await world.admin.studies.setTexts(words("I agree"))
    #expect(set.pending == nil && set.texts?.version == 1)
    #expect(set.texts?.setBy == "alma" && set.texts?.approvedBy == "admin")
    #expect(try await agree() == "I agree")
    let event = try await world.events().last { $0.kind == .textsChanged }
    #expect(event?.hash == set.texts?.hash && event?.version == 1 && event?.note == "texts: button.agree")
    await world.end()
  }

  @Test("a program's key is neither the first nor the second person")
  func programs() async throws {
    let (world, pia, paul) = try await openByTwo()
    let key = world.client("key:0123456789abcdef", ["admin@*", "publisher@*"])
    let off = UpdateStudyRequest(study: ConsentStudy(studyID: World.study, name: "Heart"))
    let create = CreateFlowRequest(
      studyID: World.study, flowID: "forms", name: "Forms", definition: Example.forms(Example.form("a")))
    let flow = try #require(try await key.flows.createFlow(create).version)
    let publishFlow = PublishFlowDraftRequest(flowID: "forms", expectedRevision: flow.revision)
    let draft = try await pia.documents.createDocumentDraft(
      CreateDocumentDraftRequest(documentID: Example.documentID))
    var content = Example.content()
    content.settings?.reconsent = .noAction
    let edited = try await key.documents.updateDocumentDraft(
      UpdateDocumentDraftRequest(
        documentID: Example.documentID, expectedRevision: draft.version?.revision ?? 0, content: content))
    let publish = PublishDocumentDraftRequest(
      documentID: Example.documentID, expectedRevision: edited.version?.revision ?? 0)
    for isAsked in [false, true] {
      if isAsked {
        _ = try await pia.documents.publishDocumentDraft(publish)
        _ = try await pia.documents.setDocumentTranslation(translation("Étude"))
        _ = try await pia.flows.publishFlowDraft(publishFlow)
        _ = try await world.admin.studies.updateStudy(off)
        _ = try await world.admin.studies.setTexts(words("I agree"))
      }
      await expectRefusal(.failedPrecondition, "person_needed") {
        try await key.documents.publishDocumentDraft(publish)
      }
      await expectRefusal(.failedPrecondition, "person_needed") {
        try await key.documents.setDocumentTranslation(translation("Étude"))
      }
      await expectRefusal(.failedPrecondition, "person_needed") { try await key.flows.publishFlowDraft(publishFlow) }
      await expectRefusal(.failedPrecondition, "person_needed") { try await key.studies.updateStudy(off) }
      await expectRefusal(.failedPrecondition, "person_needed") { try await key.studies.setTexts(words("I agree")) }
    }
    #expect(try await paul.documents.publishDocumentDraft(publish).version?.state == .published)
    #expect(try await paul.flows.publishFlowDraft(publishFlow).version?.state == .published)
    await world.end()
  }

  @Test("a program publishes where the study asks for no second person")
  func programAlone() async throws {
    let world = try await open(secondPerson: false)
    let key = world.client("key:0123456789abcdef", ["publisher@*"])
    let create = CreateFlowRequest(
      studyID: World.study, flowID: "forms", name: "Forms", definition: Example.forms(Example.form("a")))
    let flow = try #require(try await key.flows.createFlow(create).version)
    let published = try await key.flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: "forms", expectedRevision: flow.revision))
    #expect(published.version?.state == .published)
    await world.end()
  }

  @Test("who asked by an account that was merged since is no second person")
  func mergedAccounts() async throws {
    let (world, pia, _) = try await openByTwo()
    let grants = ["admin@*", "publisher@heart"]
    let (before, after) = (world.client("pat-old", grants), world.client("pat", grants))
    let off = UpdateStudyRequest(study: ConsentStudy(studyID: World.study, name: "Heart"))
    let create = CreateFlowRequest(
      studyID: World.study, flowID: "forms", name: "Forms", definition: Example.forms(Example.form("a")))
    let flow = try #require(try await pia.flows.createFlow(create).version)
    let publishFlow = PublishFlowDraftRequest(flowID: "forms", expectedRevision: flow.revision)
    _ = try await before.flows.publishFlowDraft(publishFlow)
    _ = try await before.documents.setDocumentTranslation(translation("Étude"))
    _ = try await before.studies.updateStudy(off)
    _ = try await before.studies.setTexts(words("I agree"))
    try await world.merge("pat-old", into: "pat")
    await expectRefusal(.failedPrecondition, "second_person_needed") {
      try await after.flows.publishFlowDraft(publishFlow)
    }
    let version = try await after.documents.setDocumentTranslation(translation("Étude")).version
    #expect(version?.pendingTranslations.map(\.askedBy) == ["pat-old"])
    let study = try await after.studies.updateStudy(off).study
    #expect(study?.secondPerson == true && study?.pendingChange?.askedBy == "pat-old")
    let texts = try await after.studies.setTexts(words("I agree"))
    #expect(texts.texts == nil && texts.pending?.setBy == "pat-old")
    #expect(try await pia.flows.publishFlowDraft(publishFlow).version?.approvedBy == "pia")
    await world.end()
  }

  @Test("words that a tenant wrote for simplified Chinese are shown wherever ours would be")
  func chineseTexts() async throws {
    let world = try await World()
    let own = LocalizedText(translations: [Translation(locale: "zh-Hans", text: "我同意")])
    _ = try await world.admin.studies.setTexts(
      SetTextsRequest(overrides: [TextOverride(key: "button.agree", text: own)]))
    for (locale, isOwn) in [("zh", true), ("zh-CN", true), ("zh-Hans", true), ("zh-Hant", true), ("en", false)] {
      let texts = try await world.app.studies.getTexts(GetTextsRequest(locale: locale)).texts
      let shown = try #require(texts.first { $0.key == "button.agree" })
      #expect((shown.text == "我同意") == isOwn && shown.overridden == isOwn, "\(locale): \(shown)")
    }
    await world.end()
  }

  @Test("a tenant's own words are versioned, and a record names those that were on its screens")
  func textsOnRecord() async throws {
    let world = try await World()
    try await world.open()
    let plain = try await world.record(of: try await world.walk())
    #expect(plain.textsVersion == 0 && plain.textsHash.isEmpty)
    var hashes: [String] = []
    for text in ["Yes", "I agree", "Yes"] {
      hashes.append(try #require(try await world.admin.studies.setTexts(words(text)).texts).hash)
    }
    #expect(hashes[0] == hashes[2] && hashes[0] != hashes[1])
    let record = try await world.record(of: try await world.walk(subject: "s2"))
    #expect(record.textsVersion == 3 && record.textsHash == hashes[2])
    let count = try await world.events().count { $0.kind == .textsChanged }
    _ = try await world.admin.studies.setTexts(words("Yes"))
    #expect(try await world.events().count { $0.kind == .textsChanged } == count, "a repeat changes nothing")
    let none = SetTextsRequest(overrides: [TextOverride(key: "button.agree")])
    #expect(try await world.admin.studies.setTexts(none).texts?.version == 4)
    await world.end()
  }
}
