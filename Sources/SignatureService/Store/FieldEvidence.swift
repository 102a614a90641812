internal import Base
internal import ServicePolicy
internal import SignatureContract
internal import Storage

/// What SignatureService has to show of fields: their events, their rows, and what was saved in them, as far as it was
/// not erased.
struct FieldEvidence: Sendable {
  private(set) var selection = EvidenceSelection()

  init(of fields: [String], _ snapshot: Snapshot, _ disclosure: inout Disclosure) throws {
    selection.streams = fields
    for field in fields { try add(field, snapshot, &disclosure) }
  }

  private mutating func add(_ field: String, _ snapshot: Snapshot, _ disclosure: inout Disclosure) throws {
    let subject = try Subject.checked(try FieldStore.reference(of: field, in: snapshot).subjectID)
    let isErased = try snapshot.vault.isErased(subject)
    if !selection.subjects.contains(subject) { selection.subjects.append(subject) }
    selection.rows.append(("fields", [.text(field)]))
    for row in try snapshot.all(RevisionStatements.allOfField, field) {
      let revision = try StoredRevision(row: row)
      selection.rows.append(("signatures", [.text(revision.id)]))
      if let commitment = revision.commitment { selection.commitments.append(commitment) }
      if isErased { continue }
      disclosure.note(revision.item, of: subject, for: ReadingPurpose.evidence.rawValue)
      guard revision.kind == .drawn, let ink = try snapshot.vault.get(revision.item, of: subject) else { continue }
      guard Digest(of: ink).hex == revision.hash else {
        throw DatabaseError(.corrupt, "signature '\(revision.id)' is not what its hash was made of: it was altered")
      }
      selection.contents.append(("strokes of \(revision.id)", ink))
    }
  }
}
