import Base
import Bus
import RPC
import Testing

@Suite struct WorkerTests {
  @Test("credit is slots plus prefetch, and rises by one when a handler ends")
  func credit() {
    var harness = WorkerHarness(slots: 2, prefetch: 1)
    #expect(harness.credit[0] == 3)
    for _ in 0..<3 { harness.open() }
    let running = harness.started()
    #expect(running.count == 2)
    #expect(harness.credit[0] == 3)
    harness.change { $0.finish(running[0], with: .ok, answer: [], initialMetadata: [:], at: $1) }
    #expect(harness.started().count == 1)
    #expect(harness.credit[0] == 4)
  }

  @Test("methods whose paths have the same length and the same end are distinguished")
  func similarPaths() {
    let methods = ["one", "two", "six"].map {
      MethodDescriptor(
        service: "test.\($0)", name: "Something", kind: .unary, idempotency: .unknown, permissions: .anyone)
    }
    var harness = WorkerHarness(slots: 4, methods: methods)
    for method in methods.reversed() { harness.open(method) }
    let started = harness.worker.takeActions().map { action in
      if case .start(_, let start, _) = action { start.method.path } else { "" }
    }
    #expect(started == methods.reversed().map(\.path))
    harness.open(RouterHarness.get)
    #expect(harness.take(.status).map(\.statusCode) == [.unimplemented])
  }

  @Test("what a handler says beyond the bounds of a STATUS is cut or left out", arguments: [30_000, 98_000, 200_000])
  func longStatus(count: Int) throws {
    var harness = WorkerHarness(slots: 1)
    harness.open()
    let call = try #require(harness.started().first)
    // One character, however long.
    let quoted = "e" + String(repeating: "\u{301}", count: count / 2)
    let why = Status.Detail(typeName: "test.v1.Why", value: [UInt8](repeating: 1, count: count))
    let status = Status(.notFound, quoted, details: [why], metadata: ["retry-after-ms": "5"])
    harness.change { $0.finish(call, with: status, answer: nil, initialMetadata: [:], at: $1) }
    let outcome = try #require(harness.take(.status).first)
    #expect(outcome.statusCode == .notFound)
    let extra = try #require(outcome.extra)
    #expect(extra.statusMessage.utf8.count <= BusLimits.longestStatusMessage)
    #expect(quoted.utf8.starts(with: extra.statusMessage.utf8.dropLast("…".utf8.count)))
    #expect(extra.statusDetails == (count < BusLimits.largestStatusContent ? [why] : []))
    #expect(extra.metadata["retry-after-ms"] == "5")
    _ = try EnvelopeFrames(outcome)
  }

  @Test("a refusal for lack of room says whether a handler has seen the call")
  func refusals() {
    var harness = WorkerHarness(slots: 1, prefetch: 4) { ($0.streamLimit, $0.largeMessageRoom) = (4, 1 << 20) }
    let running = harness.open(RouterHarness.upload)
    #expect(harness.started().count == 1)
    let queued = harness.open(RouterHarness.upload)
    let arriving = harness.open(message: nil)
    let beginning: [UInt8] = [1, 255, 255, 255] + [UInt8](repeating: 1, count: 65_532)
    for call in [running, queued, arriving] { harness.send(beginning, to: call) }
    harness.open(RouterHarness.upload)
    harness.open(RouterHarness.upload)
    let outcomes = harness.take(.status)
    #expect(outcomes.map(\.call) == [1, 2, 3, 5])
    #expect(outcomes.allSatisfy { $0.statusCode == .resourceExhausted })
    #expect(outcomes.map(\.notStarted) == [false, true, true, true])
  }

  @Test("a call whose deadline has passed says what it was at")
  func lateCalls() throws {
    var harness = WorkerHarness(slots: 1, prefetch: 3)
    harness.open(remaining: 1_000)
    let first = try #require(harness.started().first)
    let large = [UInt8](repeating: 1, count: 200_000)
    harness.change { $0.finish(first, with: .ok, answer: large, initialMetadata: [:], at: $1) }
    for message in [[], [], nil] as [[UInt8]?] { harness.open(remaining: 1_000, message: message) }
    harness.pass(.seconds(1))
    let outcomes = harness.take(.status).sorted { $0.call < $1.call }
    #expect(outcomes.allSatisfy { $0.statusCode == .deadlineExceeded })
    #expect(
      outcomes.map { $0.extra?.statusMessage } == [
        "the deadline passed while the answer of Get waited to be read", "the deadline passed while Get ran",
        "the deadline passed while Get waited for a slot", "the deadline passed before the request of Get had come",
      ])
  }

  @Test("a handler that waits gives its slot up, and does not queue for it again")
  func waitingFreesTheSlot() {
    var harness = WorkerHarness(slots: 1, prefetch: 1)
    harness.open()
    let first = harness.started()
    harness.open()
    #expect(harness.started().isEmpty)
    harness.change { $0.waits(first[0], at: $1) }
    #expect(harness.started().count == 1)
    #expect(harness.credit[0] == 3)
    harness.change { $0.resumes(first[0], at: $1) }
    harness.change { $0.finish(first[0], with: .ok, answer: [], initialMetadata: [:], at: $1) }
    #expect(harness.take(.status).map(\.call) == [1])
  }

  @Test(
    "a gateway is pinged twice a second while a call waits for its answer, and not for streams of answers",
    arguments: [RouterHarness.watch, RouterHarness.converse], [RouterHarness.change, RouterHarness.converse])
  func pings(silent: MethodDescriptor, awaited: MethodDescriptor) {
    var harness = WorkerHarness(slots: 2)
    func pingsInAMinute(_ harness: inout WorkerHarness) -> Int {
      (0..<240).reduce(0) { count, _ in
        harness.pass(.milliseconds(250))
        let pings = harness.take(.ping).count
        for _ in 0..<pings { harness.receive(Envelope(.pong)) }
        return count + pings
      }
    }
    let stream = harness.open(silent, remaining: 600_000)
    let quiet = pingsInAMinute(&harness)
    #expect(quiet >= 6 && quiet <= 14, "\(quiet)")
    let call = harness.open(awaited, remaining: awaited == RouterHarness.converse ? 599_000 : 600_000)
    #expect(pingsInAMinute(&harness) >= 118)
    harness.receive(Envelope(.cancel, call: call))
    harness.receive(Envelope(.cancel, call: stream))
    #expect(pingsInAMinute(&harness) <= 14)
  }

  @Test("what a stream sends between two flushes goes out as one chunk, before its outcome")
  func oneChunk() {
    var harness = WorkerHarness(slots: 2)
    harness.open(RouterHarness.watch)
    harness.open(RouterHarness.watch)
    let streams = harness.started()
    harness.change { worker, now in
      for number in 0..<10 {
        for stream in streams { worker.send(stream, MessageRun([UInt8(number)]), initialMetadata: [:], at: now) }
      }
      worker.finish(streams[0], with: .ok, answer: nil, initialMetadata: [:], at: now)
    }
    let sent = harness.take([.data, .status])
    #expect(sent.map(\.kind) == [.data, .status, .data])
    #expect(sent.map(\.call) == [1, 1, 2])
    #expect(sent[0].payload == (0..<10).flatMap { [0, 0, 0, 1, UInt8($0)] })
    #expect(sent[2].payload == sent[0].payload)
  }

  @Test("a stream that runs for long counts as one that waits, also after its next nested call")
  func longLivedStreams() {
    var harness = WorkerHarness(slots: 1, prefetch: 0)
    harness.open(RouterHarness.watch)
    let stream = harness.started()
    #expect(harness.credit[0] == 1)
    harness.pass(.milliseconds(300))
    #expect(harness.credit[0] == 2)
    harness.change { $0.waits(stream[0], at: $1) }
    harness.change { $0.resumes(stream[0], at: $1) }
    harness.open()
    #expect(harness.started().count == 1)
  }

  @Test("two gateways together never get more than slots, prefetch, and one call each beyond")
  func twoGateways() {
    var harness = WorkerHarness(slots: 2, prefetch: 1, links: [0, 1])
    var given = [0, 0]
    // Both use all they are granted, as long as they are granted any.
    for _ in 0..<50 {
      for link in 0...1 where UInt64(given[link]) < harness.credit[link] ?? 0 {
        given[link] += 1
        harness.open(on: link)
      }
    }
    #expect(given[0] + given[1] <= 2 * (2 + 1) + 2)
    #expect(given[0] >= 2 && given[1] >= 2)
    #expect(harness.started().count == 2)
  }

  @Test("with several gateways, one whose share is one slot may still use it for calls that must not wait")
  func sharesHoldASlot() {
    var harness = WorkerHarness(slots: 1, prefetch: 1, links: [0, 1])
    harness.pass(.milliseconds(1))
    // A gateway takes the last part of the credit, as large as `prefetch`, for what exceeds the slots.
    #expect(harness.credit[0] ?? 0 >= 2)
    #expect(harness.credit[1] ?? 0 >= 2)
  }

  @Test("an OPEN beyond the credit is not accepted")
  func creditIsEnforced() {
    var harness = WorkerHarness(slots: 1, prefetch: 0)
    harness.open()
    harness.open()
    #expect(harness.started().count == 1)
  }

  @Test("requests that come before their handler runs are there when it does")
  func earlyRequests() {
    var harness = WorkerHarness(slots: 1, prefetch: 1)
    harness.open()
    let first = harness.started()
    let upload = harness.open(RouterHarness.upload)
    var chunk = Envelope(.data, call: upload)
    chunk.payload = [0, 0, 0, 1, 42]
    harness.receive(chunk)
    harness.receive(Envelope(.halfClose, call: upload))
    #expect(harness.worker.takeActions().isEmpty)
    harness.change { $0.finish(first[0], with: .ok, answer: [], initialMetadata: [:], at: $1) }
    var seen: [String] = []
    for action in harness.worker.takeActions() {
      switch action {
      case .start: seen.append("start")
      case .requests(_, let messages): seen += messages.map { "request \($0)" }
      case .requestsEnded: seen.append("end")
      default: seen.append("something else")
      }
    }
    #expect(seen == ["start", "request [42]", "end"])
  }

  @Test("a call that expires before its turn is answered and not started")
  func expiredInQueue() {
    var harness = WorkerHarness(slots: 1, prefetch: 1)
    harness.open()
    let first = harness.started()
    harness.open(remaining: 50)
    harness.pass(.milliseconds(60))
    harness.change { $0.finish(first[0], with: .ok, answer: [], initialMetadata: [:], at: $1) }
    #expect(harness.started().isEmpty)
    #expect(harness.take(.status).map(\.statusCode) == [.deadlineExceeded, .ok])
  }

  @Test("the deadline cancels the handler, which keeps its slot until it returns")
  func deadline() {
    var harness = WorkerHarness(slots: 1, prefetch: 0)
    harness.open(remaining: 50)
    let call = harness.started()
    harness.pass(.milliseconds(60))
    #expect(harness.take(.status).map(\.statusCode) == [.deadlineExceeded])
    guard case .cancel(call[0], let status) = harness.worker.takeActions().first else {
      Issue.record("the handler is not cancelled")
      return
    }
    #expect(status.code == .deadlineExceeded)
    #expect(harness.credit[0] == 1)
    harness.change { $0.finish(call[0], with: .ok, answer: [1], initialMetadata: [:], at: $1) }
    #expect(harness.take(.status).isEmpty)
    #expect(harness.credit[0] == 2)
    #expect(harness.worker.faults(atRest: true) == [])
  }

  @Test("the end of a session cancels its calls, and its later messages have no effect")
  func sessionEnds() {
    var harness = WorkerHarness(slots: 2, prefetch: 0)
    let number = harness.open()
    let call = harness.started()
    harness.change { $0.disconnected(0, at: $1) }
    harness.connect(0)
    #expect(harness.worker.takeActions().count == 1)
    harness.change { $0.finish(call[0], with: .ok, answer: [], initialMetadata: [:], at: $1) }
    #expect(harness.take(.status).isEmpty)
    var late = Envelope(.open, call: number + 1)
    late.method = RouterHarness.get.path
    late.carriesMessage = true
    harness.receive(late, session: 49)
    #expect(harness.started().isEmpty)
  }

  @Test("a drain announces itself, hands back what has not started, ends streams, and says BYE when all has ended")
  func drain() {
    var harness = WorkerHarness(slots: 2, prefetch: 1)
    harness.open()
    harness.open(RouterHarness.watch)
    harness.open()
    let calls = harness.started()
    harness.change { $0.drain(at: $1) }
    let said = harness.take(.goaway).count
    #expect(said == 1)
    guard case .cancel(calls[1], let status) = harness.worker.takeActions().first else {
      Issue.record("the stream is not ended")
      return
    }
    #expect(status.code == .unavailable)
    harness.change { $0.finish(calls[0], with: .ok, answer: [], initialMetadata: [:], at: $1) }
    #expect(!harness.worker.isDrained)
    harness.change { $0.finish(calls[1], with: status, answer: nil, initialMetadata: [:], at: $1) }
    #expect(harness.take(.bye).count == 1)
    #expect(harness.credit[0] == 3)
  }

  @Test("a drain also ends when the last answer waits for its reader's window")
  func drainWaitsForReaders() {
    var harness = WorkerHarness(slots: 1, prefetch: 0)
    let number = harness.open()
    let calls = harness.started()
    harness.change { $0.drain(at: $1) }
    harness.change {
      $0.finish(calls[0], with: .ok, answer: [UInt8](repeating: 1, count: 140_000), initialMetadata: [:], at: $1)
    }
    #expect(harness.take(.bye).isEmpty)
    var window = Envelope(.window, call: number)
    window.offset = 200_000
    harness.receive(window)
    #expect(harness.take(.bye).count == 1)
  }

  @Test("a worker's signs of life tell what its operators should know")
  func notices() {
    var harness = WorkerHarness(slots: 1) { $0.notices = { ["data: a problem"] } }
    harness.receive(Envelope(.ping))
    #expect(harness.take(.pong).map { $0.extra?.load?.notices } == [["data: a problem"]])
  }

  @Test("HELLO is repeated with the same epoch while no answer comes, and gets a new one for a new connection")
  func epochs() {
    var hello = Hello(instance: "worker", epoch: 0, role: .worker)
    hello.services = []
    var worker = Worker(
      configuration: WorkerConfiguration(slots: 1), hello: hello, epoch: 7, at: MonotonicTime(nanoseconds: 0))
    var epochs: [UInt64] = []
    func collect() {
      worker.flush { _, envelope in epochs.append(envelope.extra?.hello?.epoch ?? 0) }
    }
    worker.connected(0, at: MonotonicTime(nanoseconds: 0))
    collect()
    for second in 1...2 as ClosedRange<Int64> {
      worker.advance(to: MonotonicTime(nanoseconds: second * 1_000_000_000))
      collect()
    }
    worker.disconnected(0, at: MonotonicTime(nanoseconds: 3_000_000_000))
    worker.connected(0, at: MonotonicTime(nanoseconds: 3_000_000_000))
    collect()
    #expect(epochs == [8, 8, 8, 9])
  }
}
