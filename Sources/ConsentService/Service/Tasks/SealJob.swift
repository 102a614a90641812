internal import Base
internal import Bus
internal import ConsentContract
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
    guard isWaiting else { return }
    let first = CopyAttempt(recordID: id, number: 1)
    try transaction.enqueue(SealTimeJob.kind, first.payload, id: "seal-time-\(id)", after: first.pause)
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
      let pause = problem.state == .failed ? Self.longPause : attempt.pause
      try transaction.enqueue(Self.kind, attempt.next.payload, after: pause)
    }
  }
}

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
    let found = try await job.scope.read { snapshot -> [UInt8]? in
      let record = try RecordStore.head(id, snapshot)
      if try snapshot.vault.isErased(try Subject.checked(record.subjectID)) { return nil }
      return try CopyStore.verified(record, snapshot).flatMap { try CopyStore.file(of: $0, record, snapshot) }?.bytes
    }
    guard let bytes = found else { return }
    do {
      let (timed, _) = try await maker.timed(bytes, job.scope.tenant)
      try await job.finish { transaction in
        guard let timed else { return try again(attempt, transaction) }
        try Self.store(timed, of: id, transaction)
      }
    } catch let failure as CopyFailure where failure.status.message.hasPrefix("no_time_authority: ") {
      // The process that seals asks nobody any longer: what was reached stays.
    } catch is CopyFailure {
      try Task.checkCancellation()
      try await job.finish { try again(attempt, $0) }
    } catch is CopyProblem {
      try await job.finish { try again(attempt, $0) }
    }
  }

  private func again(_ attempt: CopyAttempt, _ transaction: Transaction) throws {
    try transaction.enqueue(Self.kind, attempt.next.payload, after: attempt.next.pause)
  }

  private static func store(_ bytes: [UInt8], of id: String, _ transaction: Transaction) throws {
    let record = try RecordStore.head(id, transaction)
    let subject = try Subject.checked(record.subjectID)
    guard var stored = try CopyStore.locked(id, transaction), try !transaction.vault.isErased(subject) else { return }
    let commitment = try transaction.commit(bytes, as: "signed copy", CopyStore.item(id), of: subject)
    stored.files.append(SealedFile(hash: commitment.digest.hex, commitment: commitment.id))
    stored.change { copy in
      (copy.hash, copy.level, copy.reason) = (commitment.digest.hex, "B-T", "")
      copy.byteCount = Int32(clamping: bytes.count)
    }
    try CopyStore.save(stored, of: record, transaction)
  }
}

extension SignedCopy {
  /// Whether it is still to be sealed.
  var isPending: Bool { state == .sealing || state == .failed }
}
