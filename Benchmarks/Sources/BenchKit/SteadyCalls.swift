internal import Base

/// Calls at a steady pace: a slow answer holds no later question back, so that nothing is left out of the latencies.
public enum SteadyCalls {
  /// The 99th percentile of the latencies of `count` calls, in milliseconds.
  public static func p99(
    of count: Int = 400, every interval: Duration = .milliseconds(5),
    _ call: @escaping @Sendable (_ number: Int) async throws -> Void
  ) async throws -> Double {
    let start = Clock.system.monotonic
    let times = try await withThrowingTaskGroup(of: Double.self) { group in
      for number in 0..<count {
        group.addTask {
          let due = start + interval * number
          try await Task.sleep(for: due - Clock.system.monotonic)
          try await call(number)
          return Double((Clock.system.monotonic - due).wholeNanoseconds) / 1e6
        }
      }
      return try await group.reduce(into: [Double]()) { $0.append($1) }
    }.sorted()
    return times[times.count * 99 / 100]
  }
}
