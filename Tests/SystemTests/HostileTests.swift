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

  @Test("while 32 clients flood, honest ones see no error", .timeLimit(.minutes(3)))
  func flood() async throws {
    let system = try await TestSystem.start()
    _ = try await system.startWorker("InteropService", ["--slots", "8"])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<32 {
        let flooder = try await system.connect()
        group.addTask {
          let client = InteropServiceClient(flooder.channel)
          await withTaskGroup(of: Void.self) { calls in
            for _ in 0..<50 {
              calls.addTask {
                var request = UnaryCallRequest()
                request.sleepMs = 2
                while !Task.isCancelled { _ = try? await client.unaryCall(request, deadline: .milliseconds(500)) }
              }
            }
          }
          try await flooder.close()
        }
      }
      let honest = try await system.connect()
      let client = InteropServiceClient(honest.channel)
      for _ in 0..<100 { _ = try await client.unaryCall(UnaryCallRequest(), deadline: .seconds(20)) }
      try await honest.close()
      group.cancelAll()
    }
    try await expectHealthy(system)
  }

  @Test(
    "a message without an end makes the gateway give up above its memory limit",
    .enabled(if: Environment.current["ASSENT_TEST_LONG"] == "1"), .timeLimit(.minutes(3)))
  func endlessMessage() async throws {
    let folder = try TemporaryFolder()
    let gateway = try await RunningProgram.start(
      "gateway", ["--bus-folder", folder.file("bus"), "--memory-limit", "300MiB"])
    _ = try #require(await gateway.line(containing: "ready"), "\(gateway.logLines)")
    // ZeroMQ's own wire protocol by hand: its library would not send a message before it is complete.
    let script = """
      import socket, sys
      peer = socket.socket(socket.AF_UNIX)
      peer.settimeout(20)
      peer.connect(sys.argv[1])
      peer.sendall(b"\\xff" + bytes(8) + b"\\x7f\\x03\\x00" + b"NULL".ljust(20, b"\\0") + bytes(32))
      ready = b"\\x05READY\\x0bSocket-Type" + (6).to_bytes(4, "big") + b"DEALER"
      peer.sendall(bytes([4, len(ready)]) + ready)
      frame = b"\\x03" + (60000).to_bytes(8, "big") + bytes(60000)
      try:
          for _ in range(200000):
              peer.sendall(frame)
      except OSError:
          pass
      """
    let peer = Task {
      try await ChildProcess.output(
        of: ChildCommand(Repository.python, ["-c", script, "\(folder.file("bus"))/clients"]))
    }
    // Should the gateway go on after all, the test must not wait for ever.
    let watchdog = Task {
      try await Task.sleep(for: .seconds(60))
      gateway.send(.kill)
    }
    #expect(await gateway.wait() == .code(1))
    watchdog.cancel()
    #expect(gateway.logLines.contains { $0.contains("memory limit passed") })
    peer.cancel()
    _ = await peer.result
  }
}
