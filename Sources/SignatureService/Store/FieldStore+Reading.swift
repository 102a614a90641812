package import Base
package import Bus
internal import Ink
package import SignatureContract
internal import Storage
internal import Wire

/// Reading what was saved, and forgetting it.
extension FieldStore {
  package func revisions(
    of field: String, after token: String, limit: Int, for context: CallContext
  ) async throws -> (revisions: [SavedSignature], next: String) {
    _ = try await subject(ofField: field, context)
    return try await read(context) { snapshot in
      let cursor = token.isEmpty ? nil : PageCursor(text: token)
      let page = try snapshot.page(RevisionStatements.ofField, field, after: cursor, limit: limit)
      return (try page.rows.map { SavedSignature(try StoredRevision(row: $0)) }, page.next?.text ?? "")
    }
  }

  /// How a saved signature is named.
  package enum SignatureName: Sendable {
    case id(String)
    case hash(String)
  }

  /// A saved signature itself. A reading by a person of the staff is put on record with it.
  ///
  /// - Parameter purpose: why it is read; decides who may.
  package func strokes(
    of name: SignatureName, for purpose: ReadingPurpose, _ context: CallContext
  ) async throws -> GetStrokesResponse {
    let reader = context.identity
    let isOnRecord = StaffRules.isPerson(reader)
    guard isOnRecord else {
      return try await read(context) { snapshot in
        let found = try Self.find(name, in: snapshot)
        try StaffRules.check(reader, may: purpose, found.field.reference)
        return try Self.response(found, snapshot) { try snapshot.vault.get($0, of: found.subject) }
      }
    }
    return try await write(context) { transaction in
      let found = try Self.find(name, in: transaction)
      try StaffRules.check(reader, may: purpose, found.field.reference)
      return try Self.response(found, transaction) { item in
        try transaction.vault.disclose(item, of: found.subject, to: reader.subject, purpose: purpose.rawValue)
      }
    }
  }

  private struct Found {
    let revision: StoredRevision
    let field: SignatureField
    let subject: Subject
  }

  private static func find(_ name: SignatureName, in snapshot: Snapshot) throws -> Found {
    let row: Row?
    let shown: String
    switch name {
    case .id(let id): (row, shown) = (try snapshot.first(RevisionStatements.find, id), id)
    case .hash(let hash): (row, shown) = (try snapshot.first(RevisionStatements.ofHash, hash), hash)
    }
    guard let row else { throw unknownSignature(shown) }
    let revision = try StoredRevision(row: row)
    let stored = try StoredField(row: try snapshot.one(FieldStatements.find, revision.field), in: snapshot)
    return Found(revision: revision, field: stored.field, subject: stored.subject)
  }

  private static func response(
    _ found: Found, _ snapshot: Snapshot, read: (String) throws -> [UInt8]?
  ) throws -> GetStrokesResponse {
    let revision = found.revision
    var response = GetStrokesResponse()
    response.saved = SavedSignature(revision)
    response.fieldID = revision.field
    let item = revision.kind == .typed ? StoredField.Item.typed(revision.id) : StoredField.Item.ink(revision.id)
    guard let bytes = try read(item) else {
      throw DatabaseError(.corrupt, "the vault has nothing for signature '\(revision.id)'")
    }
    if let commitment = revision.commitment {
      response.typed = try TypedName(decoding: bytes)
      response.salt = try snapshot.vault.opening(of: commitment).salt
    } else {
      response.blob = bytes
      response.drawing = InkDrawing(try StrokeBlob.read(bytes))
    }
    return response
  }

  // MARK: - Privacy

  package func erase(_ subjectID: String, reason: String, for context: CallContext) async throws -> Instant {
    guard let subject = Subject(subjectID) else { throw Self.badSubject("subject_id") }
    return try await write(context) { transaction in
      try transaction.vault.erase(subject, by: context.identity.subject, reason: reason)
      return transaction.now
    }
  }

  /// Places a hold, or lifts every hold there is.
  package func hold(_ subjectID: String, _ isHeld: Bool, reason: String, for context: CallContext) async throws {
    guard let subject = Subject(subjectID) else { throw Self.badSubject("subject_id") }
    try await write(context) { transaction in
      let actor = context.identity.subject
      let holds = try transaction.vault.holds(on: subject)
      if isHeld, holds.isEmpty { try transaction.vault.placeHold(on: subject, by: actor, reason: reason) }
      if !isHeld { for hold in holds { try transaction.vault.liftHold(hold.id, by: actor) } }
    }
  }
}
