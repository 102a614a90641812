internal import Base
internal import ConsentContract
internal import RPC
internal import Sealing
internal import ServicePolicy
internal import Storage
internal import Wire

/// Makes and seals a copy of a record, once the signatures for that copy are given. However often the job begins, one
/// file is stored, by the transaction that finishes the job.
struct SealJob: Sendable {
  static let kind = "consent.seal"
  /// The kind of the jobs for documents whose layout has ended a process. They are not woken when a process arrives.
  static let apart = "consent.seal-apart"
  /// The pause after a failure that an operator has to correct.
  private static let longPause = Duration.seconds(6 * 3600)

  let maker: CopyMaker

  var handlers: [JobHandler] {
    [Self.kind, Self.apart].map { kind in JobHandler.lasting(kind) { job in try await run(job) } }
  }

  static func begin(_ name: CopyName, _ transaction: Transaction) throws {
    try transaction.enqueue(kind, CopyAttempt(name).payload)
  }

  private func run(_ job: Job) async throws {
    guard let attempt = CopyAttempt(job.payload) else { return }
    let name = attempt.name
    do {
      let work = try await job.scope.read { snapshot -> (paper: CopyPaper, signatures: Int)? in
        guard let stored = try CopyStore.copy(of: name, snapshot), let copy = stored.copy, copy.isPending else {
          return nil
        }
        let record = try RecordStore.record(name.recordID, snapshot)
        try RecordStore.verify([record], snapshot)
        let signed = record.signed(on: stored)
        let paper = maker.sealable(try CopyReader.paper(of: signed, snapshot), copy.verificationID)
        return (paper, signed.nameCount)
      }
      guard let work else { return }
      let sealed = try await maker.sealed(work.paper, job.scope.tenant)
      try await job.finish { transaction in try Self.store(sealed, of: work.signatures, name, transaction) }
    } catch let problem as CopyProblem {
      try await wait(problem, attempt, job)
    } catch let failure as CopyFailure where failure.isLoss {
      try await wait(.lost(isLast: attempt.losses + 1 >= CopyAttempt.mostLosses), attempt, job)
    } catch let failure as CopyFailure {
      let attempt = failure.step == .sealing ? attempt.afterMaking : attempt
      try await wait(CopyProblem(failure.status, while: failure.step), attempt, job)
    } catch let refusal as Refusal {
      try await wait(CopyProblem(.failed, refusal.rule, Self.words(refusal)), attempt, job)
    }
  }

  /// The explanation that is stored for a refusal, in clear. The refusal's own message may reveal more.
  private static func words(_ refusal: Refusal) -> String {
    refusal.rule == "subject_erased" ? "the subject's data were erased" : "the record cannot be read"
  }

  /// - Parameter signatures: how many signatures, and corrections of their names, are on the file. If the record has
  ///   more by now, the file is dropped, and another job makes a new one.
  private static func store(
    _ sealed: CopyMaker.Sealed, of signatures: Int, _ name: CopyName, _ transaction: Transaction
  ) throws {
    let record = try RecordStore.head(name.recordID, transaction)
    let subject = try Subject.stored(record.subjectID)
    guard var stored = try CopyStore.locked(name, transaction), stored.copy?.isPending == true,
      record.signed(on: stored).nameCount == signatures, try !transaction.vault.isErased(subject)
    else { return }
    let commitment = try transaction.commit(sealed.bytes, as: "signed copy", CopyStore.item(name), of: subject)
    stored.files.append(SealedFile(hash: commitment.digest.hex, commitment: commitment.id))
    stored.change { copy in
      sealed.describe(in: &copy, at: transaction.now)
      (copy.state, copy.hash, copy.attestedUntil) = (.sealed, commitment.digest.hex, nil)
    }
    try CopyStore.save(stored, name.part, of: record, transaction)
    let first = CopyAttempt(name)
    if !sealed.lacking.isEmpty {
      try first.begin(SealStepJob.kind, after: first.pause, transaction)
    } else if sealed.seal.level == Level.timed.rawValue {
      try SealStepJob.begin(name, transaction)
    }
  }

  /// Stores what the copy waits for, unless the same is on record already, and queues the next try.
  private func wait(_ problem: CopyProblem, _ attempt: CopyAttempt, _ job: Job) async throws {
    // A process that shuts down cancels its calls: then their failure says nothing about the other service.
    try Task.checkCancellation()
    let name = attempt.name
    try await job.finish { transaction in
      guard var stored = try CopyStore.locked(name, transaction), let copy = stored.copy, copy.isPending else { return }
      if copy.state != problem.state || copy.reason != problem.reason {
        stored.change { ($0.state, $0.reason) = (problem.state, problem.reason) }
        try CopyStore.save(stored, name.part, of: try RecordStore.head(name.recordID, transaction), transaction)
      }
      switch (problem.rule, problem.state) {
      // An erased subject's copy is never made, and one whose layout ends processes only on request.
      case ("subject_erased", _), (CopyProblem.lossRule, .failed): break
      case (CopyProblem.lossRule, _): try attempt.afterLoss(Self.apart, transaction)
      case (_, .failed): try attempt.afterMaking.begin(Self.kind, after: Self.longPause, transaction)
      default: try attempt.again(attempt.losses > 0 ? Self.apart : Self.kind, transaction)
      }
    }
  }
}
