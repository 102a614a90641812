import Base
import Bus
import RPC
import Testing

@Suite struct ClientTests {
  @Test("calls go to the gateway with the fewest of them")
  func leastBusy() {
    var harness = ClientHarness(links: [0, 1])
    for call in 1...4 as ClosedRange<UInt64> { harness.open(call) }
    #expect(harness.take(.open).map(\.link) == [0, 1, 0, 1])
  }

  @Test("a call that belongs to a gateway goes through it as long as it is there, however busy it is")
  func wantedGateway() {
    var harness = ClientHarness(links: [0, 1])
    for call: UInt64 in 1...3 { harness.open(call, gateway: "gateway 1") }
    #expect(harness.take(.open).map(\.link) == [1, 1, 1])
    harness.open(4, gateway: "gateway 7")
    #expect(harness.take(.open).map(\.link) == [0], "one that is not there")
  }

  @Test("a gateway that refuses is asked again, at growing intervals")
  func refused() {
    var harness = ClientHarness(links: [])
    harness.change { $0.connected(0, at: $1) }
    var greetings: [Int] = []
    for tick in 0..<40 {
      if !harness.take(.hello).isEmpty {
        greetings.append(tick)
        harness.change { client, now in
          var refusal = Envelope(.goaway)
          refusal.statusCode = .permissionDenied
          client.receive(refusal, on: 0, at: now)
        }
      }
      harness.pass(.milliseconds(500))
    }
    #expect(greetings == [0, 2, 6, 14, 30])
    harness.connect(0)
    harness.open(1)
    #expect(harness.take(.open).count == 1)
  }

  @Test("a link that reaches the gateway of another link asks again at the pace of pings, with the same epoch")
  func alreadyConnected() {
    var harness = ClientHarness(links: [0])
    _ = harness.take(.hello)
    harness.change { $0.connected(1, at: $1) }
    var epochs: [UInt64?] = []
    for _ in 0..<3 {
      let hello = harness.take(.hello).last
      #expect(hello?.link == 1 && hello?.envelope.extra?.hello?.link == 1)
      epochs.append(hello?.envelope.extra?.hello?.epoch)
      harness.change { client, now in
        var refusal = Envelope(.goaway)
        refusal.statusCode = .alreadyExists
        client.receive(refusal, on: 1, at: now)
      }
      harness.pass(.milliseconds(500))
    }
    #expect(epochs == [epochs[0], epochs[0], epochs[0]])
    harness.open(1)
    #expect(harness.take(.open).map(\.link) == [0])
  }

  @Test("when its gateway dies, a call that may run twice goes to another one, and any other call fails")
  func lostGateway() {
    var harness = ClientHarness(links: [0])
    harness.open(1, RouterHarness.change)
    harness.open(2, RouterHarness.change, key: "k")
    _ = harness.take(.open)
    harness.connect(1)
    harness.change { $0.disconnected(0, at: $1) }
    let again = harness.take(.open)
    #expect(again.map(\.link) == [1])
    #expect(again.map(\.envelope.call) == [2])
    #expect(harness.outcomes() == [.unavailable])
    harness.receive(.status, call: 2, on: 1)
    #expect(harness.outcomes() == [.ok])
    #expect(harness.client.faults(atRest: true) == [])
  }

  @Test("a call handed back before it started is tried again, with or without a key")
  func notStarted() {
    var harness = ClientHarness()
    harness.open(1, RouterHarness.change)
    _ = harness.take(.open)
    harness.receive(.status, call: 1) {
      $0.statusCode = .unavailable
      $0.notStarted = true
    }
    #expect(harness.outcomes().isEmpty)
    harness.pass(.milliseconds(100))
    #expect(harness.take(.open).map(\.envelope.attempt) == [2])
    harness.receive(.status, call: 1) { $0.statusCode = .unavailable }
    #expect(harness.outcomes() == [.unavailable])
  }

  @Test("a call handed back goes through a gateway that has not done so, and through any once all have")
  func handedBack() {
    var harness = ClientHarness(links: [0, 1, 2])
    // Whoever hands everything back has the fewest calls.
    for call: UInt64 in 1...3 { harness.open(call) }
    harness.receive(.status, call: 1)
    _ = harness.take(.open)
    var tried: [LinkID] = []
    harness.open(4)
    while let link = harness.take(.open).first?.link {
      tried.append(link)
      harness.receive(.status, call: 4, on: link) {
        $0.statusCode = .unavailable
        $0.notStarted = true
      }
      harness.pass(.milliseconds(600))
      for link in 0...2 { harness.receive(.pong, on: link) }
    }
    #expect(tried.first == 0 && Set(tried[..<3]) == [0, 1, 2])
    #expect(tried.count == 5 && zip(tried, tried.dropFirst()).allSatisfy { $0 != $1 })
    #expect(harness.outcomes() == [.ok, .unavailable])
    #expect(harness.client.faults(atRest: false) == [])
    harness.receive(.status, call: 2, on: 1)
    harness.receive(.status, call: 3, on: 2)
    #expect(harness.client.faults(atRest: true) == [])
  }

  @Test("a retired link gets a call only where no other gateway takes it, until it is taken back")
  func retiredLink() {
    var harness = ClientHarness(links: [0, 1])
    harness.change { client, _ in client.retire(0) }
    for call: UInt64 in 1...3 { harness.open(call) }
    #expect(harness.take(.open).map(\.link) == [1, 1, 1])
    #expect(!harness.client.isUsed(0) && harness.client.isUsed(1))
    harness.receive(.status, call: 3, on: 1) {
      $0.statusCode = .unavailable
      $0.notStarted = true
    }
    harness.pass(.milliseconds(100))
    #expect(harness.take(.open).map(\.link) == [0], "the other one has handed it back")
    harness.receive(.goaway, on: 1)
    harness.open(4)
    #expect(harness.take(.open).map(\.link) == [0])
    harness.change { client, _ in client.retire(0, false) }
    harness.connect(2)
    for call: UInt64 in 5...7 { harness.open(call) }
    #expect(harness.take(.open).map(\.link) == [2, 2, 0])
  }

  @Test("only of a call that no gateway has had is it said that it was not started")
  func mayHaveRun() {
    var harness = ClientHarness()
    harness.open(1, RouterHarness.change, key: "k")
    harness.change { $0.disconnected(0, at: $1) }
    harness.open(2, RouterHarness.change, key: "l")
    harness.pass(.seconds(3))
    let texts = harness.statuses().map(\.message)
    #expect(texts.count == 2)
    #expect(texts.first?.contains("may have run") == true && texts.last?.contains("was not started") == true)
  }

  @Test("a call handed back is tried five times in all, after pauses that double and vary by a fifth at most")
  func retries() {
    var spread: Set<Int> = []
    for seed in 0..<20 as Range<UInt64> {
      var harness = ClientHarness(seed: seed)
      harness.open(1)
      var pauses: [Int] = []
      while harness.outcomes().isEmpty {
        harness.receive(.status, call: 1) {
          $0.statusCode = .unavailable
          $0.notStarted = true
        }
        _ = harness.take(.open)
        guard let pause = harness.pauseUntilNextTry() else { break }
        pauses.append(pause)
      }
      #expect(pauses.count == 4)
      for (pause, expected) in zip(pauses, [40, 80, 160, 320]) {
        #expect((expected * 8 / 10...expected * 12 / 10 + 1).contains(pause))
      }
      spread.formUnion(pauses)
    }
    #expect(spread.count > 20)
  }

  @Test("a gateway that says when to come again gets no call before that time")
  func pushback() {
    var harness = ClientHarness()
    harness.open(1)
    _ = harness.take(.open)
    harness.receive(.status, call: 1) {
      $0.statusCode = .unavailable
      $0.notStarted = true
      $0.extra = Envelope.Extra(metadata: ["retry-after-ms": "700"])
    }
    #expect(harness.pauseUntilNextTry() == 700)
    #expect(harness.outcomes().isEmpty)
  }

  @Test("a call fails at once when its gateway asks for a longer pause than its deadline allows")
  func pushbackBeyondDeadline() {
    var harness = ClientHarness()
    harness.open(1)
    harness.receive(.status, call: 1) {
      $0.statusCode = .unavailable
      $0.notStarted = true
      $0.extra = Envelope.Extra(metadata: ["retry-after-ms": "10000"])
    }
    #expect(harness.outcomes() == [.unavailable])
    #expect(harness.client.faults(atRest: true) == [])
  }

  @Test("a call made after the end has its outcome at once")
  func closed() {
    var harness = ClientHarness()
    harness.open(1)
    harness.change { $0.close(at: $1) }
    harness.open(2)
    #expect(harness.outcomes() == [.cancelled, .cancelled])
    #expect(harness.take(.open).map(\.envelope.call) == [1])
    #expect(harness.client.faults(atRest: true) == [])
  }

  @Test("an empty stream repeats its end when it is tried again")
  func emptyStreamIsRepeated() {
    var harness = ClientHarness()
    harness.open(1, RouterHarness.upload, request: nil)
    harness.change { $0.halfClose(1, at: $1) }
    #expect(harness.take(.halfClose).count == 1)
    harness.change { $0.disconnected(0, at: $1) }
    harness.connect(0)
    #expect(harness.take(.halfClose).count == 1)
  }

  @Test("a stream whose messages went out is not tried again")
  func sentStreamIsNotRepeated() {
    var harness = ClientHarness()
    harness.open(1, RouterHarness.upload, request: nil)
    harness.change { $0.send(1, MessageRun([1]), at: $1) }
    harness.change { $0.disconnected(0, at: $1) }
    #expect(harness.outcomes() == [.unavailable])
  }

  @Test("the gateway is pinged twice a second while an outcome is awaited, and rarely for a silent stream")
  func pings() {
    var harness = ClientHarness()
    func pings(in seconds: Int) -> Int {
      var count = 0
      for _ in 0..<4 * seconds {
        harness.pass(.milliseconds(250))
        let asked = harness.take(.ping).count
        count += asked
        for _ in 0..<asked { harness.receive(.pong) }
      }
      return count
    }
    harness.open(1, RouterHarness.watch)
    harness.receive(.data, call: 1) { $0.payload = [0, 0, 0, 1, 7] }
    let silent = pings(in: 9)
    #expect(silent <= 3, "\(silent)")
    harness.open(2)
    let waiting = pings(in: 8)
    #expect(waiting >= 14, "\(waiting)")
  }

  @Test("a gateway that never says anything about a new stream is given up as soon as for any call")
  func silentGateway() {
    var harness = ClientHarness()
    harness.open(1, RouterHarness.watch)
    _ = harness.take(.hello)
    for _ in 0..<10 { harness.pass(.milliseconds(250)) }
    #expect(!harness.take(.hello).isEmpty, "the client still waits for it")
  }

  @Test("a large request is cut into chunks and sent again from its start to another gateway")
  func bigRequest() {
    var harness = ClientHarness()
    harness.open(1, request: [UInt8](repeating: 1, count: 140_000))
    #expect(harness.take(.data).map(\.envelope.payload.count) == [65_536])
    harness.receive(.window, call: 1) { $0.offset = 140_004 }
    #expect(harness.take(.data).map(\.envelope.offset) == [65_536, 131_072])
    harness.change { $0.disconnected(0, at: $1) }
    harness.connect(0)
    #expect(harness.take(.data).map(\.envelope.offset) == [0])
  }

  @Test("without a gateway a call waits briefly, or to its deadline if it asks to")
  func noGateway() {
    var harness = ClientHarness(links: [])
    harness.open(1)
    harness.open(2, waitsForReady: true)
    harness.pass(.seconds(3))
    #expect(harness.outcomes() == [.unavailable])
    harness.pass(.seconds(8))
    #expect(harness.outcomes() == [.deadlineExceeded])
    #expect(harness.client.faults(atRest: true) == [])
  }

  @Test("a call that waits for a gateway is sent when there is one")
  func parkedCall() {
    var harness = ClientHarness(links: [])
    harness.open(1)
    harness.pass(.seconds(1))
    harness.connect(0)
    #expect(harness.take(.open).count == 1)
  }

  @Test("the deadline and a cancellation end the call here and notify the gateway")
  func cancelAndDeadline() {
    var harness = ClientHarness()
    harness.open(1)
    harness.open(2)
    harness.change { $0.cancel(1, at: $1) }
    #expect(harness.outcomes() == [.cancelled])
    #expect(harness.take(.cancel).map(\.envelope.call) == [1])
    for _ in 0..<11 {
      harness.pass(.seconds(1))
      harness.receive(.pong)
    }
    #expect(harness.outcomes() == [.deadlineExceeded])
    #expect(harness.client.faults(atRest: true) == [])
  }

  @Test("a gateway that is about to stop gets no new calls and may end the old ones")
  func leavingGateway() {
    var harness = ClientHarness(links: [0, 1])
    harness.open(1)
    harness.receive(.goaway)
    harness.open(2)
    harness.open(3)
    #expect(harness.take(.open).map(\.link) == [0, 1, 1])
    harness.receive(.status, call: 1)
    #expect(harness.outcomes() == [.ok])
  }

  @Test("a call's end gives back the window's growth to other streams")
  func windowIsGivenBack() {
    var harness = ClientHarness()
    harness.open(1, RouterHarness.watch)
    harness.receive(.data, call: 1) { $0.payload = [0, 0, 255, 252] + [UInt8](repeating: 0, count: 65_532) }
    harness.change { $0.consumed(1, ReadCount(bytes: 65_532, messages: 1), at: $1) }
    #expect(harness.take(.window).map(\.envelope.offset) == [65_536 + 2 * 65_536])
    #expect(harness.client.faults(atRest: false) == [])
    harness.receive(.status, call: 1)
    #expect(harness.outcomes() == [.ok])
    #expect(harness.client.faults(atRest: true) == [])
  }

  @Test("an answer with a gap in it fails the call")
  func gap() {
    var harness = ClientHarness()
    harness.open(1, RouterHarness.watch)
    harness.receive(.data, call: 1) { $0.payload = [0, 0, 0, 1] }
    harness.receive(.data, call: 1) {
      $0.offset = 5
      $0.payload = [1]
    }
    #expect(harness.outcomes() == [.invalidArgument])
  }

  @Test("a stream that ends OK in the middle of a message has failed")
  func cutOff() {
    var harness = ClientHarness()
    harness.open(1, RouterHarness.watch)
    harness.receive(.data, call: 1) { $0.payload = [0, 0, 0, 9, 1] }
    harness.receive(.status, call: 1)
    #expect(harness.outcomes() == [.internal])
  }

  @Test("answers to another link, session or call have no effect")
  func strayAnswers() {
    var harness = ClientHarness(links: [0, 1])
    harness.open(1)
    harness.receive(.status, call: 1, on: 1)
    harness.receive(.status, call: 1) { $0.session = 7 }
    harness.receive(.status, call: 9)
    #expect(harness.outcomes().isEmpty)
  }
}
