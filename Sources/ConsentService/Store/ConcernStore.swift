internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import Storage
internal import Wire

/// Finds the records that somebody should look at: one row for each concern, kept by the transactions that change the
/// records and their copies. What is wrong with a record, itself and its copies say.
enum ConcernStore {
  private static let put = Statement(
    "concern.put",
    "INSERT INTO concerns (tenant, study_id, test, kind, decided_ms, record_id) VALUES ({tenant}, ?, ?, ?, ?, ?) "
      + "ON CONFLICT (tenant, study_id, test, kind, decided_ms, record_id) DO NOTHING")
  private static let remove = Statement("concern.remove", "DELETE FROM concerns WHERE \(ofRecord)")
  private static let find = Statement("concern.find", "SELECT kind FROM concerns WHERE \(ofRecord)")
  private static let ofRecord =
    "tenant = {tenant} AND study_id = ? AND test = ? AND kind = ? AND decided_ms = ? AND record_id = ?"

  static let statements = [put, remove, find]

  /// Notes concerns that a record itself has now and did not have before, and forgets those that are over.
  static func follow(_ record: ConsentRecord, since earlier: ConsentRecord, _ transaction: Transaction) throws {
    for concern in [RecordConcern.voidRequested, .signingDeclined]
    where record.raises(concern) != earlier.raises(concern) {
      try set(concern, about: record, record.raises(concern), transaction)
    }
  }

  /// Notes or forgets concerns about the copies of a record, of which one was stored with this description.
  static func follow(
    _ copy: SignedCopy, _ part: CopyName.Part, of record: ConsentRecord, _ transaction: Transaction
  ) throws {
    for concern in [RecordConcern.copyFailed, .copyWaits] {
      let isKnown =
        try transaction.first(
          find, record.studyID, record.test, Int64(concern.number), record.decidedAt.orEpoch, record.recordID) != nil
      var isRaised = copy.raises(concern)
      if isKnown, !isRaised {
        for other in CopyName.Part.allCases where other != part {
          let stored = try CopyStore.copy(of: CopyName(record.recordID, other), transaction)
          isRaised = stored?.copy?.raises(concern) ?? false
        }
      }
      if isRaised != isKnown { try set(concern, about: record, isRaised, transaction) }
    }
  }

  /// Forgets what concerned an erased subject's record: nothing can be done about it any more.
  static func forget(_ record: ConsentRecord, _ transaction: Transaction) throws {
    for concern in RecordConcern.allCases where concern != .unspecified {
      try set(concern, about: record, false, transaction)
    }
  }

  private static func set(
    _ concern: RecordConcern, about record: ConsentRecord, _ isRaised: Bool, _ transaction: Transaction
  ) throws {
    try transaction.run(
      isRaised ? put : remove, record.studyID, record.test, Int64(concern.number), record.decidedAt.orEpoch,
      record.recordID)
  }
}

extension ConsentRecord {
  fileprivate func raises(_ concern: RecordConcern) -> Bool {
    switch concern {
    case .voidRequested: !voidRequestedBy.isEmpty
    case .signingDeclined: (stands || state == .rejected) && !declinedSignatures.isEmpty
    case .copyFailed, .copyWaits, .unspecified, .unrecognized: false
    }
  }
}

extension SignedCopy {
  fileprivate func raises(_ concern: RecordConcern) -> Bool {
    switch concern {
    // The copy of an erased subject is never made.
    case .copyFailed: state == .failed && !reason.hasPrefix("subject_erased: ")
    case .copyWaits: state == .sealing && !reason.isEmpty
    case .voidRequested, .signingDeclined, .unspecified, .unrecognized: false
    }
  }
}
