internal import Base

/// One connection to a gateway, from the side of a worker or a client: HELLO until it is acknowledged, then pings.
struct GatewayLink: Sendable {
  /// Whether the transport is connected. Without a connection nothing is sent.
  private(set) var isConnected = false
  /// The session from HELLO_ACK; 0 before that.
  private(set) var session: UInt64 = 0
  /// Whether the gateway accepts nothing new.
  var isLeaving = false
  private var signs = LifeSigns(at: MonotonicTime(nanoseconds: 0))
  private var greetedAt: MonotonicTime?
  /// The epoch of the HELLO that waits for its answer.
  private var greeting: UInt64 = 0
  /// How often in a row the gateway has refused: the pause before the next HELLO doubles each time.
  private var refusals = 0

  var isEstablished: Bool { session != 0 }
  var takesCalls: Bool { isEstablished && !isLeaving }

  mutating func connect() {
    isConnected = true
    greetedAt = nil
    refusals = 0
  }

  mutating func disconnect() {
    isConnected = false
    forgetSession()
  }

  mutating func forgetSession() {
    session = 0
    greetedAt = nil
    isLeaving = false
  }

  mutating func establish(_ acknowledgement: HelloAck, at now: MonotonicTime) {
    session = acknowledgement.session
    greetedAt = nil
    refusals = 0
    isLeaving = false
    signs = LifeSigns(at: now)
  }

  /// The gateway refuses a session with this process. If the process has a session by another link already, this link
  /// goes on asking at the usual interval, so that it takes over soon when that session ends.
  mutating func noteRefusal(_ code: StatusCode) {
    if code != .alreadyExists { refusals = min(refusals + 1, 6) }
  }

  mutating func hear(at now: MonotonicTime) { signs.hear(at: now) }

  /// A call begins on the link.
  mutating func watch(at now: MonotonicTime) { signs.watch(at: now) }

  /// The epoch for a HELLO, if it is time for one. A new session gets a new epoch. The same epoch is repeated after
  /// `interval` without an answer, so that a gateway that was only slow sees one greeting; a gateway that refuses is
  /// asked at growing intervals.
  mutating func nextGreeting(every interval: Duration, epoch: inout UInt64, at now: MonotonicTime) -> UInt64? {
    guard isConnected, !isEstablished else { return nil }
    if let greetedAt {
      guard now - greetedAt >= interval * (1 << refusals) else { return nil }
    } else {
      epoch += 1
      greeting = epoch
    }
    greetedAt = now
    return greeting
  }

  /// What the session needs to stay alive; `dead` when the gateway is.
  mutating func check(isBusy: Bool, _ timings: LinkTimings, at now: MonotonicTime) -> LifeSigns.Verdict {
    isEstablished ? signs.check(isBusy: isBusy, timings, at: now) : .alive
  }

  /// Whether it must be looked at again within a short interval.
  func needsCare(isBusy: Bool) -> Bool { isConnected && (isBusy || !isEstablished) }
}

/// The host's number for a connection of a worker or client.
package typealias LinkID = Int
