internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import Storage

/// When a decision that is made now counts as made: after all that the person decided before, whatever the clock says.
///
/// Of two decisions about the same the later one counts. Clocks of several machines differ, one may be set back, and a
/// millisecond is long, so a time that would not put a decision after an earlier one is moved behind it.
enum DecisionTime {
  /// Of what a person does on a screen of a session: after what they did there before and, where it decides something,
  /// after their decisions on record. Paging reads no records.
  static func of(_ action: ActionKind, in session: StoredSession, _ snapshot: Snapshot) throws -> Instant {
    let next = now(notBefore: [session.state.actedAt.orEpoch], snapshot)
    guard [.allow, .notNow, .disagree, .confirm, .sign].contains(action) else { return next }
    return max(next, try ofAnswer(in: session, snapshot))
  }

  /// Of an agreement or a denial: after the decisions on record in the study, and the withdrawals. What the session
  /// itself decides has its own order, and may be of one moment. A history that is damaged keeps nobody from deciding:
  /// then that of its record counts alone.
  static func ofAnswer(in session: StoredSession, _ snapshot: Snapshot) throws -> Instant {
    let known = try records(of: session.subjectID, in: session.studyID, snapshot)
    let own = known.filter { $0.sessionID == session.id }.map(\.decidedAt.orEpoch)
    let others = known.filter { $0.sessionID != session.id }.map(\.decidedAt.orEpoch)
    let withdrawals = try known.filter { !$0.withdrawnPurposes.isEmpty }.flatMap { record in
      try timesOfWithdrawals(from: record.recordID, snapshot)
    }
    return max(now(notBefore: own, snapshot), now(after: others + withdrawals, snapshot))
  }

  /// Of a withdrawal: after the decisions on record in the study. It reads no history, which may be damaged.
  static func ofWithdrawal(by personID: String, in studyID: String, _ snapshot: Snapshot) throws -> Instant {
    now(after: try records(of: personID, in: studyID, snapshot).map(\.decidedAt.orEpoch), snapshot)
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

  /// Now; a millisecond after the newest of some moments where that is later.
  private static func now(notBefore moments: [Instant], _ snapshot: Snapshot) -> Instant {
    guard let newest = moments.max(), newest > snapshot.now else { return snapshot.now }
    return newest + .milliseconds(1)
  }

  /// The same, also where the newest of the moments is now.
  private static func now(after moments: [Instant], _ snapshot: Snapshot) -> Instant {
    guard let newest = moments.max(), newest >= snapshot.now else { return snapshot.now }
    return newest + .milliseconds(1)
  }
}
