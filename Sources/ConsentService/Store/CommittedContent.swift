internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage

// Before a record leaves the service, its rows are compared with the hashes that events hold of them. Rows that were
// changed by hand are refused, and nothing in them is answered.

extension RecordStore {
  /// Verifies the heads of records, and those entries of their histories that were read.
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
