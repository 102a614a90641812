/// An event of a router for operators.
package enum RouterEvent: Hashable, Sendable {
  case sessionBegan(session: UInt64, instance: String, role: Hello.Role, services: [String])
  case sessionEnded(session: UInt64, instance: String, reason: Reason)
  case helloRefused(instance: String, why: String)
  case callsLost(session: UInt64, retried: Int, failed: Int)

  package enum Reason: String, Hashable, Sendable {
    case bye = "it said goodbye"
    case silent = "it did not answer"
    case unreachable = "its connection is gone"
    case superseded = "it connected again"
    case doesNotRead = "it does not read what is sent to it"
    case misbehaved = "it kept sending what it may not"
    case keyRevoked = "its key was removed"
  }
}
