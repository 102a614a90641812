import BusSimulator
import Testing

/// Searches for faults of the bus's machines. A seed that is named here replays with `scripts/bench sim --seed N`.
@Suite struct SimulatorTests {
  @Test("in 2,000 simulated worlds the bus keeps its promises", arguments: 0..<8)
  func promises(part: UInt64) {
    for seed in stride(from: part, to: 2_000, by: 8) {
      let report = Simulation.run(seed: seed)
      #expect(report.faults.isEmpty, "seed \(seed): \(report.faults)")
    }
  }

  @Test("a seed replays exactly")
  func replay() {
    for seed in 0..<20 as Range<UInt64> {
      #expect(Simulation.run(seed: seed).digest == Simulation.run(seed: seed).digest)
    }
  }
}
