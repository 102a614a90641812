internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// Lets the decisions of one person count as one person's that were recorded as two people's. Records keep the
/// identifier under which they were made; nothing earlier is altered.
enum MergedRecords {
  private static let actor = "system"

  static func settle(of personID: String, _ transaction: Transaction) throws {
    let records = try RecordStore.heads(ofPerson: personID, transaction).map {
      try RecordStore.record($0.recordID, transaction)
    }
    // Rows that were altered must not become an entry that a signed head vouches for.
    try RecordStore.verify(records, transaction)
    for head in records where head.isWithdrawable {
      let taken = purposes(withdrawnSince: head, among: records)
      guard !taken.isEmpty else { continue }
      var record = try RecordStore.locked(head.recordID, transaction)
      let known = record.history.count
      try record.withdraw(taken, entry: RecordEntry(at: Timestamp(transaction.now), actor: actor, merged: true))
      try RecordFiling.update(record, known: known, transaction, by: actor)
    }
    // The newest first, and each as it is by then: of two that were decided at the same time one stays.
    for head in try RecordStore.heads(ofPerson: personID, transaction).reversed() {
      let record = try RecordStore.head(head.recordID, transaction)
      if record.state != .superseded { try RecordFiling.supersede(by: record, transaction) }
    }
  }

  /// What the person has withdrawn under another identifier since this was decided: of consents to the same document,
  /// or of forms. A withdrawal counts, whichever account it was made with.
  private static func purposes(withdrawnSince record: ConsentRecord, among records: [ConsentRecord]) -> [String] {
    let others = records.filter { other in
      other.subjectID != record.subjectID && other.studyID == record.studyID && other.test == record.test
        && (other.kind == .form) == (record.kind == .form) && other.documentID == record.documentID
    }
    var taken: Set<String> = []
    for other in others {
      for entry in other.history where entry.isDecidedWithdrawal(after: record.decidedAt.orEpoch) {
        taken.formUnion(entry.purposes.isEmpty ? other.purposes : entry.purposes)
      }
    }
    return record.purposes.filter { taken.contains($0) && !record.withdrawnPurposes.contains($0) }
  }
}

extension RecordEntry {
  /// Whether somebody decided after a moment to withdraw. An entry that a merge wrote repeats a withdrawal that is on
  /// record elsewhere, at a time of its own; when the accounts were merged says nothing of what the person wants.
  func isDecidedWithdrawal(after moment: Instant) -> Bool {
    kind == .withdrawn && !merged && at.orEpoch > moment
  }
}
