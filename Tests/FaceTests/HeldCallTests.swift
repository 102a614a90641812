import Base
import Face
import FaceTestKit
import HTTPFace
import InteropContract
import RPC
import TestSupport
import Testing
import Wire

/// Calls over HTTP that come when it is not known what was revoked meanwhile.
@Suite(.timeLimit(.minutes(1))) struct HeldCallTests {
  private let time = SteppedClock()

  private static func bench(_ news: RevocationNews) throws -> HTTPBench {
    var key = HTTPBench.OneKey()
    key.followsNews = true
    return try HTTPBench(key: key, news: news)
  }

  @Test("a call waits with its body until news has come, and is answered then", arguments: [1, 10_000])
  func waits(piece: Int) async throws {
    let news = RevocationNews(clock: time.clock)
    news.answerAll()
    let bench = try Self.bench(news)
    let call = HTTPBench.call("UnaryCall", "application/json")
    let body = HTTPBench.json(#"{"responseSize": 3}"#)
    #expect(await bench.answer(call, body).response.status == 200)
    time.advance(by: .seconds(5))
    let exchange = bench.desk.open(call)
    #expect(!exchange.wantsBody && exchange.take(body[...]) == 0 && exchange.response == nil)
    bench.doorway.deliver()
    #expect(!exchange.wantsBody)
    exchange.close(wasComplete: false)
    let hearing = Task {
      try await eventually("the call waits for news", news.isUnderWay)
      news.answerAll()
    }
    let (response, answer) = await bench.answer(call, body, pieces: piece)
    #expect(response.status == 200 && answer.text == #"{"payload":{"body":"AAAA"},"instance":"one"}"#)
    try await hearing.value
    // The one that was closed meanwhile was never made.
    #expect(bench.finished.count == 2)
  }

  @Test("a call goes on without news when none has come for a second, and a call with another credential never waits")
  func patience() async throws {
    let news = RevocationNews(clock: time.clock)
    news.answerAll()
    let bench = try Self.bench(news)
    time.advance(by: .seconds(5))
    let call = HTTPBench.call("EmptyCall", "application/json")
    let exchange = bench.desk.open(call)
    #expect(bench.doorway.heldUntil != nil)
    let health = HTTPBench.head("POST", "/grpc.health.v1.Health/Check", [("Content-Type", "application/json")])
    #expect(await bench.answer(health, HTTPBench.json("{}")).response.status == 200)
    let unknown = HTTPBench.head(
      "POST", "/grpc.health.v1.Health/Check",
      [("Content-Type", "application/json"), ("Authorization", "Bearer of-another-kind")])
    #expect(await bench.answer(unknown, HTTPBench.json("{}")).response.status == 401)
    bench.doorway.deliver()
    #expect(bench.doorway.heldUntil != nil)
    time.advance(by: .seconds(1))
    bench.doorway.deliver()
    #expect(bench.doorway.heldUntil == nil)
    #expect(exchange.take(HTTPBench.json("{}")[...]) == 2)
    exchange.endBody()
    while exchange.response == nil { await bench.news() }
    #expect(exchange.response?.status == 200)
    exchange.close(wasComplete: true)
  }
}
