import Base
import HTTP2
import Testing

struct HTTP2ConnectionTests {
  private let header = HeaderList([":status": "200"])
  private let trailer = HeaderList(["grpc-status": "0"])

  @Test("a request comes as events, and its answer goes out as header, body and trailer")
  func requestAndAnswer() throws {
    let peer = ConnectionHarness()
    peer.send([.request(1), HTTP2Frame(.data, flags: HTTP2Frame.endStream, stream: 1, [1, 2, 3])])
    let events = peer.events
    guard case .request(1, let fields, ends: false) = events.first else { throw Unexpected(events) }
    #expect(fields[":path"] == "/a.B/C")
    #expect(Array(events.dropFirst()) == [.body(stream: 1, [1, 2, 3]), .ended(stream: 1)])
    peer.connection.answer(1, header)
    peer.connection.send([4, 5], to: 1)
    peer.connection.send([6], to: 1)
    peer.connection.finish(1, trailer)
    let frames = peer.output()
    #expect(frames.map(\.kind) == [1, 0, 1])
    #expect(peer.fields(frames[0]) == [":status": "200"])
    #expect(frames[1].payload == [4, 5, 6])
    #expect(peer.fields(frames[2]) == ["grpc-status": "0"])
    #expect(frames[2].flags & HTTP2Frame.endStream != 0)
    #expect(peer.events == [.sent(stream: 1, 3), .closed(stream: 1, code: 0)])
    #expect(peer.connection.openStreams == 0)
  }

  @Test("an answer without a body is one header")
  func headerOnly() {
    let peer = ConnectionHarness()
    peer.send([.request(1, ends: true)])
    peer.connection.answer(1, header, isWhole: true)
    let frames = peer.output()
    #expect(frames.map(\.kind) == [1])
    #expect(frames[0].flags & HTTP2Frame.endStream != 0)
  }

  @Test("a body that comes in pieces goes on where it stopped")
  func bodyInPieces() {
    let peer = ConnectionHarness()
    peer.send([.request(1, ends: true)])
    peer.connection.answer(1, header)
    #expect(peer.output().map(\.kind) == [1])
    for byte in UInt8(0)..<3 {
      peer.connection.send([byte], to: 1)
      #expect(peer.output().map(\.payload) == [[byte]])
    }
    peer.connection.finish(1, trailer)
    #expect(peer.output().map(\.kind) == [1])
  }

  @Test("a long answer whose end the client leaves unread is not kept whole")
  func kept() {
    let peer = ConnectionHarness()
    peer.send([.request(1, ends: true)])
    peer.connection.answer(1, header)
    // The window of a connection that nobody has opened further.
    let window = 65_535
    peer.connection.send([UInt8](repeating: 7, count: window + 100), to: 1)
    #expect(peer.connection.kept(of: 1) == window + 100)
    _ = peer.output()
    #expect(peer.connection.kept(of: 1) < 100 + ByteQueue.piece)
  }

  @Test("an answer is sent as far as the client's window goes, and counted as it is sent")
  func clientsWindow() {
    let peer = ConnectionHarness(settings: [(id: 4, value: 0)])
    peer.send([.request(1, ends: true)])
    _ = peer.events
    peer.connection.answer(1, header)
    peer.connection.send([UInt8](repeating: 7, count: 100), to: 1)
    peer.connection.finish(1, trailer)
    #expect(peer.output().map(\.kind) == [1])
    #expect(peer.events == [])
    peer.send([HTTP2Frame(.window, stream: 1, HTTP2Frame.word(30))])
    #expect(peer.output().map(\.payload.count) == [30])
    #expect(peer.events == [.sent(stream: 1, 30)])
    peer.send([HTTP2Frame(.window, stream: 1, HTTP2Frame.word(1000))])
    #expect(peer.output().map(\.kind) == [0, 1])
    #expect(peer.events == [.sent(stream: 1, 70), .closed(stream: 1, code: 0)])
  }

  @Test("a client may send no more than the window until its bytes are consumed")
  func serversWindow() {
    var limits = HTTP2Limits()
    limits.streamWindow = 1000
    let peer = ConnectionHarness(limits)
    let piece = HTTP2Frame(.data, stream: 1, [UInt8](repeating: 0, count: 500))
    peer.send([.request(1), piece, piece])
    #expect(peer.output() == [], "nothing was consumed, so no window opens")
    peer.connection.consume(1000, of: 1)
    let windows = peer.output()
    #expect(windows.map(\.kind) == [8])
    #expect(windows.first?.stream == 1)
    peer.send([piece, piece, piece])
    #expect(peer.output().map(\.kind) == [3], "a byte beyond the window resets the stream")
  }

  @Test("what a stream leaves unread when it ends is given back to the others")
  func windowOfTheConnection() {
    var limits = HTTP2Limits()
    limits.streamWindow = 100_000
    limits.connectionWindow = 100_000
    let peer = ConnectionHarness(limits)
    let piece = HTTP2Frame(.data, stream: 1, [UInt8](repeating: 0, count: 16_000))
    peer.send([.request(1)] + [HTTP2Frame](repeating: piece, count: 5))
    #expect(peer.output() == [])
    peer.send([HTTP2Frame(.reset, stream: 1, HTTP2Frame.word(8))])
    let windows = peer.output()
    #expect(windows.map(\.stream) == [0])
    #expect(windows.first?.word(at: 0) == 80_000)
  }

  @Test("either side can give a stream up")
  func resets() {
    let peer = ConnectionHarness()
    peer.send([.request(1), .request(3)])
    _ = peer.events
    peer.send([HTTP2Frame(.reset, stream: 1, HTTP2Frame.word(8))])
    #expect(peer.events == [.closed(stream: 1, code: 8)])
    peer.connection.answer(3, header)
    peer.connection.send([1], to: 3)
    peer.connection.reset(3, .cancel)
    let frames = peer.output()
    #expect(frames.map(\.kind).contains(3))
    #expect(!frames.map(\.kind).contains(0))
    #expect(peer.events == [.closed(stream: 3, code: 8)])
    peer.connection.send([1], to: 3)
    peer.connection.finish(3, trailer)
    #expect(peer.output() == [])
  }

  @Test("a header that is too large is cut short, and the connection goes on")
  func largeHeader() throws {
    var limits = HTTP2Limits()
    limits.headerSize = 1000
    let peer = ConnectionHarness(limits)
    peer.send([.request(1, [("large", String(repeating: "x", count: 2000)), ("small", "x")], ends: true)])
    guard case .request(1, let fields, ends: true) = peer.events.first else { throw Unexpected([]) }
    #expect(fields.isCutShort)
    #expect(fields.size <= 1000)
    peer.send([.request(3, ends: true)])
    #expect(peer.events.count == 1)
  }

  @Test("an announced end lets requests under way in, a refusal of more does not")
  func goaway() {
    let peer = ConnectionHarness()
    peer.send([.request(1, ends: true)])
    peer.connection.announceEnd()
    let notice = peer.output().last
    #expect(notice?.kind == 7)
    #expect(notice?.word(at: 0) == UInt32(Int32.max))
    peer.send([.request(3, ends: true)])
    peer.connection.refuseMore()
    #expect(peer.output().last?.word(at: 0) == 3)
    peer.send([.request(5, ends: true)])
    let requests = peer.events.filter { if case .request = $0 { true } else { false } }
    #expect(requests.count == 2)
    #expect(!peer.connection.isOver)
    for stream: Int32 in [1, 3] { peer.connection.answer(stream, header, isWhole: true) }
    _ = peer.output()
    #expect(peer.connection.isOver)
    #expect(peer.connection.fault == nil)
  }

  @Test("pings are answered")
  func ping() {
    let peer = ConnectionHarness()
    peer.send([HTTP2Frame(.ping, [1, 2, 3, 4, 5, 6, 7, 8])])
    let answer = HTTP2Frame(.ping, flags: HTTP2Frame.ack, [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(peer.output() == [answer])
  }

  @Test("a client of another protocol is told apart")
  func otherProtocol() {
    let peer = ConnectionHarness(greets: false)
    peer.send(Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
    #expect(peer.connection.fault?.isOtherProtocol == true)
    #expect(peer.connection.isOver)
  }

  @Test("bytes may come one by one")
  func byteByByte() {
    let peer = ConnectionHarness(greets: false)
    let all = HTTP2Frame.preface + HTTP2Frame.settings().bytes + HTTP2Frame.request(1, ends: true).bytes
    for byte in all { peer.send([byte]) }
    #expect(peer.events.count == 1)
    #expect(!peer.connection.isOver)
  }
}

struct Unexpected: Error {
  let events: [HTTP2Event]

  init(_ events: [HTTP2Event]) {
    self.events = events
  }
}
