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

  /// The two in one: there are never so many links that their numbers need the two highest bits.
  var number: UInt64 { link << 2 | UInt64(door.rawValue) }
}

/// What a peer's key proves about it. A key that vouches for others may say on whose behalf it calls.
package final class PeerCredentials: Hashable, Sendable {
  package let identity: CallerIdentity
  package let mayVouch: Bool
  package let mayServe: Bool
  /// What a worker gets to know of a call without metadata or key: the same for all of the peer's.
  let plainExtra: Envelope.Extra

  package init(identity: CallerIdentity, mayVouch: Bool, mayServe: Bool) {
    self.identity = identity
    self.mayVouch = mayVouch
    self.mayServe = mayServe
    plainExtra = Envelope.Extra(caller: identity)
  }

  /// A client that proved who it is.
  package static func client(_ identity: CallerIdentity) -> PeerCredentials {
    PeerCredentials(identity: identity, mayVouch: false, mayServe: false)
  }

  /// A service of this installation, or whoever may enter its private sockets.
  package static func service(named name: String, mayServe: Bool = true) -> PeerCredentials {
    PeerCredentials(identity: CallerIdentity(access: .service, subject: name), mayVouch: true, mayServe: mayServe)
  }

  package static func == (left: PeerCredentials, right: PeerCredentials) -> Bool {
    left === right
      || (left.identity == right.identity && left.mayVouch == right.mayVouch && left.mayServe == right.mayServe)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
    hasher.combine(mayVouch)
    hasher.combine(mayServe)
  }
}

/// The router's side of a link, from HELLO until it ends. An object, as calls are: every envelope touches one.
final class RouterSession: Numbered {
  /// What it was named in HELLO_ACK.
  var number: UInt64 = 0
  let peer: Peer
  let hello: Hello
  let isWorker: Bool
  let credentials: PeerCredentials
  let startedAt: MonotonicTime
  var lastHeard: MonotonicTime
  var isLeaving = false
  var violations = 0
  var load = Load()
  /// When the load's progress last moved, or there was nothing to do.
  var lastProgress: MonotonicTime

  // As a caller.
  /// The router's numbers of its calls, by its own.
  var calls: NumberMap<UInt64>

  // As a worker.
  var services: [Int] = []
  var turn = 0
  var credit: UInt64 = 0
  var started: UInt64 = 0
  /// How many calls were handed over and not yet answered.
  var running = 0
  var counts = CallCounts()
  var rate = RateWindow()

  init(peer: Peer, hello: Hello, credentials: PeerCredentials, seed: UInt64, at now: MonotonicTime) {
    self.peer = peer
    self.hello = hello
    isWorker = hello.role == .worker
    self.credentials = credentials
    startedAt = now
    lastHeard = now
    lastProgress = now
    // Peers choose the numbers of their calls.
    calls = NumberMap(seed: seed)
  }

  /// Takes in what a worker says of itself.
  func note(_ load: Load?, at now: MonotonicTime) {
    guard let load else { return }
    if load.progress != self.load.progress || load.busy == 0 { lastProgress = now }
    self.load = load
  }

  /// How many more calls the worker takes now.
  var freeCredit: Int { isLeaving ? 0 : Int(clamping: Int64(bitPattern: credit &- started)) }

  /// A worker may not ask for more at a time than it said it can take, whatever it claims.
  func raiseCredit(to wanted: UInt64) {
    guard isWorker, wanted > credit else { return }
    credit = min(wanted, started + UInt64(hello.slots) + UInt64(hello.prefetch))
  }

  /// Whether its next call would wait in its own queue.
  var isBeyondSlots: Bool { freeCredit <= creditBeyondSlots }

  /// Which of its services is to be looked at next; nil when the worker takes nothing more.
  func nextTurn() -> Int? {
    guard freeCredit > 0 else { return nil }
    turn = (turn + 1) % services.count
    return turn
  }

  /// The last of a worker's credit lies beyond its slots: what is started on it may wait there, so only calls that can
  /// be done again elsewhere are.
  var creditBeyondSlots: Int { Int(hello.prefetch) }
}
