import Base
import Bus
import InteropContract
import RPC
import Testing
import Wire

/// The bytes and bounds that docs/bus-protocol.md shows, compared with the implementation.
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

  /// Every row of the page's tables of bounds, in their order.
  private static func bounds() -> [(bound: String, value: String)] {
    let router = RouterConfiguration()
    let worker = WorkerConfiguration(slots: 1)
    return [
      ("payload of one envelope", bytes(BusLimits.largestPayload)),
      ("payload that stands in its envelope", bytes(BusLimits.inlinePayload)),
      ("envelope without a second frame", bytes(BusLimits.largestEnvelope)),
      ("envelopes in a message", number(BusLimits.envelopesInMessage)),
      ("first frame to which no envelope is added", bytes(BusLimits.fullMessage)),
      (
        "frame, with the 33 bytes that CURVE adds; a larger one ends the connection", bytes(BusLimits.largestFrame)
      ),
      ("message put together from DATA", bytes(BusLimits.largestMessage)),
      ("metadata of one side of a call, each entry counting its key, its value and 32", bytes(Metadata.sizeLimit)),
      ("message of a status", bytes(BusLimits.longestStatusMessage)),
      (
        "details and metadata of a status together, each detail counting its type, its value and 32",
        bytes(BusLimits.largestStatusContent)
      ),
      ("`caller`", bytes(BusLimits.largestCaller)),
      ("idempotency key", bytes(BusLimits.longestIdempotencyKey)),
      ("window of a stream at its start, in each direction", bytes(Int(BusLimits.initialWindow))),
      ("WINDOW beyond the last byte that has passed the gateway", bytes(Int(BusLimits.furthestWindow))),
      ("`instance`", bytes(BusLimits.instanceLengths)),
      ("`version` and `address` of HELLO, each", bytes(BusLimits.longestDescription)),
      ("name of a service or of a method", bytes(BusLimits.nameLengths)),
      ("sessions", number(router.sessionLimit)),
      ("services in all, past and unannounced ones included", number(router.serviceLimit)),
      ("services that one key has announced, past ones included", number(router.serviceLimitPerKey)),
      ("methods of one service, those of all its workers together", number(router.methodLimitPerService)),
      ("services that nobody has announced and calls wait for", number(router.unannouncedServiceLimit)),
      ("time for which a service without workers is remembered", seconds(router.serviceMemory)),
      ("time for which calls are kept for a service that is not there", seconds(router.graceAfterStart)),
      ("open calls", number(router.openCallLimit)),
      ("open calls of one session", number(router.openCallLimitPerSession)),
      ("calls that wait for one service", number(router.waitingLimitPerService)),
      ("time for which a call that may not run twice waits for a free slot", seconds(router.slotPatience)),
      ("bytes of all calls that wait", bytes(router.waitingByteLimit)),
      ("attempts of a call, of gateways and of its client together", number(router.attemptLimit)),
      ("tokens of a service for further tries of its answers", number(Int(router.retryTokens))),
      ("what of a token each answer OK gives back", "\(router.retryTokensPerSuccess)"),
      ("deadline of a call that states none", seconds(router.defaultDeadline)),
      ("longest deadline, of streams too", seconds(router.longestDeadline)),
      ("offences that end a session", number(router.offenceLimit)),
      ("longest time between two such offences", seconds(router.offenceMemory)),
      ("bytes that wait for a worker before it is held up", bytes(BusLimits.heldUpAbove)),
      ("bytes that wait for one peer", bytes(BusLimits.keptForPeer)),
      ("bytes of streams for one peer, since it stopped reading", bytes(BusLimits.streamsKeptForPeer)),
      ("bytes that wait for all peers", bytes(BusLimits.keptForAllPeers)),
      ("of these, bytes that are kept for the services' door", bytes(BusLimits.keptForServices)),
      ("open calls, beyond which no credit is raised", number(worker.openCallLimit)),
      ("open streams among them; one caller gets at most what is still free", number(worker.streamLimit)),
      (
        "time after which a call that waits for its one request counts for no slot",
        "\(worker.longLivedAfter.wholeMilliseconds) ms"
      ),
      ("such calls; one caller gets at most what is still free", number(worker.lateRequestLimit)),
      (
        "time between two looks at such a call; without a byte since the last one it ends with `DEADLINE_EXCEEDED`",
        seconds(worker.requestPatience)
      ),
      (
        "bytes of messages beyond their windows, until handlers have them; one caller gets at most what is still free",
        bytes(worker.largeMessageRoom)
      ),
    ]
  }

  /// A number as the page writes it: 1,024.
  private static func number(_ value: Int) -> String {
    value < 1000 ? "\(value)" : number(value / 1000) + "," + String("\(1000 + value % 1000)".dropFirst())
  }

  private static func bytes(_ value: Int) -> String { "\(number(value)) bytes" }

  private static func bytes(_ range: ClosedRange<Int>) -> String {
    "\(number(range.lowerBound)) to \(bytes(range.upperBound))"
  }

  private static func seconds(_ duration: Duration) -> String { "\(number(Int(duration.components.seconds))) s" }

  @Test("every bound on the page is the implementation's")
  func bounds() throws {
    let text = String(decoding: try Files.read("docs/bus-protocol.md"), as: UTF8.self)
    let rows = text.split(separator: "| bound | value |\n|---|---|\n").dropFirst().flatMap { table in
      table.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("|") }
    }
    #expect(rows.map { "\($0)" } == Self.bounds().map { "| \($0.bound) | \($0.value) |" })
    #expect(ClientConfiguration().attemptLimit == RouterConfiguration().attemptLimit)
    #expect(BusLimits.largestMessage == Int(Hello(instance: "", epoch: 0, role: .client).largestMessage))
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
