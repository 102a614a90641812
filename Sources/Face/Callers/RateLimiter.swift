package import Base

/// Limits calls per account by token buckets, which fill at a steady rate: a pure state machine.
package struct RateLimiter: Sendable {
  /// What a caller learns of its bucket.
  package struct Quota: Hashable, Sendable {
    /// Calls in a second.
    package var limit: Int
    /// Calls that could follow at once.
    package var remaining: Int
    /// When the bucket is full again.
    package var reset: Duration
    /// How long to wait before the next call; nil when this one was admitted.
    package var wait: Duration?
  }

  private var buckets: TokenBuckets

  /// - Parameter rate: calls in a second for each account, which may also come all at once. 0 sets no limit.
  package init(rate: Int, mostAccounts: Int = 100_000) {
    buckets = TokenBuckets(TokenRate(perSecond: Double(rate), depth: Double(rate)), mostHolders: mostAccounts)
  }

  /// How many accounts it remembers.
  package var count: Int { buckets.count }

  /// Counts one call; nil without a limit.
  package mutating func take(_ account: String, at now: MonotonicTime) -> Quota? {
    let rate = buckets.rate.perSecond
    guard rate > 0 else { return nil }
    let outcome = buckets.take(account, at: now)
    return Quota(
      limit: Int(rate), remaining: Int(outcome.left), reset: .seconds((rate - outcome.left) / rate),
      wait: outcome.isAdmitted ? nil : .seconds((1 - outcome.left) / rate))
  }
}

extension RateLimiter.Quota {
  /// As in the IETF's draft on rate-limit headers: the policy, and what is left of it.
  package var headers: [(name: String, value: String)] {
    let seconds = reset.components.seconds + 1
    return [
      ("ratelimit-policy", "\"calls\";q=\(limit);w=1"), ("ratelimit", "\"calls\";r=\(remaining);t=\(seconds)"),
    ]
  }
}
