import Base
internal import Bus
import Face
import Glibc
import HTTPFace
import Interop
import InteropContract
import RPC
import Synchronization
import TestSupport
import Testing
import Wire

/// The door with real sockets.
@Suite(.serialized, .timeLimit(.minutes(3))) struct DoorTests {
  @Test("gRPC's interoperability cases pass from grpcio")
  func interop() async throws {
    let bench = try await DoorBench.start()
    let tests = try await RunningProgram.startPython(
      [Repository.path("Tests/Fixtures/grpc/interop.py"), "127.0.0.1:\(bench.port)", DoorClient.token, "-v"])
    #expect(await tests.wait() == .code(0), "\(tests.logLines.joined(separator: "\n"))")
    try await bench.server.stop()
  }

  @Test("a client that sends many requests at once lets others have their turn between them")
  func turns() async throws {
    let bench = try await DoorBench.start()
    let (busy, other) = (try bench.client(), try bench.client())
    for client in [busy, other] { _ = client.windows(of: 0) }
    // Both send while the door's thread is held up.
    let (server, isHeld, isSent) = (bench.server, Flag(), Flag())
    let hold = Task {
      await server.visit { _, _ in
        isHeld.set()
        while !isSent.isSet {}
      }
    }
    while !isHeld.isSet { await Task.yield() }
    busy.send((0..<250).map { HTTP2Frame.request(2 * $0 + 1, ends: true) })
    other.body(other.open("/a.B/Other"), [])
    isSent.set()
    _ = await hold.value
    try await eventually("all are answered", bench.reports.calls.count) { $0 == 251 }
    let place = bench.reports.calls.firstIndex { $0.path == "/a.B/Other" }
    #expect(place.map { $0 < 200 } == true, "\(place ?? -1)")
    withExtendedLifetime((busy, other)) {}
    try await bench.server.stop()
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
  }

  @Test("calls of methods that there are not count for their address")
  func unknownMethods() async throws {
    let bench = try await DoorBench.start(rates: Gatekeeper.Rates(perAddress: 5))
    let client = try bench.client()
    let answers = (0..<100).map { _ in client.unary("/assent.interop.v1.InteropServise/EmptyCall") }
    #expect(answers.prefix(5).allSatisfy { $0.message?.contains("did you mean") == true })
    #expect(answers.contains { $0.message?.hasPrefix("too_many_calls: this address") == true })
    #expect(client.unary("\(DoorClient.interop)/EmptyCall").status == "0")
    try await bench.server.stop()
  }

  @Test("one key has so many streams open and no more, over however many connections, and others are answered")
  func openStreams() async throws {
    var bounds = OpenCalls.Bounds()
    bounds.streamsOfAccount = 6
    let openCalls = OpenCalls(bounds)
    let bench = try await DoorBench.start(openCalls: openCalls)
    let clients = try (0..<2).map { _ in try bench.client() }
    for client in clients {
      for _ in 0..<3 { _ = client.open("\(DoorClient.interop)/FullDuplexCall", [("grpc-timeout", "1H")]) }
      _ = client.windows(of: 1)
    }
    #expect(openCalls.count == 6)
    let refused = clients[0].answer(clients[0].open("\(DoorClient.interop)/FullDuplexCall"))
    #expect(refused.status == "\(StatusCode.resourceExhausted.rawValue)")
    #expect(refused.message?.hasPrefix("too_many_streams: this key has 6 streams open") == true)
    #expect(clients[0].unary("\(DoorClient.interop)/EmptyCall").status == "0")
    clients[0].send([HTTP2Frame(.reset, stream: 1, [0, 0, 0, 8])])
    _ = clients[0].windows(of: 3)
    #expect(openCalls.count == 5)
    try await bench.server.stop()
  }

  @Test("the longest time that a client can name is time enough", arguments: ["99999999H", "2562048H", "99999999M"])
  func longestTimeout(timeout: String) async throws {
    let bench = try await DoorBench.start()
    let client = try bench.client()
    let stream = client.open("\(DoorClient.interop)/EmptyCall", [("grpc-timeout", timeout)])
    client.body(stream, [[]])
    #expect(client.answer(stream).status == "0")
    let streaming = client.open("\(DoorClient.interop)/StreamingInputCall", [("grpc-timeout", timeout)])
    client.body(streaming, [[]])
    #expect(client.answer(streaming).status == "0")
    try await bench.server.stop()
  }

  @Test("clients that go away while their compressed messages are expanded leave the door as it was")
  func goneWhileExpanding() async throws {
    let bench = try await DoorBench.start()
    let message = Gzip.compress([UInt8](repeating: 0, count: 12 << 20))
    for _ in 0..<100 {
      let client = try bench.client()
      let stream = client.open("\(DoorClient.interop)/UnaryCall", [("grpc-encoding", "gzip")])
      var bytes: [UInt8] = []
      PrefixedFrame(flags: PrefixedFrame.compressed, payload: message).append(to: &bytes)
      client.send([HTTP2Frame(.data, flags: HTTP2Frame.endStream, stream: stream, bytes)])
    }
    try await eventually("all connections end", bench.reports.ends) { $0 == 100 }
    // All come from one address: what is expanded before its client is gone may find no room beside others.
    #expect(bench.reports.calls.count == 100)
    #expect(bench.reports.calls.allSatisfy { [.cancelled, .resourceExhausted].contains($0.code) })
    #expect(bench.reports.calls.contains { $0.code == .cancelled })
    #expect(try bench.client().unary("\(DoorClient.interop)/EmptyCall").status == "0")
    try await bench.server.stop()
  }

  struct Refusal: CustomTestStringConvertible {
    let name: String
    let status: StatusCode
    let text: String
    var path = "\(DoorClient.interop)/EmptyCall"
    var token: String? = DoorClient.token
    var fields: [(String, String)] = []
    var body: [[UInt8]] = [[]]
    /// The bus refuses by itself, without a rule.
    var isOfBus = false

    var testDescription: String { name }
  }

  static let refusals: [Refusal] = [
    Refusal(
      name: "a method that nobody has, with the nearest name", status: .unimplemented, text: "EmptyCall",
      path: "\(DoorClient.interop)/EmtyCall"),
    Refusal(name: "a path that is none", status: .unimplemented, text: "no path of a method", path: "/"),
    Refusal(name: "no credential", status: .unauthenticated, text: "credential_missing", token: nil),
    Refusal(name: "a key that nobody has", status: .unauthenticated, text: "key_unknown", token: "ak_other"),
    Refusal(name: "a token without a known form", status: .unauthenticated, text: "credential_unknown", token: "x"),
    Refusal(name: "a key for another service", status: .permissionDenied, text: "out_of_scope", token: "ak_health"),
    Refusal(
      name: "a timeout that is none", status: .invalidArgument, text: "bad_timeout", fields: [("grpc-timeout", "soon")]),
    Refusal(
      name: "no time left", status: .deadlineExceeded, text: "deadline_passed", fields: [("grpc-timeout", "0S")]),
    Refusal(
      name: "an encoding that nobody knows", status: .unimplemented, text: "unknown_encoding",
      fields: [("grpc-encoding", "br")]),
    Refusal(
      name: "metadata that is not base64", status: .invalidArgument, text: "bad_metadata", fields: [("a-bin", "!!")]),
    Refusal(
      name: "more metadata than may travel", status: .invalidArgument, text: "metadata",
      fields: [("a", String(repeating: "x", count: 17_000))], isOfBus: true),
    Refusal(
      name: "a header that is too large", status: .invalidArgument, text: "header_too_large",
      fields: [("a", String(repeating: "x", count: 9000)), ("b", String(repeating: "x", count: 16_000))]),
    Refusal(name: "two requests where there is one", status: .unimplemented, text: "one_message", body: [[], []]),
    Refusal(name: "no request where there is one", status: .unimplemented, text: "one_message", body: []),
    Refusal(name: "a request that cannot be read", status: .invalidArgument, text: "cannot be read", body: [[0xFF]]),
  ]

  @Test("a call that cannot be made is answered with the code and the reason, and the connection goes on")
  func refused() async throws {
    let bench = try await DoorBench.start()
    let client = try bench.client()
    for refusal in Self.refusals {
      let stream = client.open(refusal.path, refusal.fields, token: refusal.token)
      client.body(stream, refusal.body)
      let answer = client.answer(stream)
      #expect(answer.status == "\(refusal.status.rawValue)", "\(refusal.name): \(answer)")
      #expect(answer.message?.contains(refusal.text) == true, "\(refusal.name): \(answer)")
      let letters = Array((client.fields["grpc-status-details-bin"] ?? "").utf8)
      let details = String(decoding: Base64.decodeLeniently(letters.span) ?? [], as: UTF8.self)
      #expect(details.contains("/assent.common.v1.ErrorInfo") != refusal.isOfBus, "\(refusal.name): \(details)")
    }
    #expect(client.unary("\(DoorClient.interop)/EmptyCall") == DoorClient.Answer(status: "0", messages: [[]]))
    try await bench.server.stop()
  }

  @Test("a body that is no message is refused by what is wrong with it")
  func badBodies() async throws {
    let bench = try await DoorBench.start()
    let client = try bench.client()
    let bodies: [(bytes: [UInt8], status: StatusCode)] = [
      ([0, 0, 0, 0, 5, 1], .invalidArgument), ([7, 0, 0, 0, 0], .invalidArgument), ([1, 0, 0, 0, 1, 9], .internal),
      ([0, 0xFF, 0xFF, 0xFF, 0xFF], .invalidArgument),
    ]
    for (bytes, status) in bodies {
      let stream = client.open("\(DoorClient.interop)/EmptyCall")
      client.send([HTTP2Frame(.data, flags: HTTP2Frame.endStream, stream: stream, bytes)])
      #expect(client.answer(stream).status == "\(status.rawValue)", "\(bytes)")
    }
    let zipped = client.open("\(DoorClient.interop)/EmptyCall", [("grpc-encoding", "gzip")])
    client.send([HTTP2Frame(.data, flags: HTTP2Frame.endStream, stream: zipped, [1, 0, 0, 0, 3, 1, 2, 3])])
    #expect(client.answer(zipped).status == "\(StatusCode.invalidArgument.rawValue)")
    try await bench.server.stop()
  }

  @Test("a reset cancels the handler, and nothing else")
  func cancel() async throws {
    let bench = try await DoorBench.start()
    let client = try bench.client()
    var request = StreamingOutputCallRequest()
    request.responseParameters = Array(repeating: ResponseParameters(size: 10, intervalUs: 20_000), count: 1000)
    let stream = client.open("\(DoorClient.interop)/StreamingOutputCall", [("grpc-timeout", "1H")])
    client.body(stream, [try request.encoded()])
    while let frame = client.next(), frame.kind != HTTP2Frame.Kind.data.rawValue { continue }
    client.send([HTTP2Frame(.reset, stream: stream, HTTP2Frame.word(8))])
    try await bench.untilOpenCalls { $0 == 0 }
    #expect(client.unary("\(DoorClient.interop)/EmptyCall").status == "0")
    #expect(bench.reports.calls.map(\.code) == [.cancelled, .ok])
    try await bench.server.stop()
  }

  @Test("a client that goes away cancels its calls")
  func disconnect() async throws {
    let bench = try await DoorBench.start()
    var client: DoorClient? = try bench.client()
    for _ in 0..<10 { _ = client?.open("\(DoorClient.interop)/FullDuplexCall", [("grpc-timeout", "1H")]) }
    try await bench.untilOpenCalls { $0 == 10 }
    client = nil
    try await bench.untilOpenCalls { $0 == 0 }
    try await bench.server.stop()
  }

  @Test("a client that does not read stops the sender, and costs no memory", arguments: [false, true])
  func slowReader(hasClosedWindow: Bool) async throws {
    let bench = try await DoorBench.start()
    let honest = try bench.client()
    #expect(honest.unary("\(DoorClient.interop)/EmptyCall").status == "0")
    // A client may stop the sender by its windows, or by not reading its socket.
    let window: UInt32 = hasClosedWindow ? 0 : 0x7FFF_FFFF
    let client = try bench.client(settings: [(id: 4, value: window)], receiveBuffer: 16 << 10)
    client.send([HTTP2Frame(.window, HTTP2Frame.word(0x7000_0000))])
    var request = StreamingOutputCallRequest()
    request.responseParameters = Array(repeating: ResponseParameters(size: 60_000), count: 1000)
    let before = try residentBytes()
    for _ in 0..<20 {
      client.body(client.open("\(DoorClient.interop)/StreamingOutputCall"), [try request.encoded()])
    }
    try await bench.untilOpenCalls { $0 == 20 }
    // Each round trip is several turns of the reactor, in which whatever may be sent is sent.
    for _ in 0..<100 { #expect(honest.unary("\(DoorClient.interop)/EmptyCall").status == "0") }
    let growth = try residentBytes() - before
    // Twenty streams of 60 MB each: a window of each on both sides of the bus may be there.
    #expect(growth < 64 << 20, "\(growth) bytes")
    try await bench.server.stop()
  }

  @Test("a handler that does not read stops the client")
  func slowHandler() async throws {
    let bench = try await DoorBench.start([SleepyService()])
    let client = try bench.client()
    let stream = client.open("\(DoorClient.interop)/StreamingInputCall", [("grpc-timeout", "30S")])
    let message = try StreamingInputCallRequest(payload: Payload(body: [UInt8](repeating: 1, count: 16_000))).encoded()
    var bytes: [UInt8] = []
    PrefixedFrame(payload: message).append(to: &bytes)
    let frame = HTTP2Frame(.data, stream: stream, bytes).bytes
    // Beyond the first window the client must hear that it may go on, and nothing of that comes.
    for _ in 0..<8 { client.send(frame) }
    // A window is opened when the bus has taken what came; each answer to a ping is a turn in which that may happen.
    for _ in 0..<100 { #expect(client.windows(of: stream) < 300_000) }
    try await bench.server.stop()
  }

  @Test("a call is made once, though its gateway stood still for longer than a peer may be silent")
  func stall() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("journal")
    let journal = try CallJournal(path: path)
    let bench = try await DoorBench.start([InteropHandlers(instance: "one", journal: journal)])
    let client = try bench.client()
    let stream = client.open("\(DoorClient.interop)/UnaryCall")
    var request = UnaryCallRequest()
    request.payload = Payload(body: [1])
    request.sleepMs = 300
    client.body(stream, [try request.encoded()])
    try await eventually("the call has begun", !Files.read(path).isEmpty)
    // As when the machine is overloaded, or moved: nothing of this thread runs meanwhile.
    _ = await bench.server.visit { _, _ in _ = usleep(2_500_000) }
    #expect(client.answer(stream).status == "0")
    #expect(try Files.read(path).count { $0 == UInt8(ascii: "\n") } == 1)
    try await bench.server.stop()
  }

  @Test("the same door speaks HTTP/1.1")
  func otherProtocol() async throws {
    let bench = try await DoorBench.start()
    let socket = try ClientSocket(port: bench.port)
    socket.send(Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
    let answer = String(decoding: socket.receive(), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    try await bench.server.stop()
  }

  @Test("an attack on one connection is nobody else's loss", arguments: HTTP2AttackTests.attacks)
  func attack(_ attack: HTTP2AttackTests.Attack) async throws {
    let bench = try await DoorBench.start()
    let honest = try bench.client()
    let before = try residentBytes()
    for _ in 0..<20 {
      let attacker = try bench.client()
      attacker.send(attack.frames)
      #expect(honest.unary("\(DoorClient.interop)/EmptyCall").status == "0")
    }
    let growth = try residentBytes() - before
    #expect(growth < 32 << 20, "\(growth) bytes")
    try await bench.server.stop()
  }

  @Test("connections that never say anything are ended, and those that only wait are not")
  func silence() async throws {
    var limits = DoorLimits()
    limits.greeting = .seconds(1)
    let bench = try await DoorBench.start(limits: limits)
    let silent = try ClientSocket(port: bench.port)
    let waiting = try bench.client()
    #expect(silent.receiveAll().isEmpty)
    #expect(waiting.unary("\(DoorClient.interop)/EmptyCall").status == "0")
    try await bench.server.stop()
  }
}
