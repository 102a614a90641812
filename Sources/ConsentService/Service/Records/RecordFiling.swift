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
  /// - Parameter words: the statements of those who sign later; nil for a form.
  static func file(
    _ made: MadeRecord, _ settings: DocumentSettings, _ words: SignerWords?, _ attention: String,
    _ randomness: Randomness, _ transaction: Transaction, _ caller: Caller
  ) throws {
    var record = made.record
    if !attention.isEmpty, record.stands {
      record.attention = attention
      record.neverCameIntoForce()
      record.append(RecordEntry(kind: .needsAttention, at: Timestamp(transaction.now), actor: "system"))
    }
    // A decision in another session, or a withdrawal, came after this agreement and overtakes it.
    if record.state == .inForce, record.kind == .document, let since = try decision(since: record, transaction) {
      record.neverCameIntoForce()
      record.append(superseded(by: since, transaction))
    }
    if made.secrets != RecordSecrets() { try RecordStore.saveSecrets(made.secrets, of: record, transaction) }
    try RecordStore.save(record, transaction)
    if let shown = made.shown { try RecordStore.keepShown(record.shownHash, shown, transaction) }
    try transaction.noteEntries(of: record, by: caller.actor)
    try RecordStore.replaceTasks(record, Signing.due(record, settings), in: words, transaction)
    try supersede(by: record, transaction)
    if record.kind == .document, record.state != .declined { try render(record, transaction) }
    try CopyFiling.follow(record, settings, randomness, transaction)
  }

  /// Stores the entries of a record's history after the first `known` ones.
  static func update(_ record: ConsentRecord, known: Int, _ transaction: Transaction, by actor: String) throws {
    try RecordStore.save(record, known: known, transaction)
    // Nobody signs a record that has ended, or that staff has to look at first.
    if [.withdrawn, .expired, .needsAttention].contains(record.state) {
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

  /// Supersedes earlier records by a new one. A document's consent does so once it is in force; of a form, the newest
  /// decision counts, whatever it is.
  static func supersede(by record: ConsentRecord, _ transaction: Transaction) throws {
    guard record.kind == .form || record.state == .inForce else { return }
    for earlier in try RecordStore.heads(ofPerson: record.subjectID, transaction)
    where isSuperseded(earlier, by: record) { try supersede(earlier, by: record, transaction) }
  }

  /// Notes on an earlier record that it is superseded.
  static func supersede(
    _ earlier: ConsentRecord, by record: ConsentRecord, _ transaction: Transaction
  ) throws {
    var old = try RecordStore.locked(earlier.recordID, transaction)
    let known = old.history.count
    old.append(superseded(by: record, transaction))
    try RecordStore.save(old, known: known, transaction)
    try RecordStore.replaceTasks(old, [], transaction)
    try transaction.noteEntries(of: old, known: known, by: "system")
    // It may have been the last open consent under another identifier of the person.
    if earlier.isWithdrawable { try Retention.review(old.subjectID, in: old.studyID, transaction) }
  }

  private static func isSuperseded(_ earlier: ConsentRecord, by record: ConsentRecord) -> Bool {
    guard earlier.recordID != record.recordID, earlier.studyID == record.studyID, earlier.test == record.test,
      [.inForce, .awaitingSignatures, .expired].contains(earlier.state),
      earlier.decidedAt.orEpoch <= record.decidedAt.orEpoch
    else { return false }
    return record.kind == .form
      ? earlier.kind == .form && earlier.purposes == record.purposes
      : earlier.documentID == record.documentID && earlier.kind != .form
  }

  static func superseded(by record: ConsentRecord, _ transaction: Transaction) -> RecordEntry {
    RecordEntry(kind: .superseded, at: Timestamp(transaction.now), actor: "system", supersededBy: record.recordID)
  }

  /// The newest other consent of the subject to the document that was decided after this one, even if it is withdrawn
  /// by now.
  private static func newer(than record: ConsentRecord, _ snapshot: Snapshot) throws -> ConsentRecord? {
    let counted: [RecordState] = [.inForce, .withdrawn, .superseded, .expired]
    return try others(besides: record, snapshot).last {
      $0.decidedAt.orEpoch > record.decidedAt.orEpoch && counted.contains($0.state)
    }
  }

  /// The record of a later decision of the subject: a newer consent, or a withdrawal of a purpose that this record
  /// still grants. A consent that is recorded late must not restore what was withdrawn meanwhile.
  static func decision(since record: ConsentRecord, _ snapshot: Snapshot) throws -> ConsentRecord? {
    if let newer = try newer(than: record, snapshot) { return newer }
    return try others(besides: record, snapshot).last { other in
      guard !other.withdrawnPurposes.isEmpty else { return false }
      return try RecordStore.record(other.recordID, snapshot).history.contains { entry in
        entry.isDecidedWithdrawal(after: record.decidedAt.orEpoch) && takes(entry, on: other, from: record)
      }
    }
  }

  /// Whether a withdrawal on another record takes a purpose that this one still grants. Versions may use other codes
  /// for their purposes: if no code is shared, this record counts as withdrawn once the other one is withdrawn
  /// completely.
  private static func takes(_ entry: RecordEntry, on other: ConsentRecord, from record: ConsentRecord) -> Bool {
    let taken = Set(entry.purposes.isEmpty ? other.purposes : entry.purposes)
    if taken.isDisjoint(with: record.purposes) { return other.purposes.allSatisfy(other.withdrawnPurposes.contains) }
    return !taken.isDisjoint(with: Set(record.purposes).subtracting(record.withdrawnPurposes))
  }

  /// The subject's other records of the document, in the order in which they were decided.
  static func others(besides record: ConsentRecord, _ snapshot: Snapshot) throws -> [ConsentRecord] {
    try RecordStore.heads(ofPerson: record.subjectID, snapshot).filter { other in
      other.recordID != record.recordID && other.studyID == record.studyID && other.test == record.test
        && other.documentID == record.documentID && other.kind != .form
    }
  }

  /// An entry for the present action of a caller; its kind is set later.
  static func entry(
    _ device: DeviceTime?, _ reason: String, _ transaction: Transaction, _ caller: Caller
  ) throws(Refusal) -> RecordEntry {
    try DeviceTimeRules.check(device, "device_time")
    return RecordEntry(at: Timestamp(transaction.now), deviceTime: device, actor: caller.actor, reason: reason)
  }
}
