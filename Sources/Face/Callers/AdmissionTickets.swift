internal import Base
package import Bus
package import RPC
internal import Synchronization

/// Hands what a door has learnt about a caller to the gateway's own handlers.
///
/// A call's identity travels with it; the scopes of the key, the account that its limits are counted for and the
/// credential itself stay at the door. A handler that makes further calls for the caller must apply the same bounds, so
/// the door sends a ticket along, which is valid for this one call and meaningless outside this process.
package final class AdmissionTickets: Sendable {
  /// A caller whom a door has admitted.
  package struct Admitted: Sendable {
    package let caller: VerifiedCaller
    package let address: String
  }

  private struct Entry {
    let admitted: Admitted
    let expiry: MonotonicTime
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var nextSweep: MonotonicTime
  }

  private let clock: Clock
  private let state: Mutex<State>

  private static let header = "assent-ticket"
  /// The gateway's methods that make further calls.
  private static let methods = "/assent.gateway.v1.GatewayService/"
  private static let names = Set(
    ["Batch", "CreateDownload", "CreateBrowserToken", "CreateFieldLink", "OpenFieldLink"].map { methods + $0 })
  /// The metadata of calls that the gateway itself makes for a caller: a ticket that `redeem` never accepts. Without
  /// any, such a call would look like one from the bus's own door, whose callers are bounded by nothing but their
  /// identity.
  static let void: Metadata = [header: "void"]
  /// A call that waits for longer than this before its handler begins is refused.
  private static let lifetime = Duration.seconds(60)
  private static let sweepInterval = Duration.seconds(5)

  init(clock: Clock) {
    self.clock = clock
    state = Mutex(State(nextSweep: clock.monotonic))
  }

  /// Whether doors send a ticket along with calls of a method.
  static func areSent(with method: MethodDescriptor) -> Bool { names.contains(method.path) }

  /// Sends a ticket along with a call of a method that wants one.
  package func add(to request: inout PortRequest, for caller: VerifiedCaller, from address: String) {
    guard Self.areSent(with: request.method) else { return }
    let ticket = Hex.encode(Randomness.system.bytes(16))
    let now = clock.monotonic
    state.withLock { state in
      if now >= state.nextSweep {
        state.nextSweep = now + Self.sweepInterval
        // Removes the tickets of calls that never reached their handler.
        state.entries = state.entries.filter { $0.value.expiry > now }
      }
      state.entries[ticket] = Entry(
        admitted: Admitted(caller: caller, address: address), expiry: min(request.deadline, now + Self.lifetime))
    }
    request.metadata.removeAll(Self.header)
    request.metadata.appendUnchecked(key: Self.header, value: Array(ticket.utf8))
  }

  /// What the door has learnt about the caller of a call; nil when the call came by the bus's own door, which sends no
  /// tickets. A ticket can be redeemed once. Throws when it is void or has expired: then the caller's bounds are
  /// unknown.
  package func redeem(_ metadata: Metadata) throws(Status) -> Admitted? {
    guard let ticket = metadata[Self.header] else { return nil }
    let entry = state.withLock { $0.entries.removeValue(forKey: ticket) }
    guard let entry, entry.expiry > clock.monotonic else {
      throw Status(.unavailable, rule: "ticket_void", "the call waited for too long before it began; make it again")
    }
    return entry.admitted
  }
}
