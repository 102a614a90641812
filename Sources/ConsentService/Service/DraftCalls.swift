internal import Base
package import Bus
package import ConsentContract
internal import Storage

/// Drafts: made, read from a file, replaced, translated.
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
    let answer: PutTranslationResponse = try await write(request, context) { transaction, caller in
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
    scripts.forgetAll()
    return answer
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
    // Whoever approves has read what was asked for: an edit takes the question back.
    version.state = .draft
    version.publishedBy = ""
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
    try Publishing.require(revision, draftAt: version.revision)
    guard version.state == .draft || version.state == .awaitingApproval else {
      let message = "version \(version.version) is published and never changes"
      throw Refusal(.precondition, "already_published", field: "document_id", message)
    }
    return version
  }
}
