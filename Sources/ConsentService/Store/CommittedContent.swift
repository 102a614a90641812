internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage

// Where a record leaves the service as proof, its rows are compared with the hashes that events hold of them. Rows that
// were changed by hand are refused, and nothing in them is answered.

extension RecordStore {
  /// Verifies records that are proof: their heads, copies and secrets, those entries of their histories that were read,
  /// and the versions of what was shown.
  ///
  /// - Parameter demanding: whether also the later versions of the documents are verified, which may demand another
  ///   consent.
  static func verify(
    _ records: [ConsentRecord], withLaterVersions demanding: Bool = false, _ snapshot: Snapshot
  ) throws {
    var rows: [CommittedRow] = []
    var versions: Set<ShownVersion> = []
    for record in records {
      let stream = EventStream.subject(record.subjectID)
      rows.append(CommittedRow("records", record.recordID, in: stream))
      rows += record.history.map { CommittedRow("record_entries", record.recordID, Int64($0.sequence), in: stream) }
      if record.signedCopy != nil { rows.append(CopyStore.row(CopyName(record.recordID), of: record)) }
      if record.participantCopy != nil {
        rows.append(CopyStore.row(CopyName(record.recordID, .participant), of: record))
      }
      versions.formUnion(ShownVersion.all(on: record))
      guard demanding, !record.documentID.isEmpty else { continue }
      let later = try DocumentStore.numbers(of: record.documentID, above: record.documentVersion, snapshot)
      versions.formUnion(later.map { .document(record.documentID, $0, study: record.studyID) })
    }
    rows += try records.compactMap { record in
      try snapshot.vault.row(
        of: secretsItem(record.recordID), about: try Subject.stored(record.subjectID),
        in: EventStream.subject(record.subjectID))
    }
    try snapshot.verify(rows + versions.map(\.row))
    for record in records where !record.history.isEmpty {
      guard record.refolded().state == record.state else {
        throw DatabaseError(.corrupt, "record '\(record.recordID)' is not what its history makes of it: it was altered")
      }
    }
  }
}

/// A version of something that was shown when a consent was given.
private enum ShownVersion: Hashable {
  case document(String, Int64, study: String)
  case flow(String, Int64, study: String)
  case texts(Int64)

  static func all(on record: ConsentRecord) -> [ShownVersion] {
    var versions: [ShownVersion] = []
    if !record.documentID.isEmpty {
      versions.append(.document(record.documentID, Int64(record.documentVersion), study: record.studyID))
    }
    if !record.flowID.isEmpty {
      versions.append(.flow(record.flowID, Int64(record.flowVersion), study: record.studyID))
    }
    if record.textsVersion > 0 { versions.append(.texts(Int64(record.textsVersion))) }
    return versions
  }

  var row: CommittedRow {
    switch self {
    case .document(let id, let number, let study):
      CommittedRow("document_versions", id, number, in: EventStream.study(study))
    case .flow(let id, let number, let study):
      CommittedRow("flow_versions", id, number, in: EventStream.study(study))
    case .texts(let number): CommittedRow("text_versions", number, in: EventStream.study(""))
    }
  }
}
