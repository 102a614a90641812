internal import Base
internal import Ink
package import RPC
package import ServicePolicy
package import SignatureContract
internal import Storage
internal import Wire

/// Reads saved signatures and lists a field's revisions; erases and holds the signatures of a subject, and notes
/// merges.
extension SignatureHandlers {
  package func listRevisions(
    _ request: ListRevisionsRequest, context: CallContext
  ) async throws -> ListRevisionsResponse {
    try FieldChecks.identifier(request.fieldID, "field_id", isRequired: true)
    let page = try PageRequest(size: request.pageSize, token: request.pageToken)
    return try await data.disclose(context, of: FieldStore.named(request.fieldID)) { snapshot, field, disclosure in
      disclosure.noteLook(at: "field/\(request.fieldID)", of: field.target, for: "list of revisions")
      let (revisions, next) = try RevisionStore.revisions(of: request.fieldID, page, in: snapshot)
      return ListRevisionsResponse(revisions: revisions, nextPageToken: next)
    }
  }

  package func getStrokes(_ request: GetStrokesRequest, context: CallContext) async throws -> GetStrokesResponse {
    let name: SignatureName
    switch request.signature {
    case .signatureID(let id):
      try FieldChecks.identifier(id, "signature_id", isRequired: true)
      name = .id(id)
    case .hash(let hash):
      try FieldChecks.identifier(hash, "hash", isRequired: true)
      name = .hash(hash)
    case nil:
      throw Refusal(.invalid, "missing", field: "signature", "signature is missing; give signature_id or hash")
    }
    return try Self.strokes(try await data.signature(name, for: .strokes, context))
  }

  package func getPicturedSignature(
    _ request: GetPicturedSignatureRequest, context: CallContext
  ) async throws -> GetPicturedSignatureResponse {
    try FieldChecks.identifier(request.signatureID, "signature_id", isRequired: true)
    let read = try await data.signature(.id(request.signatureID), for: .picture, context)
    return GetPicturedSignatureResponse(signature: try Self.strokes(read))
  }

  private static func strokes(_ read: ReadSignature) throws -> GetStrokesResponse {
    var response = GetStrokesResponse()
    (response.saved, response.fieldID) = (SavedSignature(read.saved), read.saved.field)
    (response.reference, response.settings) = (read.field.reference, read.field.picture)
    switch read.content {
    case .drawn(let blob, let salt):
      (response.blob, response.salt) = (blob, salt)
      if case .strokes(let ink) = try StoredSignature.read(blob) { response.drawing = InkDrawing(ink) }
    case .typed(let name, let salt): (response.typed, response.salt) = (name, salt)
    }
    return response
  }

  package func eraseSignatures(
    _ request: EraseSignaturesRequest, context: CallContext
  ) async throws -> EraseSignaturesResponse {
    try FieldChecks.reason(request.reason, isRequired: true)
    return try await data.once(request, context, of: .wholeTenant) { transaction, caller, _ in
      try PrivacyStore.erase(request.subjectID, by: caller, in: transaction)
      return EraseSignaturesResponse(erasedAt: Timestamp(transaction.now))
    }
  }

  package func noteMergedSigner(
    _ request: NoteMergedSignerRequest, context: CallContext
  ) async throws -> NoteMergedSignerResponse {
    return try await data.once(request, context, of: .wholeTenant) { transaction, _, _ in
      let ended = try Subject.named(request.endedID, field: "ended_id")
      let staying = try Subject.named(request.stayingID, field: "staying_id")
      _ = try MergedAccounts.note(ended, into: staying, transaction)
      return NoteMergedSignerResponse()
    }
  }

  package func holdSignatures(
    _ request: HoldSignaturesRequest, context: CallContext
  ) async throws -> HoldSignaturesResponse {
    try FieldChecks.reason(request.reason, isRequired: true)
    return try await data.once(request, context, of: .wholeTenant) { transaction, caller, _ in
      try caller.requireMayHold(request.held, request.subjectID, field: "subject_id", transaction)
      let isHeld = try PrivacyStore.hold(
        request.subjectID, request.held, by: caller, reason: request.reason, in: transaction)
      return HoldSignaturesResponse(held: isHeld)
    }
  }
}

/// A saved signature, and its field, that a caller was allowed to read.
struct ReadSignature: Sendable {
  let saved: StoredRevision
  let field: SignatureField
  let content: SignatureContent
}

extension ServiceDatabase {
  /// Reads a saved signature, after the check that the caller may, and notes the reading with its purpose.
  fileprivate func signature(
    _ name: SignatureName, for purpose: ReadingPurpose, _ context: CallContext
  ) async throws -> ReadSignature {
    let find: Lookup<RevisionStore.Found> = { snapshot, _ in try RevisionStore.find(name, in: snapshot) }
    return try await disclose(context, of: find) { snapshot, found, disclosure in
      let item = "signature/\(found.revision.id)"
      disclosure.note(item, of: HeldField(found.field).target, for: purpose.rawValue)
      return ReadSignature(
        saved: found.revision, field: found.field, content: try RevisionStore.content(of: found, in: snapshot))
    }
  }
}

/// For a process with the database: reads saved signatures, of which pictures are drawn, without another call.
package struct StoredSignatures: SavedSignatures {
  private let data: ServiceDatabase

  package init(data: ServiceDatabase) {
    self.data = data
  }

  package func content(of signatureID: String, for context: CallContext) async throws -> PictureMaker.Subject {
    let read = try await data.signature(.id(signatureID), for: .picture, context)
    return switch read.content {
    case .drawn(let blob, _): .blob(blob, commitment: Digest(hex: read.saved.hash))
    case .typed(let name, let salt): try PictureMaker.Subject(name, salt: salt)
    }
  }
}
