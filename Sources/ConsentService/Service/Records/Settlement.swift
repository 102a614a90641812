internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// Brings a person's records into line with the decisions on record: what a later no or a later consent has overtaken
/// ends, whichever instrument and identifier it was decided by. Every change that decides something ends here.
enum Settlement {
  /// The actor on record of what follows from a decision.
  private static let system = "system"

  /// - Parameter entry: the entry for a record from which something is withdrawn, without kind and purposes.
  /// - Returns: the records that changed.
  @discardableResult
  static func settle(
    _ personID: String, in studyID: String, isTest: Bool, _ transaction: Transaction,
    entry: (ConsentRecord) throws -> RecordEntry
  ) throws -> [ConsentRecord] {
    let decisions = try DecisionStore.decisions(of: personID, in: studyID, isTest: isTest, transaction)
    let heads = try RecordStore.heads(ofPerson: personID, transaction).filter {
      $0.studyID == studyID && $0.test == isTest
    }
    var changed: [ConsentRecord] = []
    for head in heads {
      let ended = Decisions.ended(on: head, decisions, among: heads)
      guard !ended.isEmpty else { continue }
      var record = try RecordStore.locked(head.recordID, transaction)
      let known = record.history.count
      var actor = system
      if !ended.withdrawn.isEmpty {
        var withdrawal = try entry(record)
        (withdrawal.kind, withdrawal.purposes) = (.withdrawn, ended.withdrawn)
        record.append(withdrawal)
        actor = withdrawal.actor
      }
      for (later, purposes) in ended.superseded.sorted(by: { $0.key < $1.key }) {
        record.append(
          RecordEntry(
            kind: .superseded, at: Timestamp(transaction.now), actor: system, purposes: purposes, supersededBy: later))
      }
      try RecordFiling.update(record, known: known, transaction, by: actor)
      changed.append(record)
    }
    return changed
  }

  /// After a decision that a record documents.
  static func settle(after record: ConsentRecord, _ transaction: Transaction, _ caller: Caller) throws {
    try settle(record.subjectID, in: record.studyID, isTest: record.test, transaction) { _ in
      RecordEntry(
        at: Timestamp(transaction.now), actor: caller.actor,
        supersededBy: record.state == .declined || !record.declinedPurposes.isEmpty ? record.recordID : "")
    }
  }

  /// After a record was voided: what it had ended counts again, unless something else has ended it since. One that
  /// counts again, and never did before, may in its turn end what is older.
  static func reinstate(after voided: ConsentRecord, _ transaction: Transaction, _ caller: Caller) throws {
    let decisions = try DecisionStore.decisions(around: voided, transaction)
    var heads = try RecordStore.heads(ofPerson: voided.subjectID, transaction).filter {
      $0.studyID == voided.studyID && $0.test == voided.test && $0.state != .voided
    }
    heads = Decisions.newestFirst(heads, decisions)
    for (index, head) in heads.enumerated() {
      let purposes = Decisions.reinstated(on: head, decisions, among: heads)
      if purposes.isEmpty { continue }
      var record = try RecordStore.locked(head.recordID, transaction)
      let known = record.history.count
      let version =
        try record.kind == .form
        ? DocumentVersion() : DocumentStore.existing(record.documentID, record.documentVersion, transaction)
      let settings = version.content?.settings ?? DocumentSettings()
      let entry = RecordEntry(
        kind: .reinstated, at: Timestamp(transaction.now), actor: caller.actor, purposes: purposes,
        supersededBy: voided.recordID)
      record.append(entry)
      record.enterForceIfComplete(settings, entry: entry)
      try RecordFiling.update(record, known: known, transaction, by: caller.actor)
      heads[index] = record
      let due = record.kind == .document ? Signing.due(record, settings) : []
      let words = due.isEmpty ? nil : try SignerWords(of: record, version, transaction)
      try RecordStore.replaceTasks(record, due, in: words, transaction)
    }
    try settle(voided.subjectID, in: voided.studyID, isTest: voided.test, transaction) { _ in
      RecordEntry(at: Timestamp(transaction.now), actor: caller.actor)
    }
  }

  /// After two accounts of one person were merged: what was decided under one identifier counts under the other.
  static func settle(merged personID: String, _ transaction: Transaction) throws {
    let records = try RecordStore.heads(ofPerson: personID, transaction)
    for place in Set(records.map { Place(studyID: $0.studyID, isTest: $0.test) }).sorted(by: <) {
      try settle(personID, in: place.studyID, isTest: place.isTest, transaction) { _ in
        RecordEntry(at: Timestamp(transaction.now), actor: system, merged: true)
      }
    }
  }

  private struct Place: Hashable {
    let studyID: String
    let isTest: Bool

    static func < (one: Place, other: Place) -> Bool {
      (one.studyID, one.isTest ? 1 : 0) < (other.studyID, other.isTest ? 1 : 0)
    }
  }
}
