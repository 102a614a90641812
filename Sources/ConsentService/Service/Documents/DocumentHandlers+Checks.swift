internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage

/// What authors look at before they publish: problems, and a preview.
extension DocumentHandlers {
  func validateDocument(
    _ request: ValidateDocumentRequest, context: CallContext
  ) async throws -> ValidateDocumentResponse {
    let find: ServiceDatabase.Lookup<Found<ConsentDocument?>> = { snapshot, _ in
      guard !request.documentID.isEmpty else { return Found(nil, targets: AccessTarget.tenant) }
      let document = try DocumentStore.named(request.documentID, snapshot)
      return Found(document, targets: document)
    }
    try await data.admit(context, to: find)
    if request.documentID.isEmpty {
      do throws(Refusal) {
        try AuthoringBounds.check(request.content ?? DocumentContent())
      } catch {
        return ValidateDocumentResponse(problems: [Problem(error)])
      }
    }
    let given = try await clean(request.documentID.isEmpty ? request.content : nil, context)
    return try await data.read(context, of: find) { snapshot, _, found in
      guard let document = found.value else {
        let content = try FileStore.filled(given.value, snapshot)
        let assets = try DocumentStore.knownAssets(in: content, snapshot)
        let problems = DocumentValidation.problems(in: content, version: 1, assets: assets, at: snapshot.now)
        return ValidateDocumentResponse(problems: problems, removed: given.removed)
      }
      let number = document.draftVersion != 0 ? document.draftVersion : document.publishedVersion
      let version = try DocumentStore.version(number, of: document, snapshot)
      let problems = try Self.problems(in: version, of: document, snapshot)
      return ValidateDocumentResponse(problems: problems, removed: given.removed)
    }
  }

  func previewDocument(
    _ request: PreviewDocumentRequest, context: CallContext
  ) async throws -> PreviewDocumentResponse {
    try await data.read(context, of: Self.document(request.documentID)) { snapshot, _, document in
      let version = try DocumentStore.version(orNewest: request.version, of: document, snapshot)
      let content = version.content ?? DocumentContent()
      let texts = try Self.texts(request.locale, standIn: content.defaultLocale, snapshot)
      let scripted = try ScriptLoader.document(version, texts: texts).filled(
        PlaceholderValues.sample(of: document.studyID, texts.locale, snapshot), texts)
      let composer = ReviewComposer(settings: scripted.settings, text: scripted.text, texts: texts)
      return PreviewDocumentResponse(
        screens: try screens(of: scripted, content, texts), review: composer.document(signatures: [], typed: [:]),
        problems: try Self.problems(in: version, of: document, snapshot))
    }
  }

  func previewDocumentCopy(
    _ request: PreviewDocumentCopyRequest, context: CallContext
  ) async throws -> PreviewDocumentCopyResponse {
    let paper = try await data.read(context, of: Self.document(request.documentID)) { snapshot, _, document in
      let version = try DocumentStore.version(orNewest: request.version, of: document, snapshot)
      let texts = try Self.texts(request.locale, standIn: version.content?.defaultLocale ?? "", snapshot)
      let scripted = try ScriptLoader.document(version, texts: texts).filled(
        PlaceholderValues.sample(of: document.studyID, texts.locale, snapshot), texts)
      var paper = try CopyReader.paper(
        scripted, texts, of: document.studyID, signers: scripted.settings.signatures, created: snapshot.now, snapshot)
      paper.watermark = texts[version.state.wasPublished ? .previewMark : .draftMark]
      if request.asPictures { paper.attachments = [] }
      return paper
    }
    let content = try await copies.composed(paper, try context.tenant())
    var preview = PreviewDocumentCopyResponse(contentType: "application/pdf", content: content)
    if request.asPictures { preview.pages = try await pages.pictures(of: content, context) }
    return preview
  }

  /// The screens of a flow that shows only the document: its sections and its review, each once.
  private func screens(
    of document: ScriptDocument, _ content: DocumentContent, _ texts: ScreenTexts
  ) throws -> [ConsentScreen] {
    var steps = [FlowStep(id: "review", step: .review(ReviewStep(documentID: document.id)))]
    if content.settings?.sections.contains(where: \.type.isVisual) == true {
      steps.insert(FlowStep(id: "sections", step: .visual(VisualStep(documentID: document.id))), at: 0)
    }
    steps.append(FlowStep(id: "end", step: .completion(CompletionStep())))
    let script = try FlowScript(
      flowID: "", flowVersion: 0, flowHash: "",
      definition: FlowDefinition(defaultLocale: content.defaultLocale, steps: steps), documents: [document],
      texts: texts, birthDateGiven: true, isTest: true)
    let engine = FlowEngine(script)
    let table = try OfflineCompiler.table(of: engine, from: engine.start(birthDate: nil, at: clock.now).state)
    var seen: Set<String> = []
    return table.compactMap(\.screen).filter { screen in
      screen.alert == nil && [.visual, .page, .review].contains(screen.kind) && seen.insert(screen.id).inserted
    }
  }

  private static func texts(_ locale: String, standIn: String, _ snapshot: Snapshot) throws -> ScreenTexts {
    let standIn = try LocaleTag.checked(standIn.isEmpty ? "en" : standIn, "default_locale")
    let locale = locale.isEmpty ? standIn : try LocaleTag.checked(locale, "locale")
    return ScreenTexts(locale: locale, standIn: standIn, own: try TextsStore.current(snapshot))
  }
}
