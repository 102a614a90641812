package import Base

/// How fast a count has grown recently, from samples taken at intervals.
package struct RateWindow: Sendable {
  private var samples: [(time: MonotonicTime, count: UInt64)] = []

  /// At two samples a second, the last ten seconds.
  private static let length = 20

  package init() {}

  package mutating func sample(_ count: UInt64, at now: MonotonicTime) {
    samples.append((now, count))
    if samples.count > Self.length { samples.removeFirst() }
  }

  package var perSecond: Double {
    guard let first = samples.first, let last = samples.last, last.time > first.time else { return 0 }
    return Double(last.count - first.count) * 1e9 / Double((last.time - first.time).wholeNanoseconds)
  }
}
