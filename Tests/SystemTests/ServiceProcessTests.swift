import Base
internal import Bus
import InteropCases
import InteropContract
import RPC
import TestSupport
import Testing

/// Calls from this process, through a gateway's process, to a service's process.
@Suite(.serialized) struct ServiceProcessTests {
  @Test("gRPC's interoperability cases pass through real processes", .timeLimit(.minutes(2)))
  func interop() async throws {
    let system = try await TestSystem.start()
    let worker = try await system.startWorker("InteropService", ["--slots", "8"])
    let client = try await system.connect()
    for interopCase in InteropCase.allCases { try await interopCase.run(on: client.channel) }
    try await client.close()
    worker.send(.terminate)
    #expect(await worker.wait() == .code(0), "\(worker.logLines)")
  }

  @Test("a service that is asked to end finishes its running calls, and accepts no new ones", .timeLimit(.minutes(2)))
  func drain() async throws {
    let system = try await TestSystem.start()
    let worker = try await system.startWorker("InteropService", ["--ops-listen", "127.0.0.1:0"])
    let connection = try await system.connect()
    let client = InteropServiceClient(connection.channel)
    var request = UnaryCallRequest()
    request.sleepMs = 8000
    let answer = Task { [request] in try await client.unaryCall(request) }
    // The call is running once its worker counts it.
    let address = try #require(worker.lines.first?.split(separator: " ").first { $0.hasPrefix("http://") })
    try await eventually("the call runs", await HTTP.fetch("\(address)/metrics")) {
      $0.contains("assent_calls_running 1")
    }
    worker.send(.terminate)
    _ = try #require(await worker.logLine(containing: "event=stopping"))
    _ = try await answer.value
    #expect(await worker.wait() == .code(0), "\(worker.logLines)")
    try await connection.close()
  }

  @Test(
    "of an unexpected error the caller sees only an id, and the log has its text", .timeLimit(.minutes(1))
  )
  func unforeseen() async throws {
    let system = try await TestSystem.start()
    // A journal on a disk that is always full.
    let worker = try await system.startWorker("InteropService", ["--journal", "/dev/full"])
    let connection = try await system.connect()
    let client = InteropServiceClient(connection.channel)
    let status = await #expect(throws: Status.self) { _ = try await client.unaryCall(UnaryCallRequest()) }
    #expect(status?.code == .internal)
    #expect(status?.message.contains("space") == false)
    let id = try #require(status?.message.split(separator: " ").last)
    let line = try #require(await worker.logLine(containing: "error_id=\(id)"))
    #expect(line.contains("No space left on device") && line.contains("method=") && line.contains("UnaryCall"))
    try await connection.close()
  }

  @Test("a service that waits for its gateway can still be stopped", .timeLimit(.minutes(1)))
  func stoppedWhileWaiting() async throws {
    let folder = try TemporaryFolder()
    let worker = try await RunningProgram.start(
      "InteropService", ["--bus-folder", folder.file("bus"), "--log-level", "debug"])
    _ = try #require(await worker.logLine(containing: "no gateway has answered yet"))
    worker.send(.terminate)
    #expect(await worker.wait() == .code(0), "\(worker.logLines)")
    #expect(worker.lines == [], "it was never ready")
  }

  @Test("a service that started first finds the gateway later", .timeLimit(.minutes(1)))
  func lateGateway() async throws {
    let folder = try TemporaryFolder()
    let worker = try await RunningProgram.start(
      "InteropService", ["--bus-folder", folder.file("bus"), "--log-level", "debug"])
    _ = try #require(await worker.logLine(containing: "no gateway has answered yet"))
    let gateway = try await TestSystem.startGateway(in: folder)
    #expect(await worker.line(containing: "ready") != nil, "\(worker.logLines)")
    gateway.send(.terminate)
    #expect(await gateway.wait() == .code(0), "\(gateway.logLines)")
  }

  @Test("a door on TCP without keys is refused in one line", .timeLimit(.minutes(1)))
  func keysMissing() async throws {
    let worker = try await RunningProgram.start("InteropService", ["--services-door", "tcp://127.0.0.1:5571"])
    #expect(await worker.wait() == .code(1))
    #expect(worker.logLines.contains { $0.contains("cannot start") && $0.contains("TCP is always encrypted") })
  }
}
