import Base
internal import Bus
import ConsentContract
import RPC
import ServiceKit
import StorageTestKit
import TestSupport
import Testing

/// ConsentService as a process: the demo runs through it, and kills neither lose nor double a step.
@Suite(.serialized) struct ConsentProcessTests {
  @Test("the demo walks the sample study and leaves the record and its exports in a folder", .timeLimit(.minutes(3)))
  func demo() async throws {
    let folder = try TemporaryFolder()
    let up = try await RunningProgram.start(
      "assent", ["up", "--http-listen", "127.0.0.1:0", "--data", folder.file("data"), "--signature", "1"])
    _ = try #require(await up.line(containing: "Ctrl-C"), "\(up.logLines)")
    let demo = try await RunningProgram.start(
      "assent",
      [
        "demo", "--bus-folder", folder.file("data/bus"), "--samples", Repository.path("samples/clinical-study"),
        "--output", folder.file("demo"),
      ])
    #expect(await demo.wait() == .code(0), "\(demo.logLines)")
    #expect(demo.lines.contains { $0.contains("WELCOME ON BOARD") })
    #expect(demo.lines.contains { $0.contains("Dr. Okafor counter-signed; the record is in force") })
    // Before the counter-signature, after it; of who declined; after the withdrawal.
    let asked = demo.lines.filter { $0.contains("may 'take_part' be processed now?") }
    #expect(asked.map { $0.hasSuffix("yes") } == [false, true, false, false], "\(asked)")
    #expect(demo.lines.contains { $0.contains("│   ! ") }, "an attempt that failed is told")
    #expect(demo.lines.contains { $0.contains("( Agree ): once the document has been read to its end") })
    #expect(demo.lines.contains { $0.contains("  → Nicht zustimmen") || $0.contains("  → Ablehnen") })
    #expect(demo.lines.contains { $0.contains("1. Walk for twenty minutes") })
    #expect(demo.lines.contains { $0.contains("Ada Lindqvist has work on this device") })
    #expect(demo.lines.contains { $0.contains("] 100 %") })
    let names = try Files.names(in: folder.file("demo"))
    #expect(
      Set(names).isSuperset(of: [
        "record.json", "shown.html", "consent.fhir.json", "receipt.json", "participant.png", "investigator.png",
        "evidence.json", "signed-copy.pdf",
      ]))
    try await checkEvidence(folder)
    let copy = try await ChildProcess.output(
      of: ChildCommand(
        Products.program("assent"),
        ["verify", folder.file("demo/signed-copy.pdf"), "--trust", folder.file("data/seal.crt")]))
    #expect(copy.exit == .code(0) && copy.lines.first?.hasPrefix("✓ Nothing was changed") == true, "\(copy.lines)")
    let arabic = try await RunningProgram.start(
      "assent",
      [
        "demo", "--bus-folder", folder.file("data/bus"), "--samples", Repository.path("samples/clinical-study"),
        "--output", folder.file("demo-ar"), "--locale", "ar",
      ])
    #expect(await arabic.wait() == .code(0), "\(arabic.logLines)")
    #expect(arabic.lines.contains { $0.contains("أهلًا بك معنا") } && arabic.lines.contains { $0.contains("1. امشِ") })
    #expect(arabic.lines.contains { $0.contains("المشي وضغط الدم") })
    let shown = String(decoding: try Files.read(folder.file("demo-ar/shown.html")), as: UTF8.self)
    #expect(shown.contains("lang=\"ar\"") && !shown.contains("lang=\"en\"") && !shown.contains("the study"))
    up.send(.interrupt)
    #expect(await up.wait() == .code(0))
  }

  /// What the demo left proves itself to two programs that know nothing but the public key, and the databases are what
  /// the heads outside them say.
  private func checkEvidence(_ folder: TemporaryFolder) async throws {
    func said(_ program: String, _ words: [String]) async throws -> [String] {
      var command = ChildCommand(program, words)
      command.environment["PYTHONDONTWRITEBYTECODE"] = "1"
      return try await ChildProcess.output(of: command).lines
    }
    let (bundle, key) = (folder.file("demo/evidence.json"), folder.file("data/evidence.pub"))
    let ours = try await said(Products.program("assent"), ["verify", "evidence", bundle, "--public-key", key])
    #expect(ours.count == 3 && ours.first?.hasPrefix("✓ valid: ") == true, "\(ours)")
    let theirs = try await said("python3", [Repository.path("scripts/verify-evidence.py"), bundle, key])
    #expect(theirs == ours)
    for (service, instance) in [("consent", "consent"), ("signature", "signature")] {
      let check = try await said(
        Products.program("assent"),
        [
          "data", "check", "--schema", service, "--data", folder.file("data"), "--head",
          folder.file("data/\(instance).heads"), "--evidence-public-key", key, "--master-key-file",
          folder.file("data/master.key"),
        ])
      #expect(!check.isEmpty && check.allSatisfy { $0.hasPrefix("✓ ") }, "\(check)")
    }
  }

  @Test(
    "after kills at random points every acknowledged step is there, and none twice", .timeLimit(.minutes(30)),
    arguments: TestEngine.allCases)
  func kills(engine: TestEngine) async throws {
    let isLong = LongTests.areWanted
    let system = try await TestSystem.start()
    // Replicas serve the same sessions and are killed in turn. On SQLite there is one, as services are usually run.
    let fleet = try await ConsentFleet.start(
      engine, replicas: engine == .sqlite ? 1 : 2, on: system, keepsEvidence: true)
    let connection = try await system.connect()
    let walkers = ConsentWalkers(channel: connection.channel)
    try await walkers.open(flow: Repository.path("samples/field-service/flow.json"))
    let walking = Task { try await walkers.walk(isLong ? 50 : 6) }
    let kills = isLong ? 500 : 4
    for _ in 0..<kills {
      try await randomPause(milliseconds: 20...300)
      try await fleet.replaceNext()
    }
    walkers.stop()
    let walks = try await walking.value
    let steps = walks.map(\.acknowledged).reduce(0, +)
    #expect(steps > kills, "kills fell among steps")
    let recorded = try await walkers.recordedActions()
    for walk in walks {
      let view = try await walkers.session(walk.sessionID)
      #expect(view.version == Int32(walk.acknowledged) + 1, "\(walk)")
      #expect(recorded[walk.sessionID] == walk.acknowledged, "\(walk)")
      #expect(view.recordIDs.count == walk.decided && Set(view.recordIDs).count == walk.decided, "\(walk)")
    }
    #expect(Set(walks.map(\.sessionID)).count == walks.count)
    if isLong { print("\(engine): \(kills) kills, \(walks.count) walks, \(steps) steps acknowledged, each there once") }
    try await connection.close()
    try await fleet.stop()
  }
}

/// Replicas of ConsentService on one database, to be killed.
actor ConsentFleet {
  private static let key = String(repeating: "5a", count: 32)
  private let busFolder: String
  private let data: String
  /// nil for replicas that sign no heads.
  private let evidence: KeptEvidence?
  private let environment: [String: String]
  private let server: PostgresServer?
  private var replicas: [(name: String, process: RunningProgram)] = []

  /// - Parameter keepsEvidence: whether replicas run as `assent up` starts them, and what they have kept is checked
  ///   when they have stopped.
  static func start(
    _ engine: TestEngine, replicas: Int, on system: TestSystem, environment: [String: String] = [:],
    keepsEvidence: Bool = false
  ) async throws -> ConsentFleet {
    let server = engine == .postgres ? try await PostgresServer() : nil
    let fleet = try ConsentFleet(system, server, environment, keepsEvidence: keepsEvidence)
    for number in 0..<replicas { try await fleet.add("consent-\(number)") }
    return fleet
  }

  private init(
    _ system: TestSystem, _ server: PostgresServer?, _ further: [String: String], keepsEvidence: Bool
  ) throws {
    self.server = server
    busFolder = system.busFolder
    data = system.folder.file("data")
    evidence = keepsEvidence ? try KeptEvidence(data: data) : nil
    let keys = keepsEvidence ? KeptEvidence.environment : ["ASSENT_MASTER_KEY": Self.key]
    environment = keys.merging(
      server.map { ["ASSENT_DATABASE_URL": $0.url] } ?? [:], uniquingKeysWith: { $1 }
    ).merging(further) { $1 }
  }

  private func add(_ name: String) async throws {
    let place = evidence?.arguments(of: name) ?? ["--data", data]
    let service = try await RunningProgram.start(
      "ConsentService", ["--bus-folder", busFolder] + place, environment: environment)
    _ = try #require(await service.line(containing: "ready"), "\(service.logLines)")
    replicas.append((name, service))
  }

  /// Kills the oldest replica as the kernel would, and starts another.
  func replaceNext() async throws {
    let victim = replicas.removeFirst()
    victim.process.send(.kill)
    _ = await victim.process.wait()
    try await add(victim.name)
  }

  func freezeDatabase() async throws { try await server?.freeze() }
  func thawDatabase() async throws { try await server?.thaw() }

  func stop() async throws {
    for (_, service) in replicas {
      service.send(.terminate)
      #expect(await service.wait() == .code(0))
    }
    try await evidence?.check("consent", keptBy: replicas.map(\.name), databaseURL: server?.url)
    await server?.end()
  }
}
