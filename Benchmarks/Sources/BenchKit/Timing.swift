public import Base

/// How long one operation takes, in nanoseconds: repeats `operation` until a batch lasts `batch`, and divides.
public func nanosecondsPerOperation(
  batch: Duration = .milliseconds(100), clock: Clock = .system, _ operation: () throws -> Void
) rethrows -> Double {
  var repetitions = 1
  while true {
    let start = clock.monotonic
    for _ in 0..<repetitions { try operation() }
    let elapsed = clock.monotonic - start
    if elapsed >= batch { return Double(elapsed.wholeNanoseconds) / Double(repetitions) }
    repetitions = next(repetitions, elapsed: elapsed, wanted: batch)
  }
}

/// The same for an operation that waits.
public func nanosecondsPerOperation(
  batch: Duration = .milliseconds(100), clock: Clock = .system, _ operation: () async throws -> Void
) async rethrows -> Double {
  var repetitions = 1
  while true {
    let start = clock.monotonic
    for _ in 0..<repetitions { try await operation() }
    let elapsed = clock.monotonic - start
    if elapsed >= batch { return Double(elapsed.wholeNanoseconds) / Double(repetitions) }
    repetitions = next(repetitions, elapsed: elapsed, wanted: batch)
  }
}

/// Keeps the optimiser from leaving out the work that made `value`.
@inline(never) @_optimize(none)
public func blackHole<Value: ~Copyable>(_ value: borrowing Value) {}

/// Aims for slightly more than `wanted`, and for at most a hundred times as many as before, since a short batch says
/// little.
private func next(_ repetitions: Int, elapsed: Duration, wanted: Duration) -> Int {
  let factor = 1.2 * Double(wanted.wholeNanoseconds) / Double(max(1, elapsed.wholeNanoseconds))
  return Int((Double(repetitions) * min(100, max(1.5, factor))).rounded(.up))
}
