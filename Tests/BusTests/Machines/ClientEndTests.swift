import Bus
import RPC
import Testing

/// How the client ends calls by itself, and what it then says of their handlers.
@Suite struct ClientEndTests {
  @Test("the client says itself of each call that it never sent, or got back, that no handler has seen it")
  func endsUnsent() {
    var harness = ClientHarness(links: [])
    harness.open(1)
    harness.change { $0.cancel(1, at: $1) }
    harness.open(2, request: [UInt8](repeating: 0, count: BusLimits.largestMessage + 1))
    harness.open(3)
    harness.open(4, waitsForReady: true)
    harness.pass(.seconds(3))
    harness.pass(.seconds(8))
    harness.open(5)
    harness.change { $0.close(at: $1) }
    harness.open(6)
    let statuses = harness.statuses()
    #expect(
      statuses.map(\.code)
        == [.cancelled, .resourceExhausted, .unavailable, .deadlineExceeded, .cancelled, .cancelled])
    #expect(statuses.allSatisfy { $0.isNotStarted })

    harness = ClientHarness()
    harness.open(1)
    harness.receive(.status, call: 1) {
      $0.statusCode = .unavailable
      $0.notStarted = true
    }
    harness.change { $0.cancel(1, at: $1) }
    #expect(harness.statuses().map(\.isNotStarted) == [true])
  }

  @Test("a handler may have seen each call that was sent, however it ends")
  func endsSent() {
    var harness = ClientHarness()
    harness.open(1)
    harness.change { $0.cancel(1, at: $1) }
    harness.open(2, RouterHarness.change)
    harness.open(3)
    harness.change { $0.disconnected(0, at: $1) }
    harness.pass(.seconds(3))
    harness.connect(0)
    harness.open(4)
    harness.change { $0.close(at: $1) }
    let statuses = harness.statuses()
    #expect(statuses.map(\.code) == [.cancelled, .unavailable, .unavailable, .cancelled])
    #expect(!statuses.contains { $0.isNotStarted })
  }

  @Test("a call whose OPEN cannot be encoded ends at once, with the reason, and no other call does")
  func unencodable() throws {
    var harness = ClientHarness(links: [0, 1])
    harness.open(1)
    harness.open(2, gateway: "gateway 0")
    harness.change { client, _ in
      client.endUnsent(1, on: 0, because: "a text contains NUL")
      client.endUnsent(2, on: 1, because: "it is not there")
    }
    let statuses = harness.statuses()
    let status = try #require(statuses.first)
    #expect(statuses.count == 1 && status.code == .internal && status.isNotStarted)
    #expect(status.message == "the call cannot be sent: a text contains NUL")
    harness.receive(.status, call: 2)
    #expect(harness.outcomes() == [.ok])
    #expect(harness.client.faults(atRest: true) == [])
  }

  @Test("a repeated call whose OPEN cannot be encoded may have run at the gateway that was lost")
  func unencodableRepeat() {
    var harness = ClientHarness(links: [0])
    harness.open(1)
    harness.connect(1)
    harness.change { $0.disconnected(0, at: $1) }
    harness.change { client, _ in client.endUnsent(1, on: 1, because: "it is too large") }
    let statuses = harness.statuses()
    #expect(statuses.map(\.code) == [.internal])
    #expect(!statuses.contains { $0.isNotStarted })
  }
}
