internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// Applies the decisions made under merged identifiers to each other's records, since one person made them: a
/// withdrawal or a newer decision under one identifier ends consents under the other. Records keep the identifier under
/// which they were made, and no earlier entry is altered.
enum MergedRecords {
  private static let actor = "system"

  static func settle(of personID: String, _ transaction: Transaction) throws {
    let records = try RecordStore.heads(ofPerson: personID, transaction).map {
      try RecordStore.record($0.recordID, transaction)
    }
    for head in records where head.isWithdrawable {
      let taken = purposes(withdrawnSince: head, among: records)
      guard !taken.isEmpty else { continue }
      var record = try RecordStore.locked(head.recordID, transaction)
      let known = record.history.count
      try record.withdraw(taken, entry: RecordEntry(at: Timestamp(transaction.now), actor: actor, merged: true))
      try RecordFiling.update(record, known: known, transaction, by: actor)
    }
    // The newest first, and each read again: an earlier turn may have superseded it, so of two that were decided at the
    // same time one stays.
    for head in try RecordStore.heads(ofPerson: personID, transaction).reversed() {
      let record = try RecordStore.head(head.recordID, transaction)
      if record.state != .superseded { try RecordFiling.supersede(by: record, transaction) }
    }
    // A newer consent that has ended by now, or a withdrawal under other codes, overtakes what is still in force.
    for head in try RecordStore.heads(ofPerson: personID, transaction)
    where head.kind != .form && head.state == .inForce {
      let record = try RecordStore.record(head.recordID, transaction)
      guard let since = try RecordFiling.decision(since: record, transaction) else { continue }
      try RecordFiling.supersede(record, by: since, transaction)
    }
  }

  /// Those purposes of the record that the person has withdrawn under another identifier since it was decided: from
  /// consents to the same document or, for a form, from forms. A withdrawal counts, whichever account it was made with.
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
  /// Whether this entry is a withdrawal that somebody decided after a moment. An entry that a merge wrote is not: it
  /// repeats a withdrawal that is on record elsewhere, and its time is that of the merge.
  func isDecidedWithdrawal(after moment: Instant) -> Bool {
    kind == .withdrawn && !merged && at.orEpoch > moment
  }
}
