package import Base
package import ConsentContract

/// What later versions of a document ask of consents to earlier ones.
package struct ReconsentDemand: Hashable, Sendable {
  package let documentID: String
  /// The version that demands it.
  package let version: Int32
  package let policy: ReconsentPolicy
  package let byMs: Int64

  package init(documentID: String, version: Int32, policy: ReconsentPolicy, byMs: Int64) {
    self.documentID = documentID
    self.version = version
    self.policy = policy
    self.byMs = byMs
  }
}

/// Answers "may this purpose of this subject be processed now?" from the heads of the subject's records.
package enum ConsentCheck {
  package static func answer(
    subject: String, purpose: String, records: [ConsentRecord], demands: [ReconsentDemand], at now: Instant
  ) -> ConsentAnswer {
    let time = now.millisecondsSince1970
    let candidates = records.filter { !$0.test && $0.purposes.contains(purpose) }
      .sorted { ($0.decidedAtMs, $0.id) > ($1.decidedAtMs, $1.id) }
    var answer = ConsentAnswer(subjectID: subject, purpose: purpose, permitted: false, reason: "no_consent")
    for record in candidates {
      let (reason, until) = judge(record, purpose, demands, at: time)
      guard reason.isEmpty else {
        // The newest record says why not, unless an older one still permits.
        if answer.recordID.isEmpty { (answer.reason, answer.recordID) = (reason, record.id) }
        continue
      }
      return ConsentAnswer(
        subjectID: subject, purpose: purpose, permitted: true, recordID: record.id, sharing: record.sharing,
        validUntilMs: until)
    }
    return answer
  }

  /// Why the record does not permit the purpose, empty when it does; and when that changes by itself.
  private static func judge(
    _ record: ConsentRecord, _ purpose: String, _ demands: [ReconsentDemand], at time: Int64
  ) -> (reason: String, until: Int64) {
    switch record.state {
    case .inForce: break
    case .awaitingSignatures: return ("awaiting_signatures", 0)
    case .declined: return ("declined", 0)
    case .withdrawn: return ("withdrawn", 0)
    case .expired:
      let isReplaced = reconsentDeadline(of: record, demands).map { time >= $0 } ?? false
      return (isReplaced ? "reconsent_due" : "expired", 0)
    case .needsAttention: return ("needs_attention", 0)
    case .superseded, .unspecified, .unrecognized: return ("no_consent", 0)
    }
    if record.withdrawnPurposes.contains(purpose) { return ("withdrawn", 0) }
    if record.expiresAtMs != 0, time >= record.expiresAtMs { return ("expired", 0) }
    let deadline = reconsentDeadline(of: record, demands)
    if let deadline, time >= deadline { return ("reconsent_due", 0) }
    let ends = [record.expiresAtMs, deadline ?? 0].filter { $0 != 0 }
    return ("", ends.min() ?? 0)
  }

  /// Until when a consent to an earlier version stands; nil when nothing later demands another.
  package static func reconsentDeadline(of record: ConsentRecord, _ demands: [ReconsentDemand]) -> Int64? {
    demands.filter { demand in
      demand.documentID == record.documentID && demand.version > record.documentVersion && demand.policy == .byDate
    }.map(\.byMs).min()
  }

  /// Why somebody with this record is due; nil when nobody is to be asked.
  package static func due(_ record: ConsentRecord, _ demands: [ReconsentDemand], at now: Instant) -> DueConsent? {
    guard record.state == .inForce || record.state == .expired, !record.test else { return nil }
    var due = DueConsent(
      recordID: record.id, subjectID: record.subjectID, documentID: record.documentID,
      documentVersion: record.documentVersion)
    let later = demands.filter { $0.documentID == record.documentID && $0.version > record.documentVersion }
    if let demand = later.filter({ $0.policy == .byDate }).min(by: { $0.byMs < $1.byMs }) {
      (due.reason, due.dueVersion, due.dueByMs) = (
        .newVersion, later.map(\.version).max() ?? demand.version, demand.byMs
      )
      return due
    }
    let soon = now.millisecondsSince1970 + 30 * CalendarDay.millisecondsPerDay
    if record.expiresAtMs != 0, record.expiresAtMs <= soon {
      (due.reason, due.dueByMs) = (.expiry, record.expiresAtMs)
      return due
    }
    let today = CalendarDay(millisecondsSince1970: now.millisecondsSince1970).description
    guard record.state == .inForce else { return nil }
    if !record.majorityMonth.isEmpty, record.majorityMonth <= today {
      due.reason = .majority
      return due
    }
    if let demand = later.last(where: { $0.policy == .notify }) {
      (due.reason, due.dueVersion) = (.notify, demand.version)
      return due
    }
    return nil
  }
}
