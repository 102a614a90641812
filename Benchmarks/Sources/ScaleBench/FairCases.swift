internal import Base
internal import BenchKit
internal import Ink
internal import RPC
internal import SignatureContract

/// What one caller who always asks for the heaviest pictures costs others, who ask for small ones now and then.
enum FairCases {
  private static let others = 4
  private static let pause = Duration.milliseconds(20)
  /// As many as the hostile caller keeps in flight.
  private static let hostile = 16

  static func measure(_ bench: inout Bench, for time: Duration) async throws {
    try await RenderSystem(workers: 1, threads: 2).lend { try await measure(&bench, $0, for: time) }
  }

  private static func measure(_ bench: inout Bench, _ system: RenderSystem, for time: Duration) async throws {
    let heaviest = try worst()
    bench.report(
      "worst_picture", "time of the heaviest picture that is accepted, alone", unit: .milliseconds,
      value: try await milliseconds { _ = try await system.client.render(heaviest, deadline: .seconds(60)) })
    let client = await system.client(as: "hostile")
    let callers = (0..<hostile).map { _ -> @Sendable () async throws -> Void in
      return { _ = try await client.render(heaviest, deadline: .seconds(30)) }
    }
    await bench.compare(
      "fair_p99", "p99 of small pictures of \(others) callers, beside one with \(hostile) of the heaviest in flight",
      unit: .milliseconds,
      ours: {
        try await Storm.during(callers, rise: .milliseconds(500)) { try await p99(of: system, for: time) }
      },
      peers: [
        "alone": {
          // Pictures that were begun are drawn to the end.
          try await Idleness.wait(for: await system.processIDs)
          return try await p99(of: system, for: time)
        }
      ])
  }

  private static func p99(of system: RenderSystem, for time: Duration) async throws -> Double {
    let request = RenderRequest(source: .blob(RenderSystem.usualBlob))
    let end = Clock.system.monotonic + time
    let samples = try await withThrowingTaskGroup(of: [Double].self) { group in
      for number in 0..<others {
        let client = await system.client(as: "other-\(number)")
        group.addTask {
          var samples: [Double] = []
          while Clock.system.monotonic < end {
            samples.append(
              try await milliseconds { try ScaleBench.check(try await client.render(request, deadline: .seconds(30))) })
            try await Task.sleep(for: pause)
          }
          return samples
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    guard !samples.isEmpty else { throw NoPictures() }
    return percentile(0.99, of: samples)
  }

  private static func milliseconds(_ work: () async throws -> Void) async throws -> Double {
    let start = Clock.system.monotonic
    try await work()
    return Double((Clock.system.monotonic - start).wholeNanoseconds) / 1e6
  }

  /// Strokes that jump across the canvas, as many points as the budget lets pass.
  private static func worst() throws -> RenderRequest {
    for points in [20_000, 10_000, 5_000, 2_500, 1_200, 600, 300] {
      let stroke = Stroke(
        points: (0..<points).map { (index: Int) -> StrokePoint in
          let (x, y) = (index * 7919 % 4000, index * 104_729 % 4000)
          return StrokePoint(x: Double(x), y: Double(y), time: Double(index))
        })
      let ink = try Ink(
        validating: [Stroke](repeating: stroke, count: 5), canvas: Canvas(width: 4000, height: 4000))
      var options = RenderOptions()
      options.format = .svg
      if (try? Renderer().render(ink, options)) != nil {
        return RenderRequest(source: .blob(StrokeBlob(ink).bytes), settings: RenderSettings(format: .svg))
      }
    }
    preconditionFailure("even few points are too many")
  }
}

private struct NoPictures: Error, CustomStringConvertible {
  var description: String { "no picture came in the whole time" }
}
