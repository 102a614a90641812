internal import Base
internal import ConsentContract
internal import RPC
internal import Sealing
internal import ServicePolicy
internal import Storage
internal import Wire

/// Adds to a sealed file the next proof that it lacks. `SealStep` has what each is called and how it is retried.
///
/// Where a process has nobody to ask, tries are soon left to reminders, a day to 32 days apart: no process gets an
/// authority without a restart, and when a process that seals arrives, `CopyWaking` has the newest copies tried at
/// once. Each that succeeds brings two more.
struct SealStepJob: Sendable {
  static let kind = "consent.seal-step"

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
      let step = SealStep.next(for: current)
    else { return }
    // However often a reminder fires, a time stamp is not renewed before its time.
    if current.level == .archived, let time = try ArchiveTime(of: current.bytes),
      CopyReminders.renewal(of: time) > maker.clock.now
    {
      return try await job.finish { try CopyReminders.setRenewal(current.name, of: time, $0) }
    }
    do {
      let found = try await maker.raised(current, by: step.reminder, job.scope.tenant)
      try await job.finish { transaction in
        switch found {
        case .file(let bytes, let level, let time):
          guard try CopyStore.replace(current, by: bytes, level, attestedUntil: time?.validUntil, transaction) else {
            return
          }
          if let time {
            try CopyReminders.setRenewal(current.name, of: time, transaction)
          } else {
            try Self.begin(current.name, transaction)
          }
          try CopyReminders.follow(step.reminder, transaction)
        case .notLonger: try wait(current, step, current.copy.reason, by: .archive, transaction)
        case .missing(let reason): try again(current, attempt, step, reason, transaction)
        }
      }
    } catch let failure as CopyFailure where failure.status.message.hasPrefix("\(step.unattendedRule): ") {
      try await job.finish { transaction in
        if step.isUrgent, !attempt.wasOften {
          try again(current, attempt, step, step.unattended, transaction)
        } else {
          try wait(current, step, step.unattended, by: step.reminder, transaction)
        }
      }
    } catch  where error is CopyFailure || error is CopyProblem {
      try Task.checkCancellation()
      // Nothing new is known: a reason that is on record stays.
      let reason = step.isUrgent ? current.copy.reason : step.missing
      try await job.finish { try again(current, attempt, step, reason, $0) }
    }
  }

  /// Stores why the proof is missing, and queues the next try.
  private func again(
    _ current: CurrentCopy, _ attempt: CopyAttempt, _ step: SealStep, _ reason: String, _ transaction: Transaction
  ) throws {
    if attempt.wasOften, !step.isUrgent {
      return try wait(current, step, reason, by: step.reminder, transaction)
    }
    guard try end(of: current, step, transaction) != nil else { return }
    try CopyStore.note(reason, of: current.name, transaction)
    try attempt.again(Self.kind, atMost: step.longestPause, transaction)
  }

  /// Leaves the next try to a reminder.
  ///
  /// - Parameter kind: `archive` where a time stamp would not have been valid for longer than the present one. That is
  ///   so for other copies too, so their success says nothing about this one.
  private func wait(
    _ current: CurrentCopy, _ step: SealStep, _ reason: String, by kind: Deadline.Kind, _ transaction: Transaction
  ) throws {
    guard let end = try end(of: current, step, transaction) else { return }
    try CopyStore.note(reason, of: current.name, transaction)
    try CopyReminders.set(kind, current, before: end, transaction)
  }

  /// Until when the proof can prove something; nil if that time has passed, which is then put on record.
  private func end(of current: CurrentCopy, _ step: SealStep, _ transaction: Transaction) throws -> Instant? {
    if let end = try step.end(current.bytes), transaction.now < end { return end }
    try CopyStore.note(step.givenUp, of: current.name, transaction)
    return nil
  }
}
