import Base
import Bus
import RPC
import Testing
import Wire

@Suite struct EnvelopeFramesTests {
  private func roundTrip(_ envelope: Envelope) throws -> Envelope {
    let frames = try EnvelopeFrames(envelope)
    let envelopes = try EnvelopeFrames.envelopes(head: frames.head.span, payload: frames.payload)
    try #require(envelopes.count == 1)
    return envelopes[0]
  }

  @Test("an envelope with everything in it comes back as it was", arguments: [0, 1, 1024, 1025, 65_536, 131_072])
  func everything(payloadSize: Int) throws {
    var envelope = Envelope(.hello, call: 7)
    envelope.session = .max
    envelope.offset = 1 << 40
    envelope.credit = 12
    envelope.remainingMilliseconds = 30_000
    envelope.attempt = 3
    envelope.carriesMessage = true
    envelope.statusCode = .aborted
    envelope.notStarted = true
    envelope.method = "/assent.interop.v1.InteropService/UnaryCall"
    envelope.payload = (0..<payloadSize).map { UInt8(truncatingIfNeeded: $0) }
    var hello = Hello(instance: "i", epoch: 4, role: .worker)
    hello.services = [
      Hello.ServiceOffer(
        name: "a.B", contractHash: [1, 2],
        methods: [
          MethodDescriptor(
            service: "a.B", name: "C", kind: .bidirectionalStreaming, idempotency: .idempotent,
            permissions: [MethodPermission([.admin, .inspector])])
        ])
    ]
    hello.slots = 4
    hello.prefetch = 1
    hello.version = "1.2.3"
    hello.address = "here"
    var metadata: Metadata = ["a": "b"]
    try metadata.add("c-bin", bytes: [0, 255])
    envelope.idempotencyKey = "key"
    envelope.extra = Envelope.Extra(
      metadata: metadata,
      caller: CallerIdentity(kind: .person, tenant: "t", subject: "s", device: "d", grants: ["x@y", "z@*"]),
      waitsForReady: true, statusMessage: "because", statusDetails: [Status.Detail(typeName: "a.D", value: [9])],
      hello: hello, helloAck: HelloAck(session: 5, gateway: "g", version: 1, pingMilliseconds: 500),
      load: Load(busy: 1, waiting: 2, progress: 3))
    #expect(try roundTrip(envelope) == envelope)
  }

  /// An envelope with a service whose name and whose number of methods are large.
  private func offer(_ kind: Envelope.Kind, role: Hello.Role?, nameLength: Int) -> [UInt8] {
    func field(_ number: UInt64, _ content: [UInt8]) -> [UInt8] {
      varint(number << 3 | 2) + varint(UInt64(content.count)) + content
    }
    let methods = [[UInt8]](repeating: field(3, [0x10, 1]), count: 8_000).flatMap(\.self)
    let service = field(1, [UInt8](repeating: UInt8(ascii: "s"), count: nameLength)) + methods
    let hello = (role.map { [0x08, $0.rawValue] } ?? []) + field(2, [UInt8(ascii: "i")]) + field(6, service)
    return field(1, [0x08, kind.rawValue] + field(21, hello))
  }

  private func varint(_ value: UInt64) -> [UInt8] {
    value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + varint(value >> 7)
  }

  private func hello(in head: [UInt8]) throws -> Hello? {
    let envelopes = try EnvelopeFrames.envelopes(head: head.span, payload: nil)
    return try #require(envelopes.first).extra?.hello
  }

  @Test("what a HELLO offers is read only from a worker, and methods only of a service that could be taken")
  func offers() throws {
    let worker = try #require(try hello(in: offer(.hello, role: .worker, nameLength: 256)))
    #expect(worker.services.map(\.methods.count) == [8_000])
    let excessive = try #require(try hello(in: offer(.hello, role: .worker, nameLength: 65_000)))
    #expect(excessive.services.map(\.methods.count) == [0])
    let client = try #require(try hello(in: offer(.hello, role: .client, nameLength: 256)))
    #expect(client.services.isEmpty)
  }

  @Test("what stands for a HELLO in another envelope, or without a role, is none")
  func noHello() throws {
    for kind in [Envelope.Kind.ping, .data, .open] {
      #expect(try hello(in: offer(kind, role: .worker, nameLength: 256)) == nil)
    }
    #expect(try hello(in: offer(.hello, role: nil, nameLength: 256)) == nil)
  }

  @Test("every kind comes back", arguments: Envelope.Kind.allCases)
  func kinds(_ kind: Envelope.Kind) throws {
    #expect(try roundTrip(Envelope(kind)).kind == kind)
  }

  @Test("a payload is in a second frame if and only if it is large")
  func secondFrame() throws {
    var envelope = Envelope(.data)
    envelope.payload = [UInt8](repeating: 1, count: 1024)
    #expect(try EnvelopeFrames(envelope).payload == nil)
    envelope.payload.append(1)
    #expect(try EnvelopeFrames(envelope).payload?.count == 1025)
  }

  @Test("a second frame that was not announced, is missing, or is too large is refused")
  func framesOutOfStep() throws {
    let small = try EnvelopeFrames(Envelope(.ping)).head
    #expect(throws: CodecError.self) { try EnvelopeFrames.envelopes(head: small.span, payload: [1]) }
    var envelope = Envelope(.data)
    envelope.payload = [UInt8](repeating: 1, count: 140_000)
    let large = try EnvelopeFrames(envelope)
    #expect(throws: CodecError.self) { try EnvelopeFrames.envelopes(head: large.head.span, payload: nil) }
    #expect(throws: CodecError.self) { try EnvelopeFrames.envelopes(head: large.head.span, payload: large.payload) }
  }

  @Test("random bytes are an error and never a crash")
  func garbage() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<5_000 {
      let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      _ = try? EnvelopeFrames.envelopes(head: bytes.span, payload: nil)
      let framed = [0x0A, UInt8(bytes.count)] + bytes
      _ = try? EnvelopeFrames.envelopes(head: framed.span, payload: nil)
    }
  }
}
