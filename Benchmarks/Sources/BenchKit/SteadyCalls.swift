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
          let wait = due - Clock.system.monotonic
          if wait > .zero { try await Task.sleep(for: wait, tolerance: .zero) }
          try await call(number)
          return Double((Clock.system.monotonic - due).wholeNanoseconds) / 1e6
        }
      }
      return try await group.reduce(into: [Double]()) { $0.append($1) }
    }
    return percentile(0.99, of: times)
  }
}
