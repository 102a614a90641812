import Base
import Bus
import Interop
import InteropContract
import RPC
import TestSupport
import Testing
import Wire

/// Peers that take more than their share, against a real gateway: they lose what is theirs, and nobody else notices.
@Suite(.serialized) struct BoundsTests {
  private let context: ZeroMQContext

  init() throws { context = try ZeroMQContext() }

  private func open(_ call: UInt64, of method: MethodDescriptor) -> Envelope {
    var envelope = Envelope(.open, call: call)
    envelope.method = method.path
    envelope.remainingMilliseconds = 60_000
    return envelope
  }

  private func data(_ call: UInt64, at offset: UInt64) -> Envelope {
    var envelope = Envelope(.data, call: call)
    envelope.offset = offset
    // One message that never becomes whole.
    envelope.payload = [0, 255, 255, 255] + [UInt8](repeating: 1, count: 65_532)
    return envelope
  }

  @Test(
    "a client that sends beyond its windows while the worker pauses ends its own streams, and no other call",
    .timeLimit(.minutes(2)))
  func beyondWindows() async throws {
    let system = try await TestSystem.start()
    let worker = try await system.startWorker("InteropService", ["--slots", "32"])
    let honest = try await system.connect()
    let client = InteropServiceClient(honest.channel)
    var slow = UnaryCallRequest()
    slow.sleepMs = 1500
    var unkeyed = CallOptions()
    unkeyed.idempotencyKey = .none
    async let answer = client.unaryCall(slow, deadline: .seconds(30), options: unkeyed)
    var peer = try RawPeer("\(system.busFolder)/clients", in: context)
    _ = try peer.greet(.client)
    for call in 1...10 as ClosedRange<UInt64> {
      try peer.send(open(call, of: InteropServiceMethods.streamingInputCall))
    }
    worker.send(.stop)
    for offset in 0..<40 as Range<UInt64> {
      for call in 1...10 as ClosedRange<UInt64> { try peer.send(data(call, at: offset * 65_536)) }
    }
    var codes: [StatusCode] = []
    while codes.count < 10, let envelope = try peer.receive() {
      if envelope.kind == .status { codes.append(envelope.statusCode) }
    }
    worker.send(.continue)
    #expect(codes == Array(repeating: .resourceExhausted, count: 10))
    _ = try await answer
    let line = try #require(await system.gateway.logLine(containing: "peer broke the protocol"))
    #expect(line.contains("raw"))
    #expect(!system.gateway.logLines.contains { $0.contains("session ended") })
    try await honest.close()
  }

  @Test(
    "a caller's waiting calls get half of what their session could still have, and their memory is given back",
    .timeLimit(.minutes(3)))
  func waitingBytes() async throws {
    let system = try await TestSystem.start()
    var peer = try RawPeer("\(system.busFolder)/clients", in: context)
    _ = try peer.greet(.client)
    var refused = 0
    for call in 1...5_000 as ClosedRange<UInt64> {
      var envelope = open(call, of: InteropServiceMethods.unaryCall)
      envelope.carriesMessage = true
      envelope.payload = [UInt8](repeating: 1, count: 60_000)
      let caller = CallerIdentity(kind: .person, tenant: "t", subject: call <= 4_000 ? "greedy" : "other")
      envelope.extra = Envelope.Extra(caller: caller, waitsForReady: true)
      try #require(try peer.send(envelope, within: .seconds(20)))
    }
    // The first one's 64 MiB have room for 1,116, and the other one's 32 MiB for 558.
    let expected = 3_300...3_350
    while let envelope = try peer.receive(within: refused < expected.lowerBound ? .seconds(20) : .seconds(2)) {
      if envelope.statusCode == .resourceExhausted { refused += 1 }
    }
    #expect(expected.contains(refused), "\(refused)")
    let full = try residentBytes(of: system.gateway)
    #expect(full < 250 << 20, "\(full >> 20) MiB")
    try peer.send(Envelope(.bye))
    try await eventually("memory is given back", residentBytes(of: system.gateway)) { $0 <= 100 << 20 }
  }

  private func residentBytes(of program: RunningProgram) throws -> Int {
    let pages = String(decoding: try Files.read("/proc/\(program.id)/statm"), as: UTF8.self).split(separator: " ")
    return try #require(Int(pages[1])) * 4096
  }

  // MARK: - Connections

  @Test("the operators' port answers whatever connections others hold open there", .timeLimit(.minutes(1)))
  func heldConnections() async throws {
    let system = try await TestSystem.start()
    let address = try #require(system.gateway.lines.first?.split(separator: " ").first { $0.hasPrefix("http://") })
    let port = try #require(address.split(separator: ":").last)
    let holder = try await RunningProgram.startPython(["-c", Self.holdConnections, String(port)])
    _ = try #require(await holder.line(containing: "held"), "\(holder.logLines)")
    for _ in 0..<5 { #expect(try await HTTP.fetch("\(address)/healthz").contains("ok")) }
    holder.send(.kill)
  }

  private static let holdConnections = """
    import socket, sys, time
    held = []
    for number in range(200):
        peer = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
        if number % 2: peer.shutdown(socket.SHUT_WR)
        held.append(peer)
    print("held", flush=True)
    time.sleep(60)
    """
}
