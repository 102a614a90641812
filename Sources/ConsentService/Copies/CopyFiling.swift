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
        SealJob.kind, CopyAttempt(recordID: record.recordID).payload, id: "seal-\(record.recordID)")
    }
  }
}

/// Which try of a job this is: pauses grow with it, over restarts too.
struct CopyAttempt {
  let recordID: String
  let number: Int
  /// When it begins by itself. It begins earlier when something that it waits for may have come.
  private let due: Instant?

  init(recordID: String) {
    self.init(recordID: recordID, number: 1, due: nil)
  }

  private init(recordID: String, number: Int, due: Instant?) {
    (self.recordID, self.number, self.due) = (recordID, number, due)
  }

  init?(_ payload: [UInt8]) {
    let parts = String(decoding: payload, as: UTF8.self).split(separator: " ")
    // Jobs that an earlier version has queued do not say when they are due.
    guard parts.count == 2 || parts.count == 3, let number = Int(parts[1]) else { return nil }
    let due = parts.count == 3 ? Int64(parts[2]).map { Instant(millisecondsSince1970: $0) } : nil
    self.init(recordID: String(parts[0]), number: number, due: due)
  }

  var payload: [UInt8] {
    Array("\(recordID) \(number)\(due.map { " \($0.millisecondsSince1970)" } ?? "")".utf8)
  }

  /// Doubled with each try, from a second to five minutes: what is missing may come at any time.
  var pause: Duration { pause(atMost: .seconds(300)) }

  /// Whether it was tried so often, over more than an hour, that it is left to reminders that are days apart.
  var wasOften: Bool { number > 12 }

  func pause(atMost longest: Duration) -> Duration { min(.seconds(1 << min(number - 1, 20)), longest) }

  /// Queues the next try.
  ///
  /// One that began before its time does not count: a service that comes and goes would soon have used up all of them.
  func again(_ kind: String, atMost longest: Duration = .seconds(300), _ transaction: Transaction) throws {
    let cameEarly = due.map { transaction.now < $0 } ?? false
    let number = cameEarly ? number : min(number + 1, 100)
    try begin(
      kind, CopyAttempt(recordID: recordID, number: number, due: nil).pause(atMost: longest), number, transaction)
  }

  /// Queues the same try after a pause.
  func wait(_ kind: String, _ pause: Duration, id: String? = nil, _ transaction: Transaction) throws {
    try begin(kind, pause, number, id: id, transaction)
  }

  private func begin(
    _ kind: String, _ pause: Duration, _ number: Int, id: String? = nil, _ transaction: Transaction
  ) throws {
    let next = CopyAttempt(recordID: recordID, number: number, due: transaction.now + pause)
    try transaction.enqueue(kind, next.payload, id: id, after: pause)
  }
}
