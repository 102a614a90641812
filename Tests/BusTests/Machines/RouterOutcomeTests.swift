import Base
import Bus
import RPC
import Testing

@Suite struct RouterOutcomeTests {
  private typealias Harness = RouterHarness

  @Test("a call lost with its worker is tried again only if it may run twice")
  func lostCalls() throws {
    var harness = Harness.running(slots: 4)
    harness.open(1, Harness.change)
    harness.open(2, Harness.change, key: "k")
    harness.open(3, Harness.get)
    let first = harness.opened().map(\.call)
    harness.router.lose(Harness.worker, because: .unreachable, at: harness.now)
    harness.greetAsWorker(Peer(door: .services, link: 2), instance: "next", slots: 4)
    #expect(harness.outcomes().map(\.call) == [1])
    let again = harness.opened(at: Peer(door: .services, link: 2))
    #expect(again.map(\.attempt) == [2, 2])
    #expect(Set(again.map(\.call)).isDisjoint(with: first))
  }

  @Test("a call that a lost worker has had may have run, whatever it waits for now")
  func lostAndDrained() throws {
    var harness = Harness.running()
    harness.open(1, Harness.get)
    harness.open(2, Harness.get)
    #expect(harness.opened().count == 1)
    harness.router.lose(Harness.worker, because: .unreachable, at: harness.now)
    harness.change { $0.drain(at: $1) }
    let outcomes = harness.outcomes()
    #expect(outcomes.map(\.statusCode) == [.unavailable, .unavailable])
    #expect(outcomes.first { $0.call == 1 }?.notStarted == false)
    #expect(outcomes.first { $0.call == 1 }?.extra?.statusMessage.contains("may have run") == true)
    #expect(outcomes.first { $0.call == 2 }?.notStarted == true)
  }

  @Test("a call that was handed back after another worker was lost with it may have run")
  func lostAndHandedBack() throws {
    var harness = Harness.running()
    harness.open(1, Harness.get)
    harness.open(2, Harness.upload)
    _ = harness.opened()
    harness.router.lose(Harness.worker, because: .unreachable, at: harness.now)
    let next = Peer(door: .services, link: 2)
    harness.greetAsWorker(next, instance: "next", slots: 2)
    let calls = harness.opened(at: next)
    #expect(Set(calls.map(\.attempt)) == [1, 2])
    harness.change { $0.drain(at: $1) }
    for call in calls { harness.send(Envelope(.reject, call: call.call), from: next) }
    let outcomes = harness.outcomes()
    #expect(outcomes.first { $0.call == 1 }?.notStarted == false)
    #expect(outcomes.first { $0.call == 2 }?.notStarted == true)
  }

  @Test("what a worker says of a call that it has not started counts unless the call may have begun before")
  func refusedByWorkers() throws {
    var harness = Harness.running(slots: 4)
    func refuse(_ call: UInt64, from peer: Peer) -> [Bool] {
      var refusal = Envelope(.status, call: call)
      (refusal.statusCode, refusal.notStarted) = (.resourceExhausted, true)
      harness.send(refusal, from: peer)
      return harness.outcomes().map(\.notStarted)
    }
    harness.open(1, Harness.get)
    let untried = try #require(harness.opened().first).call
    #expect(refuse(untried, from: Harness.worker) == [true])
    harness.open(2, Harness.watch)
    let answered = try #require(harness.opened().first).call
    var chunk = Envelope(.data, call: answered)
    chunk.payload = [0, 0, 0, 1, 7]
    harness.send(chunk, from: Harness.worker)
    #expect(refuse(answered, from: Harness.worker) == [false])
    harness.open(3, Harness.get)
    #expect(harness.opened().count == 1)
    harness.router.lose(Harness.worker, because: .unreachable, at: harness.now)
    let next = Peer(door: .services, link: 2)
    harness.greetAsWorker(next, instance: "next", slots: 4)
    let again = try #require(harness.opened(at: next).first).call
    #expect(refuse(again, from: next) == [false])
  }

  @Test("a call of which an envelope cannot be written ends at once")
  func unwritten() throws {
    var harness = Harness.running()
    harness.open(1)
    let call = try #require(harness.opened().first).call
    harness.change { $0.endUnwritten(call, to: Harness.worker, at: $1) }
    #expect(harness.outcomes().map(\.statusCode) == [.internal])
    #expect(harness.take(.cancel, for: Harness.worker).map(\.call) == [call])
    harness.change { $0.endUnwritten(call, to: Harness.worker, at: $1) }
    #expect(harness.outcomes().isEmpty)
  }

  @Test("what a gateway quotes in a STATUS or in GOAWAY is cut")
  func longQuotation() throws {
    var harness = Harness.running()
    harness.pass(.seconds(3))
    var envelope = Envelope(.open, call: 1)
    envelope.method = String(repeating: "m", count: 90_000)
    harness.send(envelope, from: Harness.client)
    let outcome = try #require(harness.outcomes().first)
    #expect(outcome.statusCode == .unimplemented)
    #expect(outcome.extra?.statusMessage.utf8.count == BusLimits.longestStatusMessage)
    let other = Peer(door: .services, link: 2)
    let rights = KeyRights(serving: .only(["test.v1.Other"]), vouching: .nobody)
    // One character of 70 KB.
    harness.greetAsWorker(
      other, services: [String(repeating: "👩\u{200D}", count: 10_000)],
      credentials: .service(named: "other", rights: rights))
    let refusal = try #require(harness.take(.goaway, for: other).first)
    let said = try #require(refusal.extra).statusMessage.utf8.count
    #expect(8_180...BusLimits.longestStatusMessage ~= said)
  }

  @Test("a call that kills its workers is given up after five tries")
  func attemptLimit() {
    var harness = Harness.running()
    harness.open(1, Harness.get)
    var tries = harness.opened().count
    for number in 0..<8 as Range<UInt64> {
      harness.router.lose(
        Peer(door: .services, link: number + 1), because: .unreachable, at: harness.now)
      harness.greetAsWorker(Peer(door: .services, link: number + 2), instance: "worker \(number)")
      tries += harness.opened(at: Peer(door: .services, link: number + 2)).count
    }
    #expect(tries == 5)
    #expect(harness.outcomes().map(\.statusCode) == [.unavailable])
  }

  @Test("UNAVAILABLE is tried again after a growing pause, and not before the service allows it")
  func unavailableIsRetried() throws {
    var harness = Harness.running()
    // The pauses are random: several show more than one.
    for call in 1...8 as ClosedRange<UInt64> {
      harness.open(call, Harness.get)
      let first = try #require(harness.opened().first)
      harness.answer(first.call, .unavailable, credit: 2 * call, metadata: ["retry-after-ms": "700"])
      harness.pass(.milliseconds(699))
      #expect(harness.opened().isEmpty)
      harness.pass(.milliseconds(200))
      let second = try #require(harness.opened().first)
      #expect(second.attempt == 2)
      harness.answer(second.call, .ok, credit: 2 * call + 1)
      #expect(harness.outcomes().map(\.statusCode) == [.ok])
    }
    #expect(harness.router.faults(atRest: true) == [])
  }

  @Test("UNAVAILABLE that leaves no time for another try reaches its caller as the service said it, and costs no token")
  func unavailableWithoutTime() throws {
    var configuration = RouterConfiguration()
    configuration.retryTokens = 1
    var harness = Harness.running(slots: 2, configuration)
    harness.open(1, Harness.change, key: "k", remaining: 1_000)
    let why = Status.Detail(typeName: "assent.common.v1.ErrorInfo", value: [1, 2, 3])
    var answer = Envelope(.status, call: try #require(harness.opened().first).call)
    answer.statusCode = .unavailable
    answer.extra = Envelope.Extra(
      metadata: ["retry-after-ms": "5000"], statusMessage: "disk_full: there is no room", statusDetails: [why])
    harness.send(answer, from: Harness.worker)
    let outcome = try #require(harness.outcomes().first)
    #expect(outcome.statusCode == .unavailable)
    #expect(!outcome.notStarted)
    let extra = try #require(outcome.extra)
    #expect(extra.statusMessage == "disk_full: there is no room")
    #expect(extra.statusDetails == [why])
    #expect(extra.metadata["retry-after-ms"] == "5000")
    harness.open(2, Harness.change, key: "other")
    harness.answer(try #require(harness.opened().first).call, .unavailable, credit: 3)
    #expect(harness.outcomes().isEmpty)
    harness.pass(.seconds(1))
    #expect(harness.opened().map(\.attempt) == [2])
  }

  @Test("an unkeyed mutation that ends UNAVAILABLE is not tried again")
  func unkeyedIsNotRetried() throws {
    var harness = Harness.running()
    harness.open(1, Harness.change)
    let call = try #require(harness.opened().first).call
    harness.answer(call, .unavailable, credit: 2)
    #expect(harness.outcomes().map(\.statusCode) == [.unavailable])
  }

  @Test("retries of answers draw on a bucket of ten, and each success refills a tenth")
  func tokenBucket() throws {
    var harness = Harness.running(slots: 100)
    var credit: UInt64 = 100
    for number in 1...12 as ClosedRange<UInt64> {
      harness.open(number)
      credit += 1
      harness.answer(try #require(harness.opened().first).call, .unavailable, credit: credit)
    }
    #expect(harness.outcomes().map(\.call) == [11, 12])
    for number in 101...111 as ClosedRange<UInt64> {
      harness.open(number)
      credit += 1
      harness.answer(try #require(harness.opened().first).call, .ok, credit: credit)
    }
    _ = harness.outcomes()
    for number in 201...202 as ClosedRange<UInt64> {
      harness.open(number)
      credit += 1
      harness.answer(try #require(harness.opened().first).call, .unavailable, credit: credit)
    }
    #expect(harness.outcomes().map(\.call) == [202])
  }

  @Test("a caller who has tried the call elsewhere is believed: the worker gets its number, counted on")
  func attemptsAreCountedOn() {
    var harness = Harness.running()
    let next = Peer(door: .services, link: 2)
    harness.open(1, attempt: 3)
    #expect(harness.opened().map(\.attempt) == [3])
    harness.router.lose(Harness.worker, because: .unreachable, at: harness.now)
    harness.greetAsWorker(next, instance: "next", slots: 3)
    harness.open(2, attempt: 0)
    harness.open(3, attempt: 255)
    #expect(harness.opened(at: next).map(\.attempt) == [4, 1, 255])
  }

  @Test("a handler that always answers UNAVAILABLE runs five times, whoever tries the call, and its answer says so")
  func oneBudget() throws {
    var harness = Harness.running(slots: 100)
    for (number, (earlier, runs)) in [(0, 5), (2, 3), (4, 1), (200, 1)].enumerated() {
      let call = UInt64(number) + 1
      harness.open(call, key: "k", attempt: UInt8(earlier) + 1)
      var count = 0
      while let opened = harness.opened().first {
        count += 1
        harness.answer(opened.call, .unavailable, credit: 100 + call, metadata: ["why": "busy"])
        harness.pass(.seconds(2))
      }
      #expect(count == runs)
      let outcome = try #require(harness.outcomes().first)
      #expect(outcome.statusCode == .unavailable && outcome.call == call)
      #expect(outcome.extra?.metadata["why"] == "busy" && outcome.extra?.metadata.attemptsLeft == 0)
    }
    #expect(harness.router.faults(atRest: true) == [])
  }

  @Test("what was tried for a call further down counts: a handler that passes its end on runs as often as is left")
  func budgetOfTree() throws {
    for (number, (left, runs)) in [("0", 1), ("2", 3), ("4", 5), ("5", 5), ("-1", 1), ("x", 5)].enumerated() {
      var harness = Harness.running(slots: 100)
      let call = UInt64(number) + 1
      harness.open(call, key: "k")
      var count = 0
      while let opened = harness.opened().first {
        count += 1
        // Only the first time does it say so; what was counted once is not forgotten.
        let metadata: Metadata = count == 1 ? ["attempts-left": left] : [:]
        harness.answer(opened.call, .unavailable, credit: 100 + UInt64(count), metadata: metadata)
        harness.pass(.seconds(2))
      }
      #expect(count == runs, "\(left)")
      #expect(harness.outcomes().first?.extra?.metadata.attemptsLeft == 0)
    }
  }

  @Test("a call that waits for another worker when the gateway stops says how many attempts it has left")
  func attemptsLeft() throws {
    var harness = Harness.running()
    harness.open(1, Harness.get, attempt: 2)
    harness.open(2, Harness.get)
    #expect(harness.opened().count == 1)
    harness.router.lose(Harness.worker, because: .unreachable, at: harness.now)
    harness.change { $0.drain(at: $1) }
    let outcomes = harness.outcomes()
    #expect(outcomes.first { $0.call == 1 }?.extra?.metadata.attemptsLeft == 3)
    #expect(outcomes.first { $0.call == 2 }?.extra?.metadata.attemptsLeft == nil)
  }

  @Test("UNAVAILABLE is not tried again where a try as long as the last would take the rest of the time")
  func noTimeForAnotherTry() throws {
    for (deadline, isTried) in [(2_000, false), (4_000, true)] as [(UInt32, Bool)] {
      var harness = Harness.running()
      harness.open(1, Harness.get, remaining: deadline)
      let call = try #require(harness.opened().first).call
      harness.pass(.milliseconds(1_000))
      harness.answer(call, .unavailable, credit: 2)
      #expect(harness.outcomes().map(\.statusCode) == (isTried ? [] : [.unavailable]))
    }
  }

  @Test("REJECT hands a call back: it uses up its credit and does not count as an attempt")
  func rejectIsNoAttempt() throws {
    var harness = Harness.running(slots: 2)
    harness.open(1, Harness.change)
    let call = try #require(harness.opened().first)
    harness.send(Envelope(.reject, call: call.call), from: Harness.worker)
    let again = try #require(harness.opened().first)
    #expect(again.attempt == 1)
    harness.send(Envelope(.reject, call: again.call), from: Harness.worker)
    #expect(harness.opened().isEmpty)
    harness.grant(3)
    #expect(harness.opened().map(\.attempt) == [1])
  }

  @Test("REJECT of a call whose answer has begun ends it, and no other worker is blamed for the rest")
  func rejectWithinAnswer() throws {
    var harness = Harness.running()
    let next = Peer(door: .services, link: 2)
    harness.open(1, Harness.watch)
    let call = try #require(harness.opened().first).call
    harness.greetAsWorker(next, instance: "next")
    var chunk = Envelope(.data, call: call)
    chunk.payload = [0, 0, 0, 0]
    harness.send(chunk, from: Harness.worker)
    harness.send(Envelope(.reject, call: call), from: Harness.worker)
    let outcome = try #require(harness.outcomes().first)
    #expect(outcome.statusCode == .unavailable && !outcome.notStarted)
    #expect(harness.opened(at: next).isEmpty)
    let blamed = harness.router.takeEvents().filter { if case .offence = $0.event { true } else { false } }
    #expect(blamed.map(\.peer) == [Harness.worker])
  }

  @Test("a stream that loses its worker is tried again only if none of its requests were sent")
  func streamsBeforeTheirFirstChunk() throws {
    var harness = Harness.running(slots: 2)
    harness.open(1, Harness.upload)
    harness.open(2, Harness.upload)
    var chunk = Envelope(.data, call: 1)
    chunk.payload = [0, 0, 0, 0]
    harness.send(chunk, from: Harness.client)
    _ = harness.opened()
    harness.send(Envelope(.bye), from: Harness.worker)
    #expect(harness.outcomes().map(\.call) == [1])
    harness.greetAsWorker(instance: "next")
    #expect(harness.opened().count == 1)
  }

  @Test("the deadline ends a call that waits and one that runs, and the worker is notified")
  func deadlines() throws {
    var harness = Harness.running()
    harness.open(1, remaining: 100)
    harness.open(2, remaining: 100)
    let running = try #require(harness.opened().first)
    #expect(1...100 ~= running.remainingMilliseconds)
    harness.pass(.milliseconds(101))
    let outcomes = harness.outcomes()
    #expect(outcomes.map(\.statusCode) == [.deadlineExceeded, .deadlineExceeded])
    #expect(outcomes.first { $0.call == 2 }?.notStarted == true)
    #expect(harness.take(.cancel, for: Harness.worker).map(\.call) == [running.call])
    harness.answer(running.call, credit: 2)
    #expect(harness.outcomes().isEmpty)
    #expect(harness.router.faults(atRest: true) == [])
  }

  @Test("a call that expired while the gateway was frozen is not dispatched any more")
  func expiredIsNotHandedOver() throws {
    var harness = Harness.running()
    harness.open(1)
    harness.open(2, remaining: 100)
    let first = try #require(harness.opened().first).call
    harness.jump(.milliseconds(500))
    harness.answer(first, credit: 2)
    #expect(harness.opened().isEmpty)
    #expect(harness.outcomes().map(\.statusCode) == [.ok, .deadlineExceeded])
  }

  @Test("a call without a time limit gets the default deadline")
  func defaultDeadline() {
    var harness = Harness.running()
    harness.open(1, remaining: 0)
    #expect(harness.opened().map(\.remainingMilliseconds) == [30_000])
  }

  @Test("a cancelled call is removed, and its worker is notified")
  func cancel() throws {
    var harness = Harness.running()
    harness.open(1)
    harness.open(2)
    let running = try #require(harness.opened().first).call
    harness.send(Envelope(.cancel, call: 1), from: Harness.client)
    harness.send(Envelope(.cancel, call: 2), from: Harness.client)
    #expect(harness.take(.cancel, for: Harness.worker).map(\.call) == [running])
    #expect(harness.router.faults(atRest: true) == [])
  }

  @Test("a client that leaves ends its calls")
  func clientLeaves() throws {
    var harness = Harness.running()
    harness.open(1)
    harness.open(2)
    let running = try #require(harness.opened().first).call
    harness.send(Envelope(.bye), from: Harness.client)
    #expect(harness.take(.cancel, for: Harness.worker).map(\.call) == [running])
    #expect(harness.router.faults(atRest: true) == [])
  }
}
