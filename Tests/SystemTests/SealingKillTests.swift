import Base
import Bus
import ConsentContract
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
    var generator = SystemRandomNumberGenerator()
    for round in 0..<(LongTests.areWanted ? 60 : 6) {
      for person in 0..<2 { records.append(try await people.sign("subject-\(round)-\(person)")) }
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...120, using: &generator)))
      try await fleet.replace(SealingFleet.Role.allCases[round % 3])
    }
    for record in records {
      let copy = try await people.copy(record) { $0.state == .sealed }
      #expect(copy.state == .sealed, "\(record): \(copy)")
      let file = try await people.file(record)
      let report = DocumentVerifier(trusting: Trust(roots: [fleet.key.certificate]), at: Clock.system.now)
        .verify(file.content)
      #expect(report.verdict == .valid && file.sealed, "\(report.lines)")
      let check = try await people.check(copy.verificationID, file.content)
      #expect(check.comparison == .same)
      #expect(try await people.sealings(of: record) == 1, "\(record)")
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
  private let common: [String]
  private let keyFile: String
  private var running: [Role: RunningProgram] = [:]

  static func start(on system: TestSystem) async throws -> SealingFleet {
    let fleet = try SealingFleet(system)
    try await fleet.start(.consent)
    try await fleet.start(.composer)
    return fleet
  }

  private init(_ system: TestSystem) throws {
    common = ["--bus-folder", system.busFolder, "--data", system.folder.file("data")]
    keyFile = system.folder.file("seal.pem")
    key = try SealKeyFile.write(to: keyFile)
  }

  func start(_ role: Role) async throws {
    let (program, arguments): (String, [String]) =
      switch role {
      case .consent: ("ConsentService", [])
      case .composer: ("SignatureService", [])
      case .sealer: ("SignatureService", ["--seal-only", "--seal-key-file", keyFile])
      }
    let process = try await RunningProgram.start(
      program, common + arguments, environment: ["ASSENT_MASTER_KEY": String(repeating: "5a", count: 32)])
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

  func stop() async throws {
    for process in running.values {
      process.send(.terminate)
      #expect(await process.wait() == .code(0))
    }
  }
}
