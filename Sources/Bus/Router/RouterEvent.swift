package import RPC

/// An event of a router for operators.
package enum RouterEvent: Hashable, Sendable {
  case sessionBegan(session: UInt64, instance: String, role: Hello.Role, services: [String])
  case sessionEnded(session: UInt64, instance: String, reason: Reason)
  case helloRefused(instance: String, key: String, why: String)
  case callsLost(session: UInt64, retried: Int, failed: Int)
  /// A caller called a method that admits none of the caller's roles, and the gateway refused the call without handing
  /// it to a service.
  case callDenied(instance: String, key: String, caller: CallerIdentity, method: String)
  /// A peer violated the protocol.
  case offence(session: UInt64, instance: String, key: String, what: String)

  package enum Reason: String, Hashable, Sendable {
    case bye = "it said goodbye"
    case silent = "it did not answer"
    case unreachable = "its connection is gone"
    case superseded = "it connected again"
    case doesNotRead = "it does not read what is sent to it"
    case misbehaved = "it kept sending what it may not"
    case keyRevoked = "its key was removed or changed"
  }
}

/// An event, and the connection and key that it is about, so that one peer's events cannot fill a log.
package struct RouterNews: Sendable {
  package let peer: Peer
  /// The name of the peer's key, if it has one.
  package let key: String?
  package let event: RouterEvent

  package init(peer: Peer, key: String?, event: RouterEvent) {
    self.peer = peer
    self.key = key
    self.event = event
  }
}
