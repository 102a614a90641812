internal import Base
internal import ConsentContract
internal import Sealing
internal import Storage

/// A proof that a sealed file lacks, and how it is asked for until somebody gives it.
struct SealStep: Sendable {
  /// The reminder that begins the job again. Copies with the same reminder are tried when one gets what they wait for.
  let reminder: Deadline.Kind
  /// The reasons on record: nobody has given it yet; there is nobody to ask; nobody has given it in time.
  let missing, unattended, givenUp: String
  /// The rule by which a process refuses that knows nobody to ask.
  let unattendedRule: String
  /// A seal without any time is asked for as long as an authority may answer, and by each process that may know one.
  /// Other proofs are left to reminders after twelve tries, or at once where there is nobody to ask.
  let isUrgent: Bool
  /// Until when the proof can still prove something.
  let end: @Sendable ([UInt8]) throws -> Instant?

  var longestPause: Duration { isUrgent ? .seconds(300) : .seconds(3600) }

  private static let noAuthority =
    "no_time_authority: no process that seals asks for the time any longer; it is looked for again"
  static let timeHasNoRoom =
    "time_not_attested: what the time-stamping authority answers has no room in the file; it is asked again"

  /// The time stamp of a seal that was made while no authority answered (B-T).
  static let time = SealStep(
    reminder: .time,
    missing: "time_not_attested: the time-stamping authority did not answer; it is asked again",
    unattended: noAuthority,
    givenUp: "time_given_up: nobody attested the time of the seal until its certificate ended; it stays as it is",
    unattendedRule: "no_time_authority", isUrgent: true, end: { try Sealer.provableUntil($0) })

  /// The proofs that the seal's certificates were not revoked (B-LT), so that the file can be verified when those who
  /// made them can no longer be asked.
  static let proofs = SealStep(
    reminder: .proofs,
    missing: "proofs_missing: nobody has said yet that the seal's certificates were not revoked; they are asked again",
    unattended:
      "no_revocation_data: the seal's certificates name nobody who says whether they were revoked, so it stays as it "
      + "is",
    givenUp:
      "proofs_given_up: nobody said that the seal's certificates were not revoked until they ended; it stays as it is",
    unattendedRule: "no_revocation_data", isUrgent: false, end: { try Sealer.provableUntil($0) })

  /// The time stamp over the file with all of its proofs (B-LTA), and the next one before its authority's certificate
  /// ends.
  static let archive = SealStep(
    reminder: .archiveTime,
    missing:
      "archive_time_missing: no authority has attested yet when the file with its proofs was there; it is asked again",
    unattended: noAuthority,
    givenUp:
      "archive_ended: the last time's certificate ended before an authority attested anew that the file was there",
    unattendedRule: "no_time_authority", isUrgent: false, end: { try Sealer.attestableUntil($0) })

  /// What a file lacks; nil where nothing is to be added.
  static func next(for current: CurrentCopy) -> SealStep? {
    switch current.level {
    case .basic: [time.missing, timeHasNoRoom, noAuthority].contains(current.copy.reason) ? time : nil
    case .timed: proofs
    case .longTerm, .archived: archive
    case nil: nil
    }
  }
}
