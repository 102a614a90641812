internal import Base
internal import Bus
internal import ConsentContract
internal import Sealing
internal import ServicePolicy
internal import Storage

/// Puts beside a seal with an attested time what proves that its certificates were not revoked: so the file can be
/// checked when nobody can be asked any longer (B-LT).
struct SealProofJob: Sendable {
  static let kind = "consent.seal-proofs"
  static let proofsMissing =
    "proofs_missing: nobody has said yet that the seal's certificates were not revoked; they are asked again"
  static let nobodyToAsk =
    "no_revocation_data: the seal's certificates name nobody who says whether they were revoked, so it stays as it is"
  /// Who publishes revocations may be away for long, and the seal is good meanwhile.
  private static let longestPause = Duration.seconds(86_400)

  let maker: CopyMaker

  var handler: JobHandler {
    JobHandler(Self.kind) { job in try await run(job) }
  }

  static func begin(_ attempt: CopyAttempt, _ transaction: Transaction) throws {
    try transaction.enqueue(kind, attempt.payload, id: "seal-proofs-\(attempt.recordID)")
  }

  private func run(_ job: Job) async throws {
    guard let attempt = CopyAttempt(job.payload) else { return }
    let id = attempt.recordID
    guard let bytes = try await job.scope.read({ try CopyStore.currentFile(of: id, $0) }) else { return }
    do {
      let (proven, problem) = try await maker.proven(bytes, job.scope.tenant)
      try await job.finish { transaction in
        guard let proven else { return try again(attempt, transaction, lacking: problem) }
        _ = try CopyStore.replaceFile(of: id, by: proven, .longTerm, transaction)
      }
    } catch let failure as CopyFailure where failure.status.message.hasPrefix("no_revocation_data: ") {
      try await job.finish { try CopyStore.note(Self.nobodyToAsk, of: id, $0) }
    } catch is CopyFailure {
      try Task.checkCancellation()
      try await job.finish { try again(attempt, $0) }
    } catch is CopyProblem {
      try await job.finish { try again(attempt, $0) }
    }
  }

  /// Tries again later, and puts on record that something is missing.
  ///
  /// - Parameter problem: what the process that looked for proofs says about it.
  private func again(_ attempt: CopyAttempt, _ transaction: Transaction, lacking problem: String = "") throws {
    let reason = problem.isEmpty ? Self.proofsMissing : "\(Self.proofsMissing) (\(problem))"
    try CopyStore.note(reason, of: attempt.recordID, transaction)
    let next = attempt.next
    try transaction.enqueue(Self.kind, next.payload, after: next.pause(atMost: Self.longestPause))
  }
}
