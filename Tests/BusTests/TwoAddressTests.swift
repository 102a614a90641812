import Base
import Bus
import Interop
import InteropContract
import RPC
import Synchronization
import TestSupport
import Testing

/// Processes that reach one gateway by two addresses.
@Suite struct TwoAddressTests {
  /// What a gateway reported of its sessions.
  private final class Sessions: Sendable {
    private let events = Mutex<[RouterEvent]>([])

    func take(_ report: BusServer.Report) {
      if case .router(let news) = report { events.withLock { $0.append(news.event) } }
    }

    var begun: Int { count { if case .sessionBegan = $0 { true } else { false } } }

    var ended: Int { count { if case .sessionEnded = $0 { true } else { false } } }

    private func count(_ isWanted: (RouterEvent) -> Bool) -> Int { events.withLock { $0.count(where: isWanted) } }
  }

  /// Keeps calls running that cannot be repeated, for as long as it takes to miss several pings.
  private func expectCallsToFlow(at places: [String], sessions expected: Int, in secure: SecureNetwork) async throws {
    let sessions = Sessions()
    let server = try await secure.startServer(at: places) { sessions.take($0) }
    let worker = try await BusConnection.open(try secure.configuration(of: server, .services, secure.worker))
    worker.serve([InteropHandlers(instance: "one")], .init(slots: 2))
    let client = try await BusConnection.open(try secure.configuration(of: server, .clients, secure.client))
    try await worker.ready()
    try await client.ready()
    let interop = InteropServiceClient(client.channel)
    var options = CallOptions.waitingForReady
    options.idempotencyKey = .none
    let end = Clock.system.monotonic + .seconds(3)
    while Clock.system.monotonic < end {
      _ = try await interop.unaryCall(UnaryCallRequest(), deadline: .seconds(20), options: options)
    }
    #expect(sessions.begun == expected)
    #expect(sessions.ended == 0)
    try await client.close()
    try await worker.close()
    try await server.stop()
  }

  @Test("a process that uses two names of one gateway has one session, and loses no call")
  func twoNames() async throws {
    // A worker's process also has a session for its own calls.
    try await expectCallsToFlow(at: ["tcp://127.0.0.1:0", "tcp://127.0.0.2:0"], sessions: 3, in: try SecureNetwork())
  }

  /// A gateway whose clients' door has the same port at two addresses.
  private func startServerWithOnePort(
    in secure: SecureNetwork, _ sessions: Sessions
  ) async throws -> (server: BusServer, port: String) {
    let places = ["tcp://127.0.0.1:PORT", "tcp://127.0.0.2:PORT"]
    for _ in 0..<50 {
      // The ports of a gateway that has just stopped, unless another program took them.
      let earlier = try await secure.startServer()
      let ports = earlier.endpoints.map { $0.split(separator: ":").last.map(String.init) ?? "" }
      try await earlier.stop()
      let server = try? await secure.startServer(at: places, ports: ports) { sessions.take($0) }
      if let server { return (server, ports[1]) }
    }
    throw Status(.unavailable, "no port is free")
  }

  @Test("when the address that has the session is given up, the other one takes over")
  func takeOver() async throws {
    let secure = try SecureNetwork()
    let sessions = Sessions()
    let (server, port) = try await startServerWithOnePort(in: secure, sessions)
    server.serve([InteropHandlers(instance: "gateway itself")]) { _, _, _ in }
    let addresses = Mutex(["127.0.0.1", "127.0.0.2"])
    var configuration = try secure.configuration(of: server, .clients, secure.client)
    configuration.gateways = [try BusEndpoint("tcp://gateway.test:\(port)")]
    let lookups = Atomic(0)
    configuration.lookup = { _ in
      lookups.add(1, ordering: .relaxed)
      return addresses.withLock(\.self)
    }
    configuration.lookupInterval = .milliseconds(10)
    let client = try await BusConnection.open(configuration)
    let interop = InteropServiceClient(client.channel)
    _ = try await interop.emptyCall(EmptyCallRequest(), deadline: .seconds(20), options: .waitingForReady)
    // One of the two steps removes the address that has the session.
    for left in ["127.0.0.1", "127.0.0.2"] {
      addresses.withLock { $0 = [left] }
      // The first may have begun before, and the third begins once the outcome of the second is known.
      let wanted = lookups.load(ordering: .relaxed) + 3
      try await eventually("the address is looked up", lookups.load(ordering: .relaxed)) { $0 >= wanted }
      _ = try await interop.emptyCall(EmptyCallRequest(), deadline: .seconds(20), options: .waitingForReady)
    }
    try await eventually("the session moves", sessions.ended) { $0 >= 1 }
    try await client.close()
    try await server.stop()
  }

  @Test("by a socket on its machine and by TCP a process has two sessions, and both work")
  func socketAndTCP() async throws {
    let secure = try SecureNetwork()
    let socket = "ipc://\(secure.folder.file("bus"))/DOOR"
    try await expectCallsToFlow(at: [socket, "tcp://127.0.0.1:0"], sessions: 6, in: secure)
  }
}
