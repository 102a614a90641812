/// A bucket of tokens for each holder. A pure state machine.
package struct TokenBuckets: Sendable {
  /// What an attempt to take a token came to.
  package struct Outcome: Hashable, Sendable {
    package var isAdmitted: Bool
    /// How many tokens are left; the last one may be there in part.
    package var left: Double
  }

  package let rate: TokenRate
  private var buckets: [String: TokenBucket] = [:]
  private let mostBuckets: Int

  package init(_ rate: TokenRate, mostHolders: Int) {
    self.rate = rate
    mostBuckets = mostHolders
  }

  /// How many holders it remembers.
  package var count: Int { buckets.count }

  /// Takes a token, if there is one.
  package mutating func take(_ holder: String, at now: MonotonicTime) -> Outcome {
    if buckets[holder] == nil, buckets.count >= mostBuckets { dropFull(at: now) }
    var bucket = buckets[holder] ?? TokenBucket(rate, at: now)
    let isAdmitted = bucket.take(rate, at: now)
    buckets[holder] = bucket
    return Outcome(isAdmitted: isAdmitted, left: bucket.level(rate, at: now))
  }

  /// Forgets holders whose buckets are full again, since a new bucket would be the same. If too many remain, forgets
  /// the fuller half.
  private mutating func dropFull(at now: MonotonicTime) {
    buckets = buckets.filter { $0.value.level(rate, at: now) < rate.depth }
    guard buckets.count >= mostBuckets else { return }
    let middle = buckets.values.map { $0.level(rate, at: now) }.sorted()[buckets.count / 2]
    buckets = buckets.filter { $0.value.level(rate, at: now) < middle }
  }
}
