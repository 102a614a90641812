internal import Base
internal import BenchKit
internal import Ink
internal import InkSamples
internal import SignatureContract
internal import Synchronization
internal import Wire

/// Rendering through the gateway: one worker and two, also as `assent up` starts them; workers that are killed, memory
/// after many pictures, and what one caller's heaviest pictures cost others.
///
/// The groups of rows are called up, workers, fair and killed. `--seconds N` (3) sets how long each figure takes,
/// `--renders N` (20,000) and `--calls N` (10,000) how many pictures are drawn for memory and while workers are killed.
@main struct ScaleBench {
  static func main() async {
    await Bench.run("scale") { bench in
      let time = Duration.seconds(bench.options.number("seconds", default: 3))
      await bench.group("up", of: ["up2", "up_defaults"]) { try await product(&$0, for: time) }
      await bench.group("workers", of: workerRows) { try await workers(&$0, for: time) }
      await bench.group("fair", of: ["worst_picture", "fair_p99"]) { try await FairCases.measure(&$0, for: time) }
      await bench.group("killed", of: ["killed_workers", "killed_lost"]) { try await kills(&$0) }
    }
  }

  private static let workerRows = [
    "scale2", "large2", "render_gateway", "effort_client", "effort_gateway", "effort_worker", "worker_resident",
  ]

  private static func workers(_ bench: inout Bench, for time: Duration) async throws {
    try await RenderSystem(workers: 1).lend { one in
      try await RenderSystem(workers: 2).lend { two in
        for (id, name, request) in [("scale", "600 × 200", usual), ("large", "1800 × 600", large)] {
          await bench.compare(
            "\(id)2", "\(name) pictures through the gateway, two workers beside one", unit: .perSecond,
            ours: { try await rate(of: two, request, for: time) },
            peers: ["\(id)1": { try await rate(of: one, request, for: time) }])
        }
      }
      try await worker(&bench, one, for: time)
    }
  }

  private static func worker(_ bench: inout Bench, _ one: RenderSystem, for time: Duration) async throws {
    await bench.measure("render_gateway", "600 × 200, one worker of one thread", unit: .perSecond) {
      try await rate(of: one, usual, for: time)
    }
    try await effort(&bench, of: one, for: time)

    if bench.selects("worker_resident") {
      let renders = bench.options.number("renders", default: 20_000)
      try await draw(renders, on: one)
      let resident = try await one.workerFigures().map(\.residentBytes).max() ?? 0
      bench.report(
        "worker_resident", "resident memory of a worker after \(renders) more pictures", unit: .mebibytes,
        value: Double(resident) / 1_048_576)
    }
  }

  private static func kills(_ bench: inout Bench) async throws {
    let kills = try await KillRun.run(calls: bench.options.number("calls", default: 10_000))
    guard kills.kills > 0 else { return bench.fail("killed_workers", "all calls were answered before the first kill") }
    bench.report(
      "killed_workers", "workers killed while \(kills.calls) calls were in flight", unit: .count,
      value: Double(kills.kills))
    bench.report(
      "killed_lost", "calls of those without an answer, or with other bytes", unit: .faults, value: Double(kills.lost))
  }

  /// What `assent up --signature N` starts, with its databases, its caches and every default but one: a process draws
  /// on one thread, so that two of them have two cores for two workers to show. No picture is asked for twice.
  private static func product(_ bench: inout Bench, for time: Duration) async throws {
    if bench.selects("up2") { try await productTwice(&bench, for: time) }
    guard bench.selects("up_defaults") else { return }
    // With every default, as anybody has it who types no more.
    try await RenderSystem(up: nil).lend { plain in
      await bench.measure("up_defaults", "the same with `assent up` and nothing else", unit: .perSecond) {
        try await rate(of: plain, for: time) { fresh($0) }
      }
    }
  }

  private static func productTwice(_ bench: inout Bench, for time: Duration) async throws {
    try await RenderSystem(up: 1).lend { one in
      try await RenderSystem(up: 2).lend { two in
        await bench.compare(
          "up2", "600 × 200 pictures through what `assent up` starts, two workers beside one", unit: .perSecond,
          ours: { try await rate(of: two, for: time) { fresh($0) } },
          peers: ["up1": { try await rate(of: one, for: time) { fresh($0) } }])
      }
    }
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
    let pictures = Double(try await draw(on: system, for: time) { _ in usual }.count)
    let after = try await system.effort()
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
    let drawn = try await draw(on: system, for: time, request)
    return Double(drawn.count) * 1e9 / Double(drawn.time.wholeNanoseconds)
  }

  /// Draws with 64 calls in flight; returns how many pictures came, and how long that took.
  private static func draw(
    on system: RenderSystem, for time: Duration, _ request: @escaping @Sendable (UInt64) -> RenderRequest
  ) async throws -> (count: Int, time: Duration) {
    let clock = Clock.system
    let start = clock.monotonic
    let client = system.client
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<64 {
        group.addTask(executorPreference: Callers.thread) {
          var count = 0
          while clock.monotonic - start < time {
            let number = numbers.value.add(1, ordering: .relaxed).newValue
            try check(try await client.render(request(number)))
            count += 1
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    guard count > 0 else { throw OtherPicture(bytes: 0) }
    return (count, clock.monotonic - start)
  }

  /// A picture counts only if it is one: a PNG with its end.
  static func check(_ picture: RenderResponse) throws {
    let bytes = picture.image
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]), bytes.suffix(8).starts(with: Array("IEND".utf8)) else {
      throw OtherPicture(bytes: bytes.count)
    }
  }

  private static func draw(_ count: Int, on system: RenderSystem) async throws {
    let client = system.client
    let requests = SampleSignature.all.map { RenderRequest(source: .blob(StrokeBlob($0.ink).bytes)) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<32 {
        group.addTask(executorPreference: Callers.thread) {
          for number in stride(from: lane, to: count, by: 32) {
            try check(try await client.render(requests[number % requests.count]))
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

private struct OtherPicture: Error, CustomStringConvertible {
  let bytes: Int
  var description: String { "an answer of \(bytes) bytes is no picture" }
}

extension Unit {
  static let count = Unit("", lessIsBetter: false)
  static let faults = Unit("", lessIsBetter: true)
}
