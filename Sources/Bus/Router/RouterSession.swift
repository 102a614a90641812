internal import Base

/// The router's side of a link, from HELLO until it ends: a `CallerSession` or a `WorkerSession`, by the role that
/// HELLO states. An object, like calls: every envelope uses one.
class RouterSession: Numbered {
  /// Its number in HELLO_ACK.
  var number: UInt64 = 0
  let peer: Peer
  let hello: Hello
  let credentials: PeerCredentials
  /// The account of its key.
  let account: KeyAccount
  let startedAt: MonotonicTime
  var signs: LifeSigns
  /// Whether it has said that it will leave.
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

  /// It itself, as what it is. (A property that is overridden is faster than a cast at run time.)
  var side: Side { fatalError("every session is a caller's or a worker's") }

  var asWorker: WorkerSession? { if case .worker(let session) = side { session } else { nil } }
  var asCaller: CallerSession? { if case .caller(let session) = side { session } else { nil } }

  /// A peer in this process cannot be lost without it, and need not be looked at often.
  var isLocal: Bool { peer.door == .local }

  func timings(_ configuration: RouterConfiguration) -> LinkTimings {
    isLocal ? .withinProcess : configuration.timings
  }

  /// Whether a ping has gone unanswered.
  func isSuspect(_ configuration: RouterConfiguration, at now: MonotonicTime) -> Bool {
    signs.isLate(timings(configuration), at: now)
  }
}
