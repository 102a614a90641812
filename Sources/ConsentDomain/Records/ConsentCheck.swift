package import Base
package import ConsentContract
internal import Wire

/// What a version of a document requires of those who consented to earlier ones.
package struct ReconsentDemand: Hashable, Sendable {
  package let documentID: String
  /// The version that demands it.
  package let version: Int32
  package let policy: ReconsentPolicy
  /// When earlier consents expire; nil if the policy is not by date.
  package let by: Instant?

  package init(documentID: String, version: Int32, policy: ReconsentPolicy, by: Instant?) {
    self.documentID = documentID
    self.version = version
    self.policy = policy
    self.by = by
  }
}

/// A record of a subject, without its history, and what the versions after its own demand of it.
package struct StandingRecord: Sendable {
  package let record: ConsentRecord
  /// When it ends because a later version of its document demands another consent by a date; nil if none does.
  package let reconsentBy: Instant?

  package init(_ record: ConsentRecord, reconsentBy: Instant?) {
    self.record = record
    self.reconsentBy = reconsentBy
  }

  /// How and when it ends without anybody's doing; nil if it never does.
  private var lapse: (state: RecordState, at: Instant)? {
    let wait = record.state == .awaitingSignatures ? record.signaturesDueBy?.clamped : nil
    let expiry = [record.expiresAt?.clamped, wait].compactMap(\.self).min()
    return switch (expiry, reconsentBy) {
    case (let expiry?, let by?) where by < expiry: (.reconsentDue, by)
    case (let expiry?, _): (.expired, expiry)
    case (nil, let by?): (.reconsentDue, by)
    case (nil, nil): nil
    }
  }

  /// The state that it has now: what stands has ended once its time is over, whether or not that is on record yet.
  package func state(at now: Instant) -> RecordState {
    guard record.stands, let lapse, now >= lapse.at else { return record.state }
    return lapse.state
  }

  /// When time alone changes its state; nil if that does not happen.
  package var end: Instant? { lapse?.at }

  /// Whether it was recorded before another one.
  package func isEarlier(than other: StandingRecord) -> Bool {
    (record.filedBefore, record.recordID) < (other.record.filedBefore, other.record.recordID)
  }
}

/// Answers "may this purpose of this subject be processed now?" from the heads of the subject's records.
package enum ConsentCheck {
  package static func answer(
    subject: String, purpose: String, records: [StandingRecord], at now: Instant
  ) -> ConsentAnswer {
    let candidates = records.filter { standing in
      let record = standing.record
      return !record.test && record.state != .voided && record.asks(for: purpose)
    }.sorted { $1.isEarlier(than: $0) }
    var answer = ConsentAnswer(subjectID: subject, purpose: purpose, permitted: false, reason: "no_consent")
    for candidate in candidates {
      let record = candidate.record
      let (reason, until) = judge(candidate, purpose, at: now)
      guard reason.isEmpty else {
        // The newest record gives the reason, unless an older one still permits.
        if answer.recordID.isEmpty { (answer.reason, answer.recordID) = (reason, record.recordID) }
        continue
      }
      return ConsentAnswer(
        subjectID: subject, purpose: purpose, permitted: true, recordID: record.recordID, sharing: record.sharing,
        validUntil: until.map { Timestamp($0) })
    }
    return answer
  }

  /// Why the record does not permit the purpose, empty if it does; and when time alone will change that.
  private static func judge(
    _ standing: StandingRecord, _ purpose: String, at now: Instant
  ) -> (reason: String, until: Instant?) {
    let record = standing.record
    if record.declinedPurposes.contains(purpose) { return (RecordState.declined.word, nil) }
    let state = standing.state(at: now)
    switch state {
    case .inForce: break
    case .superseded, .voided, .unspecified, .unrecognized: return ("no_consent", nil)
    default: return (state.word, nil)
    }
    if record.withdrawnPurposes.contains(purpose) { return (RecordState.withdrawn.word, nil) }
    if record.supersededPurposes.contains(purpose) { return ("no_consent", nil) }
    return ("", standing.end)
  }

  /// Until when a consent to an earlier version is valid; nil if no later version requires another.
  package static func reconsentDeadline(of record: ConsentRecord, _ demands: [ReconsentDemand]) -> Instant? {
    demands.filter { demand in
      demand.documentID == record.documentID && demand.version > record.documentVersion && demand.policy == .byDate
    }.compactMap(\.by).min()
  }

  /// Why a person with this record is due for consent; nil if they are not.
  ///
  /// - Parameters:
  ///   - record: the record, with the month of majority if it has one.
  ///   - published: the document's published version; 0 while there is none.
  package static func due(
    _ record: ConsentRecord, _ demands: [ReconsentDemand], published: Int32, at now: Instant
  ) -> DueConsent? {
    guard [.inForce, .expired, .reconsentDue].contains(record.state), !record.test else { return nil }
    var due = DueConsent(
      recordID: record.recordID, subjectID: record.subjectID, documentID: record.documentID,
      documentVersion: record.documentVersion, dueVersion: published == record.documentVersion ? 0 : published)
    let later = demands.filter { $0.documentID == record.documentID && $0.version > record.documentVersion }
    if let deadline = reconsentDeadline(of: record, demands) {
      (due.reason, due.dueBy) = (.newVersion, Timestamp(deadline))
      return due
    }
    if let expiry = record.expiresAt, expiry.clamped <= now + .days(30) {
      (due.reason, due.dueBy) = (.expiry, expiry)
      return due
    }
    let today = CalendarDay(of: now).description
    guard record.state == .inForce else { return nil }
    if !record.majorityMonth.isEmpty, record.majorityMonth <= today {
      due.reason = .majority
      return due
    }
    if later.contains(where: { $0.policy == .notify }) {
      due.reason = .notify
      return due
    }
    return nil
  }
}
