import Base
import Bus
import GatewayContract
import Interop
import InteropContract
import RPC
import TestSupport
import Testing
import Wire

/// Peers that break every rule, against a real gateway: it stays up, its memory stays bounded, and other callers notice
/// nothing.
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

  @Test("malformed envelopes, and envelopes with flipped bits, affect no other peer", .timeLimit(.minutes(3)))
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
          bytes = (0..<Int.random(in: 0...120, using: &generator)).map { _ in .random(in: 0...255, using: &generator) }
          if round.isMultiple(of: 2) { bytes = [0x0A, UInt8(bytes.count)] + bytes }
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

  @Test("a peer that keeps sending what its door does not allow loses its session", .timeLimit(.minutes(2)))
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

  @Test("no peer can serve through the clients' door", .timeLimit(.minutes(2)))
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

  @Test("messages for an earlier session and its calls have no effect", .timeLimit(.minutes(2)))
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

  @Test("a worker that claims more credit than its slots gets no more calls than slots", .timeLimit(.minutes(2)))
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
    // The honest worker gets all other calls, although the other one claims more credit.
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

  /// How many calls the only worker finishes in a second, as counted by the gateway, while `body` runs; 0 when the
  /// worker had to join anew meanwhile, because a process stood still for too long.
  private func finishedPerSecond(
    _ connection: BusConnection, while body: () async throws -> Void
  ) async throws -> Double {
    let gateway = GatewayServiceClient(connection.channel)
    var request = ListInstancesRequest()
    request.service = InteropHandlers.descriptor.name
    let (before, start) = (try await gateway.listInstances(request), Clock.system.monotonic)
    try await body()
    let (after, end) = (try await gateway.listInstances(request), Clock.system.monotonic)
    let counts = [before, after].map { Double($0.instances.first?.finished ?? 0) }
    return max(0, counts[1] - counts[0]) * 1000 / Double((end - start).wholeMilliseconds)
  }

  /// Keeps `count` calls in flight until it is cancelled, whatever their outcomes. Each occupies a slot for so long
  /// that slots are the scarce resource, and not the processor that all processes of the test share.
  private func callOnAndOn(_ channel: BusChannel, inFlight count: Int) async {
    await withTaskGroup(of: Void.self) { calls in
      for _ in 0..<count {
        calls.addTask {
          var request = UnaryCallRequest()
          request.sleepMs = 400
          let client = InteropServiceClient(channel)
          while !Task.isCancelled { _ = try? await client.unaryCall(request, deadline: .seconds(3)) }
        }
      }
    }
  }

  @Test(
    "while 32 clients flood, other callers see no error, and the worker does most of its usual work",
    .timeLimit(.minutes(3)))
  func flood() async throws {
    let system = try await TestSystem.start()
    _ = try await system.startWorker("InteropService", ["--slots", "96"])
    let honest = try await system.connect()
    var floods: [BusConnection] = []
    for _ in 0..<32 { floods.append(try await system.connect()) }
    // There are always more calls than slots, and what is measured begins once all slots are taken.
    func awaitFullSlots() async throws {
      let gateway = GatewayServiceClient(honest.channel)
      let request = ListInstancesRequest(service: InteropHandlers.descriptor.name)
      try await eventually("all slots are taken", await gateway.listInstances(request).instances.first?.inFlight) {
        $0 ?? 0 >= 96
      }
    }
    func usual() async throws -> Double {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await callOnAndOn(honest.channel, inFlight: 150) }
        try await awaitFullSlots()
        let usual = try await finishedPerSecond(honest) { try await Task.sleep(for: .seconds(2)) }
        group.cancelAll()
        return usual
      }
    }
    func flooded() async throws -> Double {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for connection in floods { group.addTask { await callOnAndOn(connection.channel, inFlight: 50) } }
        try await awaitFullSlots()
        let client = InteropServiceClient(honest.channel)
        let flooded = try await finishedPerSecond(honest) {
          for _ in 0..<30 { _ = try await client.unaryCall(UnaryCallRequest(), deadline: .seconds(20)) }
        }
        group.cancelAll()
        return flooded
      }
    }
    // The machine may have been busy with other things while one of the two was measured.
    var rates: [(usual: Double, flooded: Double)] = []
    func isWellServed() -> Bool { rates.contains { $0.usual > 0 && $0.flooded > $0.usual / 2 } }
    while rates.count < 4, !isWellServed() { rates.append((try await usual(), try await flooded())) }
    #expect(isWellServed(), "calls a second: \(rates)")
    for connection in floods + [honest] { try await connection.close() }
    try await expectHealthy(system)
  }

  @Test("fields beyond their bounds are refused by name, and nothing else ends", .timeLimit(.minutes(2)))
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
    // So are envelopes after the 256th of a message.
    let crowd = try (0..<300).flatMap { _ in try EnvelopeFrames(Envelope(.helloRequest)).head }
    var stranger = try RawPeer("\(system.busFolder)/clients", in: context)
    try stranger.send(crowd)
    for _ in 0..<256 { #expect(try stranger.receive()?.kind == .helloRequest) }
    #expect(try stranger.receive(within: .milliseconds(300)) == nil)
    // A frame that is larger than any message needs ends its connection.
    try peer.send([UInt8](repeating: 1, count: 200_000))
    try await expectHealthy(system)
  }
}
