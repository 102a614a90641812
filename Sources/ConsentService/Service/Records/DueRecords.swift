internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// Who should be asked for consent again.
enum DueRecords {
  /// What is due for the people of these records, which are those of one study.
  static func due(_ records: [ConsentRecord], _ snapshot: Snapshot) throws -> [DueConsent] {
    let demands = try DocumentStore.demands(on: records, snapshot)
    var published: [String: Int32] = [:]
    for id in DocumentStore.lowestVersions(of: records).keys {
      published[id] = try DocumentStore.named(id, snapshot).publishedVersion
    }
    var due: [DueConsent] = []
    for head in records {
      // Whoever was erased is not asked for anything.
      guard try !snapshot.vault.isErased(try Subject.stored(head.subjectID)) else { continue }
      var record = head
      if record.ageCheck?.needsGuardian == true {
        record.majorityMonth = try RecordStore.secrets(head.recordID, of: head.subjectID, snapshot).majorityMonth
      }
      let version = published[record.documentID] ?? 0
      guard let found = ConsentCheck.due(record, demands, published: version, at: snapshot.now),
        try !hasAnswered(found, record, snapshot)
      else { continue }
      due.append(found)
    }
    return due
  }

  /// Whether the person has answered the version that they are due for, yes or no: then nobody asks them again.
  private static func hasAnswered(
    _ due: DueConsent, _ record: ConsentRecord, _ snapshot: Snapshot
  ) throws -> Bool {
    guard [.newVersion, .notify].contains(due.reason) else { return false }
    return try RecordStore.heads(ofPerson: record.subjectID, snapshot).contains { other in
      other.documentID == record.documentID && other.documentVersion > record.documentVersion
        && other.test == record.test && ![.rejected, .voided].contains(other.state)
    }
  }
}
