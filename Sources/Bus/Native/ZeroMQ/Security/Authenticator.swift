package import Base
internal import Synchronization

/// Decides which keys may connect, on a thread of its own, so that attempts of strangers cost the reactor nothing. It
/// also follows the file of the key list, so that a removed key is refused within a tenth of a second.
package final class Authenticator: Sendable {
  /// An event for the log.
  package enum Report: Sendable {
    /// A peer without a key, or with one that is not accepted at this door.
    case refused(key: CurvePublicKey?, domain: String, address: String)
    /// A key that is accepted connects too often, and has to wait.
    case postponed(key: CurvePublicKey, domain: String, address: String)
    case reloaded(keys: Int)
    /// The file cannot be read; the earlier list stays in force.
    case reloadFailed(why: String)
  }

  /// The roles that may connect in each authentication domain. A key for another door counts as unknown.
  package typealias Doors = [String: Set<KeyEntry.Role>]

  /// How often each key may connect. Honest processes connect when they start, and again after a gateway or a network
  /// has failed; many may use one key. Somebody who connects without end wants to find out, or to take, the number of
  /// another one's connection (`RoutingID`).
  package static func handshakes(aSecond rate: Int) -> TokenBuckets {
    TokenBuckets(TokenRate(perSecond: Double(rate), depth: Double(100 * rate)), mostHolders: 10_000)
  }

  package static let usualHandshakes = 20

  private let wakeup: Wakeup
  private let isStopping = Atomic(false)

  /// Starts to answer libzmq's questions in `context`, which can have one authenticator, before any socket there binds.
  ///
  /// - Parameter handshakes: how often each key may connect.
  package static func start(
    in context: ZeroMQContext, ring: KeyRing, doors: Doors, following path: String? = nil,
    handshakes: TokenBuckets = handshakes(aSecond: usualHandshakes),
    report: @escaping @Sendable (Report) -> Void
  ) async throws -> Authenticator {
    let authenticator = Authenticator(wakeup: try Wakeup())
    let follower = try path.map { path throws(KeyFileError) in try KeyListFollower(path: path, ring: ring) }
    try await withCheckedThrowingContinuation { (started: CheckedContinuation<Void, any Error>) in
      NativeThread.start(name: "bus-keys", stackBytes: 1 << 20) {
        do {
          let socket = try Socket(SocketOptions(.reply), in: context)
          try socket.bind("inproc://zeromq.zap.01")
          started.resume()
          authenticator.work(socket, ring, doors, follower, handshakes, report)
        } catch {
          started.resume(throwing: error)
        }
      }
    }
    return authenticator
  }

  private init(wakeup: Wakeup) {
    self.wakeup = wakeup
  }

  /// After this no peer can connect.
  package func stop() {
    isStopping.store(true, ordering: .releasing)
    wakeup.signal()
  }

  private func work(
    _ socket: borrowing Socket, _ ring: KeyRing, _ doors: Doors, _ follower: KeyListFollower?,
    _ handshakes: TokenBuckets, _ report: (Report) -> Void
  ) {
    var (follower, handshakes) = (follower, handshakes)
    var poller = Poller(wakeup: wakeup)
    poller.add(socket)
    let watch = follower.flatMap { FolderWatch(ofFolderOf: $0.path) }
    if let descriptor = watch?.descriptor { poller.add(descriptor: descriptor) }
    let interval = watch == nil ? KeyListFollower.interval : KeyListFollower.watchedInterval
    while !isStopping.load(ordering: .acquiring) {
      do throws(ZeroMQError) {
        try poller.wait(follower == nil ? nil : interval)
        watch?.clear()
        if let news = follower?.look(at: Clock.system.monotonic) { report(news) }
        while let parts = try socket.receiveParts() { try answer(parts, on: socket, ring, doors, &handshakes, report) }
      } catch {
        preconditionFailure("a socket within the process fails only by a mistake: \(error)")
      }
    }
  }

  private func answer(
    _ parts: [[UInt8]], on socket: borrowing Socket, _ ring: KeyRing, _ doors: Doors, _ handshakes: inout TokenBuckets,
    _ report: (Report) -> Void
  ) throws(ZeroMQError) {
    guard let request = AuthenticationRequest(parts) else {
      preconditionFailure("libzmq asked in a way that its protocol does not know")
    }
    guard let key = request.key, let number = ring.number(of: key, for: doors[request.domain] ?? []) else {
      try socket.sendParts(request.refused)
      return report(.refused(key: request.key, domain: request.domain, address: request.address))
    }
    guard handshakes.take("\(number)", at: Clock.system.monotonic).isAdmitted else {
      try socket.sendParts(request.postponed)
      return report(.postponed(key: key, domain: request.domain, address: request.address))
    }
    try socket.sendParts(request.accepted(as: number))
  }
}
