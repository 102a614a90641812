import Base
import RPC
import TestSupport
import Testing

/// Calls through all doors of two gateways while workers and gateways are killed and replaced.
@Suite(.serialized) struct DoorKillTests {
  @Test(
    "only calls in flight on a killed process fail, and they say UNAVAILABLE",
    .timeLimit(.minutes(LongTests.areWanted ? 30 : 5)))
  func kills() async throws {
    let fleet = try await DoorFleet.start()
    let callers = try await fleet.startCallers()
    let bus = try await fleet.callOverBus()
    for round in 0..<(LongTests.areWanted ? 150 : 6) {
      try await randomPause(milliseconds: 50...400)
      // Both kinds come up in the short form too.
      if round.isMultiple(of: 3) {
        try await fleet.replaceGateway(round / 3 % 2)
      } else {
        try await fleet.replaceWorker(Int.random(in: 0..<3))
      }
    }
    let outages = await fleet.outages
    for (gateway, caller) in callers.enumerated() {
      let calls = try await caller.end()
      #expect(Set(calls.map { "\($0.door) \($0.kind)" }).count == 4, "each door made each kind of call")
      for call in calls where call.code != "OK" {
        #expect(call.code == "UNAVAILABLE", "\(call)")
        let isExcused = outages.contains { outage in
          switch outage.process {
          case .gateway(let number): number == gateway && call.overlaps(outage)
          // A call that can be made again is, on another worker. A stream that has begun cannot.
          case .worker: call.kind == "stream" && call.overlaps(outage)
          }
        }
        #expect(isExcused, "\(call) was in flight on no process that was killed")
      }
      #expect(calls.contains { $0.code == "OK" && $0.began > outages[0].began }, "calls go on")
    }
    // A client of the bus that knows both gateways loses nothing, since calls with keys are made again.
    let overBus = try await bus.end()
    #expect(overBus.failures == [])
    #expect(overBus.answers > 0)
    try await fleet.stop()
  }
}
