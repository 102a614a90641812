internal import SignatureContract
internal import Storage

// What was signed is held to what events committed to before it leaves: rows that were changed by hand are refused.

extension FieldStore {
  /// Verifies a field. Without a map of rows, one that is being drawn in is not: thousands of events would have to be
  /// looked through.
  static func verify(_ field: SignatureField, in snapshot: Snapshot) throws {
    guard field.saved != nil || field.cell.isClosed || snapshot.hasRowMap else { return }
    var rows = [CommittedRow("fields", field.id, in: field.id)]
    if let saved = field.saved { rows.append(CommittedRow("signatures", saved.signatureID, in: field.id)) }
    try snapshot.verify(rows)
  }
}

extension RevisionStore {
  static func verify(_ revisions: [StoredRevision], in snapshot: Snapshot) throws {
    try snapshot.verify(revisions.map { CommittedRow("signatures", $0.id, in: $0.field) })
  }
}
