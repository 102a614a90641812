import Base
import BusSimulator
import RPC
import TestSupport
import Testing

/// Searches for faults of the bus's machines. A seed in a failure is run again with `scripts/bench sim --seed N`.
@Suite struct SimulatorTests {
  /// `scripts/test --long` looks at eight times as many.
  private static let worlds: UInt64 = LongTests.areWanted ? 2_000 : 120

  @Test("in hundreds of simulated worlds the bus keeps its promises", arguments: 0..<8)
  func promises(part: UInt64) {
    for seed in stride(from: part, to: Self.worlds, by: 8) {
      let report = Simulation.run(seed: seed)
      #expect(report.faults.isEmpty, "seed \(seed): \(report.faults)")
    }
  }

  /// Both: a connection is lost, and what was under way on it arrives afterwards.
  @Test("worlds in which a promise was once broken", arguments: [36_677, 93_666] as [UInt64])
  func brokenOnce(seed: UInt64) {
    let report = Simulation.run(seed: seed)
    #expect(report.faults.isEmpty, "seed \(seed): \(report.faults)")
  }

  /// What sixty worlds have met, of which two tests ask.
  private static let sixty = (0..<60 as Range<UInt64>).map { Simulation.run(seed: $0) }

  @Test("calls end in all the ways of which a world judges whether they may")
  func outcomes() {
    var counts = [Int](repeating: 0, count: StatusCode.allCases.count)
    for world in Self.sixty {
      for (code, count) in world.outcomes.enumerated() { counts[code] += count }
    }
    let expected: [StatusCode] = [.ok, .cancelled, .deadlineExceeded, .failedPrecondition, .internal, .unavailable]
    for code in expected { #expect(counts[Int(code.rawValue)] > 0, "\(code.name)") }
  }

  @Test("worlds meet every fault that the simulator knows")
  func hardships() {
    let kinds = ["break", "stall", "kill", "freeze", "drain", "partition", "remove the key of", "leave unread"]
    var missing = Set(kinds)
    for world in Self.sixty {
      missing = missing.filter { kind in !world.hardships.contains { $0.hasPrefix("\(kind) ") } }
    }
    #expect(missing.isEmpty, "\(missing)")
  }

  @Test("gateways meet peers that do not read: they hold workers up, end streams, and end sessions")
  func backlogs() {
    var missing = Set(Backlog.allCases)
    var isFull = false
    for seed in 1000..<1400 as Range<UInt64> where !missing.isEmpty {
      let report = Simulation.run(seed: seed)
      missing.subtract(report.backlogs)
      isFull = isFull || report.hardships.contains { $0.hasPrefix("fill ") }
    }
    #expect(missing.isEmpty && isFull, "\(missing)")
  }

  @Test("a seed replays exactly")
  func replay() {
    for seed in 0..<6 as Range<UInt64> {
      #expect(Simulation.run(seed: seed).digest == Simulation.run(seed: seed).digest)
    }
  }
}
