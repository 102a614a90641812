internal import Base
internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Wire

/// An event that says that a session is unfinished so many days after it began.
enum UnfinishedReminder {
  /// Called when a session begins, or goes on after it ended, unless its time is over by then.
  static func set(for session: StoredSession, _ transaction: Transaction) throws {
    let days = Int(try StudyStore.study(session.studyID, transaction).unfinishedAfterDays)
    let time = session.startedAt + .days(days)
    if time > transaction.now { try DeadlineStore.set(.unfinished, session.id, at: time, transaction) }
  }

  static func remove(for sessionID: String, _ transaction: Transaction) throws {
    try DeadlineStore.remove(Deadline(kind: .unfinished, id: sessionID), transaction)
  }

  /// Notes the event, unless the session has ended.
  static func settle(_ deadline: Deadline, by actor: String, _ transaction: Transaction) throws {
    try DeadlineStore.remove(deadline, transaction)
    guard let session = try SessionStore.plain(deadline.id, transaction), session.outcome == .unspecified,
      try !transaction.vault.isErased(try Subject.stored(session.subjectID))
    else { return }
    try transaction.note(
      ConsentEvent(
        kind: .sessionUnfinished, studyID: session.studyID, siteID: session.siteID, subjectID: session.subjectID,
        sessionID: session.id, test: session.isTest,
        days: Int32((transaction.now - session.startedAt) / Duration.days(1))),
      by: actor)
  }
}
