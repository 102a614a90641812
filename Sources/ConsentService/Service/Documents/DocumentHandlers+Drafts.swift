internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Creating, replacing and translating drafts.
extension DocumentHandlers {
  func createDocument(_ request: CreateDocumentRequest, context: CallContext) async throws -> CreateDocumentResponse {
    try await data.admit(context, to: { _, _ in AccessTarget.study(request.studyID) })
    try Refusal.requireName(request.name, "name")
    let content = try await clean(request.content, context)
    return try await data.once(request, context, of: .study(request.studyID)) { transaction, caller, _ in
      let draft = try begin(
        request.documentID, named: request.name, in: request.studyID, content, transaction, caller)
      return CreateDocumentResponse(version: draft.version, removed: draft.removed, problems: draft.problems)
    }
  }

  func createDocumentDraft(
    _ request: CreateDocumentDraftRequest, context: CallContext
  ) async throws -> CreateDocumentDraftResponse {
    try await data.once(request, context, of: Self.document(request.documentID)) { transaction, caller, document in
      try DocumentStore.requireNoDraft(of: document)
      let content = try DocumentStore.newestContent(of: document, transaction) ?? DocumentContent(defaultLocale: "en")
      let draft = try DocumentStore.beginDraft(of: document, content, transaction, caller)
      return CreateDocumentDraftResponse(version: draft)
    }
  }

  func updateDocumentDraft(
    _ request: UpdateDocumentDraftRequest, context: CallContext
  ) async throws -> UpdateDocumentDraftResponse {
    try await data.admit(context, to: Self.document(request.documentID))
    let content = try await clean(request.content, context)
    return try await data.once(request, context, of: Self.document(request.documentID)) {
      transaction, caller, document in
      let version = try DocumentStore.draft(of: document, revision: request.expectedRevision, transaction)
      let draft = try Self.store(version, content, document, transaction, caller)
      return UpdateDocumentDraftResponse(version: draft.version, removed: draft.removed, problems: draft.problems)
    }
  }

  func discardDocumentDraft(
    _ request: DiscardDocumentDraftRequest, context: CallContext
  ) async throws -> DiscardDocumentDraftResponse {
    try await data.once(request, context, of: Self.document(request.documentID)) { transaction, caller, document in
      DiscardDocumentDraftResponse(
        document: try DocumentStore.discardDraft(
          of: document, revision: request.expectedRevision, transaction, caller))
    }
  }

  func setDocumentTranslation(
    _ request: SetDocumentTranslationRequest, context: CallContext
  ) async throws -> SetDocumentTranslationResponse {
    try await data.admit(context, to: Self.document(request.documentID))
    let cleaned = try await markup.clean(context) { try $0.clean(request.text ?? DocumentText()) }
    return try await data.once(
      request, context, of: Self.document(request.documentID)
    ) { transaction, caller, document in
      var version = try DocumentStore.version(request.version, of: document, transaction)
      let text = try FileStore.filled(cleaned.value, transaction)
      _ = try LocaleTag.checked(text.locale, "text.locale")
      // An unchanged text stores nothing, so the call may be repeated.
      if version.content?.texts.contains(text) != true {
        try Self.set(text, in: &version, document, transaction, caller)
      }
      return SetDocumentTranslationResponse(version: version, removed: cleaned.removed)
    }
  }

  private static func set(
    _ text: DocumentText, in version: inout DocumentVersion, _ document: ConsentDocument, _ transaction: Transaction,
    _ caller: Caller
  ) throws {
    let kind: ConsentEventKind
    var hash = ""
    if version.state == .draft {
      version.content?.texts.removeAll { $0.locale == text.locale }
      version.content?.texts.append(text)
      try AuthoringBounds.check(version.content ?? DocumentContent())
      version.revision = try version.revision.following("the revision of the draft")
      kind = .draftChanged
    } else {
      var translated = version.content ?? DocumentContent()
      translated.texts.append(text)
      let assets = try DocumentStore.knownAssets(in: translated, transaction)
      let study = try StudyStore.study(document.studyID, transaction)
      var approval = Publishing.Approval.given
      if study.secondPerson {
        let person = try Approver(caller, field: "document_id", transaction)
        approval = try Publishing.addByTwo(text, to: &version, assets: assets, by: person, at: transaction.now)
      } else {
        try Publishing.add(text, to: &version, assets: assets, by: caller.actor, at: transaction.now)
      }
      switch approval {
      case .waits: return
      case .asked: (kind, hash) = (.approvalRequested, version.pendingTranslations.last?.hash ?? "")
      case .given: (kind, hash) = (.translationAdded, version.localeHashes.last?.hash ?? "")
      }
    }
    try DocumentStore.save(written: version, transaction)
    try transaction.note(ConsentEvent(kind, of: document, version, hash: hash), by: caller)
  }
}

// MARK: - Writing drafts

extension DocumentHandlers {
  /// A stored draft, with what cleaning removed from it and the problems that it has.
  struct Draft: Sendable {
    let version: DocumentVersion
    let removed: [SanitizerRemoval]
    let problems: [Problem]
  }

  /// Cleans what an author wrote, before the transaction that stores it begins.
  func clean(_ content: DocumentContent?, _ context: CallContext) async throws -> Cleaned<DocumentContent> {
    try await markup.clean(context) { try $0.clean(content ?? DocumentContent()) }
  }

  /// A new document with its first draft.
  ///
  /// - Parameter drawn: the files of the same call, with their pages.
  func begin(
    _ id: String, named title: String, in studyID: String, _ content: Cleaned<DocumentContent>,
    drawn: [PagePool.Drawn] = [], _ transaction: Transaction, _ caller: Caller
  ) throws -> Draft {
    _ = try StudyStore.study(studyID, transaction)
    let id = try DocumentStore.free(id, identifiers, transaction)
    let number = try DocumentStore.newNumber(of: id, transaction)
    let document = ConsentDocument(
      documentID: id, studyID: studyID, name: title, draftVersion: number, createdAt: Timestamp(transaction.now))
    try DocumentStore.save(document, transaction)
    return try Self.store(document.version(number), content, document, drawn: drawn, transaction, caller)
  }

  /// Replaces the content of the document's draft, or begins a new draft.
  func replaceDraft(
    of document: ConsentDocument, _ content: Cleaned<DocumentContent>, drawn: [PagePool.Drawn],
    _ transaction: Transaction, _ caller: Caller
  ) throws -> Draft {
    let draft =
      document.draftVersion == 0
      ? try DocumentStore.beginDraft(of: document, content.value, transaction, caller)
      : try DocumentStore.version(document.draftVersion, of: document, transaction)
    return try Self.store(draft, content, document, drawn: drawn, transaction, caller)
  }

  private static func store(
    _ version: DocumentVersion, _ content: Cleaned<DocumentContent>, _ document: ConsentDocument,
    drawn: [PagePool.Drawn] = [], _ transaction: Transaction, _ caller: Caller
  ) throws -> Draft {
    var version = version
    let filled = try FileStore.filled(content.value, with: drawn, transaction)
    try DocumentStore.store(filled, in: &version, of: document, transaction, caller)
    return Draft(
      version: version, removed: content.removed, problems: try problems(in: version, of: document, transaction))
  }

  /// The problems of a version. The dates of one that is no draft any more may have passed.
  static func problems(
    in version: DocumentVersion, of document: ConsentDocument, _ snapshot: Snapshot
  ) throws -> [Problem] {
    let content = version.content ?? DocumentContent()
    return DocumentValidation.problems(
      in: content, version: Int(version.version), assets: try DocumentStore.knownAssets(in: content, snapshot),
      at: version.state.wasPublished ? nil : snapshot.now,
      purposes: try StudyPurposes(of: document.studyID, snapshot).askers(besides: document.documentID))
  }
}
