internal import Base

/// The intervals at which both sides of a link check that the other one is alive.
package struct LinkTimings: Sendable {
  /// While a call is open on the link, other than a stream that may be silent for long.
  package var pingInterval: Duration = .milliseconds(500)
  /// While nobody waits for the link. Longer, so that a process without work hardly ever wakes.
  package var idlePingInterval: Duration = .seconds(5)
  /// Whether this side pings before the other one does. A gateway does, since it then pings all in one turn, whereas
  /// their pings would come one by one.
  package var asksFirst = false
  /// After this many intervals without a message, the other side is dead.
  package var missesUntilDead = 3

  package init() {}

  /// How long the other side of an idle link may have been silent without being pinged.
  var idleSilence: Duration { asksFirst ? idlePingInterval / 2 : idlePingInterval }

  package static var ofGateway: LinkTimings {
    var timings = LinkTimings()
    timings.asksFirst = true
    return timings
  }

  /// For a link within one process: its other side lives as long as this one, so silence never means that it is dead.
  /// Neither side hears the other while the process stands still.
  package static var withinProcess: LinkTimings {
    var timings = LinkTimings()
    timings.pingInterval = timings.idlePingInterval
    timings.missesUntilDead = 1_000_000
    return timings
  }

  /// For the other end of such a link: the router pings it, and nothing else has to be looked at.
  package static var pingedWithinProcess: LinkTimings {
    var timings = withinProcess
    timings.idlePingInterval = .seconds(3600)
    timings.pingInterval = timings.idlePingInterval
    return timings
  }

  func patience(_ interval: Duration) -> Duration { interval * missesUntilDead }
}

/// When a peer was last heard, and what follows from it.
struct LifeSigns: Sendable {
  private var lastHeard: MonotonicTime
  /// Since when the peer's silence must be noticed soon, because of an open call; nil once the peer was heard after
  /// that and no such call is open any more.
  private var watchedSince: MonotonicTime?
  /// When the peer was sent the first PING since it was last heard.
  private var askedAt: MonotonicTime?

  enum Verdict {
    case alive
    /// A PING is due.
    case ping
    case dead
  }

  init(at now: MonotonicTime) {
    lastHeard = now
  }

  var isWatched: Bool { watchedSince != nil }

  mutating func hear(at now: MonotonicTime) {
    lastHeard = now
    askedAt = nil
  }

  /// Notes that the peer is sent a PING.
  mutating func ask(at now: MonotonicTime) {
    if askedAt == nil { askedAt = now }
  }

  /// Notes that a call begins, for which the peer's silence must be noticed soon.
  mutating func watch(at now: MonotonicTime) {
    if watchedSince == nil { watchedSince = now }
  }

  /// - Parameter isBusy: whether a call is open on the link, so that its end must be noticed soon.
  mutating func check(isBusy: Bool, _ timings: LinkTimings, at now: MonotonicTime) -> Verdict {
    if isBusy {
      watch(at: now)
    } else if let since = watchedSince, lastHeard > since {
      watchedSince = nil
    }
    if let since = watchedSince {
      // A peer that was idle has a full interval of silence behind it: what counts is the silence since it has work.
      return now - max(lastHeard, since) > timings.patience(timings.pingInterval) ? .dead : .ping
    }
    let silence = now - lastHeard
    if silence > timings.patience(timings.idlePingInterval) { return .dead }
    return silence >= timings.idleSilence ? .ping : .alive
  }

  /// Whether the peer has left a PING unanswered for a while.
  func isLate(_ timings: LinkTimings, at now: MonotonicTime) -> Bool {
    askedAt.map { now - $0 >= timings.pingInterval * 2 } ?? false
  }
}
