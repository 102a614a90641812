internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage

/// The time at which a decision that is made now is recorded: after all earlier decisions of the person, whatever the
/// clock says.
///
/// Of two decisions about the same matter, the later one counts. But the clocks of machines differ, a clock may be set
/// back, and two decisions may fall into one millisecond. So a time that would not be after an earlier decision's is
/// moved behind it.
enum DecisionTime {
  /// The time of an action on a session's screen: not before earlier actions there and, if it decides something, after
  /// the person's decisions on record. Other actions, such as paging, read no records.
  static func of(_ action: ActionKind, in session: StoredSession, _ snapshot: Snapshot) throws -> Instant {
    let next = now(notBefore: [session.state.actedAt.orEpoch], snapshot)
    guard [.allow, .notNow, .disagree, .confirm, .sign].contains(action) else { return next }
    return max(next, try ofAnswer(in: session, snapshot))
  }

  /// The time of an agreement or a denial: after the person's decisions and withdrawals on record in the study, and
  /// after what they decided in other sessions that have not ended. Decisions of the session itself have an order of
  /// their own, and may have the same time. A damaged history keeps nobody from deciding: then only the time of its
  /// record's decision counts.
  static func ofAnswer(in session: StoredSession, _ snapshot: Snapshot) throws -> Instant {
    let known = try records(of: session.subjectID, in: session.studyID, snapshot)
    let own = known.filter { $0.sessionID == session.id }.map(\.decidedAt.orEpoch)
    let others = known.filter { $0.sessionID != session.id }.map(\.decidedAt.orEpoch)
    let withdrawals = try known.filter { !$0.withdrawnPurposes.isEmpty }.flatMap { record in
      try timesOfWithdrawals(from: record.recordID, snapshot)
    }
    let unfiled = try timesInSessions(of: session.subjectID, in: session.studyID, besides: session.id, snapshot)
    return max(now(notBefore: own, snapshot), now(after: others + withdrawals + unfiled, snapshot))
  }

  /// The time of a withdrawal: after the person's decisions on record in the study, and after what they decided in
  /// sessions that have not ended. Reads no histories, since a damaged one must not prevent a withdrawal.
  static func ofWithdrawal(by personID: String, in studyID: String, _ snapshot: Snapshot) throws -> Instant {
    let filed = try records(of: personID, in: studyID, snapshot).map(\.decidedAt.orEpoch)
    let unfiled = try timesInSessions(of: personID, in: studyID, besides: "", snapshot)
    return now(after: filed + unfiled, snapshot)
  }

  /// The times of decisions in the person's sessions that have not ended. An agreement comes on record only when the
  /// person leaves the review, after the pages for names and signatures, but with the time of the agreement. A session
  /// that is damaged is skipped: it cannot go on, so nothing of it comes on record.
  private static func timesInSessions(
    of personID: String, in studyID: String, besides sessionID: String, _ snapshot: Snapshot
  ) throws -> [Instant] {
    var times: [Instant] = []
    for name in try MergedAccounts.names(of: personID, snapshot) {
      // After a restore, the sessions of an erased subject may not have been ended yet.
      guard let subject = Subject(name), try !snapshot.vault.isErased(subject) else { continue }
      for id in try SessionStore.running(of: name, in: studyID, snapshot) where id != sessionID {
        do {
          let state = try SessionStore.session(id, snapshot).state
          times += state.documents.map(\.decidedAt.orEpoch) + state.forms.map(\.decidedAt.orEpoch)
        } catch let error as DatabaseError where error.code == .corrupt {
          continue
        }
      }
    }
    return times
  }

  private static func timesOfWithdrawals(from recordID: String, _ snapshot: Snapshot) throws -> [Instant] {
    do {
      let history = try RecordStore.record(recordID, snapshot).history
      return history.filter { $0.kind == .withdrawn }.map(\.at.orEpoch)
    } catch let error as DatabaseError where error.isDamage {
      return []
    }
  }

  private static func records(
    of personID: String, in studyID: String, _ snapshot: Snapshot
  ) throws -> [ConsentRecord] {
    try RecordStore.heads(ofPerson: personID, snapshot).filter { $0.studyID == studyID }
  }

  /// Now, or a millisecond after the newest of the moments if that is later.
  private static func now(notBefore moments: [Instant], _ snapshot: Snapshot) -> Instant {
    guard let newest = moments.max(), newest > snapshot.now else { return snapshot.now }
    return newest + .milliseconds(1)
  }

  /// The same, also if the newest of the moments is now.
  private static func now(after moments: [Instant], _ snapshot: Snapshot) -> Instant {
    guard let newest = moments.max(), newest >= snapshot.now else { return snapshot.now }
    return newest + .milliseconds(1)
  }
}
