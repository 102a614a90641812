internal import Base
internal import Synchronization

/// Sorts observations into buckets with fixed upper bounds, so that percentiles can be estimated over many processes.
public final class Histogram: Sendable {
  /// The buckets' upper bounds, in ascending order. Another bucket has what is above the last one.
  public let bounds: [Double]
  private let counts: [Counter]
  private let sumBits = Atomic<UInt64>(0)

  public init(bounds: [Double]) {
    precondition(!bounds.isEmpty && zip(bounds, bounds.dropFirst()).allSatisfy(<), "bounds must ascend")
    self.bounds = bounds
    counts = (0...bounds.count).map { _ in Counter() }
  }

  /// Bounds for the times of calls between processes: from a tenth of a millisecond to ten seconds.
  public static let callSeconds: [Double] = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ]

  public func observe(_ value: Double) {
    counts[bucket(of: value)].add()
    var bits = sumBits.load(ordering: .relaxed)
    while true {
      let sum = (Double(bitPattern: bits) + value).bitPattern
      let (exchanged, original) = sumBits.weakCompareExchange(expected: bits, desired: sum, ordering: .relaxed)
      if exchanged { return }
      bits = original
    }
  }

  /// Observes a duration in seconds, Prometheus' unit for durations.
  public func observe(_ duration: Duration) {
    observe(Double(duration.wholeNanoseconds) / 1e9)
  }

  /// How many observations were at most each bound, and how many there were.
  var cumulativeCounts: [UInt64] {
    var total: UInt64 = 0
    return counts.map { count in
      total += count.value
      return total
    }
  }

  var sum: Double { Double(bitPattern: sumBits.load(ordering: .relaxed)) }

  private func bucket(of value: Double) -> Int {
    var low = 0
    var high = bounds.count
    while low < high {
      let middle = (low + high) / 2
      if value <= bounds[middle] { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
