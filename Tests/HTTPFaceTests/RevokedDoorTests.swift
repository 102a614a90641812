import Base
internal import Bus
import Face
import FaceTestKit
import HTTPFace
import InteropContract
import RPC
import Synchronization
import TestSupport
import Testing
import Wire

/// Keys that are removed and devices that are wiped, at a door with real sockets.
@Suite(.serialized, .timeLimit(.minutes(3))) struct RevokedDoorTests {
  @Test("a stream that is open ends when its key is removed or its device wiped", arguments: [false, true])
  func removedKey(isWiped: Bool) async throws {
    let isVoid = Mutex(false)
    let closed = ClosedCallers()
    let bench = try await DoorBench.start(closed: closed, isVoid: { isVoid.withLock { $0 } })
    let client = try bench.client()
    var request = StreamingOutputCallRequest()
    request.responseParameters = (0..<1400).map { _ in
      var parameters = ResponseParameters()
      (parameters.size, parameters.intervalUs) = (1, 20_000)
      return parameters
    }
    let stream = client.open("\(DoorClient.interop)/StreamingOutputCall")
    client.body(stream, [try request.encoded()])
    while let frame = client.next(), frame.kind != HTTP2Frame.Kind.data.rawValue { continue }
    let start = Clock.system.monotonic
    if isWiped {
      #expect(closed.wipe("kiosk", of: "acme"))
    } else {
      isVoid.withLock { $0 = true }
    }
    let answer = client.answer(stream)
    let rule = isWiped ? "device_wiped" : "key_unknown"
    #expect(answer.status == "\(StatusCode.unauthenticated.rawValue)" && answer.message?.contains(rule) == true)
    #expect(client.unary("\(DoorClient.interop)/EmptyCall").message?.contains(rule) == true)
    // Within a second; tests run on busy machines.
    #expect(Clock.system.monotonic - start < .seconds(10))
    try await bench.server.stop()
  }

  @Test("a call after a rest waits until news of revocations has come, or for a second", arguments: [true, false])
  func rest(comes: Bool) async throws {
    let time = SteppedClock()
    let news = RevocationNews(clock: time.clock)
    news.answerAll()
    let bench = try await DoorBench.start(news: news)
    let client = try bench.client()
    #expect(client.unary("\(DoorClient.interop)/EmptyCall").status == "0")
    time.advance(by: .seconds(5))
    let isTold = Mutex(false)
    let telling = Task {
      try await eventually("the call waits for news", news.isUnderWay)
      isTold.withLock { $0 = true }
      if comes { news.answerAll() } else { time.advance(by: .seconds(1)) }
    }
    #expect(client.unary("\(DoorClient.interop)/EmptyCall").status == "0" && isTold.withLock { $0 })
    try await telling.value
    #expect(client.unary("\(DoorClient.interop)/EmptyCall").status == "0")
    try await bench.server.stop()
  }

  @Test("while a call waits for news, others of its connection go on", .timeLimit(.minutes(1)))
  func besideRest() async throws {
    let (bench, news) = try await atRest()
    let client = try bench.client()
    let held = client.open("\(DoorClient.interop)/EmptyCall")
    client.body(held, [[]])
    let refused = client.open("\(DoorClient.interop)/EmptyCall", token: nil)
    client.body(refused, [[]])
    #expect(client.answer(refused).status == "\(StatusCode.unauthenticated.rawValue)")
    #expect(news.isUnderWay)
    news.answerAll()
    #expect(client.answer(held).status == "0")
    try await bench.server.stop()
  }

  @Test(
    "a client that gives its call up, or goes away, while the call waits for news makes none", arguments: [true, false])
  func goneAtRest(isReset: Bool) async throws {
    let (bench, news) = try await atRest()
    var client = Optional(try bench.client())
    // Its requests never end: one that was made would stay open.
    let held = client?.open("\(DoorClient.interop)/StreamingInputCall") ?? 0
    try await eventually("the call waits for news", news.isUnderWay)
    let refused = client?.open("\(DoorClient.interop)/EmptyCall", token: nil) ?? 0
    client?.body(refused, [[]])
    if isReset {
      client?.send([HTTP2Frame(.reset, stream: held, [0, 0, 0, 8])])
      // The answer to its ping tells that the reset was read.
      _ = client?.windows(of: held)
    } else {
      client = nil
      try await eventually("its connection ends", bench.reports.ends) { $0 > 0 }
    }
    news.answerAll()
    #expect(try bench.client().unary("\(DoorClient.interop)/EmptyCall").status == "0")
    try await bench.untilOpenCalls { $0 == 0 }
    #expect(!bench.reports.calls.contains { $0.path.hasSuffix("/StreamingInputCall") })
    try await bench.server.stop()
  }

  /// A door whose gateway has not asked for revocations for long.
  private func atRest() async throws -> (bench: DoorBench, news: RevocationNews) {
    let time = SteppedClock()
    let news = RevocationNews(clock: time.clock)
    news.answerAll()
    time.advance(by: .seconds(5))
    return (try await DoorBench.start(news: news), news)
  }
}
