internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// Stores records with everything that follows from them: events, signing tasks, superseded records, jobs.
enum RecordFiling {
  /// Stores a record that was just made.
  ///
  /// - Parameters:
  ///   - seenBefore: the place in the log up to which the person knew when deciding.
  ///   - words: the statements of those who sign later; nil for a form.
  static func file(
    _ made: MadeRecord, seenBefore: Int64, _ settings: DocumentSettings, _ words: SignerWords?, _ attention: String,
    _ randomness: Randomness, _ transaction: Transaction, _ caller: Caller
  ) throws {
    var record = made.record
    var attention = attention
    if attention.isEmpty, record.stands {
      attention = try overtaken(
        record.purposes, of: record.subjectID, in: record.studyID, isTest: record.test, seenBefore: seenBefore,
        sessionID: record.sessionID, transaction)
    }
    try decide(&record, seenBefore: seenBefore, settings, transaction, by: caller.actor)
    if !attention.isEmpty, record.stands {
      record.neverCameIntoForce()
      record.append(
        RecordEntry(kind: .needsAttention, at: Timestamp(transaction.now), actor: "system", attention: attention))
    }
    try giveWay(&record, known: 0, transaction)
    if made.secrets != RecordSecrets() { try RecordStore.saveSecrets(made.secrets, of: record, transaction) }
    try RecordStore.save(record, transaction)
    if let shown = made.shown { try RecordStore.keepShown(record.shownHash, shown, transaction) }
    try transaction.noteEntries(of: record, by: caller.actor)
    try RecordStore.replaceTasks(record, Signing.due(record, settings), in: words, transaction)
    try Settlement.settle(after: record, transaction, caller)
    if record.kind == .document, record.state != .declined { try render(record, transaction) }
    try CopyFiling.follow(record, settings, randomness, transaction)
  }

  /// Ends a consent that is about to come into force if the person has consented anew since they gave it: it never was
  /// in force.
  static func giveWay(_ record: inout ConsentRecord, known: Int, _ transaction: Transaction) throws {
    guard record.stands else { return }
    let heads = try others(besides: record, transaction)
    let decisions = try DecisionStore.decisions(around: record, transaction)
    let newer = Decisions.ended(on: record, decisions, among: heads).superseded
    guard let later = newer.keys.max(), record.standingPurposes.count == newer.values.reduce(0, { $0 + $1.count })
    else { return }
    record.neverCameIntoForce(since: known)
    record.append(
      RecordEntry(kind: .superseded, at: Timestamp(transaction.now), actor: "system", supersededBy: later))
  }

  /// Adds what a record documents to its subject's decisions.
  static func decide(
    _ record: inout ConsentRecord, seenBefore: Int64, _ settings: DocumentSettings, _ transaction: Transaction,
    by actor: String
  ) throws {
    let isYes = record.state != .declined
    var purposes = record.purposes
    if !isYes, record.kind == .document {
      let earlier = try standing(besides: record, transaction)
      if settings.keepsEarlierConsent, earlier.contains(where: { $0.documentVersion < record.documentVersion }) {
        purposes = []
      } else {
        // Versions may name their purposes differently: who declines the document declines all that it was asked for.
        purposes += Set(earlier.flatMap(\.standingPurposes)).subtracting(purposes).sorted()
      }
    }
    let decision = ConsentDecision(
      studyID: record.studyID, yes: isYes, decidedAt: record.decidedAt, actor: actor, recordID: record.recordID,
      sessionID: record.sessionID, test: record.test)
    record.filedBefore = try DecisionStore.add(
      decision, about: purposes, of: record.subjectID, seenBefore: seenBefore, transaction)
    guard !record.declinedPurposes.isEmpty else { return }
    var refusal = decision
    refusal.yes = false
    // What a paper said no to may have been decided anew before the paper came on record.
    let later = try record.kind != .paper ? [] : DecisionStore.decisions(around: record, transaction)
    let declined = record.declinedPurposes.filter { purpose in
      !later.contains { $0.yes && $0.purpose == purpose && $0.seenBefore > seenBefore }
    }
    try DecisionStore.add(refusal, about: declined, of: record.subjectID, transaction)
  }

  /// Why a consent needs attention that comes on record after its subject has said no; empty if it does not.
  static func overtaken(
    _ purposes: [String], of subjectID: String, in studyID: String, isTest: Bool, seenBefore: Int64,
    sessionID: String = "", _ snapshot: Snapshot
  ) throws -> String {
    let decisions = try DecisionStore.decisions(of: subjectID, in: studyID, isTest: isTest, snapshot)
    let overtaken = Decisions.overtaken(purposes, seenBefore: seenBefore, in: sessionID, decisions)
    guard !overtaken.isEmpty else { return "" }
    let named = overtaken.joined(separator: ", ")
    return "said_no_meanwhile: after this was decided, and before it came on record, the person said no to \(named)"
  }

  /// The person's other consents to the document that stand.
  static func standing(besides record: ConsentRecord, _ snapshot: Snapshot) throws -> [ConsentRecord] {
    try others(besides: record, snapshot).filter { other in
      other.documentID == record.documentID && other.kind != .form && other.isWithdrawable
    }
  }

  /// The person's other records in the study.
  private static func others(besides record: ConsentRecord, _ snapshot: Snapshot) throws -> [ConsentRecord] {
    try RecordStore.heads(ofPerson: record.subjectID, snapshot).filter { other in
      other.recordID != record.recordID && other.studyID == record.studyID && other.test == record.test
    }
  }

  /// Stores the entries of a record's history after the first `known` ones.
  static func update(_ record: ConsentRecord, known: Int, _ transaction: Transaction, by actor: String) throws {
    try RecordStore.save(record, known: known, transaction)
    // Nobody signs a record that has ended, or that staff has to look at first.
    if !record.stands {
      try RecordStore.replaceTasks(record, [], transaction)
    }
    try transaction.noteEntries(of: record, known: known, by: actor)
    try Retention.review(record.subjectID, in: record.studyID, transaction)
  }

  /// Queues the job that makes the images of a record's signatures.
  static func render(_ record: ConsentRecord, _ transaction: Transaction) throws {
    try transaction.enqueue(
      RenderJob.kind, Array(record.recordID.utf8), id: "render-\(record.recordID)-\(record.signatures.count)")
  }

  /// An entry for the present action of a caller; its kind is set later.
  static func entry(
    _ device: DeviceTime?, _ reason: String, _ transaction: Transaction, _ caller: Caller
  ) throws(Refusal) -> RecordEntry {
    try DeviceTimeRules.check(device, "device_time")
    return RecordEntry(at: Timestamp(transaction.now), deviceTime: device, actor: caller.actor, reason: reason)
  }
}
