import Base
internal import Bus
import ConsentContract
import RPC
import Sealing
import ServiceKit
import SignatureContract
import TestSupport
import Testing
import Wire

/// Signed copies by real processes: one that keeps consents, one that lays out, one that seals, each killed at random
/// moments.
@Suite(.serialized) struct SealingKillTests {
  @Test(
    "copies wait for a process with a key, survive kills of every process, and each is sealed once",
    .timeLimit(.minutes(10)))
  func kills() async throws {
    let system = try await TestSystem.start()
    let fleet = try await SealingFleet.start(on: system)
    let connection = try await system.connect()
    let people = SealedPeople(channel: connection.channel)
    try await people.open()

    let first = try await people.sign("first")
    let waiting = try await people.copy(first) { $0.reason.hasPrefix("no_seal_key: ") }
    #expect(waiting.state == .sealing, "\(waiting)")
    try await fleet.start(.sealer)
    #expect(try await people.copy(first) { $0.state == .sealed }.state == .sealed)

    var records = [first]
    for round in 0..<(LongTests.areWanted ? 60 : 6) {
      for person in 0..<2 { records.append(try await people.sign("subject-\(round)-\(person)")) }
      try await randomPause(milliseconds: 0...120)
      try await fleet.replace(SealingFleet.Role.allCases[round % 3])
    }
    for record in records {
      let copy = try await people.copy(record) { $0.state == .sealed }
      #expect(copy.state == .sealed, "\(record): \(copy)")
      let file = try await people.file(record)
      let report = DocumentVerifier(trusting: Trust(roots: [fleet.key.certificate]), at: Clock.system.now)
        .verify(file.content)
      #expect(report.verdict == .passed && file.sealed, "\(report.lines)")
      let check = try await people.check(copy.verificationID, file.content)
      #expect(check.comparison == .same)
      #expect(try await people.sealings(of: record) == 1, "\(record)")
    }
    try await connection.close()
    try await fleet.stop()
  }

  @Test(
    "proofs and the time over them survive kills of those who ask for them and those who fetch them, each added once",
    .timeLimit(.minutes(10)))
  func archived() async throws {
    let authorities = try await AuthorityServer.start()
    let system = try await TestSystem.start()
    // A key that others may read is refused.
    let (key, root) = (system.folder.file("chain.pem"), system.folder.file("root.pem"))
    try Files.write(try authorities.file("seal.pem"), to: key, mode: 0o600)
    try Files.write(try authorities.file("root.pem"), to: root)
    let fleet = try await SealingFleet.start(
      on: system, keyFile: key,
      sealing: [
        "--seal-time-authority", "\(authorities.address)/tsa", "--seal-time-allow", "127.0.0.1/32",
        "--seal-trust", root,
      ])
    try await fleet.start(.sealer)
    let connection = try await system.connect()
    let people = SealedPeople(channel: connection.channel)
    try await people.open()
    var records: [String] = []
    for round in 0..<(LongTests.areWanted ? 40 : 6) {
      let record = try await people.sign("subject-\(round)")
      records.append(record)
      // From before the seal to after the last time over it.
      try await randomPause(milliseconds: 0...900)
      try await fleet.replace(round % 2 == 0 ? .consent : .sealer)
    }
    let trust = Trust(roots: Certificate.list(pem: try authorities.file("root.pem")))
    for record in records {
      let copy = try await people.copy(record) { $0.level == "B-LTA" }
      #expect(copy.level == "B-LTA" && copy.reason.isEmpty, "\(record): \(copy)")
      let report = DocumentVerifier(trusting: trust, at: Clock.system.now)
        .verify(try await people.file(record).content)
      #expect(report.verdict == .passed, "\(report.lines)")
      #expect(report.signatures.map(\.kind) == [.certification, .documentTime], "\(report.lines)")
      // Three or four files: B-B where the authority was asked in vain, B-T, B-LT, B-LTA; none comes back.
      let hashes = try await people.sealedFiles(of: record)
      let changes = hashes.indices.filter { $0 == 0 || hashes[$0] != hashes[$0 - 1] }.map { hashes[$0] }
      #expect(Set(changes).count == changes.count && (3...4).contains(changes.count), "\(changes)")
      #expect(changes.last == copy.hash)
    }
    try await connection.close()
    try await fleet.stop()
  }
}

/// One process of each kind, on one database for each service.
private actor SealingFleet {
  enum Role: String, CaseIterable {
    case consent, composer, sealer
  }

  nonisolated let key: SealKey
  private let busFolder: String
  private let evidence: KeptEvidence
  private let sealing: [String]
  private var running: [Role: RunningProgram] = [:]

  /// - Parameters:
  ///   - keyFile: a new key unless given.
  ///   - sealing: further arguments of the process that seals.
  static func start(
    on system: TestSystem, keyFile: String? = nil, sealing: [String] = []
  ) async throws -> SealingFleet {
    let fleet = try SealingFleet(system, keyFile, sealing)
    try await fleet.start(.consent)
    try await fleet.start(.composer)
    return fleet
  }

  private init(_ system: TestSystem, _ keyFile: String?, _ sealing: [String]) throws {
    busFolder = system.busFolder
    evidence = try KeptEvidence(data: system.folder.file("data"))
    let own = system.folder.file("seal.pem")
    key = try keyFile.map { try SealKey(pem: Files.read($0)) } ?? SealKeyFile.write(to: own)
    self.sealing = ["--seal-only", "--seal-key-file", keyFile ?? own] + sealing
  }

  func start(_ role: Role) async throws {
    let (program, arguments): (String, [String]) =
      switch role {
      case .consent: ("ConsentService", evidence.arguments(of: "consent"))
      case .composer: ("SignatureService", evidence.arguments(of: "signature"))
      case .sealer: ("SignatureService", ["--data", evidence.data] + sealing)
      }
    let process = try await RunningProgram.start(
      program, ["--bus-folder", busFolder] + arguments, environment: KeptEvidence.environment)
    _ = try #require(await process.line(containing: "ready"), "\(process.logLines)")
    running[role] = process
  }

  /// Kills a process as the kernel would, and starts another.
  func replace(_ role: Role) async throws {
    let victim = try #require(running[role])
    victim.send(.kill)
    _ = await victim.wait()
    try await start(role)
  }

  /// Ends all in order, and checks what ConsentService has kept.
  func stop() async throws {
    for process in running.values {
      process.send(.terminate)
      #expect(await process.wait() == .code(0))
    }
    try await evidence.check("consent", keptBy: ["consent"])
  }
}
