import Base
import Bus
import InteropContract
import RPC
import Testing
import Wire

/// The bytes that docs/bus-protocol.md shows, compared with the implementation.
@Suite struct ProtocolPageTests {
  private static let session: UInt64 = 0x0102_0304_0506_0708

  private static func envelope(
    _ kind: Envelope.Kind, call: UInt64 = 0, _ change: (inout Envelope) -> Void = { _ in }
  )
    -> Envelope
  {
    var envelope = Envelope(kind, call: call)
    envelope.session = session
    change(&envelope)
    return envelope
  }

  private static func chunk(of message: some Message) throws -> [UInt8] {
    var sender = StreamSender()
    sender.append(MessageRun(try message.encoded()))
    let chunk = sender.nextChunk()
    return try #require(chunk).bytes
  }

  private static func expected() throws -> [Envelope] {
    var hello = Envelope(.hello)
    hello.extra = Envelope.Extra(hello: Hello(instance: "7d3e", epoch: 9, role: .client))
    var parameters = ResponseParameters()
    parameters.size = 2
    var request = StreamingOutputCallRequest()
    request.responseParameters = [parameters]
    var response = StreamingOutputCallResponse()
    response.payload = Payload()
    response.payload?.body = [0, 0]
    let (asked, answered) = (try chunk(of: request), try chunk(of: response))
    return [
      hello,
      envelope(.helloAck) {
        $0.extra = Envelope.Extra(
          helloAck: HelloAck(session: session, gateway: "a1b2", version: 1, pingMilliseconds: 500))
      },
      envelope(.open, call: 1) {
        $0.method = InteropServiceMethods.emptyCall.path
        $0.remainingMilliseconds = 2000
        $0.attempt = 1
        $0.carriesMessage = true
      },
      envelope(.status, call: 1) { $0.carriesMessage = true },
      envelope(.open, call: 2) {
        $0.method = InteropServiceMethods.fullDuplexCall.path
        $0.remainingMilliseconds = 2000
        $0.attempt = 1
        $0.idempotencyKey = "k2"
      },
      envelope(.data, call: 2) { $0.payload = asked },
      envelope(.halfClose, call: 2),
      envelope(.data, call: 2) { $0.payload = answered },
      envelope(.status, call: 2),
    ]
  }

  @Test("every envelope on the page is what the implementation sends")
  func page() throws {
    let text = String(decoding: try Files.read("docs/bus-protocol.md"), as: UTF8.self)
    let blocks = text.split(separator: "```envelope\n").dropFirst().compactMap { $0.split(separator: "```").first }
    let shown = try blocks.map { block in
      // Each line has pairs of digits and, behind two spaces or a quotation mark, their meaning.
      let pairs = block.split(separator: "\n").flatMap { line in
        line.split(separator: " ").prefix { $0.count == 2 && Hex.decode(String($0)) != nil }
      }
      return try #require(Hex.decode(pairs.joined()))
    }
    let expected = try Self.expected()
    #expect(shown.count == expected.count)
    for (bytes, envelope) in zip(shown, expected) { #expect(try EnvelopeFrames(envelope).head == bytes) }
  }
}
