import Base
import Bus
import RPC
import Testing

/// What a gateway has only so much of, and how much of it each key and each caller gets.
@Suite struct RouterShareTests {
  private typealias Harness = RouterHarness

  private func open(
    _ call: UInt64, weighing count: Int, from peer: Peer, for caller: CallerIdentity? = nil, in harness: inout Harness
  ) {
    var envelope = Envelope(.open, call: call)
    envelope.method = Harness.get.path
    envelope.remainingMilliseconds = 10_000
    envelope.carriesMessage = true
    envelope.payload = [UInt8](repeating: 1, count: count)
    envelope.extra = caller.map { Envelope.Extra(caller: $0) }
    harness.send(envelope, from: peer)
  }

  @Test("one key gets no more than half of the memory of waiting calls, however many sessions it has")
  func sharesPerKey() {
    var configuration = RouterConfiguration()
    configuration.waitingByteLimit = 1_000_000
    var harness = Harness.running(configuration)
    // The only slot is taken: all others wait.
    harness.open(1)
    let key = PeerCredentials.client(CallerIdentity(kind: .person, tenant: "t", subject: "greedy"), keyNumber: 7)
    for link in 200..<210 as Range<UInt64> {
      let peer = Peer(door: .clients, link: link)
      harness.greetAsClient(peer, instance: "greedy \(link)", credentials: key)
      for call in 1...10 as ClosedRange<UInt64> { open(call, weighing: 20_000, from: peer, in: &harness) }
    }
    let weight = harness.router.snapshot(at: harness.now).waitingBytes
    #expect(weight > 400_000 && weight <= 520_000)
    _ = harness.outcomes()
    let honest = Peer(door: .clients, link: 300)
    let other = PeerCredentials.client(CallerIdentity(kind: .person, tenant: "t", subject: "honest"), keyNumber: 8)
    harness.greetAsClient(honest, instance: "honest", credentials: other)
    open(1, weighing: 60_000, from: honest, in: &harness)
    #expect(harness.outcomes(at: honest).isEmpty)
  }

  @Test("a session that speaks for many callers gives none of them more of its share than is free of it")
  func sharesPerCaller() throws {
    var configuration = RouterConfiguration()
    configuration.waitingByteLimit = 1_000_000
    var harness = Harness.running(configuration)
    // The only slot is taken: all others wait.
    harness.open(1)
    let running = try #require(harness.opened().first).call
    let door = Peer(door: .services, link: 200)
    harness.greetAsClient(door, instance: "door", credentials: .service(named: "gateway"))
    let greedy = CallerIdentity(kind: .device, tenant: "t", subject: "greedy")
    for call in 1...50 as ClosedRange<UInt64> { open(call, weighing: 20_000, from: door, for: greedy, in: &harness) }
    let weight = harness.router.snapshot(at: harness.now).waitingBytes
    #expect(weight > 200_000 && weight <= 260_000)
    let refused = harness.outcomes(at: door)
    #expect(refused.count == 38 && refused.allSatisfy { $0.statusCode == .resourceExhausted })
    // What is streamed to nobody yet counts like a request.
    let honest = CallerIdentity(kind: .device, tenant: "t", subject: "honest")
    for (call, caller) in [(51, greedy), (52, honest)] as [(UInt64, CallerIdentity)] {
      harness.open(call, Harness.upload, from: door, caller: caller)
      var chunk = Envelope(.data, call: call)
      chunk.payload = [UInt8](repeating: 1, count: 60_000)
      harness.send(chunk, from: door)
    }
    open(53, weighing: 60_000, from: door, for: honest, in: &harness)
    #expect(harness.outcomes(at: door).map(\.call) == [51])
    #expect(harness.router.faults(atRest: false) == [])
    harness.answer(running, credit: 2)
    harness.send(Envelope(.bye), from: door)
    #expect(harness.router.faults(atRest: true) == [])
  }

  @Test("one key gets no more than half of the sessions")
  func sessionsPerKey() {
    var configuration = RouterConfiguration()
    configuration.sessionLimit = 20
    var harness = Harness(configuration)
    let key = PeerCredentials.client(CallerIdentity(kind: .person, tenant: "t", subject: "greedy"), keyNumber: 7)
    for link in 200..<230 as Range<UInt64> {
      harness.greetAsClient(Peer(door: .clients, link: link), instance: "greedy \(link)", credentials: key)
    }
    #expect(harness.router.snapshot(at: harness.now).clients == 10)
    harness.greetAsClient()
    #expect(harness.session(of: Harness.client) != 0)
  }

  @Test("a process whose key has as many sessions as it may begins again, and no other process takes its place")
  func sessionsBeginAgain() {
    var configuration = RouterConfiguration()
    configuration.sessionLimit = 8
    var harness = Harness(configuration)
    let key = PeerCredentials.client(CallerIdentity(kind: .device, tenant: "t", subject: "kiosk"), keyNumber: 7)
    for link in 200..<204 as Range<UInt64> {
      harness.greetAsClient(Peer(door: .clients, link: link), instance: "kiosk \(link)", credentials: key)
    }
    // It asks again because the answer took long.
    let first = Peer(door: .clients, link: 200)
    harness.greetAsClient(first, instance: "kiosk 200", credentials: key)
    #expect(harness.take(for: first).map(\.kind) == [.helloAck, .helloAck])
    // Its connection broke, which the gateway has not noticed yet.
    let again = Peer(door: .clients, link: 300)
    harness.greetAsClient(again, instance: "kiosk 200", epoch: 2, credentials: key)
    #expect(harness.take(for: again).map(\.kind) == [.helloAck])
    #expect(harness.router.snapshot(at: harness.now).clients == 4)
    let other = Peer(door: .clients, link: 301)
    harness.greetAsClient(other, instance: "kiosk 301", credentials: key)
    #expect(harness.take(for: other).map(\.statusCode) == [.resourceExhausted])
  }
}
