import Base
import ServiceKit
import TestSupport
import Testing
import Wire

/// ConsentService as a process: the demo walks it, and kills do not lose or double a step.
@Suite(.serialized) struct ConsentProcessTests {
  private static let key = String(repeating: "5a", count: 32)

  @Test("the demo walks the sample study and leaves the record and its exports in a folder", .timeLimit(.minutes(3)))
  func demo() async throws {
    let folder = try TemporaryFolder()
    let up = try await RunningProgram.start("assent", ["up", "--data", folder.file("data"), "--signature", "1"])
    _ = try #require(await up.line(containing: "Ctrl-C"), "\(up.logLines)")
    let demo = try await RunningProgram.start(
      "assent",
      [
        "demo", "--bus-folder", folder.file("data/bus"), "--samples", Repository.path("samples/clinical-study"),
        "--output", folder.file("demo"),
      ])
    #expect(await demo.wait() == .code(0), "\(demo.logLines)")
    #expect(demo.lines.contains { $0.contains("WELCOME ON BOARD") })
    #expect(demo.lines.contains { $0.contains("Dr. Okafor counter-signed; the record is inForce") })
    #expect(demo.lines.contains { $0.contains("may 'take_part' be processed now?  yes") })
    let names = try Files.names(in: folder.file("demo"))
    #expect(
      Set(names).isSuperset(of: [
        "record.json", "shown.html", "consent.fhir.json", "receipt.json", "participant.png", "investigator.png",
      ]))
    up.send(.interrupt)
    #expect(await up.wait() == .code(0))
  }

  @Test("every acknowledged step is there after kills at random points, none doubled", .timeLimit(.minutes(30)))
  func kills() async throws {
    let system = try await TestSystem.start()
    let data = system.folder.file("data")
    @Sendable func startService() async throws -> RunningProgram {
      let service = try await RunningProgram.start(
        "ConsentService", ["--bus-folder", system.busFolder, "--data", data],
        environment: ["ASSENT_MASTER_KEY": Self.key])
      _ = try #require(await service.line(containing: "ready"), "\(service.logLines)")
      return service
    }
    var service = try await startService()
    let connection = try await system.connect()
    let walkers = ConsentWalkers(channel: connection.channel)
    try await walkers.open(flow: Repository.path("samples/field-service/flow.json"))
    let isLong = Environment.current["ASSENT_TEST_LONG"] != nil
    let walking = Task { try await walkers.walk(isLong ? 50 : 6) }
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<(isLong ? 500 : 4) {
      try await Task.sleep(for: .milliseconds(Int.random(in: 20...300, using: &generator)))
      service.send(.kill)
      _ = await service.wait()
      service = try await startService()
    }
    walkers.stop()
    let walks = try await walking.value
    #expect(walks.contains { $0.acknowledged > 0 })
    let recorded = try await walkers.recordedActions()
    for walk in walks {
      let view = try await walkers.session(walk.sessionID)
      #expect(view.version == Int64(walk.acknowledged) + 1, "\(walk)")
      #expect(recorded[walk.sessionID] == walk.acknowledged, "\(walk)")
    }
    try await connection.close()
    service.send(.terminate)
    #expect(await service.wait() == .code(0))
  }
}
