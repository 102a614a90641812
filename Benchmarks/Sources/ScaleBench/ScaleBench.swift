internal import Base
internal import BenchKit
internal import Ink
internal import InkSamples
internal import SignatureContract
internal import Wire

/// Rendering through the gateway: one worker and two, workers that are killed, memory after many pictures, and what one
/// caller's heaviest pictures cost others. `--only fair` measures the last alone; `--seconds N` sets how long.
@main struct ScaleBench {
  static func main() async throws {
    var bench = Bench(part: "scale")
    let seconds = bench.options.number("seconds", default: 3)

    if bench.options.text("only") == "fair" {
      try await FairCases.measure(&bench, for: .seconds(seconds))
      return try bench.finish()
    }
    let (one, two) = (try await RenderSystem(workers: 1), try await RenderSystem(workers: 2))
    let time = Duration.seconds(seconds)
    for (id, name, request) in [("scale", "600 × 200", usual), ("large", "1800 × 600", large)] {
      try await bench.compare(
        "\(id)2", "\(name) pictures through the gateway, two workers beside one", unit: .perSecond,
        ours: { try await rate(of: two, request, for: time) },
        peers: ["\(id)1": { try await rate(of: one, request, for: time) }])
    }
    try await two.stop()
    try await bench.measure("render_gateway", "600 × 200, one worker of one thread", unit: .perSecond) {
      try await rate(of: one, usual, for: time)
    }
    try await effort(&bench, of: one, for: time)

    let renders = bench.options.number("renders", default: 20_000)
    try await draw(renders, on: one)
    let resident = try await one.workerFigures().map(\.residentBytes).max() ?? 0
    bench.report(
      "worker_resident", "resident memory of a worker after \(renders) more pictures", unit: .mebibytes,
      value: Double(resident) / 1_048_576)
    try await one.stop()

    try await FairCases.measure(&bench, for: time)

    let kills = try await KillRun.run(calls: bench.options.number("calls", default: 10_000))
    bench.report(
      "killed_workers", "workers killed while \(kills.calls) calls were in flight", unit: .count,
      value: Double(kills.kills))
    bench.report(
      "killed_lost", "calls of those without an answer, or with other bytes", unit: .faults, value: Double(kills.lost))
    try bench.finish()
  }

  private static let blob = RenderSystem.usualBlob
  private static let usual = RenderRequest(source: .blob(blob))
  /// Nine times the pixels: the worker's share of the work is so large that client and gateway, which run on the same
  /// cores as the workers here, hardly count.
  private static let large = RenderRequest(source: .blob(blob), settings: RenderSettings(scale: 3))

  /// Where the processor time goes: another worker adds capacity only for the worker's share.
  private static func effort(_ bench: inout Bench, of system: RenderSystem, for time: Duration) async throws {
    let before = try await system.effort()
    let rate = try await rate(of: system, usual, for: time)
    let after = try await system.effort()
    let pictures = rate * Double(time.wholeNanoseconds) / 1e9
    for (id, name, part) in [
      ("client", "the client", \Effort.client), ("gateway", "the gateway", \.gateway),
      ("worker", "the worker", \.workers),
    ] {
      let spent = Double((after[keyPath: part] - before[keyPath: part]).wholeNanoseconds)
      bench.report(
        "effort_\(id)", "processor time of \(name) for each picture", unit: .microseconds,
        value: spent / 1000 / pictures)
    }
  }

  /// Pictures a second with 64 calls in flight.
  private static func rate(of system: RenderSystem, _ request: RenderRequest, for time: Duration) async throws -> Double
  {
    let clock = Clock.system
    let start = clock.monotonic
    let client = system.client
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<64 {
        group.addTask(executorPreference: system.callers) {
          var count = 0
          while clock.monotonic - start < time {
            _ = try await client.render(request)
            count += 1
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    return Double(count) / (Double((clock.monotonic - start).wholeNanoseconds) / 1e9)
  }

  private static func draw(_ count: Int, on system: RenderSystem) async throws {
    let client = system.client
    let requests = SampleSignature.all.map { RenderRequest(source: .blob(StrokeBlob($0.ink).bytes)) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<32 {
        group.addTask(executorPreference: system.callers) {
          for number in stride(from: lane, to: count, by: 32) {
            _ = try await client.render(requests[number % requests.count])
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

extension Unit {
  static let count = Unit("", lessIsBetter: false)
  static let faults = Unit("", lessIsBetter: true)
}
