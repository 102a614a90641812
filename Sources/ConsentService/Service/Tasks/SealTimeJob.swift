internal import Base
internal import ConsentContract
internal import RPC
internal import Sealing
internal import ServicePolicy
internal import Storage
internal import Wire

/// Adds a time stamp to a seal that was made while no time-stamping authority answered. It is tried until an authority
/// answers or the seal's certificate ends, which the copy's reason then says (`givenUp`).
///
/// - If the process that was asked has an authority, and the authority does not answer, the job is retried after pauses
///   of at most five minutes.
/// - If that process has no authority to ask, the job is retried often at first, since another process may have one.
///   After twelve tries, in about 24 minutes, reminders begin it again, a day to 32 days apart: no process gets an
///   authority without a restart, and when a process that seals arrives, `CopyWaking` begins the newest copies at once.
///   Each that succeeds brings two more.
struct SealTimeJob: Sendable {
  static let kind = "consent.seal-time"
  static let reason = "time_not_attested: the time-stamping authority did not answer; it is asked again"
  static let tooLarge =
    "time_not_attested: what the time-stamping authority answers has no room in the file; it is asked again"
  static let unattended = SealArchiveJob.unattended
  static let givenUp =
    "time_given_up: nobody attested the time of the seal until its certificate ended; it stays as it is"

  let maker: CopyMaker

  var handler: JobHandler {
    .lasting(Self.kind) { job in try await run(job) }
  }

  /// Queues the job for a copy whose earlier tries found no process that could ask an authority.
  static func beginAgain(_ name: CopyName, _ transaction: Transaction) throws {
    try transaction.enqueue(kind, CopyAttempt(name).payload)
  }

  /// Whether a copy without a time stamp is to get one.
  static func isWanted(for copy: SignedCopy) -> Bool { [reason, tooLarge, unattended].contains(copy.reason) }

  private func run(_ job: Job) async throws {
    guard let attempt = CopyAttempt(job.payload),
      let current = try await job.scope.read({ try CopyStore.current(of: attempt.name, $0) }),
      current.level == .basic
    else { return }
    let name = attempt.name
    do {
      let (timed, problem) = try await maker.timed(current.bytes, job.scope.tenant)
      try await job.finish { transaction in
        guard let timed else { return try again(current, attempt, problem, transaction) }
        if try CopyStore.replace(current, by: timed, .timed, transaction) {
          try SealProofJob.begin(name, transaction)
          try CopyReminders.follow(.time, transaction)
        }
      }
    } catch let failure as CopyFailure where failure.status.message.hasPrefix("no_time_authority: ") {
      try await job.finish { try lookLater(current, attempt, $0) }
    } catch is CopyFailure {
      try Task.checkCancellation()
      try await job.finish { try again(current, attempt, nil, $0) }
    } catch is CopyProblem {
      try await job.finish { try attempt.again(Self.kind, $0) }
    }
  }

  /// Queues the next try, as long as a time stamp can still prove something.
  ///
  /// - Parameter reason: why there is none yet; nil if nothing new is known.
  private func again(
    _ current: CurrentCopy, _ attempt: CopyAttempt, _ reason: String?, _ transaction: Transaction
  ) throws {
    guard try !givesUp(current, transaction) else { return }
    if let reason { try CopyStore.note(reason, of: current.name, transaction) }
    try attempt.again(Self.kind, transaction)
  }

  private func lookLater(_ current: CurrentCopy, _ attempt: CopyAttempt, _ transaction: Transaction) throws {
    guard attempt.wasOften else { return try again(current, attempt, Self.unattended, transaction) }
    guard try !givesUp(current, transaction) else { return }
    try CopyStore.note(Self.unattended, of: current.name, transaction)
    try CopyReminders.set(
      .time, current.name, sealedAt: current.copy.sealedAt?.clamped ?? transaction.now, transaction)
  }

  /// Whether the seal's certificate has ended; then this stores that nobody attested the time before.
  private func givesUp(_ current: CurrentCopy, _ transaction: Transaction) throws -> Bool {
    if let end = try Sealer.provableUntil(current.bytes), transaction.now < end { return false }
    try CopyStore.note(Self.givenUp, of: current.name, transaction)
    return true
  }
}
