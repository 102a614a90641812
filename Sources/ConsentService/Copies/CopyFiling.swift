internal import Base
internal import ConsentContract
internal import Storage

/// Follows a record with its copy: from the first signature to the job that seals.
enum CopyFiling {
  /// Called when a consent was given, and after each signature.
  static func follow(
    _ record: ConsentRecord, _ settings: DocumentSettings, _ randomness: Randomness, _ transaction: Transaction
  ) throws {
    guard record.kind == .document, record.state == .awaitingSignatures || record.state == .inForce else { return }
    var stored =
      try CopyStore.locked(record.recordID, transaction)
      ?? StoredCopy(
        copy: SignedCopy(verificationID: VerificationID(of: transaction.tenant, randomness).description),
        recordID: record.recordID)
    let state: SignedCopyState = Signing.missing(record, settings).isEmpty ? .sealing : .signing
    guard let before = stored.copy?.state, before == .unspecified || before == .signing, before != state else { return }
    stored.change { $0.state = state }
    try CopyStore.save(stored, of: record, transaction)
    if state == .sealing {
      try transaction.enqueue(
        SealJob.kind, CopyAttempt(recordID: record.recordID, number: 1).payload, id: "seal-\(record.recordID)")
    }
  }
}

/// Which try of a job this is: pauses grow with it, over restarts too.
struct CopyAttempt {
  let recordID: String
  let number: Int

  init(recordID: String, number: Int) {
    (self.recordID, self.number) = (recordID, number)
  }

  init?(_ payload: [UInt8]) {
    let parts = String(decoding: payload, as: UTF8.self).split(separator: " ")
    guard parts.count == 2, let number = Int(parts[1]) else { return nil }
    self.init(recordID: String(parts[0]), number: number)
  }

  var payload: [UInt8] { Array("\(recordID) \(number)".utf8) }

  var next: CopyAttempt { CopyAttempt(recordID: recordID, number: min(number + 1, 100)) }

  /// Doubled with each try, from a second to five minutes: what is missing may come at any time.
  var pause: Duration { pause(atMost: .seconds(300)) }

  /// Whether it was tried so often, over more than an hour, that it is left to reminders that are days apart.
  var wasOften: Bool { number > 12 }

  func pause(atMost longest: Duration) -> Duration { min(.seconds(1 << min(number - 1, 20)), longest) }
}
