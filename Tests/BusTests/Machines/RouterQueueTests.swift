import Base
import Bus
import RPC
import Testing

@Suite struct RouterQueueTests {
  private typealias Harness = RouterHarness

  @Test("calls are dispatched only against credit")
  func creditIsKept() throws {
    var harness = Harness.running(slots: 2)
    for call in 1...5 as ClosedRange<UInt64> { harness.open(call) }
    let first = harness.opened()
    #expect(first.count == 2)
    harness.answer(try #require(first.first).call, credit: 3)
    #expect(harness.opened().count == 1)
    harness.grant(3)
    harness.grant(2)
    #expect(harness.opened().isEmpty)
    harness.grant(5)
    #expect(harness.opened().count == 2)
  }

  @Test("an unkeyed mutation never waits at a worker; what may run twice does")
  func prefetchIsForRepeatables() {
    var harness = Harness.running(slots: 1, prefetch: 1)
    harness.open(1, Harness.change)
    harness.open(2, Harness.change)
    #expect(harness.opened().count == 1)
    let service = Peer(door: .services, link: 7)
    harness.greetAsClient(service, instance: "service", credentials: .service(named: "service"))
    harness.open(3, Harness.change, from: service, key: "k")
    #expect(harness.opened().map { $0.idempotencyKey } == ["k"])
  }

  @Test(
    "a call that may not run twice gets its turn after a second or half its time, whatever others wait that may",
    arguments: [(10_000, 4), (1_000, 2)] as [(UInt32, Int)])
  func turnWithoutSlot(remaining: UInt32, passedOver: Int) throws {
    let flood = Peer(door: .clients, link: 101)
    var harness = Harness.running(slots: 2, prefetch: 1)
    harness.greetAsClient(
      flood, instance: "flood", credentials: .client(CallerIdentity(kind: .person, tenant: "t", subject: "flood")))
    for call in 1...40 as ClosedRange<UInt64> { harness.open(call, from: flood) }
    harness.open(1, Harness.change, remaining: remaining)
    // The worker is always full: two run, and one waits there.
    var atWorker = harness.opened()
    #expect(atWorker.count == 3)
    for ended in 0..<6 {
      harness.pass(.milliseconds(200))
      harness.answer(atWorker.removeFirst().call, credit: UInt64(4 + ended))
      let next = try #require(harness.opened().first)
      #expect((next.method == Harness.change.path) == (ended == passedOver))
      atWorker.append(next)
    }
  }

  @Test("a free slot is found although another worker has more credit beyond its slots")
  func slotsCountNotCredit() {
    var harness = Harness.running(slots: 1, prefetch: 0)
    let other = Peer(door: .services, link: 2)
    harness.greetAsWorker(other, instance: "other", slots: 1, prefetch: 4)
    harness.open(1, Harness.change)
    harness.open(2, Harness.change)
    #expect(harness.opened().count + harness.opened(at: other).count == 2)
  }

  @Test("the worker with the most free slots is chosen")
  func freestFirst() {
    var harness = Harness.running(slots: 1)
    let other = Peer(door: .services, link: 2)
    harness.greetAsWorker(other, instance: "other", slots: 3)
    for call in 1...3 as ClosedRange<UInt64> { harness.open(call) }
    #expect(harness.opened().count == 1)
    #expect(harness.opened(at: other).count == 2)
  }

  @Test(
    "calls spread evenly over workers, whatever their slots and whatever they keep open besides",
    arguments: [1, 16, 48])
  func spreading(callers: Int) throws {
    var harness = Harness.running(slots: 64, prefetch: 1)
    let others = [Peer(door: .services, link: 2), Peer(door: .services, link: 3)]
    for (index, peer) in others.enumerated() {
      harness.greetAsWorker(peer, instance: "other-\(index)", slots: index == 0 ? 64 : 20, prefetch: 1)
    }
    let workers = [Harness.worker] + others
    var given = [Int](repeating: 0, count: workers.count)
    var open: [[UInt64]] = [[], [], []]
    var next: UInt64 = 1
    for _ in 0..<callers {
      harness.open(next)
      next += 1
    }
    var answered: [UInt64] = [0, 0, 0]
    for round in 0..<600 {
      for (index, worker) in workers.enumerated() {
        let calls = harness.opened(at: worker).map(\.call)
        given[index] += calls.count
        open[index] += calls
      }
      // They finish in turn, as processes with as many threads do.
      let turn = (0..<3).map { (round + $0) % 3 }.first { !open[$0].isEmpty }
      let index = try #require(turn)
      answered[index] += 1
      harness.answer(open[index].removeFirst(), from: workers[index], credit: 1000)
      harness.open(next)
      next += 1
    }
    let (least, most) = (try #require(given.min()), try #require(given.max()))
    #expect(Double(most) <= Double(least) * 1.15, "\(given)")
  }

  @Test("a worker's services take turns, however many calls wait for the first")
  func servicesTakeTurns() throws {
    var harness = Harness()
    harness.greetAsWorker(slots: 1, services: [Harness.service, "test.v1.Quiet"])
    harness.greetAsClient()
    for call in 1...10 as ClosedRange<UInt64> { harness.open(call) }
    let quiet = MethodDescriptor(
      service: "test.v1.Quiet", name: "Get", kind: .unary, idempotency: .noSideEffects, permissions: .anyone)
    harness.open(20, quiet)
    var order: [String] = []
    for credit in 2...6 as ClosedRange<UInt64> {
      let call = try #require(harness.opened().first)
      order.append(call.method)
      harness.answer(call.call, credit: credit)
    }
    #expect(order.prefix(3).contains(quiet.path))
  }

  @Test("clients with the same name, as all on one machine have, still take turns")
  func namesakesTakeTurns() throws {
    let local = PeerCredentials.localOperator
    let patient = Peer(door: .clients, link: 101)
    var harness = Harness()
    harness.greetAsWorker(slots: 1)
    harness.greetAsClient(credentials: local)
    harness.greetAsClient(patient, instance: "patient", credentials: local)
    // One floods with early deadlines; the other makes one call with a late one.
    for call in 1...10 as ClosedRange<UInt64> { harness.open(call, remaining: 500) }
    harness.open(1, from: patient, remaining: 20_000)
    var remaining: [UInt32] = []
    for credit in 2...5 as ClosedRange<UInt64> {
      let call = try #require(harness.opened().first)
      remaining.append(call.remainingMilliseconds)
      harness.answer(call.call, credit: credit)
    }
    #expect(remaining.contains { $0 > 500 })
  }

  @Test("no caller may hold more of the queue than is still free")
  func shares() {
    var configuration = RouterConfiguration()
    configuration.waitingLimitPerService = 100
    var harness = Harness.running(slots: 1, prefetch: 0, configuration)
    for call in 1...200 as ClosedRange<UInt64> { harness.open(call) }
    #expect(harness.outcomes().count == 149)
    let other = Peer(door: .clients, link: 101)
    harness.greetAsClient(
      other, instance: "other", credentials: .client(CallerIdentity(kind: .person, tenant: "t", subject: "other")))
    for call in 1...100 as ClosedRange<UInt64> { harness.open(call, from: other) }
    #expect(harness.outcomes(at: other).count == 75)
  }

  @Test("without any instance a call fails at once, unless it asks to wait until there is one")
  func waitForReady() throws {
    var harness = Harness.running()
    harness.send(Envelope(.bye), from: Harness.worker)
    harness.pass(.seconds(3))
    harness.open(1)
    harness.open(2, waitsForReady: true)
    let outcomes = harness.outcomes()
    #expect(outcomes.map(\.call) == [1])
    #expect(outcomes.map(\.statusCode) == [.unavailable])
    #expect(outcomes.map(\.notStarted) == [true])
    harness.greetAsWorker(instance: "next")
    #expect(harness.opened().count == 1)
  }

  @Test("a call that waits for the next instance does not have all others looked at")
  func waitingForNextInstance() {
    var harness = Harness.running()
    harness.send(Envelope(.bye), from: Harness.worker)
    harness.pass(.seconds(3))
    harness.open(1, remaining: 60_000, waitsForReady: true)
    #expect(harness.router.nextWake > harness.now)
    #expect(harness.outcomes().isEmpty)
  }

  @Test("too many open calls of one client are refused, and the bound is named")
  func openCallLimit() throws {
    var configuration = RouterConfiguration()
    configuration.openCallLimitPerSession = 3
    var harness = Harness.running(slots: 1, prefetch: 0, configuration)
    for call in 1...4 as ClosedRange<UInt64> { harness.open(call) }
    let refused = try #require(harness.outcomes().first)
    #expect(refused.call == 4)
    #expect(refused.statusCode == .resourceExhausted)
  }

  @Test("calls that are refused on arrival are counted by the code: those for which there is no room apart from others")
  func refusals() throws {
    var configuration = RouterConfiguration()
    configuration.openCallLimitPerSession = 2
    var harness = Harness.running(slots: 1, prefetch: 0, configuration)
    // The first attempt goes on to the service, which puts it on record.
    for call in 1...2 as ClosedRange<UInt64> { harness.open(call, Harness.admin) }
    for call in 3...5 as ClosedRange<UInt64> { harness.open(call) }
    let service = try #require(harness.router.snapshot(at: harness.now).services.first { $0.name == Harness.service })
    for code in StatusCode.allCases {
      let expected: UInt64 = code == .permissionDenied ? 1 : code == .resourceExhausted ? 2 : 0
      #expect(service.counts.refusals[Int(code.rawValue)] == expected, "\(code)")
    }
  }
}

@Suite struct ServiceQueueTests {
  private static func ticket(
    _ call: UInt64, at seconds: Int64, of session: UInt64 = 1, slotUntil: Int64? = nil
  ) -> ServiceQueue.Ticket {
    ServiceQueue.Ticket(
      call: call, deadline: time(seconds), share: ServiceQueue.Share(session: session),
      needsSlotUntil: slotUntil.map(time))
  }

  private static func time(_ seconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }

  private static func drained(_ queue: ServiceQueue) -> [UInt64] {
    var queue = queue
    var order: [UInt64] = []
    while let call = queue.next(forWaiting: false, at: time(0)) { order.append(call) }
    return order
  }

  @Test("for one caller the earliest deadline goes first")
  func order() {
    var queue = ServiceQueue()
    queue.insert(Self.ticket(1, at: 9))
    queue.insert(Self.ticket(2, at: 3))
    queue.insert(Self.ticket(3, at: 50))
    #expect(Self.drained(queue) == [2, 1, 3])
  }

  @Test("callers take turns: a caller who floods waits only behind its own calls")
  func turns() {
    var queue = ServiceQueue()
    for call in 1...100 as ClosedRange<UInt64> { queue.insert(Self.ticket(call, at: Int64(call), of: 1)) }
    queue.insert(Self.ticket(200, at: 900, of: 2))
    queue.insert(Self.ticket(201, at: 901, of: 2))
    #expect(Self.drained(queue).prefix(4) == [1, 200, 2, 201])
  }

  @Test("a call that may not wait at a worker is skipped there, and keeps its place for others")
  func pinned() {
    var queue = ServiceQueue()
    queue.insert(Self.ticket(1, at: 8, of: 1, slotUntil: 4))
    queue.insert(Self.ticket(2, at: 9, of: 2))
    #expect(queue.next(forWaiting: true, at: Self.time(1)) == 2)
    #expect(queue.next(forWaiting: true, at: Self.time(1)) == nil)
    #expect(queue.next(forWaiting: false, at: Self.time(1)) == 1)
    #expect(queue.count == 0)
  }

  @Test("a call that has waited for a free slot long enough is next in its turn")
  func released() {
    var queue = ServiceQueue()
    queue.insert(Self.ticket(1, at: 8, of: 1, slotUntil: 4))
    for call in 2...3 as ClosedRange<UInt64> { queue.insert(Self.ticket(call, at: Int64(call), of: 2)) }
    #expect(queue.next(forWaiting: true, at: Self.time(3)) == 2)
    var order: [UInt64] = []
    while let call = queue.next(forWaiting: true, at: Self.time(4)) { order.append(call) }
    #expect(order == [1, 3])
  }

  @Test("the call behind one that leaves is not overlooked, although it was released before")
  func releasedBehind() {
    var queue = ServiceQueue()
    queue.insert(Self.ticket(1, at: 8, slotUntil: 6))
    queue.insert(Self.ticket(2, at: 9, slotUntil: 4))
    #expect(queue.next(forWaiting: true, at: Self.time(5)) == nil)
    queue.remove(Self.ticket(1, at: 8, slotUntil: 6))
    #expect(queue.next(forWaiting: true, at: Self.time(5)) == 2)
    queue.insert(Self.ticket(3, at: 8, slotUntil: 6))
    queue.insert(Self.ticket(4, at: 9, slotUntil: 4))
    #expect(queue.next(forWaiting: true, at: Self.time(5)) == nil)
    #expect(queue.next(forWaiting: false, at: Self.time(5)) == 3)
    #expect(queue.next(forWaiting: true, at: Self.time(5)) == 4)
    #expect(queue.next(forWaiting: true, at: Self.time(9)) == nil)
  }

  @Test("a removed call is gone, and a thousand callers that come and go leave nothing")
  func removal() {
    var queue = ServiceQueue()
    for call in 1...1000 as ClosedRange<UInt64> { queue.insert(Self.ticket(call, at: 5, of: call)) }
    for call in stride(from: 1, through: 1000, by: 2) as StrideThrough<UInt64> {
      queue.remove(Self.ticket(call, at: 5, of: call))
    }
    queue.remove(Self.ticket(1, at: 5, of: 1))
    #expect(queue.count == 500)
    queue.insert(Self.ticket(1, at: 5, of: 1))
    let order = Self.drained(queue)
    #expect(order.count == 501)
    #expect(Set(order).count == 501)
  }

  @Test("how many calls precede a new one: one turn of all callers for each earlier call of its own")
  func countAhead() {
    var queue = ServiceQueue()
    for call in 1...10 as ClosedRange<UInt64> { queue.insert(Self.ticket(call, at: Int64(call), of: 1)) }
    queue.insert(Self.ticket(50, at: 1, of: 2))
    #expect(queue.countAhead(of: Self.ticket(0, at: 99, of: 1)) == 11)
    #expect(queue.countAhead(of: Self.ticket(0, at: 0, of: 1)) == 2)
    #expect(queue.countAhead(of: Self.ticket(0, at: 0, of: 9)) == 2)
  }
}
