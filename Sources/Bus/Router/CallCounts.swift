internal import Base
internal import RPC

/// The outcomes of a service's calls and their durations: for metrics and the list of instances.
package struct CallCounts: Sendable {
  package private(set) var outcomes = [UInt64](repeating: 0, count: StatusCode.allCases.count)
  package private(set) var buckets = [UInt64](repeating: 0, count: bounds.count + 1)
  package private(set) var totalSeconds = 0.0
  private var longestNanoseconds: Int64 = 0
  package var longest: Duration { .nanoseconds(longestNanoseconds) }
  package internal(set) var retries: UInt64 = 0
  /// Calls that were refused on arrival, by the code.
  package private(set) var refusals = [UInt64](repeating: 0, count: StatusCode.allCases.count)
  var refused: UInt64 { refusals.reduce(0, +) }

  package init() {}

  package private(set) var finished: UInt64 = 0

  mutating func record(_ code: StatusCode, nanoseconds: Int64) {
    outcomes[Int(code.rawValue)] += 1
    finished += 1
    longestNanoseconds = max(longestNanoseconds, nanoseconds)
    totalSeconds += Double(nanoseconds) / 1e9
    buckets[Self.bucket(of: nanoseconds)] += 1
  }

  /// The caller of a call that was recorded with OK is told another code.
  mutating func correct(to code: StatusCode) {
    let ok = Int(StatusCode.ok.rawValue)
    guard outcomes[ok] > 0 else { return }
    outcomes[ok] -= 1
    outcomes[Int(code.rawValue)] += 1
  }

  mutating func recordRefusal(_ code: StatusCode) { refusals[Int(code.rawValue)] += 1 }

  /// The first bucket whose upper bound is not below the duration; the last bucket, without a bound, for longer ones.
  private static func bucket(of nanoseconds: Int64) -> Int {
    let bounds = bounds
    var (low, high) = (0, bounds.count)
    while low < high {
      let middle = (low + high) / 2
      if bounds[middle] < nanoseconds { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Within which time the given share of the calls ended: an upper bound, except where the last bucket, which has
  /// none, would be needed.
  package func percentile(_ part: Double) -> Duration {
    let wanted = UInt64((Double(finished) * part).rounded(.up))
    var seen: UInt64 = 0
    for (bucket, count) in buckets.enumerated() {
      seen += count
      if seen >= wanted, seen > 0 { return .nanoseconds(Self.bounds[min(bucket, Self.bounds.count - 1)]) }
    }
    return .zero
  }

  /// Upper bounds of the buckets in nanoseconds, from 50 µs to a minute: up to a second each is a third to two thirds
  /// larger than the one before, then two to three times as large.
  package static let bounds: [Int64] = [
    50, 75, 100, 150, 200, 300, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 7_500, 10_000, 15_000, 20_000, 30_000,
    50_000, 75_000, 100_000, 150_000, 200_000, 300_000, 500_000, 750_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000,
    30_000_000, 60_000_000,
  ].map { $0 * 1_000 }
}
