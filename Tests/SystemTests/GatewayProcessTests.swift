import Base
internal import Bus
import GatewayContract
import HealthContract
import InteropCases
import InteropContract
import RPC
import TestSupport
import Testing

/// What a gateway's process reports about the services behind it.
@Suite(.serialized) struct GatewayProcessTests {
  private let service = "assent.interop.v1.InteropService"

  @Test("gRPC's interoperability cases pass through a gateway's process", .timeLimit(.minutes(2)))
  func interoperability() async throws {
    let system = try await TestSystem.start()
    _ = try await system.startWorker("InteropService", ["--slots", "8"])
    let client = try await system.connect()
    for interopCase in InteropCase.allCases { try await interopCase.run(on: client.channel) }
    try await client.close()
  }

  @Test("instances and services are listed with their load", .timeLimit(.minutes(1)))
  func list() async throws {
    let system = try await TestSystem.start()
    let worker = try await system.startWorker("InteropService", ["--instance", "interop-1", "--slots", "3"])
    let connection = try await system.connect()
    for _ in 0..<5 { _ = try await InteropServiceClient(connection.channel).emptyCall(EmptyCallRequest()) }
    var request = ListInstancesRequest()
    request.service = service
    let state = try await GatewayServiceClient(connection.channel).listInstances(request)
    let instance = try #require(state.instances.first)
    #expect(state.instances.count == 1)
    #expect(instance.name == "interop-1" && instance.slots == 3 && instance.state == .ready)
    #expect(instance.version == "0.1.0" && instance.services == [service])
    #expect(instance.finished == 5 && instance.inFlight == 0)
    #expect(state.services.map(\.name) == [service])
    try await connection.close()
    worker.send(.terminate)
    _ = await worker.wait()
  }

  @Test("a service that no gateway accepts says so in one line and ends", .timeLimit(.minutes(1)))
  func refusedService() async throws {
    let system = try await TestSystem.start()
    // The clients' door lets no peer serve, and waiting does not change that.
    let worker = try await RunningProgram.start(
      "InteropService", ["--services-door", "ipc://\(system.busFolder)/clients"])
    #expect(await worker.wait() == .code(1))
    #expect(worker.logLines.count { $0.contains("refuses this process") } == 1, "\(worker.logLines)")
    #expect(worker.logLines.count { $0.contains("gateway refused this process") } == 1, "\(worker.logLines)")
    try await system.connect().close()
  }

  @Test("a service that still looks for a gateway ends in order when it is told to", .timeLimit(.minutes(1)))
  func toldWhileWaiting() async throws {
    let folder = try TemporaryFolder()
    let worker = try await RunningProgram.start(
      "InteropService", ["--bus-folder", folder.file("bus")])
    _ = try #require(await worker.logLine(containing: "no gateway has answered yet"), "\(worker.logLines)")
    worker.send(.terminate)
    #expect(await worker.wait() == .code(0), "\(worker.logLines)")
  }

  @Test("a service's health follows its processes, also when they are killed", .timeLimit(.minutes(1)))
  func health() async throws {
    let system = try await TestSystem.start()
    let connection = try await system.connect()
    let health = HealthClient(connection.channel)
    var request = HealthCheckRequest()
    #expect(try await health.check(request).status == .serving, "the gateway itself")
    request.service = service
    let asked = request
    let unknown = await #expect(throws: Status.self) { _ = try await health.check(asked) }
    #expect(unknown?.code == .notFound && unknown?.message.hasPrefix("unknown_service: ") == true)
    #expect(unknown?.details.map(\.typeName) == ["assent.common.v1.ErrorInfo"])

    var states = try health.watch(request).makeAsyncIterator()
    #expect(try await states.next()?.status == .serviceUnknown)
    let worker = try await system.startWorker("InteropService")
    #expect(try await states.next()?.status == .serving)
    worker.send(.kill)
    #expect(try await states.next()?.status == .notServing)
    try await connection.close()
  }

  @Test("a gateway that is told to stop ends with its calls, whoever watches it", .timeLimit(.minutes(1)))
  func watched() async throws {
    let system = try await TestSystem.start()
    let connection = try await system.connect()
    var health = try HealthClient(connection.channel).watch(HealthCheckRequest()).makeAsyncIterator()
    #expect(try await health.next()?.status == .serving)
    var instances = try GatewayServiceClient(connection.channel).watchInstances(WatchInstancesRequest())
      .makeAsyncIterator()
    #expect(try await instances.next() != nil)
    system.gateway.send(.terminate)
    // It would wait for twenty seconds, and fail.
    #expect(await system.gateway.wait() == .code(0), "\(system.gateway.logLines)")
    #expect(try await health.next()?.status == .notServing)
    let end = await #expect(throws: Status.self) { _ = try await health.next() }
    #expect(end?.code == .unavailable)
    try await connection.close()
  }

  @Test("the gateway's metrics count calls by service and outcome", .timeLimit(.minutes(1)))
  func metrics() async throws {
    let system = try await TestSystem.start()
    let worker = try await system.startWorker("InteropService")
    let connection = try await system.connect()
    _ = try await InteropServiceClient(connection.channel).emptyCall(EmptyCallRequest())
    let address = try #require(system.gateway.lines.first?.split(separator: " ").first { $0.hasPrefix("http://") })
    let wanted = [
      "assent_gateway_calls_total{service=\"\(service)\",code=\"OK\"} 1",
      "assent_gateway_call_seconds_count{service=\"\(service)\"} 1",
      "assent_gateway_instances{service=\"\(service)\"} 1",
    ]
    let lines = try await eventually("the call is counted", await HTTP.fetch("\(address)/metrics")) { lines in
      wanted.allSatisfy(lines.contains)
    }
    #expect(lines.contains("# TYPE assent_gateway_call_seconds histogram"))
    try await connection.close()
    worker.send(.terminate)
    _ = await worker.wait()
  }

  @Test("assent status shows what a gateway knows, and says when there is none", .timeLimit(.minutes(1)))
  func status() async throws {
    let system = try await TestSystem.start()
    let worker = try await system.startWorker("InteropService", ["--instance", "interop-1"])
    let status = try await RunningProgram.start("assent", ["status", "--bus-folder", system.busFolder])
    #expect(await status.wait() == .code(0), "\(status.logLines)")
    #expect(status.lines.contains { $0.hasPrefix("interop-1") && $0.contains("ready") && $0.contains("0/4") })
    #expect(status.lines.contains { $0.hasPrefix(service) })
    let headings = status.lines.filter { $0.hasPrefix("SERVICE") || $0.hasPrefix("INSTANCE") }
      .map { $0.split(separator: " ").joined(separator: " ") }
    #expect(
      headings == [
        "SERVICE INSTANCES QUEUED RUNNING CALLS/S REFUSED/S P50 P99",
        "INSTANCE STATE BUSY FINISHED CALLS/S P50 P99 VERSION UP FROM",
      ])
    let watching = try await RunningProgram.start("assent", ["status", "--watch", "--bus-folder", system.busFolder])
    _ = try #require(await watching.line(containing: "interop-1"), "\(watching.logLines)")
    _ = try await system.startWorker("InteropService", ["--instance", "interop-2"])
    _ = try #require(await watching.line(containing: "interop-2"), "\(watching.logLines)")
    watching.send(.kill)

    let alone = try await RunningProgram.start(
      "assent", ["status", "--bus-folder", system.folder.file("nowhere"), "--wait", "50ms"])
    #expect(await alone.wait() == .code(1))
    #expect(alone.logLines.first?.contains("no gateway answered within 50ms at ipc://") == true)
    worker.send(.terminate)
    _ = await worker.wait()
  }
}
