internal import Base
internal import BenchKit
internal import Ink
internal import InkSamples
internal import SignatureContract
internal import Synchronization
internal import Wire

/// Rendering through the gateway: one worker and two, also as `assent up` starts them; workers that are killed, memory
/// after many pictures, and what one caller's heaviest pictures cost others. `--only fair` measures the last alone,
/// `--only up2,up_defaults` what `assent up` starts; `--seconds N` sets how long.
@main struct ScaleBench {
  static func main() async throws {
    var bench = Bench(part: "scale")
    let seconds = bench.options.number("seconds", default: 3)

    if bench.options.text("only") == "fair" {
      try await FairCases.measure(&bench, for: .seconds(seconds))
      return try bench.finish()
    }
    let time = Duration.seconds(seconds)
    try await product(&bench, for: time)
    if bench.options.text("only")?.hasPrefix("up") == true { return try bench.finish() }
    let (one, two) = (try await RenderSystem(workers: 1), try await RenderSystem(workers: 2))
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

  /// What `assent up --signature N` starts, with its databases, its caches and every default but one: a process draws
  /// on one thread, so that two of them have two cores for two workers to show. No picture is asked for twice.
  private static func product(_ bench: inout Bench, for time: Duration) async throws {
    guard bench.selects("up2") || bench.selects("up_defaults") else { return }
    let one = try await RenderSystem(up: 1)
    let two = try await RenderSystem(up: 2)
    try await bench.compare(
      "up2", "600 × 200 pictures through what `assent up` starts, two workers beside one", unit: .perSecond,
      ours: { try await rate(of: two, for: time) { fresh($0) } },
      peers: ["up1": { try await rate(of: one, for: time) { fresh($0) } }])
    try await one.stop()
    try await two.stop()
    // With every default, as anybody has it who types no more.
    let plain = try await RenderSystem(up: nil)
    try await bench.measure(
      "up_defaults", "the same with `assent up` and nothing else", unit: .perSecond
    ) {
      try await rate(of: plain, for: time) { fresh($0) }
    }
    try await plain.stop()
  }

  /// A picture that nobody has asked for before: as a signature that was just given.
  private static func fresh(_ number: UInt64) -> RenderRequest {
    RenderRequest(source: .blob(blob), settings: RenderSettings(scale: 1 + Double(number) / 1e9))
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
    try await rate(of: system, for: time) { _ in request }
  }

  /// - Parameter request: a picture by its number; no number comes twice.
  private static func rate(
    of system: RenderSystem, for time: Duration, _ request: @escaping @Sendable (UInt64) -> RenderRequest
  ) async throws -> Double {
    let clock = Clock.system
    let start = clock.monotonic
    let client = system.client
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<64 {
        group.addTask(executorPreference: system.callers) {
          var count = 0
          while clock.monotonic - start < time {
            let number = numbers.value.add(1, ordering: .relaxed).newValue
            _ = try await client.render(request(number))
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

/// Counts pictures over all measurements.
private final class Numbers: Sendable {
  let value = Atomic<UInt64>(0)
}

private let numbers = Numbers()

extension Unit {
  static let count = Unit("", lessIsBetter: false)
  static let faults = Unit("", lessIsBetter: true)
}
