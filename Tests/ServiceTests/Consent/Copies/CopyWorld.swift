import Base
import Bus
import ConsentContract
import ConsentService
import RPC
import Sealing
import SignatureContract
import SignatureService
import Storage
import StorageTestKit
import Synchronization
import TestSupport
import Testing
import Webhooks

/// ConsentService and SignatureService on one bus, with a process that seals as soon as a test starts one.
struct CopyWorld {
  let evidence: EvidenceWorld
  let key: SealKey
  let authority = SwitchedAuthority()

  var consent: World { evidence.consent }

  init(_ engine: TestEngine = .sqlite, webhooks: WebhookPolicy = WebhookPolicy()) async throws {
    evidence = try await EvidenceWorld(engine, webhooks: webhooks)
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
    _ recordID: String, replicas: Int = 1, participants: Bool = false, until isThere: (SignedCopy) -> Bool
  ) async throws -> SignedCopy {
    let running = (0..<replicas).map { _ in Task { [jobs = consent.services.jobs()] in await jobs.run() } }
    defer { for task in running { task.cancel() } }
    return try await follow(recordID, by: .milliseconds(250), participants: participants, until: isThere)
  }

  /// Lets time pass in steps, while jobs run that a test has started, until a copy is as expected.
  @discardableResult
  func follow(
    _ recordID: String, by step: Duration, participants: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation, until isThere: (SignedCopy) -> Bool
  ) async throws -> SignedCopy {
    func later() async throws -> SignedCopy {
      consent.clock.move(by: step)
      // A change of anything wakes those who wait for jobs.
      try await consent.test.database.scope(.named("t1")).write { _ in }
      return participants ? try #require(try await participantCopy(recordID)) : try await copy(recordID)
    }
    return try await eventually(
      "the copy is as expected", await later(), sourceLocation: sourceLocation, where: isThere)
  }

  /// Runs the jobs that are due, and no other: time stands still.
  ///
  /// - Returns: how many.
  @discardableResult
  func settle() async throws -> Int {
    let before = try await finishedJobs()
    let running = Task { [jobs = consent.services.jobs()] in await jobs.run() }
    try await untilNothingIsDue()
    running.cancel()
    await running.value
    return try await finishedJobs() - before
  }

  /// Waits until jobs, which a test has started, have done what is due.
  func untilNothingIsDue() async throws {
    let (database, now) = (consent.test.database, consent.clock.clock.now)
    try await eventually("nothing is due", await database.dueJobs(at: now)) { $0.isEmpty }
  }

  private func finishedJobs() async throws -> Int {
    try await consent.test.database.jobCounts().filter { $0.state == .finished }.reduce(0) { $0 + $1.count }
  }

  /// Does what has fallen due.
  func remind() async {
    let runner = PeriodicTaskRunner(
      consent.services.database, consent.services.periodicTasks(every: .seconds(60))
    ) { task, error in Issue.record("\(task): \(error)") }
    await runner.runDue()
  }

  /// Lets minutes pass, each with what falls due in it: reminders are looked at once a minute.
  func pass(minutes: Int) async throws {
    for _ in 0..<minutes {
      consent.clock.move(by: .seconds(61))
      await remind()
      try await settle()
    }
  }

  func copy(_ recordID: String) async throws -> SignedCopy {
    let record = try await consent.app.records.getRecord(GetRecordRequest(recordID: recordID)).record
    return try #require(record?.signedCopy)
  }

  func participantCopy(_ recordID: String) async throws -> SignedCopy? {
    try await consent.app.records.getRecord(GetRecordRequest(recordID: recordID)).record?.participantCopy
  }

  func get(
    _ recordID: String, evidence: Bool = false, participants: Bool = false
  ) async throws -> GetSignedCopyResponse {
    try await consent.app.records.getSignedCopy(
      GetSignedCopyRequest(recordID: recordID, withEvidence: evidence, participantCopy: participants))
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

  /// The text of a file.
  static func text(of file: [UInt8]) async throws -> String {
    try await output("pdftotext", ["copy.pdf", "-"], file) { lines, _ in lines.joined(separator: "\n") }
  }

  /// The letters of each page, without blanks: words that lie across a page are read letter by letter.
  static func pages(of file: [UInt8]) async throws -> [String] {
    try await text(of: file).split(separator: "\u{0C}").map { page in String(page.filter { !$0.isWhitespace }) }
      .filter { !$0.isEmpty }
  }

  /// The files that are attached to one, by their names.
  static func attachments(of file: [UInt8]) async throws -> [String: [UInt8]] {
    try await output("pdfdetach", ["-saveall", "-o", "attached", "copy.pdf"], file) { _, folder in
      var files: [String: [UInt8]] = [:]
      for name in try Files.names(in: folder.file("attached")) {
        files[name] = try Files.read(folder.file("attached/\(name)"))
      }
      return files
    }
  }

  private static func output<Answer>(
    _ tool: String, _ arguments: [String], _ file: [UInt8], _ read: ([String], TemporaryFolder) throws -> Answer
  ) async throws -> Answer {
    let folder = try TemporaryFolder()
    try Files.write(file, to: folder.file("copy.pdf"))
    try Files.makeFolder(folder.file("attached"))
    var command = ChildCommand(tool, arguments)
    command.directory = folder.path
    let (exit, lines) = try await ChildProcess.output(of: command)
    #expect(exit.isSuccess, "\(tool): \(lines)")
    return try read(lines, folder)
  }

  /// The events of the copy that all sign, or of the participant's, in order.
  func events(_ recordID: String, participants: Bool = false) async throws -> [ConsentEvent] {
    try await consent.events().filter {
      $0.kind == .signedCopyChanged && $0.recordID == recordID && $0.participantCopy == participants
    }
  }
}

/// A time-stamping authority that is down until a test says otherwise.
final class SwitchedAuthority: TimeStamper {
  private let up = Mutex<OwnTimeStamper?>(nil)

  struct Down: Error {}

  func start(_ clock: Clock, days: Int = 1) throws {
    let key = try KeyMaker.make(
      name: "Time", purpose: .timeStamping, from: Example.now + .seconds(-60), until: Example.now + .days(days),
      serial: [2])
    up.withLock { $0 = OwnTimeStamper(key) { clock.now } }
  }

  /// One that sends so many certificates along that what it attests has no room in a file.
  func startBulky(_ clock: Clock) throws {
    var issuer: SealKey?
    let name = String(repeating: "An authority among many ", count: 3).prefix(60)
    for level in 1...11 {
      issuer = try KeyMaker.make(
        name: "\(name) \(level)", organization: String(name), purpose: level < 11 ? .authority : .timeStamping,
        isRSA: true, from: Example.now + .seconds(-60), until: Example.now + .days(900), serial: [UInt8(level)],
        issuer: issuer)
    }
    let key = issuer
    up.withLock { up in up = key.map { key in OwnTimeStamper(key) { clock.now } } }
  }

  func answer(to request: [UInt8]) async throws -> [UInt8] {
    guard let authority = up.withLock({ $0 }) else { throw Down() }
    return try await authority.answer(to: request)
  }
}

/// Processes that seal, of which one is there at a time.
final class SwitchedSeals: SealServiceProtocol {
  private let all: [SealHandlers]
  private let current = Mutex(0)

  init(_ all: [SealHandlers]) { self.all = all }

  func use(_ number: Int) { current.withLock { $0 = number } }

  private var one: SealHandlers { all[current.withLock { $0 }] }

  func sealDocument(_ request: SealDocumentRequest, context: CallContext) async throws -> SealDocumentResponse {
    try await one.sealDocument(request, context: context)
  }

  func addSealTime(_ request: AddSealTimeRequest, context: CallContext) async throws -> AddSealTimeResponse {
    try await one.addSealTime(request, context: context)
  }

  func findSealProofs(_ request: FindSealProofsRequest, context: CallContext) async throws -> FindSealProofsResponse {
    try await one.findSealProofs(request, context: context)
  }

  func attestDocument(_ request: AttestDocumentRequest, context: CallContext) async throws -> AttestDocumentResponse {
    try await one.attestDocument(request, context: context)
  }

  func getSealCertificate(
    _ request: GetSealCertificateRequest, context: CallContext
  ) async throws -> GetSealCertificateResponse {
    try await one.getSealCertificate(request, context: context)
  }
}
