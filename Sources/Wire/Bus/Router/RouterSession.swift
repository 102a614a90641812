internal import Base

/// Where an envelope came from, as the host tells links apart.
package struct Peer: Hashable, Sendable {
  package enum Door: UInt8, Hashable, Sendable {
    /// Clients: they may call, and nothing they say of themselves is believed.
    case clients
    /// Workers, and services that call.
    case services
    /// The gateway's own process.
    case local
  }

  package var door: Door
  package var link: UInt64

  package init(door: Door, link: UInt64) {
    self.door = door
    self.link = link
  }
}

/// What a peer's key proves about it. A key that vouches for others may say on whose behalf it calls.
package struct PeerCredentials: Hashable, Sendable {
  package var identity: CallerIdentity
  package var mayVouch: Bool
  package var mayServe: Bool

  package init(identity: CallerIdentity, mayVouch: Bool, mayServe: Bool) {
    self.identity = identity
    self.mayVouch = mayVouch
    self.mayServe = mayServe
  }

  /// A client that proved who it is.
  package static func client(_ identity: CallerIdentity) -> PeerCredentials {
    PeerCredentials(identity: identity, mayVouch: false, mayServe: false)
  }

  /// A service of this installation, or whoever may enter its private sockets.
  package static func service(named name: String) -> PeerCredentials {
    PeerCredentials(identity: CallerIdentity(access: .service, subject: name), mayVouch: true, mayServe: true)
  }
}

/// The router's side of a link, from HELLO until it ends.
struct RouterSession: Sendable {
  let peer: Peer
  let hello: Hello
  let credentials: PeerCredentials
  let startedAt: MonotonicTime
  var lastHeard: MonotonicTime
  var isLeaving = false
  var violations = 0
  var load = Load()
  /// When the load's progress last moved, or there was nothing to do.
  var lastProgress: MonotonicTime

  // As a caller.
  /// The peer's own call numbers, and the router's.
  var calls: [UInt64: UInt64] = [:]

  // As a worker.
  var services: [Int] = []
  var turn = 0
  var credit: UInt64 = 0
  var started: UInt64 = 0
  /// Calls handed over and not yet answered.
  var running: Set<UInt64> = []
  var counts = CallCounts()
  var rate = RateWindow()

  /// How many more calls the worker takes now.
  var freeCredit: Int { isLeaving ? 0 : Int(clamping: Int64(bitPattern: credit &- started)) }

  /// Which of its services is to be looked at next; nil when the worker takes nothing more.
  mutating func nextTurn() -> Int? {
    guard freeCredit > 0 else { return nil }
    turn = (turn + 1) % services.count
    return turn
  }

  /// The last of a worker's credit lies beyond its slots: what is started on it may wait there, so only calls that can
  /// be done again elsewhere are.
  var creditBeyondSlots: Int { Int(hello.prefetch) }
}
