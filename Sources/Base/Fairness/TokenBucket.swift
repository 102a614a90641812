/// How fast tokens come back.
package struct TokenRate: Hashable, Sendable {
  package var perSecond: Double
  /// The most tokens that a bucket has: so many may be taken at once.
  package var depth: Double

  package init(perSecond: Double, depth: Double) {
    self.perSecond = perSecond
    self.depth = depth
  }
}

/// Tokens that are taken one by one, and come back at a steady rate. A pure state machine, for which its owner keeps
/// the rate.
package struct TokenBucket: Sendable {
  private var known: Double
  private var time: MonotonicTime

  /// A full bucket.
  package init(_ rate: TokenRate, at now: MonotonicTime) {
    known = rate.depth
    time = now
  }

  /// How many tokens there are; the last one may be there in part.
  package func level(_ rate: TokenRate, at now: MonotonicTime) -> Double {
    min(rate.depth, known + max(0, Double(now.nanoseconds(since: time)) / 1e9) * rate.perSecond)
  }

  /// Takes a token, if there is one.
  package mutating func take(_ rate: TokenRate, at now: MonotonicTime) -> Bool {
    known = level(rate, at: now)
    time = now
    guard known >= 1 else { return false }
    known -= 1
    return true
  }

  /// Adds tokens besides those that come back by themselves.
  package mutating func add(_ count: Double, _ rate: TokenRate) { known = min(rate.depth, known + count) }
}
