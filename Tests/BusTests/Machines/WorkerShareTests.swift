import Base
import Bus
import RPC
import Testing

/// What one caller can take of a worker, and what stays for everybody else.
@Suite struct WorkerShareTests {
  private static let anna = CallerIdentity(kind: .person, tenant: "t", subject: "anna")
  private static let bert = CallerIdentity(kind: .person, tenant: "t", subject: "bert")

  // MARK: - Requests that do not come

  @Test("calls whose requests do not come take no credit for long, and end after ten seconds without a byte")
  func emptyOpens() {
    var harness = WorkerHarness(slots: 2, prefetch: 1)
    let calls = (0..<3).map { _ in harness.open(remaining: 86_400_000, message: nil) }
    #expect(harness.credit[0] == 3)
    harness.live(.milliseconds(250))
    #expect(harness.credit[0] == 6)
    harness.live(.milliseconds(9_900))
    #expect(harness.take(.status).isEmpty)
    harness.live(.milliseconds(200))
    let outcomes = harness.take(.status)
    #expect(Set(outcomes.map(\.call)) == Set(calls))
    #expect(outcomes.allSatisfy { $0.statusCode == .deadlineExceeded })
    #expect(harness.worker.faults(atRest: true) == [])
  }

  @Test("a request that comes slowly is waited for, and its call then runs to its deadline")
  func slowRequest() {
    var harness = WorkerHarness(slots: 1)
    let call = harness.open(remaining: 60_000, message: nil)
    for (offset, byte) in ([0, 0, 0, 2, 7] as [UInt8]).enumerated() {
      harness.send([byte], at: UInt64(offset), to: call)
      harness.live(.seconds(9))
    }
    #expect(harness.take(.status).isEmpty)
    harness.send([8], at: 5, to: call)
    harness.receive(Envelope(.halfClose, call: call))
    #expect(harness.started().count == 1)
    // Neither the wait for the request nor a stream's time without a slot counts for a handler that runs.
    harness.live(.seconds(12))
    harness.open()
    #expect(harness.started().isEmpty)
    harness.live(.seconds(4))
    #expect(harness.take(.status).contains { $0.call == call && $0.statusCode == .deadlineExceeded })
  }

  @Test("a request that comes soon counts for a slot all the while")
  func quickRequest() {
    var harness = WorkerHarness(slots: 1, prefetch: 0)
    let call = harness.open(message: nil)
    harness.send([0, 0, 0, 1, 7], to: call)
    harness.live(.milliseconds(300))
    #expect(harness.started().count == 1)
    #expect(harness.credit[0] == 1)
  }

  @Test("of the places for slow requests, one caller leaves as many as it has")
  func slowRequestsOfOne() {
    var harness = WorkerHarness(slots: 1) { $0.lateRequestLimit = 4 }
    func open(_ caller: CallerIdentity) -> [Envelope] {
      harness.open(remaining: 60_000, message: nil, caller: caller)
      harness.live(.milliseconds(300))
      return harness.take(.status)
    }
    #expect(open(Self.anna).isEmpty && open(Self.anna).isEmpty)
    let refused = open(Self.anna)
    #expect(refused.map(\.statusCode) == [.resourceExhausted])
    #expect(refused.first?.extra?.metadata["retry-after-ms"] == "1000")
    #expect(open(Self.bert).isEmpty)
    harness.live(.seconds(21))
    #expect(harness.worker.faults(atRest: true) == [])
  }

  @Test(
    "what follows a single request ends its call, whether it came in OPEN or as DATA",
    arguments: [nil, [7]] as [[UInt8]?])
  func secondRequest(opening: [UInt8]?) {
    var harness = WorkerHarness(slots: 1)
    let call = harness.open(message: opening)
    if opening == nil { harness.send([0, 0, 0, 1, 7], to: call) }
    let running = harness.started()
    #expect(running.count == 1)
    harness.send([0, 0, 0, 1, 8], at: opening == nil ? 5 : 0, to: call)
    #expect(harness.take(.status).map(\.statusCode) == [.invalidArgument])
    guard case .cancel(running[0], _) = harness.worker.takeActions().first else {
      Issue.record("the handler is not cancelled")
      return
    }
    let other = harness.open(message: nil)
    harness.send([0, 0, 0, 1, 7, 0, 0], to: other)
    #expect(harness.take(.status).map(\.statusCode) == [.invalidArgument])
  }

  // MARK: - Streams

  @Test("of the streams that are open here, one caller leaves as many as it has, and unary calls go on")
  func streamsOfOne() {
    var harness = WorkerHarness(slots: 2) {
      $0.streamLimit = 10
      $0.openCallLimit = 12
    }
    func open(_ method: MethodDescriptor, _ caller: CallerIdentity) -> [StatusCode] {
      harness.open(method, remaining: 86_400_000, caller: caller)
      harness.live(.milliseconds(300))
      return harness.take(.status).map(\.statusCode)
    }
    for _ in 0..<5 { #expect(open(RouterHarness.converse, Self.anna).isEmpty) }
    #expect(open(RouterHarness.converse, Self.anna) == [.resourceExhausted])
    // In another role and at another device she is the same caller.
    var elsewhere = Self.anna
    (elsewhere.device, elsewhere.grants) = ("kiosk", ["witness@heart"])
    #expect(open(RouterHarness.watch, elsewhere) == [.resourceExhausted])
    #expect(open(RouterHarness.watch, Self.bert).isEmpty)
    _ = harness.started()
    #expect(open(RouterHarness.get, Self.anna).isEmpty && open(RouterHarness.get, Self.bert).isEmpty)
    #expect(harness.started().count == 2)
  }

  @Test("all streams that a worker takes leave credit for other calls")
  func streamsLeaveCredit() {
    #expect(WorkerConfiguration(slots: 1).streamLimit < WorkerConfiguration(slots: 1).openCallLimit)
    var harness = WorkerHarness(slots: 1, prefetch: 0) {
      $0.streamLimit = 8
      $0.openCallLimit = 10
    }
    for number in 0..<40 {
      let caller = CallerIdentity(kind: .device, tenant: "t", subject: "\(number)")
      harness.open(RouterHarness.converse, remaining: 86_400_000, caller: caller)
      harness.live(.milliseconds(300))
    }
    #expect(harness.started().count == 8)
    #expect(harness.credit[0] == 41)
    harness.open(caller: Self.anna)
    #expect(harness.started().count == 1)
  }

  // MARK: - Large messages

  /// The beginning of a message that is a byte short of the largest one.
  private static let endless: [UInt8] = [1, 255, 255, 255] + [UInt8](repeating: 1, count: 65_532)

  @Test("messages that never become whole take no more than the room for them, and one caller half of it")
  func endlessMessages() {
    var harness = WorkerHarness(slots: 1) { $0.largeMessageRoom = 64 << 20 }
    func begin(_ method: MethodDescriptor, _ caller: CallerIdentity) -> UInt64 {
      let call = harness.open(method, remaining: 86_400_000, message: nil, caller: caller)
      harness.live(.milliseconds(300))
      return call
    }
    var refused: [UInt64] = []
    var granted: Set<UInt64> = []
    for number in 0..<20 {
      let call = begin(number.isMultiple(of: 2) ? RouterHarness.upload : RouterHarness.get, Self.anna)
      harness.send(Self.endless, to: call)
      for envelope in harness.take([.status, .window]) where envelope.call == call {
        if envelope.kind == .window { granted.insert(call) } else { refused.append(call) }
        #expect(envelope.kind == .window || envelope.statusCode == .resourceExhausted)
      }
    }
    #expect(granted == [1] && refused.count == 19)
    // A message within the window needs nothing of it.
    let small = begin(RouterHarness.get, Self.anna)
    harness.send([0, 0, 0, 1, 7], to: small)
    harness.send(Self.endless, to: begin(RouterHarness.upload, Self.bert))
    #expect(harness.take(.status).isEmpty)
    // The end of a call gives back what it has taken.
    harness.receive(Envelope(.cancel, call: 1))
    for call in harness.started() {
      harness.change { $0.finish(call, with: .ok, answer: [], initialMetadata: [:], at: $1) }
    }
    _ = harness.take(.status)
    harness.send(Self.endless, to: begin(RouterHarness.get, Self.anna))
    #expect(harness.take(.status).isEmpty)
    #expect(harness.worker.faults(atRest: false) == [])
  }

  @Test("a large message has its room until its handler has it, in a stream and as a single request")
  func roomIsGivenBack() {
    let message = MessageRun([UInt8](repeating: 1, count: 2_000_000))
    var harness = WorkerHarness(slots: 1, prefetch: 4) { $0.largeMessageRoom = 3_000_000 }
    func send(_ call: UInt64) -> [StatusCode] {
      var sender = StreamSender()
      sender.append(message)
      var codes: [StatusCode] = []
      while codes.isEmpty, let chunk = sender.nextChunk() {
        harness.send(chunk.bytes, at: chunk.offset, to: call)
        for envelope in harness.take([.window, .status]) {
          if envelope.kind == .window {
            sender.extend(window: envelope.offset)
          } else {
            codes.append(envelope.statusCode)
          }
        }
      }
      #expect(!codes.isEmpty || sender.backlog == 0)
      return codes
    }
    let stream = harness.open(RouterHarness.upload)
    let handler = harness.started()
    #expect(send(stream).isEmpty)
    let early = harness.open(message: nil)
    #expect(send(early) == [.resourceExhausted])
    harness.change { $0.consumed(handler[0], ReadCount(bytes: 2_000_000, messages: 1), at: $1) }
    // Its request waits for the slot, with the room.
    let queued = harness.open(message: nil)
    #expect(send(queued).isEmpty)
    let late = harness.open(message: nil)
    #expect(send(late) == [.resourceExhausted])
    harness.change { $0.waits(handler[0], at: $1) }
    #expect(harness.started().count == 1)
    #expect(send(harness.open(message: nil)).isEmpty)
    #expect(harness.worker.faults(atRest: false) == [])
  }
}
