import Base
import InteropCases
import TestSupport
import Testing
import Wire

/// The client and the worker of `clients/python`, written from docs/bus-protocol.md alone, against a real gateway.
@Suite(.serialized) struct PythonClientTests {
  enum Language: String, CaseIterable {
    case swift, python
  }

  @Test("a client in Python makes all kinds of calls", .timeLimit(.minutes(3)), arguments: Language.allCases)
  func client(to worker: Language) async throws {
    let system = try await TestSystem.start()
    let worker = try await start(worker, in: system)
    let tests = try await RunningProgram.startPython(
      ["-m", "unittest", "discover", "-s", Repository.path("clients/python/tests"), "-v"],
      environment: ["ASSENT_CLIENTS_DOOR": "ipc://\(system.busFolder)/clients"])
    #expect(await tests.wait() == .code(0), "\(tests.logLines.joined(separator: "\n"))")
    worker.send(.terminate)
    #expect(await worker.wait() == .code(0), "\(worker.logLines)")
  }

  @Test("gRPC's interoperability cases pass against a worker in Python", .timeLimit(.minutes(3)))
  func worker() async throws {
    let system = try await TestSystem.start()
    let worker = try await start(.python, in: system)
    let client = try await system.connect()
    for interopCase in InteropCase.allCases { try await interopCase.run(on: client.channel) }
    try await client.close()
    worker.send(.terminate)
    #expect(await worker.wait() == .code(0), "\(worker.logLines)")
  }

  @Test("a worker in Python finds its way back to a gateway that was restarted", .timeLimit(.minutes(3)))
  func gatewayRestart() async throws {
    let system = try await TestSystem.start()
    let worker = try await start(.python, in: system)
    system.gateway.send(.kill)
    _ = await system.gateway.wait()
    let successor = try await TestSystem.startGateway(in: system.folder)
    let client = try await system.connect()
    _ = try await InteropServiceClient(client.channel).emptyCall(
      EmptyCallRequest(), deadline: .seconds(20), options: CallOptions(waitsForReady: true))
    try await client.close()
    worker.send(.terminate)
    #expect(await worker.wait() == .code(0), "\(worker.logLines)")
    successor.send(.terminate)
    #expect(await successor.wait() == .code(0), "\(successor.logLines)")
  }

  private func start(_ language: Language, in system: TestSystem) async throws -> RunningProgram {
    guard language == .python else { return try await system.startWorker("InteropService", ["--slots", "8"]) }
    let worker = try await RunningProgram.startPython(
      [Repository.path("clients/python/tests/interop_worker.py"), "ipc://\(system.busFolder)/services"])
    _ = try #require(await worker.line(containing: "ready"), "\(worker.logLines)")
    return worker
  }
}
