import Base
import ConsentContract
import ConsentDomain
import ConsentService
import RPC
import StorageTestKit
import Testing

/// Refusals of documents, flows, assets and signatures that name a bound or an existing object.
@Suite("Bounds and duplicates")
struct BoundTests {
  @Test("a document, draft or flow that exists is not created again, and a missing draft cannot be changed")
  func duplicates() async throws {
    let world = try await World()
    try await world.open()
    await expectRefusal(.alreadyExists, "document_exists") {
      try await world.publisher.documents.createDocument(
        CreateDocumentRequest(studyID: World.study, documentID: Example.documentID, name: "Again"))
    }
    await expectRefusal(.failedPrecondition, "no_draft") {
      try await world.publisher.documents.updateDocumentDraft(
        UpdateDocumentDraftRequest(documentID: Example.documentID, expectedRevision: 1, content: Example.content()))
    }
    _ = try await world.publisher.documents.createDocumentDraft(
      CreateDocumentDraftRequest(documentID: Example.documentID))
    await expectRefusal(.alreadyExists, "draft_exists") {
      try await world.publisher.documents.createDocumentDraft(
        CreateDocumentDraftRequest(documentID: Example.documentID))
    }
    let lung = CreateStudyRequest(study: ConsentStudy(studyID: "lung", name: "Lung"))
    _ = try await world.admin.studies.createStudy(lung)
    await expectRefusal(.alreadyExists, "study_exists") { try await world.admin.studies.createStudy(lung) }
    await expectRefusal(.alreadyExists, "site_exists") {
      try await world.admin.studies.createSite(
        CreateSiteRequest(site: StudySite(studyID: World.study, siteID: "north")))
    }
    await expectRefusal(.alreadyExists, "flow_exists") {
      try await world.client("lou", ["publisher@lung"]).flows.createFlow(
        CreateFlowRequest(studyID: "lung", flowID: "flow", name: "Flow", definition: Example.flow()))
    }
    await world.end()
  }

  @Test("a file of another format and bytes that are no image are refused with the field")
  func files() async throws {
    let world = try await World()
    try await world.open()
    func importFile(_ change: (inout DocumentFile) -> Void) async throws -> ImportDocumentResponse {
      var file = DocumentFile(format: 1, documentID: "other", name: "Other", content: Example.content())
      change(&file)
      return try await world.publisher.documents.importDocument(ImportDocumentRequest(studyID: World.study, file: file))
    }
    await expectRefusal(.invalidArgument, "unknown_format") { try await importFile { $0.format = 2 } }
    let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0\"/></svg>".utf8)
    await expectRefusal(.invalidArgument, "asset_hash_differs") {
      try await importFile { $0.assets = [ConsentAsset(hash: "00", kind: .svg, data: svg)] }
    }
    await expectRefusal(.invalidArgument, "asset_size_out_of_bounds") {
      try await world.publisher.documents.createAsset(CreateAssetRequest(kind: .png, data: []))
    }
    let deep = Array((String(repeating: "<g>", count: 20_001) + "<path/>").utf8)
    await expectRefusal(.invalidArgument, "markup_out_of_bounds") {
      try await world.publisher.documents.createAsset(
        CreateAssetRequest(kind: .svg, data: Array("<svg>".utf8) + deep))
    }
    await expectRefusal(.invalidArgument, "bad_color") {
      try await world.app.documents.getAsset(GetAssetRequest(predefined: .privacy, inkColor: "red;url(x)"))
    }
    await expectRefusal(.notFound, "unknown_document") {
      try await world.publisher.documents.getDocument(GetDocumentRequest(documentID: "other"))
    }
    await world.end()
  }

  @Test("a tenant's own texts must replace existing texts, in existing locales")
  func words() async throws {
    let world = try await World()
    func put(_ key: String, _ locale: String) async throws -> SetTextsResponse {
      let words = LocalizedText(translations: [Translation(locale: locale, text: "Go")])
      return try await world.admin.studies.setTexts(
        SetTextsRequest(overrides: [TextOverride(key: key, text: words)]))
    }
    await expectRefusal(.notFound, "unknown_text") { try await put("button.none", "en") }
    let known = try #require(try await world.admin.studies.getTexts(GetTextsRequest(locale: "en")).texts.first?.key)
    await expectRefusal(.invalidArgument, "bad_translation") { try await put(known, "no such tag") }
    _ = try await put(known, "en")
    let events = try await world.events().count
    _ = try await put(known, "en")
    #expect(try await world.events().count == events, "a repeat changes nothing")
    await world.end()
  }

  @Test("a tenant's own words are bounded altogether, over all calls that set some")
  func manyWords() async throws {
    let world = try await World()
    let words = String(repeating: "a", count: 2_000)
    let locales = (10..<60).map { "en-X\($0)" }
    let text = LocalizedText(translations: locales.map { Translation(locale: $0, text: words) })
    let keys = try await world.admin.studies.getTexts(GetTextsRequest(locale: "en")).texts.map(\.key)
    func put(_ keys: some Collection<String>) async throws -> SetTextsResponse {
      try await world.admin.studies.setTexts(
        SetTextsRequest(overrides: keys.map { TextOverride(key: $0, text: text) }))
    }
    _ = try await put(keys.prefix(50))
    await expectRefusal(.invalidArgument, "too_large") { try await put(keys.dropFirst(50)) }
    #expect(try await world.admin.studies.getTexts(GetTextsRequest(locale: "en")).version == 1)
    await expectRefusal(.invalidArgument, "too_many") { try await put(keys + keys) }
    await world.end()
  }

  @Test("reasons and names are short, and a draft is stored only if it can be read again")
  func sizes() async throws {
    let world = try await World()
    try await world.open()
    let (documents, flows, studies) = (world.publisher.documents, world.publisher.flows, world.admin.studies)
    let (reason, name) = (String(repeating: "a", count: 4_001), String(repeating: "a", count: 1_001))
    await expectRefusal(.invalidArgument, "too_long") {
      try await documents.stopDocumentVersion(
        StopDocumentVersionRequest(documentID: Example.documentID, version: 1, reason: reason))
    }
    await expectRefusal(.invalidArgument, "too_long") {
      try await documents.retireDocumentVersion(
        RetireDocumentVersionRequest(documentID: Example.documentID, version: 1, reason: reason))
    }
    await expectRefusal(.invalidArgument, "too_long") {
      try await flows.stopFlowVersion(StopFlowVersionRequest(flowID: "flow", version: 1, reason: reason))
    }
    await expectRefusal(.invalidArgument, "too_long") {
      try await flows.retireFlowVersion(RetireFlowVersionRequest(flowID: "flow", version: 1, reason: reason))
    }
    await expectRefusal(.invalidArgument, "too_long") {
      try await documents.createDocument(CreateDocumentRequest(studyID: World.study, documentID: "other", name: name))
    }
    await expectRefusal(.invalidArgument, "too_long") {
      try await flows.createFlow(CreateFlowRequest(studyID: World.study, flowID: "other", name: name))
    }
    await expectRefusal(.invalidArgument, "too_long") {
      try await studies.createStudy(CreateStudyRequest(study: ConsentStudy(studyID: "lung", name: name)))
    }
    await expectRefusal(.invalidArgument, "too_long") {
      try await studies.createSite(CreateSiteRequest(site: StudySite(studyID: World.study, siteID: "far", name: name)))
    }
    var content = Example.content()
    content.texts[0].sections[0].content = String(repeating: "a", count: 24 << 20)
    await expectRefusal(.invalidArgument, "too_large") {
      try await documents.createDocument(
        CreateDocumentRequest(studyID: World.study, documentID: "other", content: content))
    }
    let unchanged = try await documents.getDocument(GetDocumentRequest(documentID: Example.documentID))
    #expect(unchanged.version?.state == .published)
    await world.end()
  }

  @Test("a draft has 50 languages at most, also where they are set one by one")
  func languages() async throws {
    let world = try await World()
    try await world.open()
    var content = DocumentContent(defaultLocale: "en")
    content.texts = (0..<50).map { DocumentText(locale: "en-X\($0 + 10)") }
    let documents = world.publisher.documents
    _ = try await documents.createDocument(
      CreateDocumentRequest(studyID: World.study, documentID: "other", content: content))
    await expectRefusal(.invalidArgument, "too_many") {
      try await documents.setDocumentTranslation(
        SetDocumentTranslationRequest(documentID: "other", version: 1, text: DocumentText(locale: "de")))
    }
    await world.end()
  }

  @Test("a subject has 50 running sessions in a study at most, with those of tests; one that ends makes room")
  func runningSessions() async throws {
    let world = try await World()
    try await world.open()
    func start(_ subject: String = "s1", test: Bool = false) async throws -> String {
      let request = StartSessionRequest(
        flowID: "flow", siteID: "north", subjectID: subject, clientSchema: 2, test: test)
      return try await world.app.sessions.startSession(request).session?.sessionID ?? ""
    }
    var sessions: [String] = []
    for number in 0..<50 { sessions.append(try await start(test: number.isMultiple(of: 2))) }
    let events = try await world.events().count
    for test in [false, true] {
      await expectRefusal(.failedPrecondition, "too_many_sessions") { try await start(test: test) }
    }
    #expect(try await world.events().count == events)
    _ = try await start("s2")
    _ = try await world.app.sessions.abandonSession(AbandonSessionRequest(sessionID: sessions[0], clientSchema: 2))
    _ = try await start()
    await expectRefusal(.failedPrecondition, "too_many_sessions") { try await start() }
    await world.end()
  }

  @Test("a caller whose key belongs to no tenant is refused")
  func noTenant() async throws {
    let world = try await World()
    let stranger = world.client("x", ["admin@*"], tenant: "")
    await expectRefusal(.permissionDenied, "no_tenant") { try await stranger.studies.listStudies(ListStudiesRequest()) }
    await world.end()
  }

  @Test("names, typed texts and fonts have bounds, and a refused signature changes nothing")
  func signing() async throws {
    let world = try await World()
    try await world.open()
    let naming = try await world.walk { $0.kind == .name }
    await expectRefusal(.invalidArgument, "name_missing") {
      try await world.act(naming, FlowAction(kind: .enterName, name: PersonName(given: "  ", family: "Lovelace")))
    }
    await expectRefusal(.invalidArgument, "too_long") {
      let long = String(repeating: "x", count: 201)
      return try await world.act(naming, FlowAction(kind: .enterName, name: PersonName(given: "Ada", family: long)))
    }
    let signing = try await world.goOn(naming) { $0.kind == .signature }
    func sign(_ text: String, _ font: String) async throws -> SessionView {
      try await world.act(
        signing,
        FlowAction(kind: .sign, signature: SignatureInput(image: .typed(TypedSignature(text: text, font: font)))))
    }
    await expectRefusal(.invalidArgument, "typed_text_out_of_bounds") { try await sign(" ", "plain") }
    await expectRefusal(.invalidArgument, "typed_text_out_of_bounds") {
      try await sign(String(repeating: "x", count: 101), "plain")
    }
    await expectRefusal(.invalidArgument, "unknown_font") { try await sign("Ada Lovelace", "wingdings") }
    let unchanged = try await world.app.sessions.getSession(GetSessionRequest(sessionID: signing.sessionID)).session
    #expect(unchanged?.version == signing.version)
    #expect(try await sign("Ada Lovelace", "script").version == signing.version + 1)
    await world.end()
  }

  @Test("counter-signatures are given in their order, sharing is changed only in force, formats are known ones")
  func records() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.signatures.append(
      SignatureDefinition(id: "witness", role: .witness, order: 3, requiresName: true, requiresImage: true))
    for index in content.texts.indices {
      content.texts[index].signatures.append(
        SignatureText(signatureID: "witness", title: "Witness", meaning: "I was there."))
    }
    try await world.open(content: content)
    let record = try await world.record(of: try await world.walk())
    let witness = world.client("wil", ["witness@heart"])
    await expectRefusal(.failedPrecondition, "signature_out_of_order") {
      try await witness.sessions.signRecord(
        SignRecordRequest(
          recordID: record.recordID, signatureID: "witness", name: PersonName(given: "Wil", family: "Wu"),
          signature: SignatureInput(image: .typed(TypedSignature(text: "Wil Wu")))))
    }
    await expectRefusal(.invalidArgument, "unknown_format") {
      try await world.app.records.exportRecord(ExportRecordRequest(recordID: record.recordID))
    }
    _ = try await world.app.records.withdrawConsent(WithdrawConsentRequest(recordID: record.recordID))
    await expectRefusal(.failedPrecondition, "not_in_force") {
      try await world.app.records.updateSharing(UpdateSharingRequest(recordID: record.recordID, sharing: .wide))
    }
    await world.end()
  }

  @Test("purposes are withdrawn once each, a choice that stands adds nothing, and a reason has an end")
  func withdrawals() async throws {
    let world = try await World()
    var content = Example.content()
    content.settings?.purposes.append(ConsentPurpose(code: "contact"))
    for index in content.texts.indices {
      content.texts[index].purposes.append(PurposeText(purposeCode: "contact", title: "Contact later"))
    }
    try await world.open(content: content)
    let record = try await world.record(of: try await world.walk())
    let records = world.app.records
    func withdraw(_ purposes: [String], reason: String = "") async throws -> ConsentRecord? {
      try await records.withdrawConsent(
        WithdrawConsentRequest(recordID: record.recordID, purposes: purposes, reason: reason)
      ).records.first
    }
    await expectRefusal(.invalidArgument, "unknown_purpose") { try await withdraw(["contact", "none"]) }
    await expectRefusal(.invalidArgument, "too_long") {
      try await withdraw(["contact"], reason: String(repeating: "r", count: 4001))
    }
    await expectRefusal(.invalidArgument, "too_long") {
      try await world.admin.records.setLegalHold(
        SetLegalHoldRequest(subjectID: "s1", held: true, reason: String(repeating: "r", count: 4001)))
    }
    let events = try await world.events().count
    let same = try await records.updateSharing(UpdateSharingRequest(recordID: record.recordID, sharing: .wide)).record
    #expect(same?.history.count == record.history.count)
    #expect(try await world.events().count == events)
    #expect(try await withdraw(["contact", "contact", "contact"])?.history.last?.purposes == ["contact"])
    // Another device may say the same later.
    #expect(try await withdraw(["contact"])?.withdrawnPurposes == ["contact"])
    await expectRefusal(.invalidArgument, "unknown_purpose") {
      try await records.withdrawConsent(
        WithdrawConsentRequest(subjectID: "s1", studyID: World.study, purposes: ["contact", "contact", "none"]))
    }
    await world.end()
  }

  @Test("an entry that names a purpose again and again withdraws it once")
  func repeatedPurpose() {
    var record = ConsentRecord(purposes: ["a", "b"])
    record.append(RecordEntry(kind: .given))
    record.append(RecordEntry(kind: .withdrawn, purposes: Array(repeating: "a", count: 100_000) + ["b"]))
    #expect(record.withdrawnPurposes == ["a", "b"] && record.state == .withdrawn)
  }
}
