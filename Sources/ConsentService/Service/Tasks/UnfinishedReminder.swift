internal import Base
internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Wire

/// An event that says that a session is unfinished so many days after it began.
enum UnfinishedReminder {
  /// Called when a session begins, perhaps days ago on a device without a connection, or goes on after it ended: then
  /// it was said already if its time is over.
  static func set(for session: StoredSession, isNew: Bool = false, _ transaction: Transaction) throws {
    let days = Int(try StudyStore.study(session.studyID, transaction).unfinishedAfterDays)
    let time = session.startedAt + .days(days)
    guard days > 0, isNew || time > transaction.now else { return }
    try DeadlineStore.set(.unfinished, session.id, at: time, transaction)
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
