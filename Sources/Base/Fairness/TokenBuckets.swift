/// Token buckets, one for each holder: a holder may take some tokens at once, and further ones as they come back, at a
/// steady rate. A pure state machine.
package struct TokenBuckets: Sendable {
  /// What an attempt to take a token came to.
  package struct Outcome: Hashable, Sendable {
    package var isAdmitted: Bool
    /// How many tokens are left; the last one may be there in part.
    package var left: Double
  }

  private struct Bucket {
    var level: Double
    var time: MonotonicTime
  }

  private let rate: Double
  private let depth: Double
  private var buckets: [String: Bucket] = [:]
  private let mostBuckets: Int

  /// - Parameters:
  ///   - rate: tokens that come back in a second, for each holder.
  ///   - depth: tokens that a holder may take at once.
  package init(rate: Int, depth: Int, mostHolders: Int) {
    self.rate = Double(rate)
    self.depth = Double(depth)
    mostBuckets = mostHolders
  }

  /// How many holders it remembers.
  package var count: Int { buckets.count }

  /// Takes a token, if there is one.
  package mutating func take(_ holder: String, at now: MonotonicTime) -> Outcome {
    if buckets[holder] == nil, buckets.count >= mostBuckets { dropFull(at: now) }
    var bucket = buckets[holder] ?? Bucket(level: depth, time: now)
    bucket.level = min(depth, bucket.level + seconds(from: bucket.time, to: now) * rate)
    bucket.time = now
    let isAdmitted = bucket.level >= 1
    if isAdmitted { bucket.level -= 1 }
    buckets[holder] = bucket
    return Outcome(isAdmitted: isAdmitted, left: bucket.level)
  }

  /// Forgets holders whose buckets are full again, since a new bucket would be the same. If too many remain, forgets
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
