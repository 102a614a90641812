internal import Base

/// One connection to a gateway, as a worker or a client sees it: HELLO until it is acknowledged, then signs of life.
struct GatewayLink: Sendable {
  /// The transport has a connection. Without one, nothing is worth sending.
  private(set) var isConnected = false
  /// What the gateway named this link; 0 before HELLO_ACK.
  private(set) var session: UInt64 = 0
  /// The gateway takes nothing new.
  var isLeaving = false
  private var lastHeard = MonotonicTime(nanoseconds: 0)
  private var greetedAt: MonotonicTime?
  /// The epoch of the HELLO that waits for its answer.
  private var greeting: UInt64 = 0
  /// How often in a row the gateway has refused: each time the next HELLO waits twice as long.
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
    lastHeard = now
  }

  /// The gateway wants no session with this process. One that has a session by another link already is asked again at
  /// the usual pace, so that this link takes over soon when that one ends.
  mutating func noteRefusal(_ code: StatusCode) {
    if code != .alreadyExists { refusals = min(refusals + 1, 6) }
  }

  mutating func hear(at now: MonotonicTime) { lastHeard = now }

  /// The epoch to say HELLO with, if it is time to: a new one where a session is to begin, and the same one again when
  /// nothing came of it for `interval`, so that a gateway that was only slow sees one greeting and not many, and one that
  /// refuses is asked more and more rarely.
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

  func isSilent(for patience: Duration, at now: MonotonicTime) -> Bool {
    isEstablished && now - lastHeard > patience
  }
}

/// How the host of a worker or client tells its connections apart.
package typealias LinkID = Int

/// How a worker or client keeps its links alive.
package struct LinkTimings: Sendable {
  package var pingInterval: Duration = .milliseconds(500)
  package var missesUntilDead = 3

  package init() {}

  var patience: Duration { pingInterval * missesUntilDead }
}
