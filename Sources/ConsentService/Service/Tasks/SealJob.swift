internal import Base
internal import Bus
internal import ConsentContract
internal import Sealing
internal import ServicePolicy
internal import Storage
internal import Wire

/// Makes and seals the copy of a record, once its last signature is given. However often it begins, one copy is kept:
/// the transaction that finishes the job stores it.
struct SealJob: Sendable {
  static let kind = "consent.seal"
  /// What an operator has to look at is tried again, in case it was mended.
  private static let longPause = Duration.seconds(6 * 3600)

  let maker: CopyMaker

  var handler: JobHandler {
    JobHandler(Self.kind) { job in try await run(job) }
  }

  private func run(_ job: Job) async throws {
    guard let attempt = CopyAttempt(job.payload) else { return }
    let id = attempt.recordID
    do {
      let paper = try await job.scope.read { snapshot in
        guard let copy = try CopyStore.copy(of: id, snapshot)?.copy, copy.isPending else { return CopyPaper?.none }
        let record = try RecordStore.record(id, snapshot)
        try RecordStore.verify([record], snapshot)
        return maker.sealable(try CopyReader.paper(of: record, snapshot), copy.verificationID)
      }
      guard let paper else { return }
      let sealed = try await maker.sealed(paper, job.scope.tenant)
      try await job.finish { transaction in try Self.store(sealed, of: id, transaction) }
    } catch let problem as CopyProblem {
      try await wait(problem, attempt, job)
    } catch let failure as CopyFailure {
      try await wait(CopyProblem(failure.status, while: failure.step), attempt, job)
    } catch let refusal as Refusal {
      try await wait(CopyProblem(.failed, refusal.rule, Self.words(refusal)), attempt, job)
    }
  }

  /// What a refusal says of the state of things; its own words may name more.
  private static func words(_ refusal: Refusal) -> String {
    refusal.rule == "subject_erased" ? "the subject's data were erased" : "the record cannot be read"
  }

  private static func store(_ sealed: CopyMaker.Sealed, of id: String, _ transaction: Transaction) throws {
    let record = try RecordStore.head(id, transaction)
    let subject = try Subject.checked(record.subjectID)
    guard var stored = try CopyStore.locked(id, transaction), stored.copy?.isPending == true,
      try !transaction.vault.isErased(subject)
    else { return }
    let commitment = try transaction.commit(sealed.bytes, as: "signed copy", CopyStore.item(id), of: subject)
    stored.files.append(SealedFile(hash: commitment.digest.hex, commitment: commitment.id))
    let isWaiting = !sealed.seal.timeProblem.isEmpty
    stored.change { copy in
      (copy.state, copy.hash, copy.level) = (.sealed, commitment.digest.hex, sealed.seal.level)
      copy.reason = isWaiting ? SealTimeJob.reason : ""
      (copy.sealedAt, copy.sealedBy) = (Timestamp(transaction.now), sealed.seal.sealedBy)
      copy.byteCount = Int32(clamping: sealed.bytes.count)
    }
    try CopyStore.save(stored, of: record, transaction)
    let first = CopyAttempt(recordID: id)
    if isWaiting {
      try first.wait(SealTimeJob.kind, first.pause, id: "seal-time-\(id)", transaction)
    } else if sealed.seal.level == Level.timed.rawValue {
      try SealProofJob.begin(first, transaction)
    }
  }

  /// Puts on record what the copy waits for, if that is something else than before, and queues the next try.
  private func wait(_ problem: CopyProblem, _ attempt: CopyAttempt, _ job: Job) async throws {
    // A process that ends gives calls up: that says nothing about what they waited for.
    try Task.checkCancellation()
    let id = attempt.recordID
    try await job.finish { transaction in
      guard var stored = try CopyStore.locked(id, transaction), let copy = stored.copy, copy.isPending else { return }
      if copy.state != problem.state || copy.reason != problem.reason {
        stored.change { ($0.state, $0.reason) = (problem.state, problem.reason) }
        try CopyStore.save(stored, of: try RecordStore.head(id, transaction), transaction)
      }
      // What is erased does not come back.
      guard problem.rule != "subject_erased" else { return }
      if problem.state == .failed { return try attempt.wait(Self.kind, Self.longPause, transaction) }
      try attempt.again(Self.kind, transaction)
    }
  }
}

extension SignedCopy {
  /// Whether it is still to be sealed.
  var isPending: Bool { state == .sealing || state == .failed }
}
