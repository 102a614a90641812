package import Base

/// Until when a process may answer from memory, and which calls wait for that. A value without clock or database.
package struct LeaseState {
  /// What a call waits for.
  package enum Need: Sendable {
    /// The right to answer from memory.
    case lease
    /// A cache that reflects everything that was committed before a time.
    case news(since: MonotonicTime)
  }

  private struct Waiting {
    let need: Need
    let resume: @Sendable (Bool) -> Void
  }

  /// The end of the lease.
  package private(set) var end = MonotonicTime(nanoseconds: 0)
  /// When the query began whose results the cache reflects completely.
  package private(set) var heardAt = MonotonicTime(nanoseconds: .min)
  /// When the first of the attempts began that have failed or are unanswered since the last renewal; nil if there is
  /// none.
  package private(set) var askedAt: MonotonicTime?
  private var waiting: [Int: Waiting] = [:]
  private var lastNumber = 0

  package init() {}

  /// Notes that an attempt to renew the lease begins.
  package mutating func ask(at now: MonotonicTime) { askedAt = askedAt ?? now }

  /// Renews the lease, after the cache has dropped what had changed by a time after `asked`.
  ///
  /// - Returns: the callbacks of the calls whose wait is over.
  package mutating func renew(
    asked: MonotonicTime, for lease: Duration
  ) -> [@Sendable (Bool) -> Void] {
    end = max(end, asked + lease)
    heardAt = max(heardAt, asked)
    askedAt = nil
    let met = waiting.filter { isMet($0.value.need) }
    for number in met.keys { waiting[number] = nil }
    return met.values.map(\.resume)
  }

  /// Ends the lease for good. Returns the callbacks of all waiting calls.
  package mutating func close() -> [@Sendable (Bool) -> Void] {
    end = MonotonicTime(nanoseconds: 0)
    defer { waiting = [:] }
    return waiting.values.map(\.resume)
  }

  /// How long a new call waits for the lease: at most for the length of a lease after the first attempt that the
  /// database has not answered.
  package func patience(from now: MonotonicTime, lease: Duration, atMost time: Duration) -> Duration {
    min(time, max(.zero, (askedAt ?? now) + lease - now))
  }

  /// Adds a waiting call and returns its number; nil if its need is met already.
  package mutating func wait(
    for need: Need, at now: MonotonicTime, _ resume: @escaping @Sendable (Bool) -> Void
  ) -> Int? {
    let isMetNow =
      switch need {
      case .lease: now < end
      case .news: isMet(need)
      }
    if isMetNow { return nil }
    lastNumber += 1
    waiting[lastNumber] = Waiting(need: need, resume: resume)
    return lastNumber
  }

  /// Removes a waiting call and returns its callback; nil if its wait was over before.
  package mutating func give(up number: Int) -> (@Sendable (Bool) -> Void)? {
    waiting.removeValue(forKey: number)?.resume
  }

  /// Whether a need is met right after a renewal.
  private func isMet(_ need: Need) -> Bool {
    switch need {
    case .lease: true
    case .news(let since): heardAt >= since
    }
  }
}
