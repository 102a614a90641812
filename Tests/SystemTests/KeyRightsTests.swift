import Base
import Bus
import GatewayContract
import InteropContract
import RPC
import TestSupport
import Testing

/// What keys allow, at a gateway's process on TCP.
@Suite(.serialized, .timeLimit(.minutes(2))) struct KeyRightsTests {
  private enum Door {
    case services
    case clients
  }

  private func connect(to system: KeyedGateways, _ door: Door, _ name: String) async throws -> BusConnection {
    let gateway = system.gateways[0]
    let doors = door == .services ? gateway.servicesDoors : gateway.clientsDoors
    return try await BusConnection.open(
      .init(
        gateways: try doors.map { try BusEndpoint($0) },
        keys: .init(
          own: try KeyFile.read(system.folder.file("\(name).key")),
          gateway: try #require(CurvePublicKey(text: system.publicKey)))))
  }

  private func allow(_ name: String, in system: KeyedGateways, _ arguments: String...) async throws {
    let file = system.folder.file("\(name).key")
    if !Files.exists(file) { try await KeyedGateways.keys(in: system.folder, "generate", file) }
    let list = ["--bus-key-list", system.folder.file("keys")]
    let command = ChildCommand(
      Products.program("assent"), ["keys", "allow", name, "--key-file", file] + arguments + list)
    let (exit, lines) = try await ChildProcess.output(of: command)
    try #require(exit.isSuccess, "\(lines)")
  }

  private func startWorker(_ key: String, in system: KeyedGateways) async throws -> RunningProgram {
    try await RunningProgram.start(
      "InteropService",
      [
        "--services-door", system.gateways[0].servicesDoors[0], "--bus-key-file", system.folder.file("\(key).key"),
        "--gateway-key", system.publicKey,
      ])
  }

  private func refusal(_ call: () async throws -> Void) async -> Status? {
    do {
      try await call()
      return nil
    } catch {
      return error as? Status
    }
  }

  @Test("the key of a renderer serves no other service, and speaks for nobody")
  func renderer() async throws {
    let system = try await KeyedGateways.start(at: [["127.0.0.1"]])
    try await allow("renderer", in: system, "--role", "service", "--serves", "assent.signature.v1.RenderService")
    try await allow(
      "consent", in: system, "--role", "service", "--serves", "assent.consent.v1.StudyService", "--vouches", "tenants")
    let thief = try await startWorker("renderer", in: system)
    let line = await thief.logLine(containing: "does not allow it to serve assent.interop.v1.InteropService")
    #expect(line != nil, "\(thief.logLines)")
    #expect(await thief.wait() == .code(1))

    let worker = try await startWorker("worker", in: system)
    _ = try #require(await worker.line(containing: "ready"), "\(worker.logLines)")
    let device = CallerIdentity(kind: .device, tenant: "acme", subject: "kiosk")
    let person = CallerIdentity(kind: .person, tenant: "acme", subject: "ana", grants: ["admin@*"])
    let service = CallerIdentity(kind: .service, tenant: "acme", subject: "consent")
    for (key, allowed) in [("renderer", [CallerIdentity]()), ("consent", [service])] {
      let connection = try await connect(to: system, .services, key)
      for caller in [device, person, service] {
        let interop = InteropServiceClient(connection.channel.acting(for: caller))
        let status = await refusal { _ = try await interop.emptyCall(EmptyCallRequest(), deadline: .seconds(20)) }
        #expect((status == nil) == allowed.contains(caller), "\(key) for \(caller.kind): \(String(describing: status))")
        if let status {
          #expect(status.code == .permissionDenied && status.message.contains("may not speak for"), "\(status)")
        }
      }
      // For itself it may call what services may.
      let own = InteropServiceClient(connection.channel)
      #expect(await refusal { _ = try await own.emptyCall(EmptyCallRequest(), deadline: .seconds(20)) } == nil)
      try await connection.close()
    }
    worker.send(.terminate)
    #expect(await worker.wait() == .code(0), "\(worker.logLines)")
  }

  @Test("instances are for operators: a tenant's administrator and devices do not see them")
  func instances() async throws {
    let system = try await KeyedGateways.start(at: [["127.0.0.1"]])
    try await allow("admin", in: system, "--kind", "person", "--tenant", "acme", "--grants", "admin@*")
    try await allow("pad", in: system, "--kind", "device", "--tenant", "acme")
    for (key, isAdmitted) in [("client", true), ("admin", false), ("pad", false)] {
      let connection = try await connect(to: system, .clients, key)
      let gateway = GatewayServiceClient(connection.channel)
      let status = await refusal {
        _ = try await gateway.listInstances(ListInstancesRequest(), deadline: .seconds(20))
      }
      #expect(isAdmitted ? status == nil : status?.code == .permissionDenied, "\(key): \(String(describing: status))")
      try await connection.close()
    }
  }

  @Test("a right that is lowered ends open streams at once, and counts for the next call")
  func lowered() async throws {
    let system = try await KeyedGateways.start(at: [["127.0.0.1"]])
    try await allow("ops", in: system, "--kind", "operator")
    let connection = try await connect(to: system, .clients, "ops")
    let gateway = GatewayServiceClient(connection.channel)
    let stream = try gateway.watchInstances(WatchInstancesRequest(), deadline: .seconds(100))
    var states = stream.makeAsyncIterator()
    _ = try #require(try await states.next())

    // The list is replaced as a whole, so that the key is never missing from it.
    let list = system.folder.file("keys")
    let text = String(decoding: try Files.read(list), as: UTF8.self)
    let lowered = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.contains("name=ops ")
        ? String(line).replacing("kind=operator", with: "kind=device tenant=acme") : String(line)
    }
    let start = Clock.system.monotonic
    try Files.write(Array(lowered.joined(separator: "\n").utf8), to: list, mode: 0o644)
    let end = await refusal { while try await states.next() != nil {} }
    #expect(end != nil)
    // Within a second; tests run on busy machines.
    #expect(Clock.system.monotonic - start < .seconds(10))
    let next = await refusal { _ = try await gateway.listInstances(ListInstancesRequest(), deadline: .seconds(20)) }
    #expect(next?.code == .permissionDenied, "\(String(describing: next))")
    try await connection.close()
  }
}
