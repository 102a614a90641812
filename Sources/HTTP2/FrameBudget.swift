package import Base

/// Bounds the frames by which a peer makes a server work without asking for anything: PING, SETTINGS, PRIORITY, empty
/// DATA, and resets of requests that had no answer yet, whether the peer sends them or makes the server do so.
///
/// The budget grows with time and with answered requests, because a client that makes many requests also cancels some
/// of them and measures its connection by pings.
package struct FrameBudget: Sendable {
  package struct Limits: Sendable {
    /// As many may come at once.
    package var burst = 500
    package var perSecond = 20
    package var perAnswer = 2

    package init() {}
  }

  private let limits: Limits
  private var left: Int
  /// Up to when the time has been counted.
  private var countedUntil: MonotonicTime

  package init(_ limits: Limits, at now: MonotonicTime) {
    self.limits = limits
    left = limits.burst
    countedUntil = now
  }

  /// Counts one frame; false when the budget is used up.
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
  /// An hour fills every budget.
  private static let longest: Int64 = 3600 * nanosecondsPerSecond
}
