internal import Base
internal import ConsentContract
internal import RPC
internal import Sealing
internal import ServicePolicy
internal import Storage
internal import Wire

/// Adds to a seal with a time stamp the proofs that its certificates were not revoked (B-LT), so that the file can be
/// verified when the authorities can no longer be asked.
///
/// The job is retried often at first, then by reminders, until the certificates end.
struct SealProofJob: Sendable {
  static let kind = "consent.seal-proofs"
  static let proofsMissing =
    "proofs_missing: nobody has said yet that the seal's certificates were not revoked; they are asked again"
  static let nobodyToAsk =
    "no_revocation_data: the seal's certificates name nobody who says whether they were revoked, so it stays as it is"
  static let givenUp =
    "proofs_given_up: nobody said that the seal's certificates were not revoked until they ended; it stays as it is"
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
      let current = try await job.scope.read({ try CopyStore.current(of: attempt.name, $0) })
    else { return }
    switch current.level {
    // This copy is from a release that had no archive time stamps.
    case .longTerm: return try await job.finish { try SealArchiveJob.begin(attempt.name, $0) }
    case .timed: break
    // The seal has no time stamp yet, which a process that seals may get by now.
    case .basic where SealTimeJob.isWanted(for: current.copy):
      return try await job.finish { try SealTimeJob.beginAgain(attempt.name, $0) }
    default: return
    }
    do {
      let (proven, problem) = try await maker.proven(current.bytes, job.scope.tenant)
      try await job.finish { transaction in
        guard let proven else { return try again(current, attempt, transaction, lacking: problem) }
        guard try CopyStore.replace(current, by: proven, .longTerm, transaction) else { return }
        try SealArchiveJob.begin(attempt.name, transaction)
        try CopyReminders.follow(.proofs, transaction)
      }
    } catch let failure as CopyFailure where failure.status.message.hasPrefix("no_revocation_data: ") {
      try await job.finish { try lookLater(current, Self.nobodyToAsk, $0) }
    } catch is CopyFailure {
      try Task.checkCancellation()
      try await job.finish { try again(current, attempt, $0) }
    } catch is CopyProblem {
      try await job.finish { try again(current, attempt, $0) }
    }
  }

  /// Stores that proofs are missing, and tries again later.
  ///
  /// - Parameter problem: what the process that looked for proofs says about it.
  private func again(
    _ current: CurrentCopy, _ attempt: CopyAttempt, _ transaction: Transaction, lacking problem: String = ""
  ) throws {
    let reason = problem.isEmpty ? Self.proofsMissing : "\(Self.proofsMissing) (\(problem))"
    if attempt.wasOften { return try lookLater(current, reason, transaction) }
    try CopyStore.note(reason, of: attempt.name, transaction)
    try attempt.again(Self.kind, atMost: Self.longestPause, transaction)
  }

  private func lookLater(_ current: CurrentCopy, _ reason: String, _ transaction: Transaction) throws {
    let end = try Sealer.provableUntil(current.bytes)
    guard let end, transaction.now < end else {
      return try CopyStore.note(Self.givenUp, of: current.name, transaction)
    }
    try CopyStore.note(reason, of: current.name, transaction)
    try CopyReminders.set(
      .proofs, current.name, sealedAt: current.copy.sealedAt?.clamped ?? transaction.now, transaction)
  }
}
