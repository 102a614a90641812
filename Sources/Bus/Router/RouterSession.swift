internal import Base
package import RPC

/// The sender of an envelope, identified by its link.
package struct Peer: Hashable, Sendable {
  package enum Door: UInt8, Hashable, Sendable {
    /// Clients: they may call, and no claim about themselves is believed.
    case clients
    /// Workers, and services that make calls.
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

  /// Link and door in one number: there are never so many links that the two highest bits are used.
  var number: UInt64 { link << 2 | UInt64(door.rawValue) }
}

/// What a peer's key proves about it.
package final class PeerCredentials: Hashable, Sendable {
  package let identity: CallerIdentity
  package let rights: KeyRights
  /// The host's number for the key; nil if the peer has none.
  package let keyNumber: UInt32?
  /// What a worker is told about a call without metadata or key: the same for all calls of the peer.
  let plainExtra: Envelope.Extra

  package init(identity: CallerIdentity, rights: KeyRights, keyNumber: UInt32? = nil) {
    self.keyNumber = keyNumber
    self.identity = identity
    self.rights = rights
    plainExtra = Envelope.Extra(caller: identity)
  }

  /// A client with a verified identity.
  package static func client(_ identity: CallerIdentity, keyNumber: UInt32? = nil) -> PeerCredentials {
    PeerCredentials(identity: identity, rights: .none, keyNumber: keyNumber)
  }

  /// A service of this installation.
  package static func service(
    named name: String, rights: KeyRights = .all, keyNumber: UInt32? = nil
  ) -> PeerCredentials {
    PeerCredentials(
      identity: CallerIdentity(kind: .service, subject: name), rights: rights, keyNumber: keyNumber)
  }

  /// A process that may enter the private sockets of the clients: it is the operator's.
  package static let localOperator = PeerCredentials(
    identity: CallerIdentity(kind: .operator, subject: "local"),
    rights: KeyRights(serving: .only([]), vouching: .anybody))

  /// Whether its claims about callers are ignored.
  var isClient: Bool { rights == .none && identity.kind != .service }

  package static func == (left: PeerCredentials, right: PeerCredentials) -> Bool {
    left === right
      || (left.identity == right.identity && left.rights == right.rights && left.keyNumber == right.keyNumber)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
    hasher.combine(rights)
  }
}

/// The router's side of a link, from HELLO until it ends. An object, like calls: every envelope uses one.
final class RouterSession: Numbered {
  /// Its number in HELLO_ACK.
  var number: UInt64 = 0
  let peer: Peer
  let hello: Hello
  let isWorker: Bool
  let credentials: PeerCredentials
  let startedAt: MonotonicTime
  var signs: LifeSigns
  /// The account of its key.
  let account: KeyAccount
  var isLeaving = false
  /// Whether it does not take what is sent to it at the moment.
  var isHeldUp = false
  var offences = 0
  var lastOffence = MonotonicTime(nanoseconds: 0)
  var load = Load()
  /// When the load's progress last changed, or there was nothing to do.
  var lastProgress: MonotonicTime

  // The part for callers.
  /// The router's numbers of its calls, by its own.
  var calls: NumberMap<UInt64>

  // The part for workers.
  var services: [Int] = [] {
    didSet { unanswered = Array(repeating: 0, count: services.count) }
  }
  /// For each of its services, how many calls were dispatched and not answered yet. Streams, which may be open for days
  /// and do nothing, do not count.
  private var unanswered: [Int] = []
  /// The router's number of the call that it was given last.
  var lastGiven: UInt64 = 0
  var turn = 0
  var credit: UInt64 = 0
  var started: UInt64 = 0
  /// How many calls were dispatched and have not ended yet, and how many of them are answered by streams.
  private(set) var running = 0
  private(set) var streams = 0
  /// Whether it was late or stuck when that was looked at last.
  var isFaltering = false
  var counts = CallCounts()
  var rate = RateWindow()
  /// For how many of each caller's calls it works, where its key may speak for them.
  private var callers: [CallerIdentity: Int] = [:]

  init(
    peer: Peer, hello: Hello, credentials: PeerCredentials, account: KeyAccount, seed: UInt64, at now: MonotonicTime
  ) {
    self.peer = peer
    self.hello = hello
    isWorker = hello.role == .worker
    self.credentials = credentials
    self.account = account
    startedAt = now
    signs = LifeSigns(at: now)
    lastProgress = now
    // Peers choose the numbers of their calls.
    calls = NumberMap(seed: seed)
  }

  /// Takes in a worker's report of its load.
  func note(_ load: Load?, at now: MonotonicTime) {
    guard let load else { return }
    if load.progress != self.load.progress || load.busy == 0 { lastProgress = now }
    self.load = load
  }

  /// A peer in this process cannot be lost without it, and need not be looked at often.
  var isLocal: Bool { peer.door == .local }

  func timings(_ configuration: RouterConfiguration) -> LinkTimings {
    isLocal ? .withinProcess : configuration.timings
  }

  /// Whether a ping has gone unanswered.
  func isSuspect(_ configuration: RouterConfiguration, at now: MonotonicTime) -> Bool {
    signs.isLate(timings(configuration), at: now)
  }

  /// How many calls it runs of which a single outcome is expected.
  var awaited: Int { running - streams }

  /// Whether it has work and makes no progress: its handlers are stuck.
  func isWedged(_ configuration: RouterConfiguration, at now: MonotonicTime) -> Bool {
    awaited > 0 && now - lastProgress > configuration.wedgedAfter
  }

  /// How many more calls the worker accepts now.
  var freeCredit: Int { isLeaving || isHeldUp ? 0 : Int(clamping: Int64(bitPattern: credit &- started)) }

  /// A worker cannot get more calls at a time than it announced in HELLO, whatever credit it claims.
  func raiseCredit(to wanted: UInt64) {
    guard isWorker, wanted > credit else { return }
    credit = min(wanted, started + UInt64(hello.slots) + UInt64(hello.prefetch))
  }

  /// Whether its next call would wait in its own queue.
  var isBeyondSlots: Bool { freeCredit <= creditBeyondSlots }

  /// Counts a call of one of its services as begun (1) or ended (−1).
  func count(_ call: RouterCall, by change: Int) {
    running += change
    if call.isAnsweredByStream { streams += change }
    if credentials.rights.vouching == .callers, let caller = call.open.extra?.caller {
      let count = callers[caller, default: 0] + change
      callers[caller] = count > 0 ? count : nil
    }
    guard call.countsTowardsRate, let place = services.firstIndex(of: call.service) else { return }
    unanswered[place] += change
  }

  /// Whether a call of a service is better off here than there: where it need not wait, where fewer calls of the
  /// service are open, and where the last call was given longest ago.
  ///
  /// Free slots do not tell: a handler that waits for its turn to draw holds none, and one process may have more of
  /// them than another with as many threads to draw on.
  func isBetter(than other: RouterSession, for service: Int) -> Bool {
    if isBeyondSlots != other.isBeyondSlots { return other.isBeyondSlots }
    let (here, there) = (open(of: service), other.open(of: service))
    return here != there ? here < there : lastGiven < other.lastGiven
  }

  func worksFor(_ caller: CallerIdentity) -> Bool { callers[caller] != nil }

  private func open(of service: Int) -> Int {
    services.firstIndex(of: service).map { unanswered[$0] } ?? 0
  }

  /// Which of its services is looked at next; nil when the worker accepts nothing more.
  func nextTurn() -> Int? {
    guard freeCredit > 0 else { return nil }
    turn = (turn + 1) % services.count
    return turn
  }

  /// The last part of a worker's credit exceeds its slots: a call dispatched on it may wait there, so only calls that
  /// may run twice are.
  var creditBeyondSlots: Int { Int(hello.prefetch) }
}
