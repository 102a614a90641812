internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage

/// The handlers of DocumentService.
struct DocumentHandlers: DocumentServiceProtocol {
  let data: ServiceDatabase
  let clock: Clock
  let identifiers: IdentifierSource
  let markup: MarkupPool
  let pages: PagePool
  let copies: CopyMaker

  init(_ parts: ConsentParts) {
    data = parts.data
    clock = parts.clock
    identifiers = parts.identifiers
    markup = parts.markup
    pages = parts.pages
    copies = parts.copies
  }

  func getDocument(_ request: GetDocumentRequest, context: CallContext) async throws -> GetDocumentResponse {
    try await data.read(context, of: Self.document(request.documentID)) { snapshot, caller, document in
      let version =
        caller.seesDrafts(study: document.studyID)
        ? try DocumentStore.version(orNewest: request.version, of: document, snapshot)
        : try DocumentStore.shownVersion(request.version, of: document, snapshot)?.approved
      return GetDocumentResponse(
        document: document, version: caller.seesAnswers(study: document.studyID) ? version : version?.withoutAnswers)
    }
  }

  func listDocuments(_ request: ListDocumentsRequest, context: CallContext) async throws -> ListDocumentsResponse {
    try await data.read(context, of: .study(request.studyID)) { snapshot, caller, _ in
      let page = try PageRequest(size: request.pageSize, token: request.pageToken)
      let seesDrafts = caller.seesDrafts(study: request.studyID)
      let (documents, next) = try DocumentStore.list(request.studyID, page, withPending: seesDrafts, snapshot)
      return ListDocumentsResponse(documents: documents, nextPageToken: next)
    }
  }

  func diffDocumentVersions(
    _ request: DiffDocumentVersionsRequest, context: CallContext
  ) async throws -> DiffDocumentVersionsResponse {
    try await data.read(context, of: Self.document(request.documentID)) { snapshot, caller, document in
      let before = try DocumentStore.version(request.fromVersion, of: document, snapshot)
      let after = try DocumentStore.version(request.toVersion, of: document, snapshot)
      if !caller.seesDrafts(study: document.studyID) {
        for version in [before, after] where !version.state.wasPublished {
          throw Refusal.notFound("version", "\(document.documentID) version \(version.version)", field: "version")
        }
      }
      let (old, new) =
        caller.seesAnswers(study: document.studyID) ? (before, after) : (before.withoutAnswers, after.withoutAnswers)
      let changes = DocumentDiff.changes(from: old.content ?? DocumentContent(), to: new.content ?? DocumentContent())
      return DiffDocumentVersionsResponse(changes: changes)
    }
  }

  /// Finds the document that a call is about.
  static func document(_ id: String) -> ServiceDatabase.Lookup<ConsentDocument> {
    { snapshot, _ in try DocumentStore.named(id, snapshot) }
  }
}

extension Caller {
  /// Whether the caller may see right answers: authors, and those who check them.
  fileprivate func seesAnswers(study: String) -> Bool {
    has([.publisher, .inspector], inStudy: study)
  }

  /// Whether the caller may see drafts: everybody who works on the study, at whichever site.
  func seesDrafts(study: String) -> Bool {
    isStaff([.publisher, .inspector, .investigator, .coordinator, .admin], for: .study(study))
  }
}

extension DocumentVersion {
  /// The version without translations that nobody has approved yet.
  var approved: DocumentVersion {
    var copy = self
    copy.pendingTranslations = []
    return copy
  }

  /// The version without the right answers to its questions.
  var withoutAnswers: DocumentVersion {
    var copy = self
    guard var test = copy.content?.settings?.comprehension else { return copy }
    for index in test.questions.indices {
      test.questions[index].acceptedAnswers = []
      test.questions[index].rightAnswer = .unspecified
      for choice in test.questions[index].choices.indices { test.questions[index].choices[choice].correct = false }
    }
    copy.content?.settings?.comprehension = test
    return copy
  }
}
