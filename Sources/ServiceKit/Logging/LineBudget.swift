package import Base

/// How many lines of a log each source may cause: some at once, then one for each interval. Further lines are counted,
/// and the next line states their number.
package struct LineBudget<Source: Hashable & Sendable>: Sendable {
  private let rate: TokenRate
  private var sources: [Source: Account] = [:]
  /// Beyond this number, sources share one budget.
  private let sourceLimit: Int
  private var others: Account

  private struct Account: Sendable {
    var bucket: TokenBucket
    var suppressed = 0
  }

  package init(burst: Int = 20, interval: Duration = .seconds(2), sourceLimit: Int = 1024, at now: MonotonicTime) {
    rate = TokenRate(perSecond: .seconds(1) / interval, depth: Double(burst))
    self.sourceLimit = sourceLimit
    others = Account(bucket: TokenBucket(rate, at: now))
  }

  /// How many lines of the source were suppressed since its last one; nil when this one is suppressed, too.
  package mutating func take(_ source: Source, at now: MonotonicTime) -> Int? {
    if sources[source] == nil {
      if sources.count >= sourceLimit { sources = sources.filter { $0.value.bucket.level(rate, at: now) < rate.depth } }
      guard sources.count < sourceLimit else { return take(from: &others, at: now) }
    }
    return take(from: &sources[source, default: Account(bucket: TokenBucket(rate, at: now))], at: now)
  }

  private func take(from account: inout Account, at now: MonotonicTime) -> Int? {
    guard account.bucket.take(rate, at: now) else {
      account.suppressed += 1
      return nil
    }
    defer { account.suppressed = 0 }
    return account.suppressed
  }
}
