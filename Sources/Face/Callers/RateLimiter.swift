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

  private struct Bucket {
    var level: Double
    var time: MonotonicTime
  }

  private let rate: Double
  private let depth: Double
  private var buckets: [String: Bucket] = [:]
  private let mostBuckets: Int

  /// - Parameter rate: calls in a second for each account, which may also come all at once. 0 sets no limit.
  package init(rate: Int, mostAccounts: Int = 100_000) {
    self.rate = Double(rate)
    depth = Double(rate)
    mostBuckets = mostAccounts
  }

  /// How many accounts it remembers.
  package var count: Int { buckets.count }

  /// Counts one call; nil without a limit.
  package mutating func take(_ account: String, at now: MonotonicTime) -> Quota? {
    guard rate > 0 else { return nil }
    if buckets[account] == nil, buckets.count >= mostBuckets { dropFull(at: now) }
    var bucket = buckets[account] ?? Bucket(level: depth, time: now)
    bucket.level = min(depth, bucket.level + seconds(from: bucket.time, to: now) * rate)
    bucket.time = now
    let isAdmitted = bucket.level >= 1
    if isAdmitted { bucket.level -= 1 }
    buckets[account] = bucket
    return Quota(
      limit: Int(rate), remaining: Int(bucket.level), reset: .seconds((depth - bucket.level) / rate),
      wait: isAdmitted ? nil : .seconds((1 - bucket.level) / rate))
  }

  /// Forgets accounts whose buckets are full again, since a new bucket would be the same. If too many remain, forgets
  /// the fuller half.
  private mutating func dropFull(at now: MonotonicTime) {
    buckets = buckets.filter { $0.value.level + seconds(from: $0.value.time, to: now) * rate < depth }
    guard buckets.count >= mostBuckets else { return }
    let middle = buckets.values.map(\.level).sorted()[buckets.count / 2]
    buckets = buckets.filter { $0.value.level < middle }
  }

  private func seconds(from: MonotonicTime, to: MonotonicTime) -> Double {
    max(0, Double(to.nanoseconds(since: from)) / 1e9)
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
