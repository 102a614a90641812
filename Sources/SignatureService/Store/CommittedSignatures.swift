internal import SignatureContract
internal import Storage

// Before a signature or its field is shown, its rows are verified against the events that commit to them, so that rows
// that were changed by hand are refused.

extension FieldStore {
  /// Verifies a field's rows. Without a map of rows, a field that nobody has saved or closed is not verified, because
  /// thousands of events would have to be read.
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
