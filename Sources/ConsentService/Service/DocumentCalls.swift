internal import Base
package import Bus
package import ConsentContract
internal import Storage

/// Documents: validation, preview, lists, differences, files.
extension ConsentHandlers {
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
      let scripted = try ScriptLoader.document(version, texts: texts)
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
