internal import Base
internal import ServicePolicy
internal import SignatureContract
internal import Storage

/// Selects the evidence for fields: their events, their rows, and the signatures that were saved in them and not
/// erased.
struct FieldEvidence: Sendable {
  private(set) var selection = EvidenceSelection()

  init(of fields: [String], _ snapshot: Snapshot, _ disclosure: inout Disclosure) throws {
    selection.streams = fields
    for field in fields { try add(field, snapshot, &disclosure) }
  }

  private mutating func add(_ field: String, _ snapshot: Snapshot, _ disclosure: inout Disclosure) throws {
    let held = try FieldStore.held(field, in: snapshot)
    let subject = try Subject.stored(held.reference.subjectID)
    let isErased = try snapshot.vault.isErased(subject)
    if !selection.subjects.contains(subject) { selection.subjects.append(subject) }
    selection.rows.append(("fields", [.text(field)]))
    for row in try snapshot.all(RevisionStatements.allOfField, field) {
      let revision = try StoredRevision(row: row)
      selection.rows.append(("signatures", [.text(revision.id)]))
      selection.commitments.append(revision.commitment)
      if isErased { continue }
      disclosure.note("signature/\(revision.id)", of: held.target, for: ReadingPurpose.evidence.rawValue)
      guard revision.kind != .typed, let ink = try snapshot.vault.get(revision.item, of: subject) else { continue }
      let opening = try snapshot.vault.opening(of: revision.commitment)
      guard opening.digest.hex == revision.hash, opening.value == Digest(of: ink).bytes else {
        throw DatabaseError(.corrupt, "signature '\(revision.id)' is not what its hash was made of: it was altered")
      }
      let name = revision.kind == .uploaded ? "image of \(revision.id)" : "strokes of \(revision.id)"
      selection.contents.append((name, ink))
    }
  }
}
