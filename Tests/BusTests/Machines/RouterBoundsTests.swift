import Base
import Bus
import RPC
import Testing

/// The bounds that a gateway enforces, so that no peer can harm others.
@Suite struct RouterBoundsTests {
  private typealias Harness = RouterHarness

  private func data(_ call: UInt64, at offset: UInt64, _ count: Int) -> Envelope {
    var envelope = Envelope(.data, call: call)
    envelope.offset = offset
    envelope.payload = [UInt8](repeating: 1, count: count)
    return envelope
  }

  private func window(_ call: UInt64, _ offset: UInt64) -> Envelope {
    var envelope = Envelope(.window, call: call)
    envelope.offset = offset
    return envelope
  }

  private func offences(_ harness: inout Harness) -> [String] {
    harness.router.takeEvents().compactMap { if case .offence(_, let name, _, _) = $0.event { name } else { nil } }
  }

  // MARK: - Windows

  @Test("a caller beyond its window loses that call and nothing else, and the log names it")
  func callerBeyondWindow() throws {
    var harness = Harness.running(slots: 4)
    harness.open(1, Harness.upload)
    harness.open(2, Harness.upload)
    let calls = harness.opened().map(\.call)
    harness.send(data(1, at: 0, 65_536), from: Harness.client)
    harness.send(data(1, at: 65_536, 1), from: Harness.client)
    #expect(harness.outcomes().map(\.statusCode) == [.resourceExhausted])
    let atWorker = harness.take(for: Harness.worker)
    #expect(atWorker.map(\.kind) == [.data, .cancel])
    #expect(offences(&harness) == ["client"])
    harness.send(data(2, at: 0, 10), from: Harness.client)
    harness.answer(calls[1])
    #expect(harness.outcomes().map(\.statusCode) == [.ok])
  }

  @Test("a caller whose worker has raised the window may send as far")
  func windowIsRaised() throws {
    var harness = Harness.running()
    harness.open(1, Harness.upload)
    let call = try #require(harness.opened().first).call
    harness.send(data(1, at: 0, 65_536), from: Harness.client)
    harness.send(window(call, 131_072), from: Harness.worker)
    harness.send(data(1, at: 65_536, 65_536), from: Harness.client)
    #expect(harness.outcomes().isEmpty)
    #expect(harness.take(.data, for: Harness.worker).count == 2)
  }

  @Test("a chunk that leaves a gap ends its call")
  func gap() {
    var harness = Harness.running()
    harness.open(1, Harness.upload)
    harness.send(data(1, at: 5, 10), from: Harness.client)
    #expect(harness.outcomes().map(\.statusCode) == [.invalidArgument])
  }

  @Test("a caller that goes on beyond its windows loses its session, and its worker keeps its own")
  func repeatedOffences() {
    var harness = Harness.running(slots: 64)
    for call in 1...16 as ClosedRange<UInt64> {
      harness.open(call, Harness.upload)
      harness.send(data(call, at: 0, 65_537), from: Harness.client)
    }
    let farewell = harness.take(.bye, for: Harness.client)
    #expect(farewell.map(\.statusCode) == [.invalidArgument])
    #expect(farewell.first?.extra?.statusMessage.contains("16 offences") == true)
    #expect(farewell.first?.extra?.statusMessage.contains("/test.v1.Test/Upload") == true)
    let other = Peer(door: .clients, link: 101)
    harness.greetAsClient(other, instance: "other")
    harness.open(1, from: other)
    harness.answer(harness.opened().last?.call ?? 0)
    #expect(harness.outcomes(at: other).map(\.statusCode) == [.ok])
  }

  @Test("offences with long pauses between them do not add up")
  func offencesAreForgotten() {
    var harness = Harness.running(slots: 64)
    for call in 1...20 as ClosedRange<UInt64> {
      harness.open(call, Harness.upload)
      harness.send(data(call, at: 0, 65_537), from: Harness.client)
      harness.pass(.seconds(61))
    }
    #expect(harness.take(.bye, for: Harness.client).isEmpty)
  }

  @Test("a worker that goes on sending what it may not is told why its session ends")
  func offendingWorker() throws {
    var harness = Harness.running()
    for _ in 1...16 { harness.send(Envelope(.halfClose, call: 1), from: Harness.worker) }
    let farewell = try #require(harness.take(.bye, for: Harness.worker).first)
    #expect(farewell.statusCode == .invalidArgument)
    #expect(farewell.extra?.statusMessage == "16 offences, the last of them: a worker may not send halfClose")
    #expect(harness.router.snapshot(at: harness.now).instances.isEmpty)
  }

  @Test("a worker beyond its caller's window ends that call")
  func workerBeyondWindow() throws {
    var harness = Harness.running()
    harness.open(1, Harness.watch)
    let call = try #require(harness.opened().first).call
    harness.send(data(call, at: 0, 65_536), from: Harness.worker)
    harness.send(data(call, at: 65_536, 65_536), from: Harness.worker)
    #expect(harness.take(for: Harness.client).filter { $0.call == 1 }.map(\.kind) == [.data, .status])
    #expect(offences(&harness) == ["worker"])
  }

  @Test(
    "no window may grow further than a bound beyond what has passed", arguments: [1_048_576, 1_048_577] as [UInt64])
  func furthestWindow(asked: UInt64) {
    var harness = Harness.running()
    harness.open(1, Harness.watch)
    _ = harness.opened()
    harness.send(window(1, asked), from: Harness.client)
    let isTooFar = asked > 1_048_576
    #expect(harness.take(.window, for: Harness.worker).count == (isTooFar ? 0 : 1))
    #expect(harness.outcomes().map(\.statusCode) == (isTooFar ? [.resourceExhausted] : []))
  }

  @Test("chunks without bytes, a second HALF_CLOSE and a WINDOW that changes nothing are not forwarded")
  func emptyWords() {
    var harness = Harness.running()
    harness.open(1, Harness.upload)
    _ = harness.opened()
    for _ in 0..<10 { harness.send(data(1, at: 0, 0), from: Harness.client) }
    for _ in 0..<10 { harness.send(window(1, 70_000), from: Harness.client) }
    for _ in 0..<10 { harness.send(Envelope(.halfClose, call: 1), from: Harness.client) }
    #expect(harness.take(for: Harness.worker).map(\.kind) == [.window, .halfClose])
  }

  // MARK: - A worker that does not read

  @Test("a worker that does not take what is sent to it gets no calls until it does")
  func heldUp() {
    var harness = Harness.running()
    harness.router.hold(Harness.worker)
    harness.open(1)
    #expect(harness.opened().isEmpty)
    harness.router.release(Harness.worker, at: harness.now)
    harness.send(Envelope(.pong), from: Harness.worker)
    #expect(harness.opened().count == 1)
  }

  @Test("a worker that begins again while it does not take what is sent to it gets no calls either")
  func heldUpAgain() {
    var harness = Harness.running()
    harness.router.hold(Harness.worker)
    harness.greetAsWorker(epoch: 2)
    harness.open(1)
    #expect(harness.opened().isEmpty)
    harness.change { $0.release(Harness.worker, at: $1) }
    #expect(harness.opened().count == 1)
  }

  @Test("a stream for which there is no room ends, and the worker's session goes on")
  func unreadStream() throws {
    var harness = Harness.running(slots: 2)
    harness.open(1, Harness.upload)
    harness.open(2)
    let calls = harness.opened().map(\.call)
    harness.router.endUnread(calls[0], to: Harness.worker, at: harness.now)
    harness.answer(calls[1])
    #expect(harness.outcomes().map(\.statusCode) == [.resourceExhausted, .ok])
  }

  @Test("a stream whose OK is replaced on its way out counts as what its caller is told, in metrics and traces")
  func unreadEnd() throws {
    var configuration = RouterConfiguration()
    configuration.tracing = Tracing(percentage: 100)
    var harness = Harness.running(slots: 3, configuration)
    for call in 1...3 as ClosedRange<UInt64> { harness.open(call, Harness.watch) }
    for (number, opened) in harness.opened().enumerated() {
      harness.send(data(opened.call, at: 0, 10), from: Harness.worker)
      harness.answer(opened.call)
      // As the host reports it in the turn in which it sends the end.
      if number == 1 { harness.router.endUnread(2, to: Harness.client, at: harness.now) }
      if number == 2 { harness.router.endUnwritten(3, to: Harness.client, at: harness.now) }
    }
    for _ in 0..<2 { harness.router.endUnread(2, to: Harness.client, at: harness.now) }
    let spans = harness.router.takeSpans()
    let codes: [StatusCode] = [.ok, .resourceExhausted, .internal]
    #expect(spans.map(\.code) == codes)
    let snapshot = harness.router.snapshot(at: harness.now)
    let counts = try #require(snapshot.services.first?.counts)
    #expect(codes.map { counts.outcomes[Int($0.rawValue)] } == [1, 1, 1] && counts.finished == 3)
  }

  // MARK: - Names

  @Test("a key that announces ever new names gets a bounded number, and the last ones are served")
  func namesPerKey() {
    var configuration = RouterConfiguration()
    configuration.serviceLimitPerKey = 8
    var harness = Harness(configuration)
    for epoch in 1...50 as ClosedRange<UInt64> {
      harness.greetAsWorker(epoch: epoch, services: ["a\(epoch).v1.A", "b\(epoch).v1.B"])
      #expect(harness.session(of: Harness.worker) != 0)
    }
    let names = harness.router.snapshot(at: harness.now).services.map(\.name)
    #expect(names.count <= 8 && names.contains("a50.v1.A"))
    harness.greetAsWorker(epoch: 51, services: (0..<9).map { "c\($0).v1.C" })
    let refusal = harness.take(.goaway, for: Harness.worker)
    #expect(refusal.map(\.statusCode) == [.resourceExhausted])
  }

  private func methods(_ names: [String]) -> Hello.ServiceOffer {
    .init(
      name: Harness.service,
      methods: names.map { Harness.method($0, .unary, .unknown) })
  }

  @Test("a service that has a worker takes a bounded number of methods from others, and those that it has go on")
  func methodsPerService() {
    var configuration = RouterConfiguration()
    configuration.methodLimitPerService = 13
    // Seven methods of one worker, which stays.
    var harness = Harness.running(slots: 4, configuration)
    let other = Peer(door: .services, link: 2)
    for epoch in 1...20 as ClosedRange<UInt64> {
      harness.greetAsWorker(other, instance: "other", epoch: epoch) {
        $0.services = [methods(["A\(epoch)", "B\(epoch)", Harness.get.name])]
      }
    }
    let answers = harness.take(for: other)
    #expect(answers.count { $0.kind == .helloAck } == 3)
    #expect(answers.filter { $0.kind == .goaway }.map(\.statusCode) == Array(repeating: .resourceExhausted, count: 17))
    harness.open(1, Harness.change)
    #expect(harness.opened().count == 1)
    // What is known already costs nothing.
    harness.greetAsWorker(other, instance: "other", epoch: 21)
    #expect(harness.take(.helloAck, for: other).count == 1)
  }

  @Test("the methods of an earlier worker leave room for those of the next one")
  func methodsOfSuccessor() {
    var configuration = RouterConfiguration()
    configuration.methodLimitPerService = Harness.methods.count
    var harness = Harness.running(configuration)
    harness.send(Envelope(.bye), from: Harness.worker)
    let names = Harness.methods.indices.map { "Other\($0)" }
    harness.greetAsWorker(epoch: 2) { $0.services = [methods(names)] }
    #expect(harness.take(.helloAck, for: Harness.worker).count == 2)
    harness.greetAsWorker(epoch: 3) {
      $0.services = [methods(Array(names.prefix(3))), methods(names.map { "\($0)B" })]
    }
    #expect(harness.take(.goaway, for: Harness.worker).map(\.statusCode) == [.resourceExhausted])
  }

  @Test(
    "texts of a HELLO have a bounded length",
    arguments: [
      (256, 256, 256, 256, true), (257, 256, 256, 256, false), (256, 257, 256, 256, false),
      (256, 256, 257, 256, false), (256, 256, 256, 257, false), (256, 256, 256, 0, false),
    ])
  func lengthsInHello(version: Int, address: Int, service: Int, method: Int, isTaken: Bool) {
    var harness = Harness()
    let name = String(repeating: "s", count: service)
    harness.greetAsWorker {
      $0.version = String(repeating: "v", count: version)
      $0.address = String(repeating: "a", count: address)
      let descriptor = MethodDescriptor(
        service: name, name: String(repeating: "m", count: method), kind: .unary, idempotency: .unknown,
        permissions: .anyone)
      $0.services = [.init(name: name, methods: [descriptor])]
    }
    let answer = harness.take(for: Harness.worker)
    #expect(answer.map(\.kind) == (isTaken ? [.helloAck] : [.goaway]))
    #expect(isTaken || answer.map(\.statusCode) == [.invalidArgument])
  }

  @Test(
    "a call waits for a service that nobody has announced if its names are ones that may be announced",
    arguments: [(256, 256, true), (257, 1, false), (1, 257, false), (1, 0, false), (0, 1, false)])
  func lengthsInPath(service: Int, method: Int, waits: Bool) {
    var harness = Harness()
    harness.greetAsClient()
    var envelope = Envelope(.open, call: 1)
    envelope.method = "/\(String(repeating: "s", count: service))/\(String(repeating: "m", count: method))"
    harness.send(envelope, from: Harness.client)
    #expect(harness.outcomes().map(\.statusCode) == (waits ? [] : [.unimplemented]))
  }

  @Test("a service without workers is forgotten in time, and its methods with it")
  func servicesAreForgotten() {
    var harness = Harness.running()
    harness.send(Envelope(.bye), from: Harness.worker)
    harness.pass(.seconds(3))
    harness.open(1)
    #expect(harness.outcomes().map(\.statusCode) == [.unavailable])
    harness.jump(.seconds(3600))
    harness.greetAsClient(epoch: 2)
    harness.pass(.seconds(1))
    #expect(harness.router.snapshot(at: harness.now).services.isEmpty)
    harness.open(2)
    #expect(harness.outcomes().map(\.statusCode) == [.unimplemented])
    harness.greetAsWorker(epoch: 2)
    harness.open(3)
    #expect(harness.opened().count == 1)
  }

  private func openUnannounced(_ call: UInt64, from peer: Peer, in harness: inout Harness) {
    var envelope = Envelope(.open, call: call)
    envelope.method = "/made.up.v\(call)/Call"
    envelope.extra = Envelope.Extra(waitsForReady: true)
    harness.send(envelope, from: peer)
  }

  @Test("names that callers invent do not use up room for ever, and nobody's use up that of others")
  func madeUpNames() throws {
    var configuration = RouterConfiguration()
    configuration.unannouncedServiceLimit = 8
    var harness = Harness(configuration)
    harness.greetAsClient()
    for call in 1...6 as ClosedRange<UInt64> { openUnannounced(call, from: Harness.client, in: &harness) }
    // It may come again: a service that is about to announce itself would wait for it.
    let refused = harness.outcomes()
    #expect(refused.map(\.call) == [5, 6])
    #expect(refused.allSatisfy { $0.statusCode == .unavailable && $0.notStarted })
    #expect(refused.allSatisfy { $0.extra?.metadata["retry-after-ms"] == "2000" })
    let other = Peer(door: .clients, link: 101)
    harness.greetAsClient(
      other, instance: "other", credentials: .client(CallerIdentity(kind: .person, tenant: "t", subject: "other")))
    openUnannounced(7, from: other, in: &harness)
    #expect(harness.outcomes(at: other).isEmpty)
    // There is room again as soon as nobody waits for a name.
    harness.send(Envelope(.cancel, call: 1), from: Harness.client)
    harness.send(Envelope(.cancel, call: 2), from: Harness.client)
    openUnannounced(8, from: Harness.client, in: &harness)
    #expect(harness.outcomes().isEmpty)
  }

  // MARK: - Numbers

  @Test("a call under number 0 is refused")
  func numberZero() {
    var harness = Harness.running()
    harness.open(0)
    #expect(harness.outcomes().map(\.statusCode) == [.invalidArgument])
    #expect(harness.opened().isEmpty)
  }

  @Test("two calls under one number end with one outcome")
  func numberInUse() throws {
    var harness = Harness.running(slots: 2)
    harness.open(1)
    let call = try #require(harness.opened().first).call
    harness.open(1)
    #expect(harness.outcomes().map(\.statusCode) == [.invalidArgument])
    #expect(harness.take(for: Harness.worker).map(\.kind) == [.cancel])
    harness.answer(call)
    #expect(harness.outcomes().isEmpty)
    harness.open(2)
    #expect(harness.opened().count == 1)
  }

  // MARK: - What cannot be read

  @Test("a peer whose messages cannot be read loses its session")
  func unreadable() {
    var harness = Harness.running()
    let noted = (0..<17).map { _ in
      harness.router.noteUnreadable(from: Harness.client, why: "it is noise", at: harness.now)
    }
    #expect(noted.count { $0 } == 16)
    #expect(offences(&harness).count == 16)
  }
}
