internal import Base
internal import Storage
package import Wire

/// Documents: drafts, translations, validation, lists, differences.
extension ConsentHandlers {
  package func createConsentDocument(
    _ request: CreateConsentDocumentRequest, context: CallContext
  ) async throws -> CreateConsentDocumentResponse {
    try await write(request, context) { transaction, caller in
      let draft = try begin(
        request.documentID, named: request.name, in: request.studyID, request.content, transaction, caller)
      return CreateConsentDocumentResponse(version: draft.version, removed: draft.removed, problems: draft.problems)
    }
  }

  package func importDocument(
    _ request: ImportDocumentRequest, context: CallContext
  ) async throws -> ImportDocumentResponse {
    try await write(request, context) { transaction, caller in
      let file = request.file ?? DocumentFile()
      guard file.format == 1 else {
        throw Refusal(.invalid, "unknown_format", field: "file.format", "file.format is \(file.format); this reads 1")
      }
      try caller.require([.publisher], study: request.studyID)
      for (index, asset) in file.assets.enumerated() {
        let stored = try AssetRules.accepted(kind: asset.kind, data: asset.data, "file.assets[\(index)]")
        guard asset.hash.isEmpty || stored.asset.hash == asset.hash else {
          let message = "file.assets[\(index)].hash is not the hash of its data, \(stored.asset.hash)"
          throw Refusal(.invalid, "asset_hash_differs", field: "file.assets[\(index)].hash", message)
        }
        try DocumentStore.saveAsset(stored.asset, transaction)
      }
      if let known = try DocumentStore.find(file.documentID, transaction) {
        let draft = try replaceDraft(of: known, file.content, transaction, caller)
        return ImportDocumentResponse(version: draft.version, removed: draft.removed, problems: draft.problems)
      }
      let draft = try begin(file.documentID, named: file.name, in: request.studyID, file.content, transaction, caller)
      return ImportDocumentResponse(version: draft.version, removed: draft.removed, problems: draft.problems)
    }
  }

  package func createDraft(_ request: CreateDraftRequest, context: CallContext) async throws -> CreateDraftResponse {
    try await write(request, context) { transaction, caller in
      let document = try DocumentStore.document(request.documentID, transaction)
      try caller.require([.publisher], study: document.studyID)
      guard document.draftVersion == 0 else {
        let message = "document '\(document.id)' already has a draft, version \(document.draftVersion)"
        throw Refusal(.alreadyExists, "draft_exists", field: "document_id", message)
      }
      let newest = try DocumentStore.version(orNewest: 0, of: document, transaction)
      return CreateDraftResponse(version: try newDraft(of: document, newest.content, transaction, caller))
    }
  }

  package func updateDraft(_ request: UpdateDraftRequest, context: CallContext) async throws -> UpdateDraftResponse {
    try await write(request, context) { transaction, caller in
      let document = try DocumentStore.document(request.documentID, transaction)
      try caller.require([.publisher], study: document.studyID)
      let version = try Self.draft(of: document, revision: request.revision, transaction)
      let draft = try store(version, request.content, document, transaction, caller)
      return UpdateDraftResponse(version: draft.version, removed: draft.removed, problems: draft.problems)
    }
  }

  package func putTranslation(
    _ request: PutTranslationRequest, context: CallContext
  ) async throws -> PutTranslationResponse {
    try await write(request, context) { transaction, caller in
      let document = try DocumentStore.document(request.documentID, transaction)
      try caller.require([.publisher], study: document.studyID)
      var version = try DocumentStore.version(request.documentID, request.version, transaction)
      var cleaner = MarkupCleaner()
      let text = try cleaner.clean(request.text ?? DocumentText())
      _ = try Self.locale(text.locale, "text.locale")
      let event: ConsentEventKind
      if version.state == .draft {
        version.content?.texts.removeAll { $0.locale == text.locale }
        version.content?.texts.append(text)
        version.revision += 1
        event = .draftChanged
      } else {
        try Publishing.add(text, to: &version, assets: try Self.assets(of: version, transaction), at: transaction.now)
        event = .translationAdded
      }
      try DocumentStore.save(version, transaction)
      try transaction.note(
        Self.event(event, document, version, hash: version.localeHashes.last?.hash ?? ""), by: caller)
      return PutTranslationResponse(version: version, removed: cleaner.removed)
    }
  }

  package func validateConsentDocument(
    _ request: ValidateConsentDocumentRequest, context: CallContext
  ) async throws -> ValidateConsentDocumentResponse {
    try await read(context) { snapshot, caller in
      var cleaner = MarkupCleaner()
      var number: Int32 = 1
      let content: DocumentContent
      if request.documentID.isEmpty {
        content = try cleaner.clean(request.content ?? DocumentContent())
      } else {
        let document = try DocumentStore.document(request.documentID, snapshot)
        try caller.require([.publisher, .inspector], study: document.studyID)
        number = document.draftVersion != 0 ? document.draftVersion : document.publishedVersion
        content = try DocumentStore.version(document.id, number, snapshot).content ?? DocumentContent()
      }
      let assets = try DocumentStore.knownAssets(in: content, snapshot)
      let problems = DocumentValidation.problems(in: content, version: Int(number), assets: assets)
      return ValidateConsentDocumentResponse(problems: problems, removed: cleaner.removed)
    }
  }

  package func previewDocument(
    _ request: PreviewDocumentRequest, context: CallContext
  ) async throws -> PreviewDocumentResponse {
    try await read(context) { snapshot, caller in
      let document = try DocumentStore.document(request.documentID, snapshot)
      try caller.require([.publisher, .investigator, .coordinator, .inspector], study: document.studyID)
      let version = try DocumentStore.version(orNewest: request.version, of: document, snapshot)
      let content = version.content ?? DocumentContent()
      let texts = try screenTexts(request.locale, standIn: content.defaultLocale, snapshot)
      let scripted = try ScriptLoader.document(version, texts: texts, mustBePublished: false)
      var steps = [FlowStep(id: "review", step: .review(ReviewStep(documentID: document.id)))]
      if content.settings?.sections.contains(where: \.type.isVisual) == true {
        steps.insert(FlowStep(id: "sections", step: .visual(VisualStep(documentID: document.id))), at: 0)
      }
      steps.append(FlowStep(id: "end", step: .completion(CompletionStep())))
      let script = try FlowScript(
        flowID: "", flowVersion: 0, flowHash: "",
        definition: FlowDefinition(defaultLocale: content.defaultLocale, steps: steps), documents: [scripted],
        texts: texts, birthDateGiven: true, isTest: true)
      let engine = FlowEngine(script)
      let table = try OfflineCompiler.table(of: engine, from: engine.start(birthDate: nil, at: transactionTime).state)
      let screens = table.compactMap(\.screen).filter { $0.alert == nil && [.visual, .review].contains($0.kind) }
      let assets = try DocumentStore.knownAssets(in: content, snapshot)
      let composer = ReviewComposer(settings: scripted.settings, text: scripted.text, texts: texts)
      return PreviewDocumentResponse(
        screens: Self.distinct(screens), review: composer.document(signatures: [], typed: [:]),
        problems: DocumentValidation.problems(in: content, version: Int(version.version), assets: assets))
    }
  }

  private var transactionTime: Instant { clock.now }

  private static func distinct(_ screens: [ConsentScreen]) -> [ConsentScreen] {
    var seen: Set<String> = []
    return screens.filter { seen.insert($0.id).inserted }
  }

  package func getConsentDocument(
    _ request: GetConsentDocumentRequest, context: CallContext
  ) async throws -> GetConsentDocumentResponse {
    try await read(context) { snapshot, caller in
      let document = try DocumentStore.document(request.documentID, snapshot)
      try caller.requireEntry(to: document.studyID)
      let version = try DocumentStore.version(orNewest: request.version, of: document, snapshot)
      return GetConsentDocumentResponse(
        document: document, version: caller.seesAnswers(study: document.studyID) ? version : version.withoutAnswers)
    }
  }

  package func listConsentDocuments(
    _ request: ListConsentDocumentsRequest, context: CallContext
  ) async throws -> ListConsentDocumentsResponse {
    try await read(context) { snapshot, caller in
      try caller.requireEntry(to: request.studyID)
      let (cursor, limit) = try page(request.pageToken, request.pageSize)
      let (documents, next) = try DocumentStore.list(request.studyID, after: cursor, limit: limit, snapshot)
      return ListConsentDocumentsResponse(documents: documents, nextPageToken: next?.text ?? "")
    }
  }

  package func diffVersions(_ request: DiffVersionsRequest, context: CallContext) async throws -> DiffVersionsResponse {
    try await read(context) { snapshot, caller in
      let document = try DocumentStore.document(request.documentID, snapshot)
      try caller.requireEntry(to: document.studyID)
      let before = try DocumentStore.version(document.id, request.fromVersion, snapshot)
      let after = try DocumentStore.version(document.id, request.toVersion, snapshot)
      let (old, new) =
        caller.seesAnswers(study: document.studyID) ? (before, after) : (before.withoutAnswers, after.withoutAnswers)
      let changes = DocumentDiff.changes(from: old.content ?? DocumentContent(), to: new.content ?? DocumentContent())
      return DiffVersionsResponse(changes: changes)
    }
  }

  package func exportDocument(
    _ request: ExportDocumentRequest, context: CallContext
  ) async throws -> ExportDocumentResponse {
    try await read(context) { snapshot, caller in
      let document = try DocumentStore.document(request.documentID, snapshot)
      try caller.require([.publisher, .inspector], study: document.studyID)
      let version = try DocumentStore.version(orNewest: request.version, of: document, snapshot)
      let content = version.content ?? DocumentContent()
      let assets = try DocumentStore.knownAssets(in: content, snapshot).sorted().map {
        try DocumentStore.asset($0, snapshot)
      }
      return ExportDocumentResponse(
        file: DocumentFile(
          format: 1, documentID: document.id, name: document.name, content: content, assets: assets,
          version: version.version, versionHash: version.versionHash))
    }
  }

  // MARK: Drafts

  struct Draft: Sendable {
    let version: DocumentVersion
    let removed: [SanitizerRemoval]
    let problems: [Problem]
  }

  private func begin(
    _ id: String, named title: String, in studyID: String, _ content: DocumentContent?, _ transaction: Transaction,
    _ caller: Caller
  ) throws -> Draft {
    _ = try StudyStore.study(studyID, transaction)
    try caller.require([.publisher], study: studyID)
    let id = try name(id, "document_id")
    guard try DocumentStore.find(id, transaction) == nil else {
      throw Refusal(.alreadyExists, "document_exists", field: "document_id", "there is a document '\(id)' already")
    }
    let document = ConsentDocument(
      id: id, studyID: studyID, name: title, draftVersion: 1, createdAtMs: transaction.now.millisecondsSince1970)
    try DocumentStore.save(document, transaction)
    let version = DocumentVersion(documentID: id, version: 1, state: .draft)
    return try store(version, content, document, transaction, caller)
  }

  private func replaceDraft(
    of document: ConsentDocument, _ content: DocumentContent?, _ transaction: Transaction, _ caller: Caller
  ) throws -> Draft {
    try caller.require([.publisher], study: document.studyID)
    var draft: DocumentVersion
    if document.draftVersion == 0 {
      draft = try newDraft(of: document, content, transaction, caller)
    } else {
      draft = try DocumentStore.version(document.id, document.draftVersion, transaction)
      draft.state = .draft
    }
    return try store(draft, content, document, transaction, caller)
  }

  private func newDraft(
    of document: ConsentDocument, _ content: DocumentContent?, _ transaction: Transaction, _ caller: Caller
  ) throws -> DocumentVersion {
    var document = document
    document.draftVersion = document.publishedVersion + 1
    while try DocumentStore.state(document.id, document.draftVersion, transaction) != .unspecified {
      document.draftVersion += 1
    }
    let version = DocumentVersion(
      documentID: document.id, version: document.draftVersion, state: .draft, revision: 1, content: content)
    try DocumentStore.save(document, transaction)
    try DocumentStore.save(version, transaction)
    try transaction.note(Self.event(.draftChanged, document, version), by: caller)
    return version
  }

  private func store(
    _ version: DocumentVersion, _ content: DocumentContent?, _ document: ConsentDocument, _ transaction: Transaction,
    _ caller: Caller
  ) throws -> Draft {
    var version = version
    var cleaner = MarkupCleaner()
    let clean = try cleaner.clean(content ?? DocumentContent())
    version.content = clean
    version.revision += 1
    try DocumentStore.save(version, transaction)
    try transaction.note(Self.event(.draftChanged, document, version), by: caller)
    let assets = try DocumentStore.knownAssets(in: clean, transaction)
    let problems = DocumentValidation.problems(in: clean, version: Int(version.version), assets: assets)
    return Draft(version: version, removed: cleaner.removed, problems: problems)
  }

  static func draft(of document: ConsentDocument, revision: Int64, _ transaction: Transaction) throws -> DocumentVersion
  {
    guard document.draftVersion != 0 else {
      let message = "document '\(document.id)' has no draft; published versions never change"
      throw Refusal(.precondition, "no_draft", field: "document_id", message)
    }
    let version = try DocumentStore.version(document.id, document.draftVersion, transaction)
    guard version.revision == revision else {
      let message = "revision is \(revision); the draft is at \(version.revision)"
      throw Refusal(.aborted, "stale_revision", field: "revision", message)
    }
    guard version.state == .draft || version.state == .awaitingApproval else {
      let message = "version \(version.version) is published and never changes"
      throw Refusal(.precondition, "already_published", field: "document_id", message)
    }
    return version
  }

  static func assets(of version: DocumentVersion, _ snapshot: Snapshot) throws -> Set<String> {
    try DocumentStore.knownAssets(in: version.content ?? DocumentContent(), snapshot)
  }

  static func event(
    _ kind: ConsentEventKind, _ document: ConsentDocument, _ version: DocumentVersion, hash: String = ""
  ) -> ConsentEvent {
    ConsentEvent(
      kind: kind, studyID: document.studyID, documentID: document.id, version: version.version, hash: hash)
  }

  func screenTexts(_ locale: String, standIn: String, _ snapshot: Snapshot) throws -> ScreenTexts {
    let standIn = try Self.locale(standIn.isEmpty ? "en" : standIn, "default_locale")
    let locale = locale.isEmpty ? standIn : try Self.locale(locale, "locale")
    return ScreenTexts(locale: locale, standIn: standIn, overrides: try StudyStore.words(snapshot))
  }
}

extension Caller {
  /// Right answers are for authors and those who check them.
  func seesAnswers(study: String) -> Bool {
    identity.access != .device && has([.publisher, .inspector], study: study, site: "")
  }
}

extension DocumentVersion {
  /// The version without the right answers to its questions.
  var withoutAnswers: DocumentVersion {
    var copy = self
    guard var test = copy.content?.settings?.comprehension else { return copy }
    for index in test.questions.indices {
      test.questions[index].acceptedAnswers = []
      for choice in test.questions[index].choices.indices { test.questions[index].choices[choice].correct = false }
    }
    copy.content?.settings?.comprehension = test
    return copy
  }
}
