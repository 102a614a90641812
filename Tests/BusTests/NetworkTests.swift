import Base
import Bus
import Interop
import InteropContract
import RPC
import Synchronization
import TestSupport
import Testing

@Suite struct NetworkTests {
  @Test("over TCP a caller is identified by its key, until the key is removed")
  func identity() async throws {
    let secure = try SecureNetwork()
    let server = try await secure.startServer()
    let worker = try await BusConnection.open(try secure.configuration(of: server, .services, secure.worker))
    worker.serve([InteropHandlers(instance: "one")], .init(slots: 2))
    let client = try await BusConnection.open(try secure.configuration(of: server, .clients, secure.client))
    try await worker.ready()

    let interop = InteropServiceClient(client.channel)
    var request = UnaryCallRequest()
    request.fillCaller = true
    #expect(try await interop.unaryCall(request).caller == "acme/kiosk")

    // A stream that only receives ends as well.
    let stream = try await OpenStream(interop)
    try secure.list { list in _ = list.remove(named: "kiosk") }
    await #expect(throws: Status.self) { try await stream.readToEnd() }
    await #expect(throws: Status.self) { try await interop.unaryCall(request, deadline: .milliseconds(300)) }

    try await client.close()
    try await worker.close()
    try await server.stop()
  }

  @Test("a worker whose key is removed serves nothing more, and is told why")
  func removedWorker() async throws {
    let secure = try SecureNetwork()
    let server = try await secure.startServer()
    let reports = AsyncStream.makeStream(of: BusConnection.Report.self)
    let worker = try await BusConnection.open(try secure.configuration(of: server, .services, secure.worker)) {
      reports.continuation.yield($0)
    }
    worker.serve([InteropHandlers(instance: "one")], .init(slots: 2))
    let client = try await BusConnection.open(try secure.configuration(of: server, .clients, secure.client))
    try await worker.ready()
    let interop = InteropServiceClient(client.channel)
    let stream = try await OpenStream(interop)

    try secure.list { list in _ = list.remove(named: "worker-1") }
    await #expect(throws: Status.self) { try await stream.readToEnd() }
    var iterator = reports.stream.makeAsyncIterator()
    guard case .dismissed(_, let farewell) = await iterator.next() else {
      Issue.record("the worker was not told that its session has ended")
      return
    }
    #expect(farewell.contains("was removed"))
    // When it introduces itself again, that is refused.
    while let report = await iterator.next() {
      if case .refused(_, let why) = report, why.contains("not in the gateway's list any more") { break }
    }
    await #expect(throws: Status.self) {
      try await interop.emptyCall(EmptyCallRequest(), deadline: .milliseconds(300), options: .waitingForReady)
    }

    try await client.close()
    try await worker.close()
    try await server.stop()
  }

  @Test("TCP without keys is refused on both sides")
  func neverOpen() async throws {
    let listener = GatewayListener(.clients, try BusEndpoint("tcp://127.0.0.1:0"))
    await #expect(throws: BusEndpointError.self) {
      try await BusServer.start(.init(name: "gateway-1", listeners: [listener])) { _ in }
    }
    await #expect(throws: BusEndpointError.self) {
      try await BusConnection.open(.init(gateways: [try BusEndpoint("tcp://127.0.0.1:5570")]))
    }
  }

  @Test("a client whose key is not listed waits in vain, and only the gateway's log says why")
  func stranger() async throws {
    let secure = try SecureNetwork()
    let refusals = AsyncStream.makeStream(of: CurvePublicKey?.self)
    let server = try await secure.startServer { report in
      if case .keys(.refused(let key, _, _)) = report { refusals.continuation.yield(key) }
    }
    let stranger = CurveKeyPair.generate()
    let client = try await BusConnection.open(try secure.configuration(of: server, .clients, stranger))
    var iterator = refusals.stream.makeAsyncIterator()
    #expect(await iterator.next() == stranger.publicKey)
    let status = await #expect(throws: Status.self) {
      try await InteropServiceClient(client.channel).emptyCall(EmptyCallRequest(), deadline: .milliseconds(200))
    }
    #expect(status?.code == .unavailable || status?.code == .deadlineExceeded)
    try await client.close()
    try await server.stop()
  }

  @Test("a call on a closed connection has its outcome at once, and so has one that waits")
  func callsOnClosedConnection() async throws {
    let folder = try TemporaryFolder()
    let connection = try await BusConnection.open(.init(gateways: [LocalNetwork.endpoint(.clients, in: folder)]))
    let interop = InteropServiceClient(connection.channel)
    let waiting = Task {
      try await interop.emptyCall(EmptyCallRequest(), options: CallOptions(waitsForReady: true))
    }
    try await connection.close()
    await #expect(throws: Client.channelClosed) { try await waiting.value }
    let late = await #expect(throws: Status.self) { try await interop.emptyCall(EmptyCallRequest()) }
    #expect(late == Client.channelClosed && late?.isNotStarted == true)
    var stream = try interop.streamingOutputCall(StreamingOutputCallRequest()).makeAsyncIterator()
    await #expect(throws: Client.channelClosed) { _ = try await stream.next() }
  }

  @Test("waiting for a gateway ends when the task is cancelled")
  func readyIsCancelled() async throws {
    let folder = try TemporaryFolder()
    let connection = try await BusConnection.open(.init(gateways: [LocalNetwork.endpoint(.clients, in: folder)]))
    let cancelled = Task { try await connection.ready() }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    let closed = Task { try await connection.ready() }
    try await connection.close()
    await #expect(throws: CancellationError.self) { try await closed.value }
    await #expect(throws: CancellationError.self) { try await connection.ready() }
  }

  @Test("after a gateway's restart calls succeed again without any action")
  func restart() async throws {
    let folder = try TemporaryFolder()
    var server = try await LocalNetwork.startServer(in: folder)
    let worker = try await BusConnection.open(.init(gateways: [LocalNetwork.endpoint(.services, in: folder)]))
    worker.serve([InteropHandlers(instance: "one")], .init(slots: 2))
    let client = try await BusConnection.open(.init(gateways: [LocalNetwork.endpoint(.clients, in: folder)]))
    let interop = InteropServiceClient(client.channel)
    for _ in 0..<3 {
      _ = try await interop.emptyCall(EmptyCallRequest(), deadline: .seconds(20), options: .waitingForReady)
      try await server.stop()
      server = try await LocalNetwork.startServer(in: folder)
    }
    _ = try await interop.emptyCall(EmptyCallRequest(), deadline: .seconds(20), options: .waitingForReady)
    try await client.close()
    try await worker.close()
    try await server.stop()
  }

  @Test("a call that cannot be encoded has its outcome at once, and others go on")
  func unencodableCall() async throws {
    let network = try await LocalNetwork.start()
    let interop = InteropServiceClient(network.client.channel)
    let options = CallOptions(idempotencyKey: .given("a\0b"))
    let status = await #expect(throws: Status.self) {
      try await interop.emptyCall(EmptyCallRequest(), deadline: .seconds(20), options: options)
    }
    #expect(status?.code == .internal && status?.isNotStarted == true)
    #expect(status?.message.hasPrefix("the call cannot be sent: ") == true)
    _ = try await interop.emptyCall(EmptyCallRequest(), deadline: .seconds(20))
    try await network.stop()
  }

  @Test("two gateways share a worker, and a client continues with the remaining one")
  func twoGateways() async throws {
    let folders = [try TemporaryFolder(), try TemporaryFolder()]
    var servers: [BusServer] = []
    for folder in folders { servers.append(try await LocalNetwork.startServer(in: folder)) }
    let worker = try await BusConnection.open(
      .init(gateways: try folders.map { try LocalNetwork.endpoint(.services, in: $0) }))
    worker.serve([InteropHandlers(instance: "one")], .init(slots: 2))
    let client = try await BusConnection.open(
      .init(gateways: try folders.map { try LocalNetwork.endpoint(.clients, in: $0) }))
    let interop = InteropServiceClient(client.channel)
    for server in servers { try await LocalNetwork.awaitInstance(at: server) }
    for server in servers {
      for _ in 0..<20 {
        _ = try await interop.idempotentUnaryCall(
          IdempotentUnaryCallRequest(), deadline: .seconds(20), options: .waitingForReady)
      }
      if server === servers[0] { try await server.stop() }
    }
    try await client.close()
    try await worker.close()
    try await servers[1].stop()
  }

  @Test("a client follows a name from its earlier gateways to its present ones")
  func names() async throws {
    let secure = try SecureNetwork()
    let first = try await secure.startServer()
    // Replicas have the same port at different addresses.
    let ports = first.endpoints.map { $0.split(separator: ":").last.map(String.init) ?? "" }
    let second = try await secure.startServer(at: ["tcp://127.0.0.2:PORT"], ports: ports)
    for server in [first, second] { server.serve([InteropHandlers(instance: server.endpoints[1])]) { _, _, _ in } }
    let addresses = Mutex(["127.0.0.1"])
    var configuration = try secure.configuration(of: first, .clients, secure.client)
    configuration.gateways = [try BusEndpoint("tcp://gateways.test:\(ports[1])")]
    configuration.lookup = { name in name == "gateways.test" ? addresses.withLock(\.self) : nil }
    configuration.lookupInterval = .milliseconds(10)
    let client = try await BusConnection.open(configuration)
    let interop = InteropServiceClient(client.channel)
    func answerer() async throws -> String {
      try await interop.unaryCall(UnaryCallRequest(), deadline: .seconds(20), options: .waitingForReady).instance
    }
    #expect(try await answerer() == first.endpoints[1])
    addresses.withLock { $0 = ["127.0.0.2"] }
    try await eventually("the other one answers", await answerer()) { $0 == second.endpoints[1] }
    try await first.stop()
    #expect(try await answerer() == second.endpoints[1])
    try await client.close()
    try await second.stop()
  }

  @Test("when an address leaves its name, what runs there goes on: for a caller to its end, for a service as before")
  func addressLeaves() async throws {
    let secure = try SecureNetwork()
    let first = try await secure.startServer()
    let ports = first.endpoints.map { $0.split(separator: ":").last.map(String.init) ?? "" }
    let second = try await secure.startServer(at: ["tcp://127.0.0.2:PORT"], ports: ports)
    let addresses = Mutex(["127.0.0.1"])
    func connect(_ door: GatewayListener.Door, _ keys: CurveKeyPair) async throws -> BusConnection {
      var configuration = try secure.configuration(of: first, door, keys)
      configuration.gateways = [try BusEndpoint("tcp://gateways.test:\(ports[door == .services ? 0 : 1])")]
      configuration.lookup = { _ in addresses.withLock(\.self) }
      configuration.lookupInterval = .milliseconds(10)
      return try await BusConnection.open(configuration)
    }
    let worker = try await connect(.services, secure.worker)
    worker.serve([InteropHandlers(instance: "one")], .init(slots: 2))
    let client = try await connect(.clients, secure.client)
    try await worker.ready()
    var request = UnaryCallRequest()
    request.sleepMs = 1500
    var options = CallOptions()
    options.idempotencyKey = .none
    let slow = Task { [request, options] in
      try await InteropServiceClient(client.channel).unaryCall(request, deadline: .seconds(20), options: options)
    }
    try await eventually("the call is under way", await first.visit { $0.snapshot(at: $1).instances.first?.inFlight }) {
      $0 == 1
    }
    addresses.withLock { $0 = ["127.0.0.2"] }
    try await LocalNetwork.awaitInstance(at: second)
    #expect(try await slow.value.instance == "one")
    // Callers have gone from there, and the worker has stayed.
    try await eventually("callers have gone", await first.visit { $0.snapshot(at: $1).clients }) { $0 == 0 }
    for server in [first, second] {
      let direct = try await BusConnection.open(try secure.configuration(of: server, .clients, secure.client))
      let answer = try await InteropServiceClient(direct.channel).unaryCall(
        UnaryCallRequest(), deadline: .seconds(20), options: .waitingForReady)
      #expect(answer.instance == "one")
      try await direct.close()
    }
    try await first.stop()
    #expect(
      try await InteropServiceClient(client.channel).unaryCall(
        UnaryCallRequest(), deadline: .seconds(20), options: .waitingForReady
      ).instance == "one")
    try await client.close()
    try await worker.close()
    try await second.stop()
  }

  @Test("a gateway serves calls from its own process, and makes them")
  func local() async throws {
    let folder = try TemporaryFolder()
    let server = try await LocalNetwork.startServer(in: folder)
    server.serve([InteropHandlers(instance: "gateway itself")]) { _, _, _ in }
    let client = try await BusConnection.open(.init(gateways: [LocalNetwork.endpoint(.clients, in: folder)]))
    for channel in [client.channel, server.channel()] {
      let response = try await InteropServiceClient(channel).unaryCall(
        UnaryCallRequest(), deadline: .seconds(20), options: .waitingForReady)
      #expect(response.instance == "gateway itself")
    }
    try await client.close()
    try await server.stop()
  }

  @Test("a status beyond all bounds reaches its caller and ends no other call", arguments: [100_000, 200_000])
  func longStatus(count: Int) async throws {
    let folder = try TemporaryFolder()
    let server = try await LocalNetwork.startServer(in: folder)
    let worker = try await BusConnection.open(.init(gateways: [LocalNetwork.endpoint(.services, in: folder)]))
    var service = ClosureService()
    service.outer = { _, _ in
      let why = Status.Detail(typeName: "test.v1.Why", value: [UInt8](repeating: 1, count: count))
      throw Status(.notFound, String(repeating: "x", count: count), details: [why])
    }
    let (begun, answered) = (Signal(), Signal())
    service.inner = { request, _ in
      begun.set()
      await answered.wait()
      return request
    }
    worker.serve([service], .init(slots: 4))
    let client = try await BusConnection.open(.init(gateways: [LocalNetwork.endpoint(.clients, in: folder)]))
    try await worker.ready()
    // If the worker's connection broke, this one would end with it.
    async let other = client.channel.ask(
      ClosureService.inner, "still there", options: CallOptions(idempotencyKey: .none))
    await begun.wait()
    let status = await #expect(throws: Status.self) { try await client.channel.ask(ClosureService.outer) }
    #expect(status?.code == .notFound && status?.message.utf8.count == BusLimits.longestStatusMessage)
    answered.set()
    #expect(try await other == "still there")
    try await client.close()
    try await worker.close()
    try await server.stop()
  }

  @Test("calls whose requests never come leave a worker's slots to others")
  func emptyOpens() async throws {
    let network = try await LocalNetwork.start(slots: 4)
    let hostile = try await BusConnection.open(.init(gateways: [LocalNetwork.endpoint(.clients, in: network.folder)]))
    try await hostile.ready()
    var options = CallOptions()
    options.deadline = .seconds(86_400)
    let method = InteropServiceMethods.unaryCall
    let empty = (0..<200).map { _ in hostile.channel.begin(method, request: nil, options: options) }
    let interop = InteropServiceClient(network.client.channel)
    for _ in 0..<20 { _ = try await interop.emptyCall(EmptyCallRequest(), deadline: .seconds(20)) }
    withExtendedLifetime(empty) {}
    try await hostile.close()
    try await network.stop()
  }

  @Test("a draining worker finishes its running calls and accepts no new ones")
  func drain() async throws {
    let network = try await LocalNetwork.start(slots: 2)
    let interop = InteropServiceClient(network.client.channel)
    let stream = try await OpenStream(interop)
    await network.worker.drain()
    let ended = await #expect(throws: Status.self) { try await stream.readToEnd() }
    #expect(ended?.code == .unavailable)
    let refused = await #expect(throws: Status.self) {
      try await interop.emptyCall(EmptyCallRequest(), deadline: .milliseconds(300))
    }
    #expect(refused?.code == .unavailable || refused?.code == .deadlineExceeded)
    try await network.stop()
  }

  @Test("a client on the clients' door cannot serve")
  func clientsDoorTakesNoWorkers() async throws {
    let folder = try TemporaryFolder()
    let server = try await LocalNetwork.startServer(in: folder)
    let refusals = AsyncStream.makeStream(of: String.self)
    let impostor = try await BusConnection.open(.init(gateways: [LocalNetwork.endpoint(.clients, in: folder)])) {
      report in
      if case .refused(_, let why) = report { refusals.continuation.yield(why) }
    }
    impostor.serve([InteropHandlers(instance: "impostor")], .init(slots: 1))
    var iterator = refusals.stream.makeAsyncIterator()
    #expect(await iterator.next() == "the key of this peer does not allow it to serve")
    try await impostor.close()
    try await server.stop()
  }
}

extension CallOptions {
  static var waitingForReady: CallOptions {
    var options = CallOptions()
    options.waitsForReady = true
    return options
  }
}

/// A stream that both sides keep open, with its first answer read.
private struct OpenStream {
  private let call: BidirectionalCall<StreamingOutputCallRequest, StreamingOutputCallResponse>

  init(_ interop: InteropServiceClient) async throws {
    call = interop.fullDuplexCall()
    var request = StreamingOutputCallRequest()
    request.responseParameters = [ResponseParameters()]
    try await call.requests.send(request)
    var responses = call.responses.makeAsyncIterator()
    _ = try #require(try await responses.next())
  }

  func readToEnd() async throws {
    for try await _ in call.responses {}
  }
}
