internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage

/// How long personal data are kept: a study's retention period begins when the last of a subject's consents and
/// sessions in it has ended, and not before.
enum Retention {
  /// Practically for ever: for a study without a retention period.
  private static let forever = Duration.milliseconds(Int64.max / 4)

  private static func policy(_ studyID: String) -> String { "study-\(studyID)" }

  static func setPolicy(of study: ConsentStudy, by actor: String, _ transaction: Transaction) throws {
    let days = Int64(study.retentionDays)
    try transaction.vault.setPolicy(
      policy(study.studyID), keep: days == 0 ? forever : .seconds(days * 86_400), by: actor)
  }

  /// Called when a subject begins a session: their data are not erased while it is open.
  static func keepFromErasure(_ subject: Subject, in studyID: String, _ transaction: Transaction) throws {
    try transaction.vault.keep(subject, under: policy(studyID))
  }

  /// Called when a session or consent of a subject may have ended: begins the retention period if none is open any
  /// more.
  static func review(_ subjectID: String, in studyID: String, _ transaction: Transaction) throws {
    let subject = try Subject.stored(subjectID)
    if try transaction.vault.isErased(subject) { return }
    let isRunning = try SessionStore.isRunning(of: subjectID, in: studyID, transaction)
    let goesOn =
      try isRunning
      || RecordStore.heads(of: subjectID, transaction).contains { $0.studyID == studyID && $0.isWithdrawable }
    if goesOn {
      try transaction.vault.keep(subject, under: policy(studyID))
    } else {
      try transaction.vault.retain(subject, under: policy(studyID))
    }
  }

  /// Whether a person is on record as a guardian, or signs in with this subject's account and has another identifier
  /// under which data are kept. The erasure would reach the account and the signatures: a guardian would be locked out,
  /// and consents of the ward would lose what the guardian signed; or the person would be locked out of what is kept.
  /// So of a person's identifiers, that of the account that stays is erased last, and none while one is a guardian's.
  static func isNeeded(_ subject: Subject, _ snapshot: Snapshot) throws -> Bool {
    let names = try MergedAccounts.names(of: subject.id, snapshot)
    if try names.contains(where: { try GuardianStore.isGuardian($0, snapshot) }) { return true }
    return try names.first == subject.id && names.dropFirst().contains { try isKept($0, snapshot) }
  }

  /// Whether data are kept here under an identifier: it is not erased, and has a record or a session.
  static func isKept(_ name: String, _ snapshot: Snapshot) throws -> Bool {
    guard let subject = Subject(name), try !snapshot.vault.isErased(subject) else { return false }
    return try !studies(of: subject, snapshot).isEmpty
  }

  /// The studies with data of the subject: a record, or a session that made none.
  static func studies(of subject: Subject, _ snapshot: Snapshot) throws -> [String] {
    let recorded = try RecordStore.heads(of: subject.id, snapshot).map(\.studyID)
    return try SessionStore.studies(of: subject.id, snapshot).union(recorded).sorted()
  }

  /// Does the parts of an erasure outside the vault: removes guardians and tasks, counts, closes sessions, queues the
  /// erasure of strokes and account in other services, and notes an event per study.
  static func followErasure(of subject: Subject, by actor: String, _ transaction: Transaction) throws {
    try GuardianStore.forget(wardsOf: subject.id, transaction)
    try RecordStore.removeTasksAndDeadlines(of: subject.id, transaction)
    try RecordStore.countErased(subject.id, transaction)
    try closeSessions(of: subject.id, by: actor, transaction)
    try EraseJob.enqueue(for: subject, transaction)
    for study in try studies(of: subject, transaction) {
      try transaction.note(ConsentEvent(kind: .subjectErased, studyID: study, subjectID: subject.id), by: actor)
    }
  }

  /// Closes the sessions of an erased subject: nobody can continue a session whose state is erased.
  private static func closeSessions(of subjectID: String, by actor: String, _ transaction: Transaction) throws {
    for id in try SessionStore.sessions(of: subjectID, transaction) {
      guard let session = try SessionStore.plain(id, transaction), session.outcome == .unspecified else { continue }
      try close(session, by: actor, transaction)
    }
  }

  static func close(_ session: PlainSession, by actor: String, _ transaction: Transaction) throws {
    try SessionStore.close(session.id, as: .expired, transaction)
    try DeadlineStore.remove(Deadline(kind: .session, id: session.id), transaction)
    try UnfinishedReminder.remove(for: session.id, transaction)
    try transaction.note(
      ConsentEvent(
        kind: .sessionEnded, studyID: session.studyID, siteID: session.siteID, subjectID: session.subjectID,
        sessionID: session.id, outcome: .expired, test: session.isTest), by: actor)
  }
}
