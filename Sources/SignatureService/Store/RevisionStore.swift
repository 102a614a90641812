internal import Base
internal import ServicePolicy
internal import SignatureContract
internal import Storage
internal import Wire

/// Reads revisions, and the content of saved signatures.
enum RevisionStore {
  static func revisions(
    of field: String, _ page: PageRequest, in snapshot: Snapshot
  ) throws -> (revisions: [SavedSignature], next: String) {
    let page = try snapshot.page(RevisionStatements.ofField, field, at: page)
    return (try page.rows.map { SavedSignature(try StoredRevision(row: $0)) }, page.nextToken)
  }

  /// A saved signature with the field that it was saved in.
  struct Found: Sendable {
    let revision: StoredRevision
    let field: SignatureField
    let subject: Subject
  }

  /// A signature that the caller may use again: one that the caller saved, for the same subject. Others count as not
  /// found.
  static func own(_ id: String, of subject: Subject, savedBy person: String, in snapshot: Snapshot) throws -> Found {
    guard let row = try snapshot.first(RevisionStatements.find, id) else { throw Refusal.notFound("signature", id) }
    let revision = try StoredRevision(row: row)
    let held = try FieldStore.held(revision.field, in: snapshot)
    guard revision.savedBy == person, held.reference.subjectID == subject.id else {
      throw Refusal.notFound("signature", id)
    }
    return try find(.id(id), in: snapshot)
  }

  /// Finds a saved signature with its field, which decides who may read the signature.
  static func find(_ name: SignatureName, in snapshot: Snapshot) throws -> Found {
    let row: Row?
    let shown: String
    switch name {
    case .id(let id): (row, shown) = (try snapshot.first(RevisionStatements.find, id), id)
    case .hash(let hash): (row, shown) = (try snapshot.first(RevisionStatements.ofHash, hash), hash)
    }
    guard let row else { throw Refusal.notFound("signature", shown) }
    let revision = try StoredRevision(row: row)
    let stored = try StoredField(row: try snapshot.one(FieldStatements.find, revision.field), in: snapshot)
    return Found(revision: revision, field: stored.field, subject: stored.subject)
  }

  /// Verifies a revision before it is put into a record, a document or another field.
  static func verify(_ revision: StoredRevision, in snapshot: Snapshot) throws {
    try snapshot.verify([CommittedRow("signatures", revision.id, in: revision.field)])
  }

  static func content(of found: Found, in snapshot: Snapshot) throws -> SignatureContent {
    let revision = found.revision
    try verify(revision, in: snapshot)
    guard let bytes = try snapshot.vault.get(revision.item, of: found.subject) else {
      throw DatabaseError(.corrupt, "the vault has nothing for signature '\(revision.id)'")
    }
    let opening = try snapshot.vault.opening(of: revision.commitment)
    guard opening.digest.hex == revision.hash else { throw altered(revision) }
    guard revision.kind == .typed else {
      guard opening.value == Digest(of: bytes).bytes else { throw altered(revision) }
      return .drawn(bytes, salt: opening.salt)
    }
    let name = try TypedName(decoding: bytes)
    guard opening.value == name.committed else { throw altered(revision) }
    return .typed(name, salt: opening.salt)
  }

  private static func altered(_ revision: StoredRevision) -> DatabaseError {
    DatabaseError(.corrupt, "signature '\(revision.id)' is not what its hash was made of: it was altered")
  }
}
