import Base
import Interop
import TestSupport
import Testing
import Wire

/// Peers that break every rule, against a real gateway: it stays up, its memory stays bounded, and honest callers
/// notice nothing.
@Suite(.serialized) struct HostileTests {
  private let context: ZeroMQContext

  init() throws { context = try ZeroMQContext() }

  private static let residentLimit = 512 << 20

  private func residentBytes(of program: RunningProgram) throws -> Int {
    let pages = String(decoding: try Files.read("/proc/\(program.id)/statm"), as: UTF8.self).split(separator: " ")
    return try #require(Int(pages[1])) * 4096
  }

  private func expectHealthy(_ system: TestSystem) async throws {
    let connection = try await system.connect()
    let client = InteropServiceClient(connection.channel)
    for _ in 0..<20 { _ = try await client.emptyCall(EmptyCallRequest(), deadline: .seconds(20)) }
    try await connection.close()
    #expect(try residentBytes(of: system.gateway) < Self.residentLimit)
  }

  private func open(_ call: UInt64, size: UInt32 = 0) throws -> Envelope {
    var request = UnaryCallRequest()
    request.responseSize = size
    var envelope = Envelope(.open, call: call)
    envelope.method = InteropServiceMethods.unaryCall.path
    envelope.remainingMilliseconds = 20_000
    envelope.carriesMessage = true
    envelope.payload = try request.encoded()
    return envelope
  }

  @Test("bytes that are no envelope, and envelopes with bits turned, harm nobody", .timeLimit(.minutes(3)))
  func fuzzed() async throws {
    let system = try await TestSystem.start()
    _ = try await system.startWorker("InteropService")
    var generator = SeededGenerator(seed: 7)
    for door in ["clients", "services"] {
      var peer = try RawPeer("\(system.busFolder)/\(door)", in: context)
      _ = try peer.greet(.client)
      var valid = try open(1)
      valid.session = peer.session
      let template = try EnvelopeFrames(valid).head
      for round in 0..<5_000 {
        var bytes = template
        if round.isMultiple(of: 3) {
          bytes = (0..<Int.random(in: 0...200, using: &generator)).map { _ in .random(in: 0...255, using: &generator) }
        } else {
          for _ in 0..<Int.random(in: 1...4, using: &generator) {
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= 1 << UInt8.random(in: 0...7, using: &generator)
          }
        }
        let payload = round.isMultiple(of: 50) ? [UInt8](repeating: 1, count: 90_000) : []
        guard try peer.send(bytes, payload: payload) else { break }
      }
    }
    try await expectHealthy(system)
  }

  @Test("what a door does not allow ends the session that keeps sending it", .timeLimit(.minutes(2)))
  func forbiddenTypes() async throws {
    let system = try await TestSystem.start()
    _ = try await system.startWorker("InteropService")
    for kind in [Envelope.Kind.status, .credit, .reject, .helloAck] {
      var peer = try RawPeer("\(system.busFolder)/clients", in: context)
      _ = try peer.greet(.client) { $0.instance = "raw-\(kind)" }
      for _ in 0..<20 { try peer.send(Envelope(kind, call: 1)) }
      #expect(try peer.receive()?.kind == .bye)
    }
    try await expectHealthy(system)
  }

  @Test("nobody serves through the clients' door", .timeLimit(.minutes(2)))
  func wrongDoor() async throws {
    let system = try await TestSystem.start()
    _ = try await system.startWorker("InteropService")
    var peer = try RawPeer("\(system.busFolder)/clients", in: context)
    let answer = try peer.greet(.worker, credit: 100) {
      $0.slots = 100
      $0.services = [Hello.ServiceOffer(InteropHandlers.descriptor)]
    }
    #expect(answer?.kind == .goaway)
    #expect(answer?.statusCode == .permissionDenied)
    try await expectHealthy(system)
  }

  @Test("an earlier session and its call numbers match nothing", .timeLimit(.minutes(2)))
  func replays() async throws {
    let system = try await TestSystem.start()
    let journal = system.folder.file("journal")
    _ = try await system.startWorker("InteropService", ["--journal", journal])
    var peer = try RawPeer("\(system.busFolder)/clients", in: context)
    _ = try peer.greet(.client)
    let former = peer.session
    try peer.send(try open(1))
    #expect(try peer.receive()?.kind == .status)
    _ = try peer.greet(.client, epoch: 2)
    for _ in 0..<10 {
      var replay = try open(1)
      replay.session = former
      try peer.send(replay)
      #expect(try peer.receive()?.kind == .helloRequest)
    }
    #expect(try Files.read(journal).filter { $0 == UInt8(ascii: "\n") }.count == 1)
    try await expectHealthy(system)
  }

  @Test("a client that never reads loses its session, and nobody else waits for it", .timeLimit(.minutes(3)))
  func neverReads() async throws {
    let system = try await TestSystem.start()
    _ = try await system.startWorker("InteropService", ["--slots", "16"])
    var peer = try RawPeer("\(system.busFolder)/clients", in: context)
    _ = try peer.greet(.client)
    for call in 1...4_000 {
      guard try peer.send(try open(UInt64(call), size: 60_000)) else { break }
    }
    try await expectHealthy(system)
    #expect(await system.gateway.logLine(containing: "session ended") != nil)
  }

  @Test("a worker that claims more than its slots is given no more than those", .timeLimit(.minutes(2)))
  func liesAboutCredit() async throws {
    let system = try await TestSystem.start()
    var liar = try RawPeer("\(system.busFolder)/services", in: context)
    _ = try liar.greet(.worker, credit: .max) {
      $0.slots = 1
      $0.prefetch = 0
      $0.services = [Hello.ServiceOffer(InteropHandlers.descriptor)]
    }
    let connection = try await system.connect()
    let client = InteropServiceClient(connection.channel)
    let first = Task { _ = try await client.unaryCall(UnaryCallRequest(), deadline: .seconds(30)) }
    #expect(try liar.receive()?.kind == .open)
    // The honest worker gets all the rest, though the liar has more credit by its own account.
    _ = try await system.startWorker("InteropService")
    for _ in 0..<50 {
      var again = Envelope(.credit)
      again.credit = .max
      try liar.send(again)
      _ = try await client.emptyCall(EmptyCallRequest(), deadline: .seconds(20))
    }
    first.cancel()
    _ = await first.result
    try await connection.close()
  }

  /// How many calls the only worker finishes in a second, as the gateway counts them, while `body` runs.
  private func finishedPerSecond(
    _ connection: BusConnection, while body: () async throws -> Void
  ) async throws -> Double {
    let gateway = GatewayServiceClient(connection.channel)
    var request = ListInstancesRequest()
    request.service = InteropHandlers.descriptor.name
    let (before, start) = (try await gateway.listInstances(request), Clock.system.monotonic)
    try await body()
    let (after, end) = (try await gateway.listInstances(request), Clock.system.monotonic)
    let finished = try #require(after.instances.first).finished - #require(before.instances.first).finished
    return Double(finished) * 1000 / Double((end - start).wholeMilliseconds)
  }

  /// Keeps `count` calls of 40 ms each in flight until it is cancelled, whatever becomes of them.
  private func callOnAndOn(_ channel: BusChannel, inFlight count: Int) async {
    await withTaskGroup(of: Void.self) { calls in
      for _ in 0..<count {
        calls.addTask {
          var request = UnaryCallRequest()
          request.sleepMs = 40
          let client = InteropServiceClient(channel)
          while !Task.isCancelled { _ = try? await client.unaryCall(request, deadline: .seconds(2)) }
        }
      }
    }
  }

  @Test(
    "while 32 clients flood, honest ones see no error, and the worker does most of what it does otherwise",
    .timeLimit(.minutes(3)))
  func flood() async throws {
    let system = try await TestSystem.start()
    _ = try await system.startWorker("InteropService", ["--slots", "8"])
    let honest = try await system.connect()
    var floods: [BusConnection] = []
    for _ in 0..<32 { floods.append(try await system.connect()) }
    // Without a flood: always more calls than slots.
    let usual = try await finishedPerSecond(honest) {
      let calls = Task { await callOnAndOn(honest.channel, inFlight: 16) }
      try await Task.sleep(for: .milliseconds(1500))
      calls.cancel()
      await calls.value
    }
    let flooded = try await withThrowingTaskGroup(of: Void.self) { group in
      for connection in floods { group.addTask { await callOnAndOn(connection.channel, inFlight: 50) } }
      let client = InteropServiceClient(honest.channel)
      let flooded = try await finishedPerSecond(honest) {
        for _ in 0..<30 { _ = try await client.unaryCall(UnaryCallRequest(), deadline: .seconds(20)) }
      }
      group.cancelAll()
      return flooded
    }
    #expect(flooded > usual / 2, "\(flooded) calls a second in the flood, \(usual) without")
    for connection in floods + [honest] { try await connection.close() }
    try await expectHealthy(system)
  }

  @Test("fields beyond their bounds are refused by name, and end nothing else", .timeLimit(.minutes(2)))
  func oversizedFields() async throws {
    let system = try await TestSystem.start()
    _ = try await system.startWorker("InteropService")
    var peer = try RawPeer("\(system.busFolder)/clients", in: context)
    let unnamed = try peer.greet(.client) { $0.instance = String(repeating: "x", count: 65) }
    #expect(unnamed?.kind == .goaway && unnamed?.statusCode == .invalidArgument)
    _ = try peer.greet(.client)
    let text = String(repeating: "x", count: 20_000)
    let oversized: [(String, (inout Envelope) -> Void)] = [
      ("idempotency", { $0.idempotencyKey = String(text.prefix(257)) }),
      ("metadata", { $0.extra = Envelope.Extra(metadata: ["long": text]) }),
    ]
    for (number, (field, enlarge)) in oversized.enumerated() {
      var call = try open(UInt64(number + 1))
      enlarge(&call)
      try peer.send(call)
      let answer = try #require(try peer.receive())
      #expect(answer.kind == .status && answer.statusCode == .invalidArgument)
      #expect(answer.extra?.statusMessage.contains(field) == true, "\(answer)")
    }
    var unknown = try open(8)
    unknown.method = "/" + text + "/x"
    try peer.send(unknown)
    #expect(try peer.receive()?.kind == .status)
    // A payload beyond its bound is dropped, and the session goes on.
    let template = try EnvelopeFrames(try open(9)).head
    try peer.send(template, payload: [UInt8](repeating: 1, count: 90_000))
    try peer.send(try open(10))
    let next = try #require(try peer.receive())
    #expect(next.kind == .status && next.call == 10 && next.statusCode == .ok)
    // A frame that no envelope needs ends its connection.
    try peer.send([UInt8](repeating: 1, count: 200_000))
    try await expectHealthy(system)
  }

  @Test(
    "a message without an end makes the gateway give up above its memory limit, and another takes its place",
    .timeLimit(.minutes(2)))
  func endlessMessage() async throws {
    let folder = try TemporaryFolder()
    try Files.write(Array("[gateway]\nmemory-limit = 128MiB\n".utf8), to: folder.file("settings"))
    let up = try await RunningProgram.start(
      "assent",
      [
        "up", "--data", folder.file("data"), "--config", folder.file("settings"),
        "--consent", "0", "--signature", "0", "--account", "0",
      ])
    _ = try #require(await up.line(containing: "Ctrl-C"), "\(up.logLines)")
    let door = folder.file("data/bus/clients")
    let attacker = try await RunningProgram.startPython(["-c", Self.endlessMessage, door])
    _ = try #require(await up.logLine(containing: "memory limit passed"), "\(attacker.logLines)")
    _ = try #require(await up.logLine(containing: "program ended, to be started again"), "\(up.logLines)")
    #expect(await attacker.wait() == .code(0), "\(attacker.logLines)")
    let connection = try await BusConnection.open(.init(gateways: [BusEndpoint("ipc://\(door)")]))
    let health = try await HealthClient(connection.channel).check(
      HealthCheckRequest(), deadline: .seconds(20), options: CallOptions(waitsForReady: true))
    #expect(health.status == .serving)
    try await connection.close()
    up.send(.terminate)
    #expect(await up.wait() == .code(0), "\(up.logLines)")
  }

  /// ZeroMQ's own wire protocol by hand: its library would not send a message before it is complete.
  ///
  /// The gateway's greeting must be read before the first frame goes out: a frame that comes before a gateway has said
  /// READY ends the connection. The attack ends at a size that no machine has to fear, and waits for its effect.
  private static let endlessMessage = """
    import socket, sys
    peer = socket.socket(socket.AF_UNIX)
    peer.settimeout(60)
    peer.connect(sys.argv[1])
    peer.sendall(b"\\xff" + bytes(8) + b"\\x7f\\x03\\x00" + b"NULL".ljust(20, b"\\0") + bytes(32))
    ready = b"\\x05READY\\x0bSocket-Type" + (6).to_bytes(4, "big") + b"DEALER"
    peer.sendall(bytes([4, len(ready)]) + ready)
    stream = peer.makefile("rb")
    stream.read(64)
    _, size = stream.read(2)
    assert stream.read(size).startswith(b"\\x05READY")
    frame = b"\\x03" + (60000).to_bytes(8, "big") + bytes(60000)
    try:
        for _ in range(3500):
            peer.sendall(frame)
        while stream.read(1):
            pass
    except OSError:
        pass
    """
}
