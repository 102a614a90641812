import Base
import Bus
import ConsentContract
import ConsentService
import Sealing
import SignatureService
import Storage
import StorageTestKit
import Synchronization
import TestSupport
import Testing

/// ConsentService and SignatureService on one bus, with a process that seals as soon as a test starts one.
struct CopyWorld {
  let evidence: EvidenceWorld
  let key: SealKey
  let authority = SwitchedAuthority()

  var consent: World { evidence.consent }

  init(_ engine: TestEngine = .sqlite) async throws {
    evidence = try await EvidenceWorld(engine)
    key = try KeyMaker.make(
      name: "Seal", from: Example.now + .seconds(-60), until: Example.now + .seconds(86_400), serial: [1])
  }

  func open() async throws { try await consent.open() }

  func end() async { await evidence.end() }

  /// From here on a process with a seal's key is there.
  func startSealing(with key: SealKey? = nil, stamped: Bool = false) {
    let sealer = Sealer(
      key: key ?? self.key, stamper: stamped ? authority : nil, nonce: { Randomness.system.bytes(16) })
    consent.bus.serve([SealHandlers(sealer: sealer, clock: consent.clock.clock)])
  }

  /// The same with a key and a time-stamping authority of a real chain.
  func startSealing(by authorities: SealAuthorities) throws {
    let clock = consent.clock
    consent.bus.serve([
      SealHandlers(sealer: try authorities.sealer(), collector: { authorities.collector }, clock: clock.clock)
    ])
  }

  /// Runs jobs, on one or more replicas, and lets time pass, until a copy is as expected.
  @discardableResult
  func run(
    _ recordID: String, replicas: Int = 1, until isThere: (SignedCopy) -> Bool
  ) async throws -> SignedCopy {
    let running = (0..<replicas).map { _ in Task { [jobs = consent.services.jobs()] in await jobs.run() } }
    defer { for task in running { task.cancel() } }
    var copy = try await copy(recordID)
    for _ in 0..<2400 where !isThere(copy) {
      try await Task.sleep(for: .milliseconds(5))
      consent.clock.move(by: .milliseconds(250))
      // A change of anything wakes those who wait for jobs.
      try await consent.test.database.scope(.named("t1")).write { _ in }
      copy = try await self.copy(recordID)
    }
    #expect(isThere(copy), "\(copy)")
    return copy
  }

  /// Runs the jobs that are due, and no other: time stands still.
  ///
  /// - Returns: how many.
  @discardableResult
  func settle() async throws -> Int {
    let before = try await jobs(.finished)
    let running = Task { [jobs = consent.services.jobs()] in await jobs.run() }
    // What is due is taken within a moment; that nothing is any more is known only by waiting.
    var quiet = 0
    var last = -1
    while quiet < 20 {
      try await Task.sleep(for: .milliseconds(10))
      let (finished, open) = (try await jobs(.finished), try await jobs(.running))
      quiet = open == 0 && finished == last ? quiet + 1 : 0
      last = finished
    }
    running.cancel()
    await running.value
    return last - before
  }

  private func jobs(_ state: JobState) async throws -> Int {
    try await consent.test.database.jobCounts().filter { $0.state == state }.reduce(0) { $0 + $1.count }
  }

  /// Does what has fallen due.
  func remind() async {
    let runner = PeriodicTaskRunner(
      consent.services.database, consent.services.periodicTasks(every: .seconds(60))
    ) { task, error in Issue.record("\(task): \(error)") }
    await runner.runDue()
  }

  func copy(_ recordID: String) async throws -> SignedCopy {
    let record = try await consent.app.records.getRecord(GetRecordRequest(recordID: recordID)).record
    return try #require(record?.signedCopy)
  }

  func get(_ recordID: String, evidence: Bool = false) async throws -> GetSignedCopyResponse {
    try await consent.app.records.getSignedCopy(GetSignedCopyRequest(recordID: recordID, withEvidence: evidence))
  }

  /// What somebody without a key learns who holds a file.
  func check(_ id: String, _ file: [UInt8] = []) async throws -> CheckSignedCopyResponse {
    let stranger = ConsentClients(consent.bus.channel(for: CallerIdentity(kind: .stranger, tenant: "", subject: "")))
    return try await stranger.records.checkSignedCopy(
      CheckSignedCopyRequest(verificationID: id, sha256: file.isEmpty ? "" : Digest(of: file).hex))
  }

  func verdict(_ file: [UInt8]) -> DocumentReport {
    DocumentVerifier(trusting: Trust(roots: [key.certificate]), at: consent.clock.clock.now).verify(file)
  }

  /// The copy's events, in order.
  func events(_ recordID: String) async throws -> [ConsentEvent] {
    try await consent.events().filter { $0.kind == .signedCopyChanged && $0.recordID == recordID }
  }
}

/// A time-stamping authority that is down until a test says otherwise.
final class SwitchedAuthority: TimeStamper {
  private let up = Mutex<OwnTimeStamper?>(nil)

  struct Down: Error {}

  func start(_ clock: Clock) throws {
    let key = try KeyMaker.make(
      name: "Time", purpose: .timeStamping, from: Example.now + .seconds(-60),
      until: Example.now + .seconds(86_400), serial: [2])
    up.withLock { $0 = OwnTimeStamper(key) { clock.now } }
  }

  func answer(to request: [UInt8]) async throws -> [UInt8] {
    guard let authority = up.withLock({ $0 }) else { throw Down() }
    return try await authority.answer(to: request)
  }
}
