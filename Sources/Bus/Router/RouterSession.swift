internal import Base

/// The router's side of a link, from HELLO until it ends: a `CallerSession` or a `WorkerSession`, by the role that
/// HELLO states. An object, like calls: every envelope uses one.
class RouterSession: Numbered {
  /// Its number in HELLO_ACK.
  var number: UInt64 = 0
  let peer: Peer
  let hello: Hello
  let credentials: PeerCredentials
  /// The account that is charged for the session and its calls.
  let account: KeyAccount
  let startedAt: MonotonicTime
  var signs: LifeSigns
  /// Whether its peer has said GOAWAY.
  var isLeaving = false
  var offences = 0
  var lastOffence = MonotonicTime(nanoseconds: 0)

  init(_ origin: Origin, at now: MonotonicTime) {
    peer = origin.peer
    hello = origin.hello
    credentials = origin.credentials
    account = origin.account
    startedAt = now
    signs = LifeSigns(at: now)
  }

  /// What a session begins with.
  struct Origin {
    let peer: Peer
    let hello: Hello
    let credentials: PeerCredentials
    let account: KeyAccount
  }

  enum Side {
    case caller(CallerSession)
    case worker(WorkerSession)
  }

  /// The session as its subclass. (A property that is overridden is faster than a cast at run time.)
  var side: Side { fatalError("every session is a caller's or a worker's") }

  var asWorker: WorkerSession? { if case .worker(let session) = side { session } else { nil } }
  var asCaller: CallerSession? { if case .caller(let session) = side { session } else { nil } }

  /// Whether the peer is in the gateway's own process: it cannot be lost without the gateway, so its liveness is
  /// checked rarely.
  var isLocal: Bool { peer.door == .local }

  func timings(_ configuration: RouterConfiguration) -> LinkTimings {
    isLocal ? .withinProcess : configuration.timings
  }

  /// Whether the peer has left a PING unanswered for a while.
  func isSuspect(_ configuration: RouterConfiguration, at now: MonotonicTime) -> Bool {
    signs.isLate(timings(configuration), at: now)
  }
}
