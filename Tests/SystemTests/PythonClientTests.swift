import Base
internal import Bus
import InteropCases
import InteropContract
import RPC
import TestSupport
import Testing

/// The client and the worker of `clients/python`, written from docs/bus-protocol.md alone, against a real gateway.
@Suite(.serialized) struct PythonClientTests {
  enum Language: String, CaseIterable {
    case swift, python
  }

  @Test("a client in Python makes all kinds of calls", .timeLimit(.minutes(3)), arguments: Language.allCases)
  func client(to worker: Language) async throws {
    let system = try await TestSystem.start()
    let worker = try await start(worker, in: system)
    try await runTests("test_*.py", ["ASSENT_CLIENTS_DOORS": "ipc://\(system.busFolder)/clients"])
    worker.send(.terminate)
    #expect(await worker.wait() == .code(0), "\(worker.logLines)")
  }

  @Test(
    "with encryption, keys of `assent keys` and two addresses of one gateway, everything works as well",
    .timeLimit(.minutes(3)))
  func encrypted() async throws {
    let system = try await KeyedGateways.start(at: [["127.0.0.1", "127.0.0.2"]])
    let worker = try await startPythonWorker(at: system.gateways[0].servicesDoors, system.environment)
    try await runTests("test_*.py", system.environment)
    worker.send(.terminate)
    #expect(await worker.wait() == .code(0), "\(worker.logLines)")
    let superseded = system.gateways[0].process.logLines.filter { $0.contains("it connected again") }
    #expect(superseded == [], "one session of a process ended another")
  }

  @Test(
    "with two gateways, one of which is killed, keyed calls are repeated through the other", .timeLimit(.minutes(3)))
  func severalGateways() async throws {
    let system = try await KeyedGateways.start(at: [["127.0.0.1"], ["127.0.0.1"]])
    try await runTests("test_several_gateways.py", system.environment)
    #expect(await system.gateways[0].process.wait() == .signal(9))
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

  @Test("a worker in Python reconnects to a gateway that was restarted", .timeLimit(.minutes(3)))
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
    return try await startPythonWorker(at: ["ipc://\(system.busFolder)/services"])
  }

  private func startPythonWorker(
    at doors: [String], _ environment: [String: String?] = [:]
  ) async throws -> RunningProgram {
    let worker = try await RunningProgram.startPython(
      [Repository.path("clients/python/tests/interop_worker.py")] + doors, environment: environment)
    _ = try #require(await worker.line(containing: "ready"), "\(worker.logLines)")
    return worker
  }

  /// Runs the tests of `clients/python/tests` whose file names match.
  private func runTests(_ pattern: String, _ environment: [String: String?]) async throws {
    let tests = try await RunningProgram.startPython(
      ["-m", "unittest", "discover", "-s", Repository.path("clients/python/tests"), "-p", pattern, "-v"],
      environment: environment)
    #expect(await tests.wait() == .code(0), "\(tests.logLines.joined(separator: "\n"))")
  }
}
