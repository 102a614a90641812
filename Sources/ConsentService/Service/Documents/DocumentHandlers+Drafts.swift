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
    try await data.admit(context, to: { _, _ in Touched.study(request.studyID) })
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
      guard document.draftVersion == 0 else {
        let message = "document '\(document.documentID)' already has a draft, version \(document.draftVersion)"
        throw Refusal(.alreadyExists, "draft_exists", field: "document_id", message)
      }
      // A document whose only draft was discarded begins with an empty one.
      let isFirst = try DocumentStore.newestKept(of: document.documentID, transaction) == 0
      let newest = isFirst ? nil : try DocumentStore.version(orNewest: 0, of: document, transaction)
      let content = newest?.content ?? DocumentContent(defaultLocale: "en")
      let draft = try newDraft(of: document, content, transaction, caller)
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
      let version = try Self.draft(of: document, revision: request.expectedRevision, transaction)
      let draft = try store(version, content, document, transaction, caller)
      return UpdateDocumentDraftResponse(version: draft.version, removed: draft.removed, problems: draft.problems)
    }
  }

  func discardDocumentDraft(
    _ request: DiscardDocumentDraftRequest, context: CallContext
  ) async throws -> DiscardDocumentDraftResponse {
    try await data.once(request, context, of: Self.document(request.documentID)) { transaction, caller, known in
      var document = known
      var version = try Self.draft(of: document, revision: request.expectedRevision, transaction)
      (version.state, version.content, version.publishedBy) = (.discarded, nil, "")
      document.draftVersion = 0
      try DocumentStore.save(version, transaction)
      try DocumentStore.save(document, transaction)
      var event = ConsentEvent(.draftChanged, of: document, version)
      event.note = "discarded"
      try transaction.note(event, by: caller)
      return DiscardDocumentDraftResponse(document: document)
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
    let id = try identifiers.chosen(id, "document_id")
    guard try DocumentStore.find(id, transaction) == nil else {
      throw Refusal(.alreadyExists, "document_exists", field: "document_id", "there is a document '\(id)' already")
    }
    let number = try DocumentStore.newNumber(of: id, transaction)
    let document = ConsentDocument(
      documentID: id, studyID: studyID, name: title, draftVersion: number, createdAt: Timestamp(transaction.now))
    try DocumentStore.save(document, transaction)
    let version = DocumentVersion(documentID: id, version: number, state: .draft)
    return try store(version, content, document, drawn: drawn, transaction, caller)
  }

  /// Replaces the content of the document's draft, or begins a new draft.
  func replaceDraft(
    of document: ConsentDocument, _ content: Cleaned<DocumentContent>, drawn: [PagePool.Drawn],
    _ transaction: Transaction, _ caller: Caller
  ) throws -> Draft {
    var draft: DocumentVersion
    if document.draftVersion == 0 {
      draft = try newDraft(of: document, content.value, transaction, caller)
    } else {
      draft = try DocumentStore.version(document.draftVersion, of: document, transaction)
    }
    return try store(draft, content, document, drawn: drawn, transaction, caller)
  }

  private func newDraft(
    of document: ConsentDocument, _ content: DocumentContent?, _ transaction: Transaction, _ caller: Caller
  ) throws -> DocumentVersion {
    var document = document
    document.draftVersion = try DocumentStore.newNumber(of: document.documentID, transaction)
    let version = DocumentVersion(
      documentID: document.documentID, version: document.draftVersion, state: .draft, revision: 1, content: content)
    try DocumentStore.save(document, transaction)
    try DocumentStore.save(version, transaction)
    try transaction.note(ConsentEvent(.draftChanged, of: document, version), by: caller)
    return version
  }

  private func store(
    _ version: DocumentVersion, _ content: Cleaned<DocumentContent>, _ document: ConsentDocument,
    drawn: [PagePool.Drawn] = [], _ transaction: Transaction, _ caller: Caller
  ) throws -> Draft {
    var version = version
    let filled = try FileStore.filled(content.value, with: drawn, transaction)
    version.content = filled
    version.revision = try version.revision.following("the revision of the draft")
    // An edit withdraws the request for approval, so that nobody approves a text that changed after it.
    version.state = .draft
    version.publishedBy = ""
    try DocumentStore.save(written: version, transaction)
    try transaction.note(ConsentEvent(.draftChanged, of: document, version), by: caller)
    let assets = try DocumentStore.knownAssets(in: filled, transaction)
    let problems = DocumentValidation.problems(in: filled, version: Int(version.version), assets: assets)
    return Draft(version: version, removed: content.removed, problems: problems)
  }

  /// The draft that the caller edits or publishes; throws if its revision is not the one that the caller has seen.
  static func draft(of document: ConsentDocument, revision: Int32, _ transaction: Transaction) throws -> DocumentVersion
  {
    guard document.draftVersion != 0 else {
      let message = "document '\(document.documentID)' has no draft; published versions never change"
      throw Refusal(.precondition, "no_draft", field: "document_id", message)
    }
    let version = try DocumentStore.version(document.draftVersion, of: document, transaction)
    try Publishing.require(revision, draftAt: version.revision)
    guard version.state == .draft || version.state == .awaitingApproval else {
      let message = "version \(version.version) is published and never changes"
      throw Refusal(.precondition, "already_published", field: "document_id", message)
    }
    return version
  }
}
