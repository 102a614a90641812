import Base
import Bus
import InteropContract
import RPC
import ServiceKit
import TestSupport
import Testing

/// A gateway with one door on TCP and the other a socket on this machine.
@Suite(.serialized) struct MixedDoorTests {
  @Test(
    "keys are asked for where TCP is, and nowhere else", .timeLimit(.minutes(2)), arguments: BusSettings.Door.allCases)
  func mixed(onTCP: BusSettings.Door) async throws {
    let folder = try TemporaryFolder()
    let publicKey = try await KeyedGateways.makeKeys(in: folder)
    let gateway = try await RunningProgram.start(
      "gateway",
      [
        "--bus-folder", folder.file("bus"), "--\(onTCP.rawValue)-door", "tcp://127.0.0.1:0",
        "--bus-key-file", folder.file("gateway.key"), "--bus-key-list", folder.file("keys"),
      ])
    let ready = try #require(await gateway.line(containing: "ready"), "\(gateway.logLines)")
    let doors = ready.split(separator: " ").filter { $0.hasPrefix("tcp://") }.map(String.init)
    #expect(doors.count == 1 && ready.contains(" ipc"), "\(ready)")
    let door = try #require(doors.first)

    let worker = try await RunningProgram.start(
      "InteropService",
      onTCP == .services
        ? ["--services-door", door, "--bus-key-file", folder.file("worker.key"), "--gateway-key", publicKey]
        : ["--bus-folder", folder.file("bus")])
    _ = try #require(await worker.line(containing: "ready"), "\(worker.logLines)")

    let server = try #require(CurvePublicKey(text: publicKey))
    let endpoint = onTCP == .clients ? try BusEndpoint(door) : try BusSettings.socket(.clients, in: folder.file("bus"))
    func connect(_ own: CurveKeyPair?) async throws -> BusConnection {
      try await BusConnection.open(.init(gateways: [endpoint], keys: own.map { .init(own: $0, gateway: server) }))
    }
    let client = try await connect(onTCP == .clients ? KeyFile.read(folder.file("client.key")) : nil)
    _ = try await InteropServiceClient(client.channel).emptyCall(EmptyCallRequest(), deadline: .seconds(30))
    if onTCP == .clients {
      let stranger = try await connect(CurveKeyPair.generate())
      _ = try #require(await gateway.logLine(containing: "key refused"))
      try await stranger.close()
    }
    try await client.close()
    for program in [worker, gateway] {
      program.send(.terminate)
      #expect(await program.wait() == .code(0), "\(program.logLines)")
    }
  }

  @Test("a gateway with a door on TCP says at once which of the two key files is missing", .timeLimit(.minutes(1)))
  func missing() async throws {
    let folder = try TemporaryFolder()
    _ = try await KeyedGateways.makeKeys(in: folder)
    let (file, list) = (["--bus-key-file", folder.file("gateway.key")], ["--bus-key-list", folder.file("keys")])
    for door in BusSettings.Door.allCases {
      for (given, missing) in [
        (file, "--bus-key-list"), (list, "--bus-key-file"), ([], "--bus-key-file and --bus-key-list"),
      ] {
        let gateway = try await RunningProgram.start(
          "gateway", ["--bus-folder", folder.file("bus"), "--\(door.rawValue)-door", "tcp://127.0.0.1:0"] + given)
        #expect(await gateway.wait() == .code(1))
        let said = gateway.logLines.filter { $0.contains("tcp://127.0.0.1:0 needs \(missing):") }
        #expect(said.count == 1, "\(gateway.logLines)")
      }
    }
  }

  @Test("a service whose door is on TCP says at once which key is missing", .timeLimit(.minutes(1)))
  func missingAtService() async throws {
    let folder = try TemporaryFolder()
    let publicKey = try await KeyedGateways.makeKeys(in: folder)
    for (given, missing) in [
      (["--bus-key-file", folder.file("worker.key")], "--gateway-key"),
      (["--gateway-key", publicKey], "--bus-key-file"),
    ] {
      let worker = try await RunningProgram.start(
        "InteropService", ["--services-door", "tcp://127.0.0.1:5571"] + given)
      #expect(await worker.wait() == .code(1))
      let said = worker.logLines.filter { $0.contains(":5571 needs \(missing): TCP is always encrypted") }
      #expect(said.count == 1, "\(worker.logLines)")
    }
  }
}
