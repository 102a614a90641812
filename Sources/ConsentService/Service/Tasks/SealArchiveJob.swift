internal import Base
internal import ConsentContract
internal import RPC
internal import Sealing
internal import ServicePolicy
internal import Storage
internal import Wire

/// Adds an archive time stamp to a sealed file (B-LTA), by which an authority attests when the file existed with all of
/// its proofs, and adds another one before that authority's certificate ends.
struct SealArchiveJob: Sendable {
  static let kind = "consent.seal-archive"
  static let missing =
    "archive_time_missing: no authority has attested yet when the file with its proofs was there; it is asked again"
  static let unattended =
    "no_time_authority: no process that seals asks for the time any longer; it is looked for again"
  static let ended =
    "archive_ended: the last time's certificate ended before an authority attested anew that the file was there"
  private static let longestPause = Duration.seconds(3600)

  let maker: CopyMaker

  var handler: JobHandler {
    .lasting(Self.kind) { job in try await run(job) }
  }

  static func begin(_ name: CopyName, _ transaction: Transaction) throws {
    try transaction.enqueue(kind, CopyAttempt(name).payload)
  }

  private func run(_ job: Job) async throws {
    guard let attempt = CopyAttempt(job.payload),
      let current = try await job.scope.read({ try CopyStore.current(of: attempt.name, $0) }),
      current.level == .longTerm || current.level == .archived
    else { return }
    // However often a reminder fires, a time stamp is not renewed before its time.
    if let time = try ArchiveTime(of: current.bytes), CopyReminders.renewal(of: time) > maker.clock.now {
      return try await job.finish { try CopyReminders.setRenewal(current.name, of: time, $0) }
    }
    do {
      let attested = try await maker.attested(current.bytes, job.scope.tenant)
      try await job.finish { transaction in
        switch attested {
        case .done(let bytes, let time):
          guard try CopyStore.replace(current, by: bytes, .archived, attestedUntil: time.validUntil, transaction) else {
            return
          }
          try CopyReminders.setRenewal(current.name, of: time, transaction)
          try CopyReminders.follow(.archiveTime, transaction)
        case .notLonger: try askLater(current, current.copy.reason, by: .archive, transaction)
        case .failed(let problem): try again(current, attempt, "\(Self.missing) (\(problem))", transaction)
        }
      }
    } catch let failure as CopyFailure where failure.status.message.hasPrefix("no_time_authority: ") {
      try await job.finish { try askLater(current, Self.unattended, $0) }
    } catch is CopyFailure {
      try Task.checkCancellation()
      try await job.finish { try again(current, attempt, Self.missing, $0) }
    } catch is CopyProblem {
      try await job.finish { try again(current, attempt, Self.missing, $0) }
    }
  }

  private func again(
    _ current: CurrentCopy, _ attempt: CopyAttempt, _ reason: String, _ transaction: Transaction
  ) throws {
    if attempt.wasOften { return try askLater(current, reason, transaction) }
    try CopyStore.note(reason, of: current.name, transaction)
    try attempt.again(Self.kind, atMost: Self.longestPause, transaction)
  }

  /// Leaves the next try to a reminder, as long as a time stamp can still prove something.
  private func askLater(
    _ current: CurrentCopy, _ reason: String, by kind: Deadline.Kind = .archiveTime, _ transaction: Transaction
  ) throws {
    guard let end = try Sealer.attestableUntil(current.bytes), transaction.now < end else {
      return try CopyStore.note(Self.ended, of: current.name, transaction)
    }
    try CopyStore.note(reason, of: current.name, transaction)
    try CopyReminders.setArchive(kind, current.name, before: end, transaction)
  }
}
