internal import Base

/// One connection to a gateway, as a worker or a client sees it: HELLO until it is acknowledged, then signs of life.
struct GatewayLink: Sendable {
  /// The transport has a connection. Without one, nothing is worth sending.
  private(set) var isConnected = false
  /// What the gateway named this link; 0 before HELLO_ACK.
  private(set) var session: UInt64 = 0
  private(set) var gateway = ""
  /// The gateway takes nothing new.
  var isLeaving = false
  private var lastHeard = MonotonicTime(nanoseconds: 0)
  private var greetedAt: MonotonicTime?

  var isEstablished: Bool { session != 0 }

  mutating func connect() {
    isConnected = true
    greetedAt = nil
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
    gateway = acknowledgement.gateway
    greetedAt = nil
    isLeaving = false
    lastHeard = now
  }

  mutating func hear(at now: MonotonicTime) { lastHeard = now }

  /// Whether to say HELLO now: once, and again only when nothing came of it for `interval`.
  mutating func shouldGreet(every interval: Duration, at now: MonotonicTime) -> Bool {
    guard isConnected, !isEstablished else { return false }
    if let greetedAt, now - greetedAt < interval { return false }
    greetedAt = now
    return true
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
