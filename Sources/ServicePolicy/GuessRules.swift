package import Base

/// The count of wrong passcodes, codes or answers at one place, such as a person at a device.
package struct Guesses: Hashable, Sendable {
  package var failures: Int64
  /// Until this time, attempts are refused without a check.
  package var blockedUntil: Instant

  package init(failures: Int64 = 0, blockedUntil: Instant = Instant(millisecondsSince1970: 0)) {
    self.failures = failures
    self.blockedUntil = blockedUntil
  }
}

/// How long the next attempt waits after wrong ones. The delay doubles, so that guesses cost more than they are worth;
/// it ends by itself, so that nobody can lock others out for good.
///
/// | place | free attempts | first delay | longest delay |
/// |---|---|---|---|
/// | one person at a device, one invitation | 5 | 30 seconds | 24 hours |
/// | a device, for all people together | 20 | 30 seconds | 1 hour |
package enum GuessRules: Sendable, CaseIterable {
  case person, device

  package var free: Int64 { self == .person ? 5 : 20 }
  package var firstDelay: Duration { .seconds(30) }
  package var longestDelay: Duration { self == .person ? .seconds(86_400) : .seconds(3600) }

  /// The delay after so many wrong attempts.
  package func delay(after failures: Int64) -> Duration {
    guard failures >= free else { return .zero }
    let doublings = min(failures - free, 20)
    return min(firstDelay * (1 << doublings), longestDelay)
  }

  /// Counts an attempt as wrong before it is checked, so that parallel attempts are all counted.
  package func attempted(_ attempts: Guesses, at now: Instant) -> Guesses {
    let failures = attempts.failures + 1
    return Guesses(failures: failures, blockedUntil: now + delay(after: failures))
  }

  /// Takes back an attempt that was counted but never checked, so that nobody has learned anything by it.
  ///
  /// - Parameter before: the count before this attempt.
  package func takenBack(_ attempts: Guesses, counted before: Guesses, at now: Instant) -> Guesses {
    // No other attempt was counted since, so the state before this one is restored.
    if attempts.failures == before.failures + 1 {
      return Guesses(failures: before.failures, blockedUntil: min(before.blockedUntil, attempts.blockedUntil))
    }
    // Others were counted since, or the count was cleared: the delay shrinks to that of one attempt fewer.
    let failures = max(0, attempts.failures - 1)
    let saved = delay(after: attempts.failures) - delay(after: failures)
    let end = attempts.blockedUntil + (.zero - saved)
    return Guesses(failures: failures, blockedUntil: failures < free ? min(end, now) : end)
  }

  /// Takes back an attempt that was right, and one wrong attempt before it, so that the mistakes of many people who
  /// share a device do not add up to a delay. Whoever mixes right passcodes of their own into guesses at others' gains
  /// little, because attempts are also counted for each person.
  package func succeeded(_ attempts: Guesses, at now: Instant) -> Guesses {
    Guesses(failures: max(0, attempts.failures - 2), blockedUntil: now)
  }

  /// How long the next attempt has to wait; zero when it need not.
  package func wait(_ attempts: Guesses, at now: Instant) -> Duration {
    // A clock that was set back makes nobody wait longer than the rule says.
    max(.zero, min(attempts.blockedUntil - now, longestDelay))
  }
}
