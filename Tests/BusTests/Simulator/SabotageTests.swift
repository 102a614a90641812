import BusSimulator
import Testing

/// Whether the simulator notices faults: each promise is broken on purpose once.
@Suite struct SabotageTests {
  /// What the simulator reports for each kind of sabotage.
  private static let complaints: [Sabotage: [String]] = [
    .swallowOutcome: ["has no outcome"],
    .repeatOutcome: ["has a second outcome"],
    .repeatOpen: ["an unkeyed mutation ran twice"],
    .loseKey: ["its key is ''", "took effect twice"],
    .truncateStream: ["ended well with"],
    .corruptChunk: ["is not what"],
    .inflateCredit: ["a worker granted"],
    .loseCredit: ["all faults have ended, and yet"],
    .inflateWindow: ["its window ended at"],
    .forgetToFinish: ["the number of calls is"],
    .stopClock: ["after its deadline", "has no outcome"],
    .starveClient: ["had to wait for"],
    // Where all that has struck are faults that strike single processes.
    .inventFailure: ["ended without a reason"],
  ]

  @Test("the simulator notices when a promise is broken", arguments: Sabotage.allCases)
  func notices(_ sabotage: Sabotage) throws {
    let complaints = try #require(Self.complaints[sabotage])
    var heard: [String] = []
    for seed in 0..<300 as Range<UInt64> {
      let report = Simulation.run(seed: seed, sabotage: sabotage)
      if report.faults.contains(where: { fault in complaints.contains { fault.contains($0) } }) { return }
      heard += report.faults
    }
    Issue.record("300 worlds with \(sabotage) and no complaint of it; instead: \(heard.prefix(5))")
  }
}
