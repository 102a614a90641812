import Base
import Bus
import RPC
import Testing

@Suite struct RouterDoorTests {
  private typealias Harness = RouterHarness

  @Test("the caller is what the key says, whatever the message claims")
  func identityIsVerified() throws {
    var harness = Harness.running(slots: 2)
    let claimed = CallerIdentity(kind: .operator, tenant: "other", subject: "root")
    harness.open(1, Harness.get, caller: claimed)
    #expect(harness.opened().first?.extra?.caller == CallerIdentity(kind: .person, tenant: "t", subject: "s"))
    for call: UInt64 in 2...3 { harness.open(call, Harness.admin, caller: claimed) }
    #expect(harness.outcomes().map(\.statusCode) == [.permissionDenied])
  }

  @Test("whoever takes the number of a lost connection with another key gets nothing of its session")
  func numberTaken() {
    let (caller, thief) = (Peer(door: .clients, link: 7, key: 1), Peer(door: .clients, link: 7, key: 2))
    for isThief in [false, true] {
      var harness = Harness.running(slots: 2)
      let victim = CallerIdentity(kind: .operator, tenant: "", subject: "root")
      harness.greetAsClient(caller, instance: "victim", credentials: .client(victim))
      harness.verify(thief, as: .client(.stranger))
      let number = harness.session(of: caller)
      var open = Envelope(.open, call: 1)
      (open.method, open.remainingMilliseconds, open.carriesMessage) = (Harness.admin.path, 10_000, true)
      _ = harness.router.takeEvents()
      harness.send(open, from: isThief ? thief : caller, session: number)
      let taken = harness.opened()
      #expect(taken.map { $0.extra?.caller } == (isThief ? [] : [victim]))
      #expect(harness.router.knows(caller) != isThief)
      guard isThief else { continue }
      #expect(harness.take(for: thief).map(\.kind) == [.helloRequest])
      let ended = harness.router.takeEvents().map(\.event)
      #expect(ended == [.sessionEnded(session: number, instance: "victim", reason: .unreachable)])
    }
  }

  @Test("whoever takes the number of a lost worker with another key answers none of its calls, and gets none")
  func workersNumberTaken() {
    let (worker, thief) = (Peer(door: .services, link: 8, key: 3), Peer(door: .services, link: 8, key: 4))
    var harness = Harness()
    harness.greetAsWorker(worker, slots: 2)
    harness.greetAsClient()
    harness.verify(thief, as: .service(named: "renderer"))
    harness.open(1, Harness.change)
    let given = harness.opened(at: worker)
    #expect(given.count == 1)
    var forged = Envelope(.status, call: given.first?.call ?? 0)
    forged.statusCode = .ok
    harness.send(forged, from: thief, session: harness.session(of: worker))
    #expect(harness.outcomes().map(\.statusCode) == [.unavailable])
    harness.open(2, Harness.get)
    #expect(harness.take(.open, for: thief).isEmpty && harness.take(.open, for: worker).isEmpty)
    // Nor by the greeting of the one whose number it has.
    harness.greetAsWorker(worker, epoch: 2, slots: 2)
    #expect(harness.opened(at: worker).count == 1)
    let number = harness.session(of: worker)
    harness.greetAsWorker(thief, epoch: 2, slots: 2, credentials: .service(named: "renderer"))
    #expect(harness.session(of: thief) != number && !harness.take(.helloAck, for: thief).isEmpty)
  }

  @Test("a message that cannot be read charges no session of another key, and neither does a removed key")
  func numberTakenUnreadably() {
    let (caller, thief) = (Peer(door: .clients, link: 7, key: 1), Peer(door: .clients, link: 7, key: 2))
    var harness = Harness.running()
    harness.greetAsClient(caller, instance: "victim")
    _ = harness.take(for: caller)
    harness.change { router, now in
      let isCharged = router.noteUnreadable(from: thief, why: "a test", at: now)
      #expect(!isCharged)
      router.revoke(thief, at: now)
    }
    #expect(harness.take(for: caller).isEmpty && harness.take(for: thief).isEmpty)
  }

  @Test("operators hear of calls that are denied at the gateway, with who called what; of others they hear nothing")
  func denialsAreReported() {
    var harness = Harness.running(slots: 2)
    _ = harness.router.takeEvents()
    harness.open(1, Harness.get)
    for call: UInt64 in 2...3 { harness.open(call, Harness.admin) }
    let caller = CallerIdentity(kind: .person, tenant: "t", subject: "s")
    #expect(
      harness.router.takeEvents().map(\.event) == [
        .callDenied(instance: "client", key: "t/s", caller: caller, method: Harness.admin.path)
      ])
  }

  @Test("the first attempt in a minute goes on to the service, which puts it on record; others end at the gateway")
  func denialsReachTheLog() {
    var harness = Harness.running(slots: 9)
    let operated = Harness.method("Operate", .unary, .noSideEffects, permissions: [MethodPermission([.operator])])
    for call: UInt64 in 1...3 { harness.open(call, Harness.admin) }
    #expect(harness.opened().map(\.method) == [Harness.admin.path])
    #expect(harness.outcomes().map(\.statusCode) == [.permissionDenied, .permissionDenied])
    // Somebody else, and the same person in another tenant.
    for (link, tenant, subject) in [(101, "t", "eve"), (102, "u", "s")] {
      let peer = Peer(door: .clients, link: UInt64(link))
      let caller = CallerIdentity(kind: .person, tenant: tenant, subject: subject)
      harness.greetAsClient(peer, instance: "client-\(link)", credentials: .client(caller))
      for call: UInt64 in 1...2 { harness.open(call, Harness.admin, from: peer) }
      #expect(harness.opened().count == 1, "\(subject) of \(tenant)")
    }
    harness.pass(.seconds(61))
    for call: UInt64 in 4...5 { harness.open(call, Harness.admin) }
    #expect(harness.opened().count == 1)
    // What counts nowhere but at the gateway is refused there.
    let caller = CallerIdentity(kind: .person, tenant: "t", subject: "s")
    #expect(!caller.isDeniedByService(of: operated))
    #expect(!CallerIdentity.stranger.isDeniedByService(of: Harness.admin))
  }

  @Test("an attempt that is refused for load is not the one of its minute that reaches the log")
  func refusedForLoad() {
    let caller = CallerIdentity(kind: .person, tenant: "t", subject: "s")
    var attempts = DeniedAttempts()
    func time(_ nanoseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: nanoseconds) }
    let first = attempts.handsOver(caller, Harness.admin, at: time(1))
    attempts.takeBack(caller, Harness.admin, at: time(1))
    let second = attempts.handsOver(caller, Harness.admin, at: time(2))
    // One that was handed over before stays so, whatever becomes of later ones.
    attempts.takeBack(caller, Harness.admin, at: time(3))
    let third = attempts.handsOver(caller, Harness.admin, at: time(4))
    #expect(first && second && !third)

    // One runs and two wait: the caller's share of the queue is full.
    var configuration = RouterConfiguration()
    configuration.waitingLimitPerService = 4
    var harness = Harness.running(slots: 1, prefetch: 0, configuration)
    for call: UInt64 in 1...3 { harness.open(call) }
    harness.open(4, Harness.admin)
    #expect(harness.outcomes().map(\.statusCode) == [.resourceExhausted])
    for call: UInt64 in 2...3 { harness.send(Envelope(.cancel, call: call), from: Harness.client) }
    _ = harness.outcomes()
    for call: UInt64 in 5...6 { harness.open(call, Harness.admin) }
    let refused = harness.outcomes()
    #expect(refused.map(\.call) == [6] && refused.map(\.statusCode) == [.permissionDenied])
  }

  @Test("a call that came before its service is denied, and reported, once the service has announced itself")
  func earlyDenialsAreReported() {
    var harness = Harness()
    harness.greetAsClient()
    for call: UInt64 in 1...2 { harness.open(call, Harness.admin) }
    _ = harness.router.takeEvents()
    harness.greetAsWorker(slots: 2)
    #expect(harness.outcomes().map(\.statusCode) == [.permissionDenied])
    let denied = harness.router.takeEvents().filter { if case .callDenied = $0.event { true } else { false } }
    #expect(denied.count == 1)
  }

  @Test("a service's key may name its caller: its calls are made for the caller that it names")
  func servicesVouch() {
    var harness = Harness.running()
    let service = Peer(door: .services, link: 7)
    harness.greetAsClient(service, instance: "service", credentials: .service(named: "consent"))
    let user = CallerIdentity(kind: .person, tenant: "t", subject: "ann")
    harness.open(1, Harness.get, from: service, caller: user)
    #expect(harness.opened().first?.extra?.caller == user)
  }

  @Test("a caller whose roles take more than the bound is refused, before anything is written for a worker")
  func heavyCaller() throws {
    var harness = Harness.running()
    let service = Peer(door: .services, link: 7)
    harness.greetAsClient(service, instance: "service", credentials: .service(named: "consent"))
    let roles = (0..<2_000).map { "coordinator@study-\($0)" }
    harness.open(
      1, Harness.get, from: service, caller: CallerIdentity(kind: .person, tenant: "t", subject: "ann", grants: roles))
    let outcome = try #require(harness.outcomes(at: service).first)
    #expect(outcome.statusCode == .invalidArgument && outcome.extra?.statusMessage.contains("32768") == true)
  }

  @Test("of a stream's envelopes only what belongs there is passed on, in either direction")
  func stowaways() throws {
    var harness = Harness.running()
    harness.open(1, Harness.converse)
    let call = try #require(harness.opened().first).call
    func loaded(_ kind: Envelope.Kind, call: UInt64, at offset: UInt64) -> Envelope {
      var envelope = Envelope(kind, call: call)
      envelope.offset = offset
      envelope.payload = [1, 2]
      envelope.method = "/what/for"
      envelope.idempotencyKey = "k"
      envelope.extra = Envelope.Extra(
        metadata: ["k": "v"], caller: CallerIdentity(kind: .person, subject: String(repeating: "s", count: 90_000)),
        statusMessage: "why", hello: Hello(instance: "i", epoch: 1, role: .client))
      return envelope
    }
    func expectPlain(_ envelopes: [Envelope], _ kinds: [Envelope.Kind]) {
      #expect(envelopes.map(\.kind) == kinds)
      #expect(envelopes.allSatisfy { $0.payload == ($0.kind == .data ? [1, 2] : []) })
      #expect(envelopes.allSatisfy { $0.method.isEmpty && $0.idempotencyKey.isEmpty })
    }
    harness.send(loaded(.data, call: 1, at: 0), from: Harness.client)
    harness.send(loaded(.window, call: 1, at: 70_000), from: Harness.client)
    harness.send(loaded(.halfClose, call: 1, at: 0), from: Harness.client)
    let toWorker = harness.take(for: Harness.worker)
    expectPlain(toWorker, [.data, .window, .halfClose])
    #expect(toWorker.allSatisfy { $0.extra == nil })
    _ = harness.take(for: Harness.client)
    harness.send(loaded(.data, call: call, at: 0), from: Harness.worker)
    harness.send(loaded(.data, call: call, at: 2), from: Harness.worker)
    harness.send(loaded(.window, call: call, at: 70_000), from: Harness.worker)
    let toClient = harness.take(for: Harness.client)
    expectPlain(toClient, [.data, .data, .window])
    // The initial metadata, once.
    #expect(toClient.map(\.extra) == [Envelope.Extra(metadata: ["k": "v"]), nil, nil])
  }

  @Test("whom a call is made for counts towards its size")
  func sizeOfCaller() {
    var envelope = Envelope(.open)
    let plain = envelope.byteCount
    envelope.extra = Envelope.Extra(
      caller: CallerIdentity(kind: .person, subject: String(repeating: "s", count: 20_000)))
    #expect(envelope.byteCount - plain >= 20_000)
  }

  @Test("a worker's key may speak for those whose calls it has in hand, to read, and for nobody else")
  func workersSpeakForTheirCallers() {
    let rights = KeyRights(serving: .any, vouching: .callers)
    func key(_ number: UInt32) -> PeerCredentials { .service(named: "renderer", rights: rights, keyNumber: number) }
    var harness = Harness()
    harness.greetAsWorker(slots: 4, credentials: key(1))
    harness.greetAsClient()
    let (own, other) = (Peer(door: .services, link: 7), Peer(door: .services, link: 8))
    harness.greetAsClient(own, instance: "own", credentials: key(1))
    harness.greetAsClient(other, instance: "other", credentials: key(2))
    let caller = CallerIdentity(kind: .person, tenant: "t", subject: "s")
    let stranger = CallerIdentity(kind: .person, tenant: "t", subject: "eve")
    var number: UInt64 = 10
    /// Whether a call for somebody is taken.
    func isTaken(_ peer: Peer, for named: CallerIdentity, _ method: MethodDescriptor = Harness.get) -> Bool {
      number += 1
      harness.open(number, method, from: peer, caller: named)
      let calls = harness.opened()
      let taken = calls.first?.extra?.caller == named
      #expect(calls.count == (taken ? 1 : 0))
      for call in calls { harness.answer(call.call, credit: 100) }
      let outcome = harness.outcomes(at: peer).first?.statusCode
      #expect(outcome == (taken ? .ok : .permissionDenied))
      return taken
    }
    #expect(!isTaken(own, for: caller), "nobody called yet")
    harness.open(1)
    let inHand = harness.opened()
    #expect(inHand.count == 1)
    harness.grant(100)
    #expect(isTaken(own, for: caller))
    #expect(!isTaken(own, for: caller, Harness.change), "only to read")
    #expect(!isTaken(own, for: stranger))
    #expect(!isTaken(other, for: caller), "another key has nothing in hand")
    var more = caller
    more.grants = ["admin@*"]
    #expect(!isTaken(own, for: more), "with the caller's rights and no more")
    for call in inHand { harness.answer(call.call, credit: 100) }
    #expect(!isTaken(own, for: caller), "the call is over")
    harness.open(2)
    _ = harness.opened()
    harness.send(Envelope(.bye), from: Harness.worker)
    #expect(!isTaken(own, for: caller), "the worker is gone")
  }

  @Test("a caller without an identity is asked to authenticate where a role is needed")
  func strangersAreUnauthenticated() {
    var harness = Harness()
    harness.greetAsWorker()
    harness.greetAsClient(credentials: .client(.stranger))
    harness.open(1, Harness.admin)
    #expect(harness.outcomes().map(\.statusCode) == [.unauthenticated])
  }

  @Test("a key that may not serve is refused as a worker")
  func clientsCannotServe() {
    var harness = Harness()
    harness.greetAsWorker(
      Peer(door: .clients, link: 3), credentials: .client(CallerIdentity(kind: .person, subject: "s")))
    let answer = harness.take(for: Peer(door: .clients, link: 3))
    #expect(answer.map(\.kind) == [.goaway])
    #expect(answer.map(\.statusCode) == [.permissionDenied])
  }

  @Test(
    "a peer that keeps sending what its role may not send loses its session",
    arguments: [Envelope.Kind.status, .credit, .reject])
  func clientViolations(_ kind: Envelope.Kind) {
    var harness = Harness.running()
    for _ in 0..<16 { harness.send(Envelope(kind, call: 1), from: Harness.client) }
    #expect(harness.take(for: Harness.client).last?.kind == .bye)
    harness.send(Envelope(.ping), from: Harness.client)
    #expect(harness.take(for: Harness.client).map(\.kind) == [.helloRequest])
  }

  @Test("a worker cannot open calls")
  func workersCannotCall() {
    var harness = Harness.running()
    for call in 0..<16 as Range<UInt64> { harness.open(call, from: Harness.worker) }
    #expect(harness.take(for: Harness.worker).last?.kind == .bye)
  }

  @Test("a worker cannot end, send for or hand back another worker's call")
  func workersCannotMeddle() throws {
    var harness = Harness.running()
    harness.open(1)
    let call = try #require(harness.opened().first).call
    let meddler = Peer(door: .services, link: 2)
    harness.greetAsWorker(meddler, instance: "meddler")
    for kind in [Envelope.Kind.status, .data, .window, .reject] {
      harness.send(Envelope(kind, call: call), from: meddler)
    }
    #expect(harness.take(for: Harness.client).filter { $0.call == 1 }.isEmpty)
    harness.answer(call)
    #expect(harness.outcomes().map(\.statusCode) == [.ok])
  }

  @Test("a removed key takes effect at once")
  func revokedKey() {
    var harness = Harness.running()
    _ = harness.take(for: Harness.client)
    harness.router.revoke(where: { $0.identity.kind == .person }, at: harness.now)
    harness.open(1)
    #expect(harness.opened().isEmpty)
    #expect(harness.take(for: Harness.client).map(\.kind) == [.bye, .helloRequest])
  }

  @Test("a worker whose key is removed is told so and loses its calls, and nothing that it says later counts")
  func revokedWorker() throws {
    var harness = Harness.running(slots: 4)
    harness.open(1, Harness.change)
    harness.open(2, Harness.get)
    let calls = harness.opened().map(\.call)
    harness.change { $0.revoke(where: { $0.identity.subject == "worker" }, at: $1) }
    let farewell = try #require(harness.take(for: Harness.worker).first)
    #expect(farewell.kind == .bye && farewell.statusCode == .permissionDenied)
    #expect(harness.outcomes().map(\.statusCode) == [.unavailable])

    harness.answer(calls[0], credit: 20)
    harness.answer(calls[1], credit: 20)
    harness.grant(30)
    harness.send(Envelope(.reject, call: calls[1]), from: Harness.worker)
    harness.open(3)
    #expect(harness.outcomes().isEmpty)
    #expect(harness.take(for: Harness.worker).allSatisfy { $0.kind == .helloRequest })

    let successor = Peer(door: .services, link: 2)
    harness.greetAsWorker(successor, instance: "successor", slots: 4, credentials: .service(named: "successor"))
    let taken = harness.opened(at: successor)
    #expect(taken.map(\.attempt) == [2, 1])
    for call in taken { harness.answer(call.call, from: successor) }
    #expect(harness.outcomes().map(\.statusCode) == [.ok, .ok])
  }

  @Test("a worker that claims too much credit gets no more calls than it said it can take")
  func lyingWorker() {
    var harness = Harness.running(slots: 2, prefetch: 1)
    harness.grant(1_000_000)
    for call in 1...10 as ClosedRange<UInt64> { harness.open(call) }
    #expect(harness.opened().count == 3)
  }

  @Test("metadata and keys out of bounds are refused by name")
  func bounds() throws {
    var harness = Harness.running()
    harness.open(1, Harness.get, key: String(repeating: "k", count: 257))
    let outcome = try #require(harness.outcomes().first)
    #expect(outcome.statusCode == .invalidArgument)
    #expect(outcome.extra?.statusMessage.contains("257 bytes; at most 256") == true)
  }
}
