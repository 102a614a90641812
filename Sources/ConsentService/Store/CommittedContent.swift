internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage

// What people are shown and told is held to what events committed to before it leaves: rows that were changed by hand
// are refused, and nothing of them is answered.

extension RecordStore {
  /// Verifies the heads of records, with their histories as far as they were read.
  static func verify(_ records: [ConsentRecord], _ snapshot: Snapshot) throws {
    try snapshot.verify(
      records.flatMap { record in
        let stream = EventStream.subject(record.subjectID)
        return [CommittedRow("records", record.recordID, in: stream)]
          + record.history.map { CommittedRow("record_entries", record.recordID, Int64($0.sequence), in: stream) }
      })
    for record in records where !record.history.isEmpty {
      guard record.refolded().state == record.state else {
        throw DatabaseError(.corrupt, "record '\(record.recordID)' is not what its history makes of it: it was altered")
      }
    }
  }
}

extension DocumentStore {
  /// Verifies versions of documents of one study.
  static func verify(_ versions: [(documentID: String, version: Int32)], of study: String, _ snapshot: Snapshot) throws
  {
    try snapshot.verify(
      versions.map {
        CommittedRow("document_versions", $0.documentID, Int64($0.version), in: EventStream.study(study))
      })
  }

  /// A version whose content is what was written.
  static func verified(
    _ documentID: String, _ number: Int32, of study: String, _ snapshot: Snapshot
  ) throws -> DocumentVersion {
    try verify([(documentID, number)], of: study, snapshot)
    return try version(documentID, number, snapshot)
  }
}

extension FlowStore {
  /// A version whose definition is what was written.
  static func verified(
    _ flowID: String, _ number: Int32, of study: String, _ snapshot: Snapshot
  ) throws -> FlowVersion {
    try snapshot.verify([CommittedRow("flow_versions", flowID, Int64(number), in: EventStream.study(study))])
    return try version(flowID, number, snapshot)
  }
}
