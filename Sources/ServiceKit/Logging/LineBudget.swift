package import Base

/// How many lines of a log each source may cause: some at once, then one for each interval. Further lines are counted,
/// and the next line states their number.
package struct LineBudget<Source: Hashable & Sendable>: Sendable {
  private var sources: [Source: Account] = [:]
  private let burst: Int
  private let interval: Duration
  /// Beyond this number, sources share one budget.
  private let sourceLimit: Int
  private var others: Account

  private struct Account: Sendable {
    var left: Int
    var since: MonotonicTime
    var suppressed = 0
  }

  package init(burst: Int = 20, interval: Duration = .seconds(2), sourceLimit: Int = 1024, at now: MonotonicTime) {
    self.burst = burst
    self.interval = interval
    self.sourceLimit = sourceLimit
    others = Account(left: burst, since: now)
  }

  /// How many lines of the source were suppressed since its last one; nil when this one is suppressed, too.
  package mutating func take(_ source: Source, at now: MonotonicTime) -> Int? {
    if sources[source] == nil {
      if sources.count >= sourceLimit { sources = sources.filter { !isFull($0.value, at: now) } }
      guard sources.count < sourceLimit else { return take(from: &others, at: now) }
    }
    return take(from: &sources[source, default: Account(left: burst, since: now)], at: now)
  }

  private func take(from account: inout Account, at now: MonotonicTime) -> Int? {
    let earned = earned(account, at: now)
    if earned > 0 {
      account.left = min(burst, account.left + earned)
      account.since = now
    }
    guard account.left > 0 else {
      account.suppressed += 1
      return nil
    }
    account.left -= 1
    defer { account.suppressed = 0 }
    return account.suppressed
  }

  private func earned(_ account: Account, at now: MonotonicTime) -> Int {
    Int((now - account.since) / interval)
  }

  private func isFull(_ account: Account, at now: MonotonicTime) -> Bool {
    account.left + earned(account, at: now) >= burst
  }
}
