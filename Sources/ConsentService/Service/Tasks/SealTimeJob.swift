internal import Base
internal import Bus
internal import ConsentContract
internal import Sealing
internal import ServicePolicy
internal import Storage

/// Has the time of a seal attested that was made while no authority answered.
struct SealTimeJob: Sendable {
  static let kind = "consent.seal-time"
  static let reason = "time_not_attested: the time-stamping authority did not answer; it is asked again"

  let maker: CopyMaker

  var handler: JobHandler {
    JobHandler(Self.kind) { job in try await run(job) }
  }

  private func run(_ job: Job) async throws {
    guard let attempt = CopyAttempt(job.payload) else { return }
    let id = attempt.recordID
    guard let current = try await job.scope.read({ try CopyStore.current(of: id, $0) }), current.level == .basic else {
      return
    }
    do {
      let (timed, _) = try await maker.timed(current.bytes, job.scope.tenant)
      try await job.finish { transaction in
        guard let timed else { return try attempt.again(Self.kind, transaction) }
        if try CopyStore.replace(current, by: timed, .timed, transaction) {
          try SealProofJob.begin(CopyAttempt(recordID: id), transaction)
        }
      }
    } catch let failure as CopyFailure where failure.status.message.hasPrefix("no_time_authority: ") {
      // The process that seals asks nobody any longer: what was reached stays.
    } catch is CopyFailure {
      try Task.checkCancellation()
      try await job.finish { try attempt.again(Self.kind, $0) }
    } catch is CopyProblem {
      try await job.finish { try attempt.again(Self.kind, $0) }
    }
  }
}
