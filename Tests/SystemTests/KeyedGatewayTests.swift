import Base
import Bus
import GatewayContract
import InteropContract
import RPC
import TestSupport
import Testing

/// A gateway's process on TCP, where keys decide who is let in.
@Suite(.serialized) struct KeyedGatewayTests {
  private let service = "assent.interop.v1.InteropService"

  @Test("an unknown key gets no session, and removing a key ends its holder's sessions", .timeLimit(.minutes(2)))
  func keys() async throws {
    let system = try await KeyedGateways.start(at: [["127.0.0.1"]])
    let gateway = system.gateways[0].process
    let worker = try await system.startWorker()
    let stranger = try await system.connect(keys: nil)
    _ = try #require(await gateway.logLine(containing: "key refused"))
    let refused = await #expect(throws: Status.self) {
      try await InteropServiceClient(stranger.channel).emptyCall(EmptyCallRequest(), deadline: .milliseconds(300))
    }
    #expect(refused?.code == .unavailable || refused?.code == .deadlineExceeded)

    let kiosk = try await system.connect(keys: "client.key")
    let client = InteropServiceClient(kiosk.channel)
    _ = try await client.emptyCall(EmptyCallRequest(), deadline: .seconds(20))
    let sleeping = Task {
      var request = UnaryCallRequest()
      request.sleepMs = 60_000
      _ = try await client.unaryCall(
        request, deadline: .seconds(60), options: CallOptions(idempotencyKey: CallOptions.IdempotencyKey.none))
    }
    try await KeyedGateways.keys(in: system.folder, "remove", "kiosk")
    _ = try #require(await gateway.logLine(containing: "its key was removed"))
    await #expect(throws: Status.self) { try await sleeping.value }
    await #expect(throws: Status.self) {
      try await client.emptyCall(EmptyCallRequest(), deadline: .milliseconds(300))
    }
    for connection in [stranger, kiosk] { try await connection.close() }
    worker.send(.terminate)
    #expect(await worker.wait() == .code(0), "\(worker.logLines)")
  }

  /// CURVE adds to each frame, and libzmq ends a connection on which a frame exceeds the socket's bound.
  @Test("encrypted messages around the largest payload arrive, both ways", .timeLimit(.minutes(2)))
  func largestPayload() async throws {
    let system = try await KeyedGateways.start(at: [["127.0.0.1"]])
    let worker = try await system.startWorker()
    let connection = try await system.connect(keys: "client.key")
    let client = InteropServiceClient(connection.channel)
    // With a body of N bytes the request has N + 12, and the answer N + 8.
    for size in [131_000, 131_030, 131_031, 131_032, 131_060, 131_063, 131_064, 131_065, 131_100, 140_000] {
      var request = UnaryCallRequest()
      request.responseSize = UInt32(size)
      request.payload = Payload(body: [UInt8](repeating: 7, count: size))
      let answer = try await client.unaryCall(
        request, deadline: .seconds(20), options: CallOptions(idempotencyKey: CallOptions.IdempotencyKey.none))
      #expect(answer.payload?.body.count == size)
    }
    try await connection.close()
    worker.send(.terminate)
    #expect(await worker.wait() == .code(0), "\(worker.logLines)")
  }

  @Test(
    "the list of instances follows their arrival, load and end, with their addresses", .timeLimit(.minutes(2)))
  func watch() async throws {
    let system = try await KeyedGateways.start(at: [["127.0.0.1"]])
    let connection = try await system.connect(keys: "client.key")
    var request = WatchInstancesRequest()
    request.service = service
    request.intervalMs = 50
    let list = try GatewayServiceClient(connection.channel).watchInstances(request, deadline: .seconds(100))
    var states = list.makeAsyncIterator()
    #expect(try await states.next()?.instances == [])

    let worker = try await system.startWorker()
    var state = try await next(of: &states) { $0.instances.count == 1 }
    #expect(state.instances[0].name == "interop-1" && state.instances[0].slots == 3)
    #expect(state.instances[0].address == "127.0.0.1" && state.instances[0].state == .ready)

    let client = InteropServiceClient(connection.channel)
    var slow = UnaryCallRequest()
    slow.sleepMs = 4000
    let asked = slow
    try await withThrowingTaskGroup(of: Void.self) { calls in
      for _ in 0..<5 { calls.addTask { _ = try await client.unaryCall(asked, deadline: .seconds(20)) } }
      // One more than it has slots waits at the worker.
      state = try await next(of: &states) { $0.services.first?.queued == 1 }
      #expect(state.instances[0].inFlight == 4 && state.services[0].inFlight == 4)
      try await calls.waitForAll()
    }
    state = try await next(of: &states) { $0.instances.first?.finished == 5 && $0.instances[0].callsPerSecond > 0 }
    let latency = try #require(state.instances[0].latency)
    #expect(latency.p50Us >= 500_000 && latency.p50Us <= latency.p99Us && latency.maxUs >= 4_000_000)
    #expect((state.services.first?.latency?.p99Us ?? 0) >= latency.p50Us)

    worker.send(.kill)
    _ = try await next(of: &states) { $0.instances.isEmpty && $0.services.first?.instances == 0 }
    try await connection.close()
  }

  private func next<States: AsyncIteratorProtocol>(
    of states: inout States, where isWanted: (WatchInstancesResponse) -> Bool
  ) async throws -> WatchInstancesResponse where States.Element == WatchInstancesResponse {
    while let state = try await states.next(isolation: #isolation) { if isWanted(state) { return state } }
    throw Status(.internal, "the list ended")
  }
}
