import Base
import Bus
import RPC
import Testing

/// What a gateway expects of the wait before it admits a call.
@Suite struct RouterEstimateTests {
  private typealias Harness = RouterHarness

  /// Calls of the service turn out to take 100 ms.
  private func teach(_ harness: inout Harness) throws {
    for number in 1...3 as ClosedRange<UInt64> {
      harness.open(number)
      let call = try #require(harness.opened().first).call
      harness.pass(.milliseconds(100))
      harness.answer(call, credit: number + 1)
    }
    _ = harness.outcomes()
  }

  @Test("a call is refused on arrival when its wait would exceed its deadline")
  func estimatedWait() throws {
    var harness = Harness.running()
    try teach(&harness)
    // One runs, and some can still be done in time.
    for call in 11...20 as ClosedRange<UInt64> { harness.open(call, remaining: 500) }
    let refused = harness.outcomes()
    #expect(refused.map(\.call).suffix(4) == [17, 18, 19, 20])
    #expect(4...6 ~= refused.count)
    #expect(refused.allSatisfy { $0.statusCode == .resourceExhausted && $0.notStarted })
    #expect(refused.allSatisfy { ($0.extra?.metadata["retry-after-ms"]).flatMap { Int($0) } ?? 0 >= 300 })
    harness.open(31, remaining: 5_000)
    #expect(harness.outcomes().isEmpty)
  }

  @Test("the wait behind streams and other calls is estimated from the pace of both")
  func estimateKnowsMethods() throws {
    var harness = Harness.running(slots: 4)
    harness.open(1)
    let slow = try #require(harness.opened().first).call
    harness.pass(.seconds(2))
    harness.answer(slow, credit: 5)
    harness.open(2, Harness.watch)
    let quick = try #require(harness.opened().first).call
    harness.pass(.milliseconds(10))
    harness.answer(quick, credit: 6)
    _ = harness.outcomes()
    // One slow call and three quick streams fill the slots, and fifty more streams wait.
    harness.open(3)
    for call in 4...56 as ClosedRange<UInt64> { harness.open(call, Harness.watch) }
    harness.open(57, remaining: 5_000)
    #expect(harness.outcomes().isEmpty)
  }

  @Test("streams that stay open make nobody expect that the queue moves soon")
  func estimateKnowsOpenStreams() throws {
    var harness = Harness.running(slots: 4)
    try teach(&harness)
    harness.grant(7)
    harness.open(4, Harness.watch)
    harness.answer(try #require(harness.opened().first).call, credit: 8)
    for call in 11...13 as ClosedRange<UInt64> { harness.open(call, Harness.watch, remaining: 600_000) }
    harness.pass(.seconds(60))
    _ = harness.outcomes()
    for call in 21...40 as ClosedRange<UInt64> { harness.open(call, remaining: 500) }
    // One slot is left, in which calls end every 100 ms.
    #expect(14...18 ~= harness.outcomes().count)
  }

  @Test("while no call ends, each is taken to stay as long as the first has been there")
  func estimateKnowsNewMethods() throws {
    var harness = Harness.running(slots: 4)
    try teach(&harness)
    harness.grant(7)
    harness.open(11)
    for call in 12...14 as ClosedRange<UInt64> { harness.open(call, Harness.change) }
    // Nobody knows yet how long these stay.
    for call in 21...30 as ClosedRange<UInt64> { harness.open(call) }
    #expect(harness.outcomes().isEmpty)
    harness.pass(.seconds(1))
    for call in 31...40 as ClosedRange<UInt64> { harness.open(call, remaining: 1_000) }
    // Four calls have been there for a second.
    #expect(6...8 ~= harness.outcomes().count)
  }

  @Test("an earlier deadline goes before others of the same caller, so such a call may still be admitted")
  func estimateKnowsTheOrder() throws {
    var harness = Harness.running()
    try teach(&harness)
    for call in 11...40 as ClosedRange<UInt64> { harness.open(call, remaining: 20_000) }
    harness.open(50, remaining: 500)
    #expect(harness.outcomes().isEmpty)
  }

  @Test("streams that their callers give up count as ended: the wait is estimated from how long they stayed")
  func estimateKnowsGivenUpStreams() {
    var harness = Harness.running(slots: 2)
    harness.open(1, Harness.watch, remaining: 600_000)
    // One is always open, for half an hour in all.
    for call in 2...31 as ClosedRange<UInt64> {
      harness.open(call, Harness.watch, remaining: 600_000)
      harness.jump(.seconds(60))
      harness.send(Envelope(.cancel, call: call - 1), from: Harness.client)
      harness.grant(call + 1)
    }
    harness.open(40, Harness.watch, remaining: 600_000)
    #expect(harness.opened().count == 32)
    // Two run, and such a stream stays for one to two minutes.
    for call in 41...44 as ClosedRange<UInt64> { harness.open(call, remaining: 600_000) }
    #expect(harness.outcomes().isEmpty)
    for call in 51...90 as ClosedRange<UInt64> { harness.open(call, remaining: 600_000) }
    #expect(30...36 ~= harness.outcomes().count)
  }

  @Test("behind a long queue that has not moved for a year, a call is refused, and told to come back in a day")
  func estimateIsBounded() throws {
    var harness = Harness.running()
    harness.open(1, Harness.watch)
    for call in 2...1001 as ClosedRange<UInt64> { harness.open(call, remaining: 86_400_000) }
    #expect(harness.outcomes().isEmpty)
    harness.jump(.seconds(365 * 86_400))
    harness.open(2000, remaining: 86_400_000)
    let refused = try #require(harness.outcomes().first)
    #expect(refused.call == 2000)
    #expect(refused.statusCode == .resourceExhausted)
    #expect(refused.extra?.metadata["retry-after-ms"] == "86400000")
  }
}
