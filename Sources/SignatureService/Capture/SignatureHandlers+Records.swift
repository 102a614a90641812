internal import Base
package import Bus
package import SignatureContract

/// What was saved: revisions, strokes, erasing.
extension SignatureHandlers {
  package func listRevisions(
    _ request: ListRevisionsRequest, context: CallContext
  ) async throws -> ListRevisionsResponse {
    let limit = try FieldChecks.pageSize(request.pageSize)
    let (revisions, next) = try await store.revisions(
      of: request.fieldID, after: request.pageToken, limit: limit, for: context)
    return ListRevisionsResponse(revisions: revisions, nextPageToken: next)
  }

  package func getStrokes(_ request: GetStrokesRequest, context: CallContext) async throws -> GetStrokesResponse {
    let name: FieldStore.SignatureName
    switch request.signature {
    case .signatureID(let id):
      try FieldChecks.identifier(id, "signature_id", isRequired: true)
      name = .id(id)
    case .hash(let hash):
      try FieldChecks.identifier(hash, "hash", isRequired: true)
      name = .hash(hash)
    case nil: throw Status(.invalidArgument, "signature is missing; give signature_id or hash")
    }
    return try await store.strokes(of: name, for: .strokes, context)
  }

  package func eraseSignatures(
    _ request: EraseSignaturesRequest, context: CallContext
  ) async throws -> EraseSignaturesResponse {
    try FieldChecks.reason(request.reason, isRequired: true)
    let time = try await store.erase(request.subjectID, reason: request.reason, for: context)
    return EraseSignaturesResponse(erasedAtMs: time.millisecondsSince1970)
  }

  package func holdSignatures(
    _ request: HoldSignaturesRequest, context: CallContext
  ) async throws -> HoldSignaturesResponse {
    try FieldChecks.reason(request.reason, isRequired: true)
    try await store.hold(request.subjectID, request.held, reason: request.reason, for: context)
    return HoldSignaturesResponse(held: request.held)
  }
}

/// For a process with the database: pictures of saved signatures without a further call.
package struct StoredSignatures: SavedSignatures {
  private let store: FieldStore

  package init(store: FieldStore) {
    self.store = store
  }

  package func content(of signatureID: String, for context: CallContext) async throws -> PictureMaker.Subject {
    let found = try await store.strokes(of: .id(signatureID), for: .picture, context)
    if let typed = found.typed { return try PictureMaker.Subject(typed) }
    return .blob(found.blob)
  }
}
