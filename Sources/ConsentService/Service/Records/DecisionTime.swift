internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import Storage

/// When a decision that is made now counts as made: after all that the person decided before, whatever the clock says.
///
/// Of two decisions about the same the later one counts. Clocks of several machines differ, and one may be set back, so
/// a time that would put a decision before an earlier one is moved behind it.
enum DecisionTime {
  /// Of an agreement or a denial: after the decisions on record in the study, and the withdrawals.
  static func ofAnswer(by personID: String, in studyID: String, _ snapshot: Snapshot) throws -> Instant {
    let known = try records(of: personID, in: studyID, snapshot)
    let withdrawals = try known.filter { !$0.withdrawnPurposes.isEmpty }.flatMap { record in
      try RecordStore.record(record.recordID, snapshot).history.filter { $0.kind == .withdrawn }.map(\.at.orEpoch)
    }
    return now(after: known.map(\.decidedAt.orEpoch) + withdrawals, snapshot)
  }

  /// Of a withdrawal: after the decisions on record in the study. It reads no history, which may be damaged.
  static func ofWithdrawal(by personID: String, in studyID: String, _ snapshot: Snapshot) throws -> Instant {
    now(after: try records(of: personID, in: studyID, snapshot).map(\.decidedAt.orEpoch), snapshot)
  }

  private static func records(
    of personID: String, in studyID: String, _ snapshot: Snapshot
  ) throws -> [ConsentRecord] {
    try RecordStore.heads(ofPerson: personID, snapshot).filter { $0.studyID == studyID }
  }

  private static func now(after moments: [Instant], _ snapshot: Snapshot) -> Instant {
    guard let newest = moments.max(), newest > snapshot.now else { return snapshot.now }
    return newest + .milliseconds(1)
  }
}
