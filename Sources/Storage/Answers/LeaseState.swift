package import Base

/// Until when a process may answer from memory, and who waits for that: a value, without clock or database.
package struct LeaseState {
  /// What somebody waits for.
  package enum Need: Sendable {
    /// The right to answer from memory.
    case lease
    /// Memory that takes into account all that was committed before a time.
    case news(since: MonotonicTime)
  }

  private struct Waiting {
    let need: Need
    let resume: @Sendable (Bool) -> Void
  }

  /// The end of the lease.
  package private(set) var end = MonotonicTime(nanoseconds: 0)
  /// When the last look began of which memory takes everything into account.
  package private(set) var heardAt = MonotonicTime(nanoseconds: .min)
  /// Since when the database has not answered: the beginning of the first attempt that has not succeeded.
  package private(set) var askedAt: MonotonicTime?
  private var waiting: [Int: Waiting] = [:]
  private var lastNumber = 0

  package init() {}

  /// An attempt to renew the lease begins.
  package mutating func ask(at now: MonotonicTime) { askedAt = askedAt ?? now }

  /// The news as of a moment after `asked` is taken into account.
  ///
  /// - Returns: those who waited for it.
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

  /// Ends the lease for good; returns all who wait.
  package mutating func close() -> [@Sendable (Bool) -> Void] {
    end = MonotonicTime(nanoseconds: 0)
    defer { waiting = [:] }
    return waiting.values.map(\.resume)
  }

  /// How long a new call waits for the lease: no longer than a lease lasts, counted from the first request that the
  /// database has not answered.
  package func patience(from now: MonotonicTime, lease: Duration, atMost time: Duration) -> Duration {
    min(time, max(.zero, (askedAt ?? now) + lease - now))
  }

  /// Puts somebody in line; nil when the need is met already.
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

  /// Takes somebody out of the line; nil when the need was met before.
  package mutating func give(up number: Int) -> (@Sendable (Bool) -> Void)? {
    waiting.removeValue(forKey: number)?.resume
  }

  /// After a renewal.
  private func isMet(_ need: Need) -> Bool {
    switch need {
    case .lease: true
    case .news(let since): heardAt >= since
    }
  }
}
