package import Base

/// Bounds the frames that make a server work without advancing a request: PING, SETTINGS, PRIORITY, empty DATA, and
/// resets of requests without an answer, whether the peer sends these or provokes the server to.
///
/// The budget grows with time and with answered requests, because a client that makes many requests also cancels some
/// of them, and pings to measure its connection.
package struct FrameBudget: Sendable {
  package struct Limits: Sendable {
    /// How many such frames may arrive at once.
    package var burst = 500
    package var perSecond = 20
    package var perAnswer = 2

    package init() {}
  }

  private let limits: Limits
  private var left: Int
  /// The time up to which the budget has grown.
  private var countedUntil: MonotonicTime

  package init(_ limits: Limits, at now: MonotonicTime) {
    self.limits = limits
    left = limits.burst
    countedUntil = now
  }

  /// Counts one frame; returns false when the budget is used up.
  package mutating func take(at now: MonotonicTime) -> Bool {
    let passed = min(now.nanoseconds(since: countedUntil), Self.longest)
    let earned = passed * Int64(limits.perSecond) / Self.nanosecondsPerSecond
    if earned > 0 {
      add(Int(earned))
      countedUntil = now
    }
    guard left > 0 else { return false }
    left -= 1
    return true
  }

  package mutating func noteAnswer() { add(limits.perAnswer) }

  private mutating func add(_ count: Int) { left = min(limits.burst, left + count) }

  private static let nanosecondsPerSecond: Int64 = 1_000_000_000
  /// Every budget is full after an hour.
  private static let longest: Int64 = 3600 * nanosecondsPerSecond
}
