internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import Storage

/// Keeps a record's copies up to date with its signatures: from the first signature to the jobs that seal.
enum CopyFiling {
  /// Called when a consent was given or confirmed, and after each signature.
  static func follow(
    _ record: ConsentRecord, _ settings: DocumentSettings, _ randomness: Randomness, _ transaction: Transaction
  ) throws {
    guard record.kind != .form else { return }
    // What was signed on paper has all signatures.
    let missing = record.kind == .paper ? [] : Signing.missing(record, settings)
    // A document that all have signed becomes a file even if the last signature came too late to put it into force.
    guard record.stands || record.state == .superseded && missing.isEmpty else { return }
    try followWhole(record, isComplete: missing.isEmpty, randomness, transaction)
    let isParticipants = missing.allSatisfy { $0.role != .participant && $0.role != .guardian }
    if isParticipants, !missing.isEmpty, !record.signatures.isEmpty {
      try beginParticipants(record, randomness, transaction)
    }
  }

  private static func followWhole(
    _ record: ConsentRecord, isComplete: Bool, _ randomness: Randomness, _ transaction: Transaction
  ) throws {
    let name = CopyName(record.recordID)
    var stored = try CopyStore.locked(name, transaction) ?? fresh(name, randomness, transaction)
    let before = stored.copy?.state ?? .unspecified
    let state: SignedCopyState = isComplete ? .sealing : .signing
    // After a birth date is corrected, a document that all had signed may need further signatures. A new file is made
    // with these; the earlier file stays known by its hash.
    guard isComplete ? before == .unspecified || before == .signing : before != .signing else { return }
    stored.change { ($0.state, $0.reason) = (state, "") }
    try CopyStore.save(stored, name.part, of: record, transaction)
    // Queued each time that the record becomes complete, even if with the same signatures as before.
    if isComplete { try SealJob.begin(name, transaction) }
  }

  /// Begins the participant's copy, once: those who sign afterwards are on the whole copy only.
  private static func beginParticipants(
    _ record: ConsentRecord, _ randomness: Randomness, _ transaction: Transaction
  ) throws {
    let name = CopyName(record.recordID, .participant)
    guard try CopyStore.locked(name, transaction) == nil else { return }
    var stored = fresh(name, randomness, transaction)
    stored.signatureIDs = record.signatures.map(\.signatureID)
    stored.change { $0.state = .sealing }
    try CopyStore.save(stored, name.part, of: record, transaction)
    try SealJob.begin(name, transaction)
  }

  private static func fresh(_ name: CopyName, _ randomness: Randomness, _ transaction: Transaction) -> StoredCopy {
    StoredCopy(
      copy: SignedCopy(verificationID: VerificationID(of: transaction.tenant, randomness).description),
      recordID: name.recordID)
  }

  /// Has those copies made anew on which a corrected name stands. The file before is kept.
  static func renew(_ record: ConsentRecord, correcting signatureID: String, _ transaction: Transaction) throws {
    for part in CopyName.Part.allCases {
      let name = CopyName(record.recordID, part)
      guard var stored = try CopyStore.locked(name, transaction), stored.copy?.state != .signing,
        record.signed(on: stored).signatures.contains(where: { $0.signatureID == signatureID })
      else { continue }
      try CopyStore.keep(&stored, part, of: record, transaction)
      stored.change { ($0.state, $0.reason) = (.sealing, "") }
      try CopyStore.save(stored, part, of: record, transaction)
      try SealJob.begin(name, transaction)
    }
  }

  /// Queues one more try for those copies of a record that were given up.
  ///
  /// - Returns: whether there are any.
  static func retry(_ record: ConsentRecord, _ transaction: Transaction) throws -> Bool {
    var isAny = false
    for part in CopyName.Part.allCases {
      let name = CopyName(record.recordID, part)
      guard var stored = try CopyStore.locked(name, transaction), stored.copy?.wasGivenUp == true else { continue }
      let problem = CopyProblem.lost(isLast: false)
      stored.change { ($0.state, $0.reason) = (problem.state, problem.reason) }
      try CopyStore.save(stored, part, of: record, transaction)
      try CopyAttempt.once(more: name).begin(SealJob.apart, after: .zero, transaction)
      isAny = true
    }
    return isAny
  }
}

extension SignedCopy {
  /// Whether it is still to be sealed.
  var isPending: Bool { state == .sealing || state == .failed }

  /// Whether processes ended while they made it. Then it is made only by a job of its own, apart from everything else.
  var endsProcesses: Bool { isPending && reason.hasPrefix(CopyProblem.lossRule + ": ") }

  var wasGivenUp: Bool { state == .failed && endsProcesses }
}
