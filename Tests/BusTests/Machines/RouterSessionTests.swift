import Base
import Bus
import RPC
import Testing

@Suite struct RouterSessionTests {
  private typealias Harness = RouterHarness

  @Test("a HELLO is answered with a session, and a message for another session with a request for HELLO")
  func sessionIsNamed() {
    var harness = Harness()
    harness.greetAsClient()
    #expect(harness.session(of: Harness.client) != 0)
    _ = harness.take(for: Harness.client)
    harness.send(Envelope(.ping), from: Harness.client, session: harness.session(of: Harness.client) + 1)
    #expect(harness.take(for: Harness.client).map(\.kind) == [.helloRequest])
  }

  @Test("a HELLO that does not say who its peer is is refused")
  func helloWithoutRole() {
    var harness = Harness()
    harness.send(Envelope(.hello), from: Harness.client)
    let answer = harness.take(for: Harness.client)
    #expect(answer.map(\.kind) == [.goaway] && answer.map(\.statusCode) == [.invalidArgument])
  }

  @Test("nothing is kept of a key whose HELLO is refused")
  func refusedKey() {
    var harness = Harness()
    let key = PeerCredentials.client(CallerIdentity(kind: .person, tenant: "t", subject: "s"), keyNumber: 1)
    harness.greetAsClient(instance: String(repeating: "i", count: 65), credentials: key)
    #expect(harness.take(for: Harness.client).map(\.kind) == [.goaway])
    #expect(harness.router.faults(atRest: true) == [])
  }

  @Test("a HELLO that is repeated with its epoch gets the same session, and the calls go on")
  func repeatedHelloChangesNothing() {
    var harness = Harness.running()
    let session = harness.session(of: Harness.worker)
    harness.open(1)
    #expect(harness.opened().count == 1)
    harness.greetAsWorker(epoch: 1)
    #expect(harness.session(of: Harness.worker) == session)
    #expect(harness.outcomes().isEmpty)
  }

  @Test("a HELLO with a higher epoch on another link ends the session before it, and its calls are settled")
  func higherEpochSupersedes() {
    var harness = Harness.running()
    harness.open(1, Harness.change)
    _ = harness.opened()
    let next = Peer(door: .services, link: 2)
    harness.greetAsWorker(next, epoch: 2)
    #expect(harness.outcomes().map(\.statusCode) == [.unavailable])
    harness.open(2)
    #expect(harness.opened(at: next).count == 1)
    #expect(harness.opened(at: Harness.worker).isEmpty)
  }

  @Test("a process that dials by two addresses has one session, and the other link takes over when that ends")
  func oneSessionForTwoAddresses() throws {
    var harness = Harness.running()
    let other = Peer(door: .services, link: 2)
    harness.greetAsWorker(other, epoch: 2, link: 1)
    let refusal = try #require(harness.take(for: other).first)
    #expect(refusal.kind == .goaway && refusal.session == 0 && refusal.statusCode == .alreadyExists)
    harness.open(1)
    let call = try #require(harness.opened().first).call
    harness.answer(call, credit: 2)
    #expect(harness.outcomes().map(\.statusCode) == [.ok])
    harness.send(Envelope(.bye), from: Harness.worker)
    harness.greetAsWorker(other, epoch: 2, link: 1)
    harness.open(2)
    #expect(harness.opened(at: other).count == 1)
  }

  @Test("a process that dials again by one of its two addresses replaces the session of that address")
  func twoAddressesAndALostConnection() {
    var harness = Harness()
    harness.greetAsWorker(epoch: 1, link: 7)
    let again = Peer(door: .services, link: 2)
    harness.greetAsWorker(again, epoch: 3, link: 7)
    #expect(harness.session(of: again) != 0)
    harness.greetAsWorker(Peer(door: .services, link: 3), epoch: 4, link: 8)
    harness.greetAsClient()
    harness.open(1)
    #expect(harness.opened(at: again).count == 1)
  }

  @Test("a late HELLO of an abandoned connection is ignored")
  func lowerEpochIsIgnored() {
    var harness = Harness()
    harness.greetAsWorker(Peer(door: .services, link: 2), epoch: 2)
    harness.greetAsWorker(epoch: 1)
    #expect(harness.take(for: Harness.worker).isEmpty)
  }

  @Test("only the same key can replace a session")
  func strangersCannotSupersede() {
    var harness = Harness()
    harness.greetAsClient()
    let session = harness.session(of: Harness.client)
    let thief = Peer(door: .clients, link: 101)
    harness.greetAsClient(thief, epoch: 9, credentials: .client(CallerIdentity(kind: .person, subject: "other")))
    _ = harness.take(for: Harness.client)
    harness.send(Envelope(.ping), from: Harness.client, session: session)
    #expect(harness.take(for: Harness.client).map(\.kind) == [.pong])
  }

  @Test("messages of a session that has ended have no effect")
  func endedSessionsMatchNothing() throws {
    var harness = Harness.running()
    let earlier = harness.session(of: Harness.worker)
    harness.open(1, Harness.get)
    let call = try #require(harness.opened().first).call
    harness.send(Envelope(.bye), from: Harness.worker)
    harness.greetAsWorker(instance: "worker, again")
    let again = try #require(harness.opened().first)
    #expect(again.call != call)
    var late = Envelope(.status, call: call)
    late.statusCode = .ok
    harness.send(late, from: Harness.worker, session: earlier)
    harness.send(late, from: Harness.worker)
    #expect(harness.outcomes().isEmpty)
    harness.answer(again.call)
    #expect(harness.outcomes().map(\.statusCode) == [.ok])
    #expect(harness.router.faults(atRest: true) == [])
  }

  @Test("a peer that stays silent for three intervals is dead")
  func silenceIsDeath() {
    var harness = Harness.running()
    harness.open(1, Harness.change)
    harness.pass(.milliseconds(1500), silent: [Harness.worker])
    #expect(harness.outcomes().isEmpty)
    harness.pass(.milliseconds(750), silent: [Harness.worker])
    #expect(harness.outcomes().map(\.statusCode) == [.unavailable])
  }

  @Test("a worker that says GOAWAY gets no new calls and may end its running ones")
  func leavingWorkerEndsItsCalls() throws {
    var harness = Harness.running(slots: 2)
    harness.open(1)
    let call = try #require(harness.opened().first).call
    harness.send(Envelope(.goaway), from: Harness.worker)
    harness.open(2)
    #expect(harness.opened().isEmpty)
    harness.answer(call)
    #expect(harness.outcomes().map(\.statusCode) == [.ok])
  }

  @Test("a leaving gateway tells clients alone, and answers what they still ask")
  func leave() throws {
    var harness = Harness.running()
    let hasClients = harness.router.leave(at: harness.now)
    #expect(hasClients)
    harness.pass(.milliseconds(1))
    #expect(harness.take(.goaway, for: Harness.client).count == 1)
    #expect(harness.take(.goaway, for: Harness.worker).isEmpty)
    let snapshot = harness.router.snapshot(at: harness.now)
    #expect(snapshot.isLeaving)
    harness.open(1)
    harness.answer(try #require(harness.opened().first).call)
    #expect(harness.outcomes().map(\.statusCode) == [.ok])
    #expect(!harness.router.isDrained)
  }

  @Test("a draining gateway hands back calls that have not started, and ends when the rest has ended")
  func drain() throws {
    var harness = Harness.running()
    harness.open(1)
    harness.open(2)
    let call = try #require(harness.opened().first).call
    harness.router.drain(at: harness.now)
    harness.pass(.milliseconds(1))
    let handedBack = harness.take(for: Harness.client)
    #expect(handedBack.contains { $0.kind == .goaway })
    #expect(handedBack.contains { $0.kind == .status && $0.call == 2 && $0.notStarted })
    harness.open(3)
    #expect(harness.outcomes().map(\.notStarted) == [true])
    #expect(!harness.router.isDrained)
    harness.answer(call)
    #expect(harness.outcomes().map(\.call) == [1])
    #expect(harness.router.isDrained)
  }

  @Test("a gateway that ends ends the streams by which nothing passes, and lets others come to their end")
  func silentStreams() throws {
    var harness = Harness.running(slots: 2)
    harness.open(1, Harness.export, remaining: 600_000)
    harness.open(2, Harness.export, remaining: 600_000)
    let calls = harness.opened().map(\.call)
    harness.router.drain(at: harness.now)
    harness.router.endSilentStreams(at: harness.now)
    harness.pass(.milliseconds(1))
    #expect(harness.outcomes().isEmpty, "both have had a second")
    var data = Envelope(.data, call: calls[1])
    data.payload = [0, 0, 0, 1, 7]
    harness.send(data, from: Harness.worker)
    harness.router.endSilentStreams(at: harness.now)
    harness.pass(.milliseconds(1))
    let ended = harness.outcomes()
    #expect(ended.map(\.call) == [1] && ended.map(\.statusCode) == [.unavailable])
    #expect(!harness.router.isDrained)
    harness.answer(calls[1])
    #expect(harness.outcomes().map(\.statusCode) == [.ok])
    #expect(harness.router.isDrained)
  }

  @Test("a gateway that ends ends what watches something at once, whatever passes by it")
  func watches() throws {
    var harness = Harness.running(slots: 3)
    harness.open(1, Harness.watch, remaining: 600_000)
    harness.open(2, Harness.export, remaining: 600_000)
    harness.open(3, Harness.converse, remaining: 600_000)
    let calls = harness.opened().map(\.call)
    var data = Envelope(.data, call: calls[0])
    data.payload = [0, 0, 0, 1, 7]
    harness.send(data, from: Harness.worker)
    _ = harness.take(for: Harness.client)
    harness.router.drain(at: harness.now)
    harness.pass(.milliseconds(1))
    let ended = harness.outcomes()
    #expect(ended.map(\.call) == [1] && ended.map(\.statusCode) == [.unavailable])
    #expect(harness.take(for: Harness.worker).contains { $0.kind == .cancel && $0.call == calls[0] })
    #expect(!harness.router.isDrained)
    for call in calls.dropFirst() { harness.answer(call) }
    #expect(harness.outcomes().map(\.call) == [2, 3])
    #expect(harness.router.isDrained)
  }

  @Test("calls that come before their service has announced itself wait for it, no longer than the grace")
  func earlyCalls() throws {
    var harness = Harness()
    harness.greetAsClient()
    harness.open(1)
    harness.open(2, Harness.method("Missing", .unary, .unknown))
    harness.open(3, Harness.admin)
    #expect(harness.outcomes().isEmpty)
    harness.greetAsWorker(slots: 4)
    // The first attempt of somebody whom the method does not admit goes on record at its service.
    #expect(harness.opened().map(\.method) == [Harness.get.path, Harness.admin.path])
    #expect(harness.outcomes().map(\.statusCode) == [.unimplemented])
    let other = MethodDescriptor(
      service: "test.v1.Other", name: "Get", kind: .unary, idempotency: .unknown, permissions: .anyone)
    harness.open(4, other)
    #expect(harness.outcomes().isEmpty)
    harness.open(5, other, waitsForReady: true)
    harness.pass(.milliseconds(2250))
    // The service may still come, so the caller should ask again. After the grace, it is unknown.
    let early = try #require(harness.outcomes().first)
    #expect(early.call == 4 && early.statusCode == .unavailable && early.notStarted)
    #expect(early.extra?.metadata["retry-after-ms"] != nil)
    harness.open(6, other)
    #expect(harness.outcomes().map(\.statusCode) == [.unimplemented])
    harness.greetAsWorker(Peer(door: .services, link: 2), instance: "other", services: ["test.v1.Other"])
    #expect(harness.opened(at: Peer(door: .services, link: 2)).map(\.method) == [other.path])
  }

  @Test("calls for a service whose last worker has left end after the grace, unless they wait for the next one")
  func absentService() throws {
    var harness = Harness.running(slots: 1)
    harness.pass(.seconds(5))
    harness.open(1)
    harness.open(2)
    #expect(harness.opened().count == 1)
    harness.send(Envelope(.bye), from: Harness.worker)
    // The first may have run, and may run again; the second has never started.
    harness.open(3)
    harness.open(4, remaining: 60_000, waitsForReady: true)
    harness.pass(.milliseconds(1750))
    #expect(harness.outcomes().isEmpty)
    harness.pass(.milliseconds(250))
    let outcomes = harness.outcomes()
    #expect(outcomes.map(\.call).sorted() == [1, 2, 3])
    #expect(outcomes.allSatisfy { $0.statusCode == .unavailable && $0.extra?.metadata["retry-after-ms"] != nil })
    #expect(outcomes.filter { !$0.notStarted }.map(\.call) == [1])
    #expect(outcomes.filter { $0.extra?.metadata["lost-instances"] == "1" }.map(\.call) == [1])
    harness.open(5)
    #expect(harness.outcomes().map(\.statusCode) == [.unavailable])
    harness.greetAsWorker(epoch: 2)
    #expect(harness.opened().count == 1)
    #expect(harness.router.faults(atRest: false) == [])
  }

  @Test("a stream that comes before its worker is kept whole up to its window, however small its chunks")
  func earlyStreams() throws {
    var harness = Harness()
    harness.greetAsClient()
    harness.open(1, Harness.upload)
    var offset: UInt64 = 0
    for _ in 0..<6_553 {
      var chunk = Envelope(.data, call: 1)
      chunk.offset = offset
      chunk.payload = [UInt8](repeating: 7, count: 10)
      offset += 10
      harness.send(chunk, from: Harness.client)
    }
    harness.send(Envelope(.halfClose, call: 1), from: Harness.client)
    harness.greetAsWorker()
    let got = harness.take(for: Harness.worker).filter { $0.call != 0 }
    #expect(got.map(\.kind) == [.open, .data, .halfClose])
    #expect(got[1].payload.count == 65_530)
    #expect(harness.outcomes().isEmpty)
    #expect(harness.router.faults(atRest: false) == [])
  }

  @Test("a caller who sends beyond the first window before anybody has read is refused")
  func earlyStreamBeyondWindow() {
    var harness = Harness()
    harness.greetAsClient()
    harness.open(1, Harness.upload)
    var chunk = Envelope(.data, call: 1)
    chunk.payload = [UInt8](repeating: 7, count: 65_536)
    harness.send(chunk, from: Harness.client)
    chunk.offset = 65_536
    chunk.payload = [7]
    harness.send(chunk, from: Harness.client)
    #expect(harness.outcomes().map(\.statusCode) == [.resourceExhausted])
    #expect(harness.router.faults(atRest: true) == [])
  }
}
