internal import Base
internal import BenchKit
internal import BusSimulator

/// Searches the bus's machines for faults in simulated worlds.
///
/// Options: --seeds N [--from N] [--tasks N] for many worlds, or --seed N for one of them.
@main struct SimBench {
  static func main() async {
    let options = Options()
    if let seed = options.text("seed").flatMap({ UInt64($0) }) {
      let report = Simulation.run(seed: seed)
      print(report.narrative)
      if !report.faults.isEmpty { exitWithFailure() }
      return
    }
    let first = UInt64(options.number("from", default: 1))
    let search = Search(first: first, count: UInt64(options.number("seeds", default: 2000)))
    await Bench.run("sim", options) { bench in
      bench.begin("\(search.count) worlds")
      let began = Clock.system.monotonic
      let findings = await search.run(tasks: options.number("tasks", default: 2))
      let seconds = Double((Clock.system.monotonic - began).wholeMilliseconds) / 1000
      bench.report("seeds", "simulated worlds", unit: Unit("", lessIsBetter: false), value: Double(search.count))
      bench.report("calls", "calls made in them", unit: Unit("", lessIsBetter: false), value: Double(findings.calls))
      bench.report(
        "envelopes", "envelopes carried", unit: Unit("", lessIsBetter: false), value: Double(findings.envelopes))
      bench.report(
        "faulty", "worlds in which a promise was broken", unit: Unit("", lessIsBetter: true),
        value: Double(findings.faulty.count))
      bench.report("rate", "worlds a second", unit: .perSecond, value: Double(search.count) / seconds)
      print("digest of all worlds: \(String(findings.digest, radix: 16))")
      for report in findings.faulty.prefix(10) { print(report.narrative) }
      if !findings.faulty.isEmpty { bench.fail("faulty", "a promise was broken in \(findings.faulty.count) worlds") }
    }
  }
}

/// Simulates many worlds, on several threads.
struct Search: Sendable {
  let first: UInt64
  let count: UInt64

  struct Findings: Sendable {
    var calls = 0
    var envelopes = 0
    var digest: UInt64 = 0
    var faulty: [Report] = []
  }

  func run(tasks: Int) async -> Findings {
    await withTaskGroup(of: Findings.self) { group in
      for task in 0..<UInt64(tasks) {
        group.addTask { @concurrent in self.part(task, of: UInt64(tasks)) }
      }
      var all = Findings()
      for await part in group {
        all.calls += part.calls
        all.envelopes += part.envelopes
        all.digest ^= part.digest
        all.faulty += part.faulty
      }
      all.faulty.sort { $0.seed < $1.seed }
      return all
    }
  }

  private func part(_ task: UInt64, of tasks: UInt64) -> Findings {
    var findings = Findings()
    for seed in stride(from: first + task, to: first + count, by: Int(tasks)) {
      let report = Simulation.run(seed: seed)
      findings.calls += report.calls
      findings.envelopes += report.envelopes
      findings.digest ^= report.digest &* (seed | 1)
      if !report.faults.isEmpty { findings.faulty.append(report) }
    }
    return findings
  }
}

extension Report {
  var narrative: String {
    let hardships = hardships.isEmpty ? "nothing" : hardships.joined(separator: ", ")
    return (["seed \(seed): \(calls) calls, \(envelopes) envelopes; what went wrong by itself: \(hardships)"] + faults)
      .joined(separator: "\n  ")
  }
}
