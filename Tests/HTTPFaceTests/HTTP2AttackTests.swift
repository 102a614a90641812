import Base
import HTTP2
import Testing

/// A client that makes a server work for nothing, or says what HTTP/2 does not allow.
struct HTTP2AttackTests {
  struct Attack: CustomTestStringConvertible {
    let name: String
    /// The code of the GOAWAY that ends it; nil when the connection ends without one.
    let code: UInt32?
    let frames: [HTTP2Frame]

    var testDescription: String { name }

    init(_ name: String, endsWith code: UInt32?, _ frames: [HTTP2Frame]) {
      self.name = name
      self.code = code
      self.frames = frames
    }
  }

  private static let (protocolError, flowControl, sizeError, closedStream, compression, calm) =
    (UInt32(1), UInt32(3), UInt32(6), UInt32(5), UInt32(9), UInt32(11))

  private static func many(_ count: Int, _ make: (Int) -> [HTTP2Frame]) -> [HTTP2Frame] {
    (0..<count).flatMap(make)
  }

  static let attacks: [Attack] = [
    Attack(
      "rapid reset", endsWith: calm,
      many(2000) { number in
        let stream = Int32(2 * number + 1)
        return [.request(stream, ends: true), HTTP2Frame(.reset, stream: stream, HTTP2Frame.word(8))]
      }),
    Attack(
      "a flood of pings", endsWith: calm, many(2000) { _ in [HTTP2Frame(.ping, [UInt8](repeating: 0, count: 8))] }),
    Attack("a flood of settings", endsWith: calm, many(2000) { _ in [.settings()] }),
    Attack(
      "a flood of empty DATA", endsWith: calm,
      [.request(1)] + many(2000) { _ in [HTTP2Frame(.data, stream: 1)] }),
    Attack(
      "a flood of priorities", endsWith: calm,
      many(2000) { [HTTP2Frame(.priority, stream: Int32(2 * $0 + 1), [0, 0, 0, 0, 1])] }),
    Attack(
      "a flood of CONTINUATION", endsWith: nil,
      [HTTP2Frame(.headers, stream: 1, HTTP2Frame.block(HTTP2Frame.requestFields))]
        + many(200) { _ in [HTTP2Frame(.continuation, stream: 1, HTTP2Frame.block([("a", "b")]))] }),
    Attack(
      "more settings in a frame than there are", endsWith: calm,
      [.settings((0..<200).map { _ in (id: 0x99, value: 0) })]),
    Attack("far more streams than were allowed", endsWith: calm, many(1000) { [.request(Int32(2 * $0 + 1))] }),
    Attack("a stream with a lower number than one before it", endsWith: protocolError, [.request(5), .request(3)]),
    Attack(
      "a header on a stream that its client has reset", endsWith: closedStream,
      [.request(1), HTTP2Frame(.reset, stream: 1, HTTP2Frame.word(8)), .request(1)]),
    Attack("a priority of no stream", endsWith: protocolError, [HTTP2Frame(.priority, [0, 0, 0, 0, 1])]),
    Attack(
      "a frame that is too long", endsWith: sizeError,
      [
        .request(1), HTTP2Frame(.data, stream: 1, [UInt8](repeating: 0, count: 20_000)),
      ]),
    Attack("a stream with an even number", endsWith: protocolError, [.request(2)]),
    Attack("DATA on a stream that was never opened", endsWith: protocolError, [HTTP2Frame(.data, stream: 7, [1])]),
    Attack("DATA on no stream", endsWith: protocolError, [HTTP2Frame(.data, [1])]),
    Attack(
      "a reset of a stream that was never opened", endsWith: protocolError,
      [
        HTTP2Frame(.reset, stream: 9, HTTP2Frame.word(8))
      ]),
    Attack(
      "a window that overflows", endsWith: flowControl,
      [
        HTTP2Frame(.window, HTTP2Frame.word(0x7FFF_FFFF)), HTTP2Frame(.window, HTTP2Frame.word(0x7FFF_FFFF)),
      ]),
    Attack("a window that opens by nothing", endsWith: protocolError, [HTTP2Frame(.window, HTTP2Frame.word(0))]),
    Attack("an initial window beyond the largest", endsWith: flowControl, [.settings([(id: 4, value: 0xFFFF_FFFF)])]),
    Attack("a frame size below the smallest", endsWith: protocolError, [.settings([(id: 5, value: 1)])]),
    Attack("a ping of the wrong length", endsWith: sizeError, [HTTP2Frame(.ping, [1, 2, 3])]),
    Attack(
      "a compressed field that is not in the table", endsWith: compression,
      [
        HTTP2Frame(.headers, flags: HTTP2Frame.endHeaders, stream: 1, [0xFF, 0xFF, 0x7F])
      ]),
    Attack("a push from a client", endsWith: protocolError, [HTTP2Frame(.push, stream: 1, HTTP2Frame.word(2))]),
    Attack(
      "another frame within a header", endsWith: protocolError,
      [
        HTTP2Frame(.headers, stream: 1, HTTP2Frame.block(HTTP2Frame.requestFields)),
        HTTP2Frame(.ping, [UInt8](repeating: 0, count: 8)),
      ]),
  ]

  @Test("an attack ends its connection with the code that fits", arguments: attacks)
  func ends(_ attack: Attack) {
    let peer = ConnectionHarness()
    for frame in attack.frames { peer.send([frame]) }
    let goaway = peer.goaway()
    #expect(goaway?.code == attack.code, "\(goaway?.text ?? "no GOAWAY")")
    #expect(peer.connection.isOver)
    #expect(peer.events.count <= 1100)
  }

  @Test("a request too many is refused alone, and what was under way of it is read past")
  func oneTooMany() {
    let peer = ConnectionHarness()
    for place in 0..<300 {
      let stream = Int32(2 * place + 1)
      peer.send([.request(stream)])
      if place >= 256 { peer.send([HTTP2Frame(.data, stream: stream, [1])]) }
    }
    let answers = peer.output()
    let refusals = answers.filter { $0.kind == HTTP2Frame.Kind.reset.rawValue }
    #expect(refusals.map(\.stream) == (256..<300).map { Int32(2 * $0 + 1) })
    #expect(refusals.allSatisfy { $0.payload == HTTP2Frame.word(7) })
    #expect(!peer.connection.isOver && peer.connection.openStreams == 256)
  }

  @Test("the settings say how many requests may be open")
  func settings() throws {
    let peer = ConnectionHarness(greets: false)
    let first = try #require(peer.output().first)
    #expect(first.kind == 4 && first.payload.prefix(6) == [0, 3, 0, 0, 1, 0])
  }

  @Test("frames of kinds that nobody knows change nothing")
  func ignored() {
    let peer = ConnectionHarness()
    peer.send([.request(5)] + Self.many(2000) { _ in [HTTP2Frame(kind: 0x42, stream: 0)] })
    #expect(peer.events.count == 1)
    #expect(peer.connection.openStreams == 1)
    #expect(peer.output() == [])
  }

  @Test("the end of a flood of pings says what was too many")
  func reason() {
    let peer = ConnectionHarness()
    let ping = HTTP2Frame(.ping, [UInt8](repeating: 0, count: 8))
    for _ in 0..<2000 {
      peer.send([ping])
      if !peer.connection.isOver { _ = peer.output() }
    }
    #expect(peer.goaway()?.text == "too_many_pings")
  }

  @Test("resets that the server is made to send count as the client's own")
  func provokedResets() {
    let peer = ConnectionHarness()
    var requests = 0
    var answers: [HTTP2Frame] = []
    while requests < 2000, !peer.connection.isOver {
      let stream = Int32(2 * requests + 1)
      // The window of the request's stream overflows, which ends that stream.
      peer.send([.request(stream, ends: true), HTTP2Frame(.window, stream: stream, HTTP2Frame.word(0x7FFF_FFFF))])
      answers += peer.output()
      requests += 1
    }
    #expect(requests <= 501)
    #expect(answers.count { $0.kind == HTTP2Frame.Kind.reset.rawValue } == requests)
    #expect(answers.last?.kind == HTTP2Frame.Kind.goaway.rawValue)
    #expect(peer.connection.fault?.description == "too_many_resets")
  }

  @Test("a client that reads nothing, and asks for what has to be answered at once, is not waited for")
  func unreadRefusals() {
    let peer = ConnectionHarness(greets: false)
    peer.send(HTTP2Frame.preface)
    peer.send([.settings()])
    _ = peer.output()
    // It acknowledges no settings, so it might not know how many requests may be open.
    for place in 0..<256 { peer.send([.request(Int32(2 * place + 1))]) }
    var refused = 0
    while refused < 100_000, !peer.connection.isOver {
      peer.send([HTTP2Frame(.headers, flags: HTTP2Frame.endHeaders, stream: Int32(2 * (256 + refused) + 1))])
      refused += 1
    }
    #expect(refused < 600)
    #expect(peer.goaway()?.text == "too_many_resets")
  }

  @Test(
    "a header or trailer that expands a hundredfold ends the connection before it is read to its end",
    arguments: [false, true])
  func headerBomb(isTrailer: Bool) throws {
    let peer = ConnectionHarness()
    // One entry of nearly the whole table, and then a byte each to name it again.
    let entry = [UInt8(0x40)] + HTTP2Frame.block([("bomb", String(repeating: "x", count: 3900))]).dropFirst()
    let bomb = entry + [UInt8](repeating: 0xBE, count: 9000)
    if isTrailer { peer.send([.request(1)]) }
    let block = isTrailer ? bomb : HTTP2Frame.block(HTTP2Frame.requestFields) + bomb
    peer.send([
      HTTP2Frame(.headers, flags: HTTP2Frame.endHeaders | HTTP2Frame.endStream, stream: 1, block), .request(3),
    ])
    #expect(peer.connection.isOver)
    #expect(peer.events.count == (isTrailer ? 1 : 0))
    #expect(peer.goaway()?.text == "header_too_long")
  }

  @Test("a client that reads answers may ping, and one that gets answers may cancel")
  func honest() {
    let peer = ConnectionHarness()
    let ping = HTTP2Frame(.ping, [UInt8](repeating: 0, count: 8))
    for number in 0..<3000 {
      let stream = Int32(4 * number + 1)
      peer.send([.request(stream, ends: true)])
      peer.connection.answer(stream, HeaderList([":status": "200"]))
      peer.connection.send([1], to: stream)
      _ = peer.output()
      peer.send([ping, HTTP2Frame(.reset, stream: stream, HTTP2Frame.word(8))])
      peer.send([.request(stream + 2, ends: true), HTTP2Frame(.reset, stream: stream + 2, HTTP2Frame.word(8))])
      _ = peer.output()
    }
    #expect(peer.connection.fault == nil)
  }

  @Test("time makes up for idle frames")
  func budgetRefills() {
    let peer = ConnectionHarness()
    let ping = HTTP2Frame(.ping, [UInt8](repeating: 0, count: 8))
    for _ in 0..<3000 {
      peer.send([ping])
      _ = peer.output()
      peer.pass(.milliseconds(100))
    }
    #expect(peer.connection.fault == nil)
  }
}
