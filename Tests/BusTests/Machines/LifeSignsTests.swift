import Base
import Bus
import RPC
import Testing

/// Who is pinged how often, and when a silent peer is given up.
@Suite struct LifeSignsTests {
  private typealias Harness = RouterHarness

  /// How many pings the worker gets in a minute, when it answers each.
  private func pings(_ harness: inout Harness, in duration: Duration) -> Int {
    var count = 0
    for _ in 0..<Int(duration / .milliseconds(250)) {
      harness.step()
      let pings = harness.take(.ping, for: Harness.worker).count
      count += pings
      for _ in 0..<pings { harness.send(Envelope(.pong), from: Harness.worker) }
      for _ in harness.take(.ping, for: Harness.client) { harness.send(Envelope(.pong), from: Harness.client) }
    }
    return count
  }

  @Test("a worker without calls is pinged every few seconds, and one with a call twice a second")
  func pace() {
    var harness = Harness.running()
    let idle = pings(&harness, in: .seconds(60))
    #expect(idle >= 6 && idle <= 12, "\(idle)")
    harness.open(1, remaining: 100_000)
    let busy = pings(&harness, in: .seconds(60))
    #expect(busy >= 118, "\(busy)")
    #expect(harness.outcomes().isEmpty)
  }

  @Test("a gateway pings all idle peers in the same turn, whenever they came")
  func together() {
    var harness = Harness()
    harness.greetAsWorker()
    harness.pass(.milliseconds(1300))
    harness.greetAsClient()
    for step in 0..<240 {
      harness.step()
      let (worker, client) = (harness.take(.ping, for: Harness.worker), harness.take(.ping, for: Harness.client))
      // The one that came first may be pinged once before the other has been silent for long.
      if step >= 40 { #expect(worker.count == client.count) }
      for _ in worker { harness.send(Envelope(.pong), from: Harness.worker) }
      for _ in client { harness.send(Envelope(.pong), from: Harness.client) }
    }
  }

  @Test(
    "a worker is pinged every few seconds while all it has are streams of answers, or long ones in both directions",
    arguments: [RouterHarness.watch, RouterHarness.converse], [RouterHarness.change, RouterHarness.converse])
  func workersStreams(stream: MethodDescriptor, call: MethodDescriptor) {
    var harness = Harness.running(slots: 2)
    harness.open(1, stream, remaining: 600_000)
    let silent = pings(&harness, in: .seconds(60))
    #expect(silent >= 6 && silent <= 14, "\(silent)")
    harness.open(2, call, remaining: call == Harness.converse ? 599_000 : 600_000)
    let busy = pings(&harness, in: .seconds(60))
    #expect(busy >= 118, "\(busy)")
  }

  @Test("the router says when the health of its services may have changed, and is quiet otherwise")
  func health() {
    var harness = Harness()
    var seen = harness.router.healthChanges
    func changed(_ harness: borrowing Harness, _ seen: inout UInt64) -> Bool {
      defer { seen = harness.router.healthChanges }
      return seen != harness.router.healthChanges
    }
    harness.greetAsWorker()
    #expect(changed(harness, &seen), "a worker came")
    harness.greetAsClient()
    _ = pings(&harness, in: .seconds(30))
    #expect(!changed(harness, &seen), "a client came, and nothing happened")
    harness.open(1, remaining: 600_000)
    for _ in 0..<6 { harness.step() }
    #expect(changed(harness, &seen), "a ping went unanswered")
    harness.send(Envelope(.pong), from: Harness.worker)
    for _ in 0..<3 { harness.step() }
    #expect(changed(harness, &seen), "the worker answers again")
    harness.send(Envelope(.goaway), from: Harness.worker)
    #expect(changed(harness, &seen), "the worker will leave")
    harness.send(Envelope(.bye), from: Harness.worker)
    #expect(changed(harness, &seen), "the worker left")
    harness.router.drain(at: harness.now)
    #expect(changed(harness, &seen), "the router drains")
  }

  @Test("who was told between two looks that a worker is late hears of it when the worker answers")
  func lateBetweenLooks() throws {
    var harness = Harness.running()
    var isLate = false
    for _ in 0..<80 where !isLate {
      harness.step()
      isLate = try #require(harness.router.snapshot(at: harness.now).instances.first).isSuspect
    }
    #expect(isLate)
    let told = harness.router.healthChanges
    harness.send(Envelope(.pong), from: Harness.worker)
    for _ in 0..<3 { harness.step() }
    #expect(harness.router.healthChanges == told + 1)
    #expect(try #require(harness.router.snapshot(at: harness.now).instances.first).isSuspect == false)
  }

  @Test("the first notices that a worker's PONG has are told of its instance, until it has none")
  func notices() throws {
    var harness = Harness.running()
    func told(_ notices: [String]) throws -> [String] {
      var pong = Envelope(.pong)
      pong.extra = Envelope.Extra(load: Load(notices: notices))
      harness.send(pong, from: Harness.worker)
      return try #require(harness.router.snapshot(at: harness.now).instances.first).notices
    }
    #expect(try told(["data: a problem"]) == ["data: a problem"])
    #expect(
      try told(Array(repeating: String(repeating: "x", count: 300), count: 20)).map(\.count)
        == Array(repeating: 200, count: 8))
    #expect(try told([]) == [])
  }

  @Test("a worker that answers each ping is never late, whenever it is looked at")
  func neverLate() throws {
    var harness = Harness.running()
    for round in 0..<400 {
      let asked = [Harness.worker, Harness.client].map { ($0, harness.take(.ping, for: $0).count) }
      // So the router looks up to a quarter of a second late, and an answer takes as long.
      if round % 7 == 3 { harness.jump(.milliseconds(110)) }
      harness.step()
      #expect(try #require(harness.router.snapshot(at: harness.now).instances.first).isSuspect == false)
      for (peer, count) in asked { for _ in 0..<count { harness.send(Envelope(.pong), from: peer) } }
    }
  }

  @Test("a worker that comes for a waiting call of this process and falls silent is given up as soon as any other")
  func silentNewcomer() {
    let caller = Peer(door: .local, link: 7)
    var harness = Harness()
    harness.greetAsClient(caller, credentials: .service(named: "gateway"))
    harness.pass(.seconds(8))
    harness.open(1, Harness.change, from: caller, remaining: 100_000, waitsForReady: true)
    harness.pass(.seconds(7))
    harness.greetAsWorker()
    #expect(harness.opened().count == 1)
    harness.pass(.milliseconds(2250), silent: [Harness.worker])
    #expect(harness.outcomes(at: caller).map(\.statusCode) == [.unavailable])
  }

  /// Whether the worker counts as stuck after a time in which it answers pings and makes no progress.
  private func isStuck(_ harness: inout Harness, after duration: Duration, busy: UInt32) -> Bool {
    for _ in 0..<Int(duration / .milliseconds(250)) {
      harness.step()
      for _ in harness.take(.ping, for: Harness.worker) {
        var pong = Envelope(.pong)
        pong.extra = Envelope.Extra(load: Load(busy: busy))
        harness.send(pong, from: Harness.worker)
      }
      for _ in harness.take(.ping, for: Harness.client) { harness.send(Envelope(.pong), from: Harness.client) }
    }
    return harness.router.snapshot(at: harness.now).instances[0].isWedged
  }

  @Test("a worker is stuck when a call makes no progress for ten seconds, not when it is idle or has silent streams")
  func stuck() {
    var harness = Harness.running(slots: 2)
    #expect(!isStuck(&harness, after: .seconds(61), busy: 0))
    harness.open(1, Harness.watch, remaining: 600_000)
    #expect(!isStuck(&harness, after: .seconds(61), busy: 1))
    harness.open(2, remaining: 600_000)
    let before = harness.router.healthChanges
    #expect(!isStuck(&harness, after: .seconds(9), busy: 1))
    #expect(harness.router.healthChanges == before)
    #expect(isStuck(&harness, after: .seconds(2), busy: 1))
    #expect(harness.router.healthChanges == before + 1)
  }

  @Test(
    "a caller is pinged twice a second while it waits for an outcome, and not for a silent stream of answers",
    arguments: [RouterHarness.change, RouterHarness.upload, RouterHarness.converse],
    [RouterHarness.watch, RouterHarness.converse])
  func streams(method: MethodDescriptor, stream: MethodDescriptor) {
    var harness = Harness.running()
    harness.open(1, stream, remaining: 600_000)
    let silent = callerPings(&harness, in: .seconds(60))
    #expect(silent >= 6 && silent <= 14, "\(silent)")
    harness.open(2, method, remaining: 599_000)
    let waiting = callerPings(&harness, in: .seconds(60))
    #expect(waiting >= 118, "\(waiting)")
    #expect(harness.outcomes().isEmpty)
  }

  private func callerPings(_ harness: inout Harness, in duration: Duration) -> Int {
    var count = 0
    for _ in 0..<Int(duration / .milliseconds(250)) {
      harness.step()
      for _ in harness.take(.ping, for: Harness.worker) { harness.send(Envelope(.pong), from: Harness.worker) }
      let pings = harness.take(.ping, for: Harness.client).count
      count += pings
      for _ in 0..<pings { harness.send(Envelope(.pong), from: Harness.client) }
    }
    return count
  }

  @Test("a worker that was silent without calls is given the usual time when it gets one")
  func idleBefore() {
    var harness = Harness.running()
    for _ in 0..<18 { harness.step() }
    harness.send(Envelope(.pong), from: Harness.client)
    harness.open(1, Harness.change, remaining: 100_000)
    for _ in 0..<5 { harness.step() }
    #expect(harness.outcomes().isEmpty)
    harness.send(Envelope(.pong), from: Harness.client)
    for _ in 0..<5 { harness.step() }
    #expect(harness.outcomes().map(\.statusCode) == [.unavailable])
  }

  @Test("when a connection is gone, all peers are pinged at once")
  func probe() {
    var harness = Harness.running()
    for _ in 0..<3 { harness.step() }
    _ = harness.take(for: Harness.worker)
    harness.router.probe(at: harness.now)
    for _ in 0..<2 { harness.step() }
    #expect(harness.take(.ping, for: Harness.worker).count == 1)
    #expect(harness.take(.ping, for: Harness.client).count == 1)
  }
}
