package import Base
package import Bus
package import Face
internal import RPC
package import ServiceKit

/// The door of all protocols over HTTP: sockets on the reactor's thread, with calls to the bus behind them.
package final class Door: ReactorGuest {
  /// An event for the log and for metrics.
  package enum Report: Sendable {
    case call(CallRecord)
    case opened
    /// - Parameter why: nil when the client ended the connection.
    case ended(address: String, why: String?)
    case refused(address: String, why: String)
  }

  package var descriptor: Int32 { sockets.descriptor }
  /// The addresses on which the door listens.
  package let endpoints: [Endpoint]

  private let sockets: EventSet
  private var listeners: [ListeningSocket]
  private let signal: Wakeup
  private let tls: TLSServer?
  private let doorway: Doorway
  private let router: HTTPRouter
  private let reserve = DescriptorReserve()
  private let report: (Report) -> Void
  private var peers: [UInt64: DoorPeer] = [:]
  /// The number of connections from each address, in the form that `CountedAddress` gives it.
  private var counted: Shares<String>
  /// nil without TLS.
  private var handshakes: TokenBuckets?
  /// How many more peers with an unfinished handshake are read from in this turn.
  private var handshakesLeft = 0
  private var lastPeer = firstPeer
  private var touched: [DoorPeer] = []
  private var input = [UInt8](repeating: 0, count: 64 << 10)
  private var output: [UInt8] = []
  private var hasMore = false
  private var isLeaving = false
  private var isDraining = false
  /// When the door was last without anybody; nil while somebody is there.
  private var emptySince: MonotonicTime?
  /// The last peer that had come before the door began to drain.
  private var lastGuest: UInt64 = 0
  /// Whether other processes listen at the same addresses.
  private let sharesAddresses: Bool
  private var nextCheck: MonotonicTime?

  private static let signalKey: UInt64 = 0
  /// Listeners have keys from here on.
  private static let firstListener: UInt64 = 1
  private static let firstPeer: UInt64 = 16
  /// How often the set is asked for reports in one turn, each time for at most sixteen: what so many clients have sent
  /// goes on before more is read.
  private static let mostReports = 4
  /// From how many peers with an unfinished handshake one turn reads: a handshake takes about a millisecond.
  private static let mostHandshakes = 32
  /// How many connections one turn accepts: somebody who opens them without end would keep it from all others.
  private static let mostAccepted = 64
  private static let checkInterval = Duration.seconds(2)
  private static let drainInterval = Duration.milliseconds(50)
  /// Clients that open a connection for each call open one about as often.
  private static let returnTime = Duration.seconds(1)

  /// - Parameters:
  ///   - sharesAddresses: whether other processes may listen at the same addresses.
  ///   - room: the memory budget of all doors.
  ///   - pool: does work that takes long.
  package init(
    _ wanted: [Endpoint], sharesAddresses: Bool = false, tls: TLSServer? = nil, port: CallPort, catalogue: Catalogue,
    gatekeeper: Gatekeeper,
    limits: DoorLimits = DoorLimits(), crossOrigin: CrossOrigin = CrossOrigin(), downloads: Downloads? = nil,
    passes: BrowserPasses? = nil, web: WebFiles? = nil,
    room: GatheringRoom = GatheringRoom(), pool: DoorPool = DoorPool(), report: @escaping (Report) -> Void = { _ in }
  ) throws {
    sockets = try EventSet()
    let signal = try Wakeup()
    self.signal = signal
    self.tls = tls
    self.sharesAddresses = sharesAddresses
    listeners = try wanted.map { endpoint in try ListeningSocket(endpoint, isShared: sharesAddresses) }
    endpoints = listeners.map(\.endpoint)
    counted = Shares(of: limits.connections)
    handshakes = tls == nil ? nil : Handshakes.buckets(limits.handshakes)
    self.report = report
    doorway = Doorway(
      port: port, catalogue: catalogue, gatekeeper: gatekeeper, limits: limits, room: room,
      workshop: Workshop(on: pool) { signal.signal() }, wake: { signal.signal() }, report: { report(.call($0)) })
    router = HTTPRouter(doorway, crossOrigin: crossOrigin, downloads: downloads, passes: passes, web: web)
    for (place, listener) in listeners.enumerated() {
      try sockets.addConnection(listener.descriptor, as: Self.firstListener + UInt64(place))
    }
    try sockets.addConnection(signal.descriptor, as: Self.signalKey)
  }

  // MARK: - Input

  package func read(at now: MonotonicTime) {
    hasMore = false
    handshakesLeft = Self.mostHandshakes
    var reports = 0
    // Reports are level-triggered: a socket that this turn does not serve is reported again in the next.
    var served: Set<UInt64> = []
    while reports < Self.mostReports {
      var isNew = false
      let found = sockets.takeSome { key in
        if served.insert(key).inserted {
          isNew = true
          serve(key, at: now)
        }
      }
      reports += 1
      guard found == EventSet.most, isNew else { break }
    }
    if reports == Self.mostReports { hasMore = true }
    if let nextCheck, nextCheck <= now { check(at: now) }
  }

  private func serve(_ key: UInt64, at now: MonotonicTime) {
    switch key {
    case Self.signalKey: signal.clear()
    case ..<Self.firstPeer:
      let place = Int(key - Self.firstListener)
      if place < listeners.count, accept(Self.mostAccepted, from: listeners[place], at: now) { hasMore = true }
    default:
      guard let peer = peers[key] else { return }
      if peer.isShakingHands {
        guard handshakesLeft > 0 else {
          hasMore = true
          return
        }
        handshakesLeft -= 1
      }
      if peer.read(using: &input, at: now) { hasMore = true }
      touch(peer)
    }
  }

  /// Accepts what waits, up to `most` connections; returns whether more may be waiting.
  private func accept(_ most: Int, from listener: ListeningSocket, at now: MonotonicTime) -> Bool {
    for _ in 0..<most {
      guard let (descriptor, address) = listener.accept() else { return false }
      let socket = ConnectedSocket(owning: descriptor)
      guard !reserve.includes(descriptor) else {
        report(.refused(address: address.host, why: reserve.refusal))
        continue
      }
      let host = CountedAddress.of(address.host)
      guard counted.admits(1, for: host) else {
        let why = "too many connections: \(counted[host]) of \(counted.taken)"
        report(.refused(address: address.host, why: why))
        continue
      }
      if let rate = handshakes?.rate, handshakes?.take(host, at: now).isAdmitted == false {
        report(.refused(address: address.host, why: Handshakes.objection(rate)))
        continue
      }
      let session = tls.flatMap(TLSSession.init)
      guard (session == nil) == (tls == nil) else {
        report(.refused(address: address.host, why: "there is no memory for its encryption"))
        continue
      }
      lastPeer += 1
      do throws(EventSetError) {
        try sockets.addConnection(socket.descriptor, as: lastPeer)
      } catch {
        report(.refused(address: address.host, why: "\(error)"))
        continue
      }
      let peer = DoorPeer(
        lastPeer, socket, address: address.host, host: host, tls: session, router: router, at: now)
      peer.onChange = { [unowned self, unowned peer] in touch(peer) }
      peers[lastPeer] = peer
      counted.add(1, for: host)
      report(.opened)
      emptySince = nil
      if isLeaving { peer.leave(at: now) }
      if isDraining { peer.drain(at: now) }
      touch(peer)
      if nextCheck == nil { nextCheck = now + interval }
    }
    return true
  }

  private func touch(_ peer: DoorPeer) {
    guard !peer.isTouched else { return }
    peer.isTouched = true
    touched.append(peer)
  }

  // MARK: - Output

  package func write(at now: MonotonicTime) -> MonotonicTime? {
    doorway.deliver()
    let review = doorway.review(at: now)
    let turn = touched
    touched.removeAll(keepingCapacity: true)
    for peer in turn {
      peer.isTouched = false
      if peer.write(using: &output, at: now) {
        touch(peer)
        hasMore = true
      }
      if peer.isGone {
        forget(peer, at: now)
      } else if peer.watched != peer.wanted {
        peer.watched = peer.wanted
        sockets.watch(
          peer.socket.descriptor, as: peer.number, input: peer.watched.input, room: peer.watched.room)
      }
    }
    return hasMore ? now : [nextCheck, review, doorway.heldUntil].compactMap(\.self).min()
  }

  private func forget(_ peer: DoorPeer, at now: MonotonicTime) {
    guard peers.removeValue(forKey: peer.number) != nil else { return }
    if peers.isEmpty { emptySince = now }
    counted.giveBack(1, for: peer.host)
    report(.ended(address: peer.address, why: peer.fault))
  }

  // MARK: - Time

  private func check(at now: MonotonicTime) {
    for peer in peers.values {
      if isDraining { peer.drain(at: now) }
      peer.check(doorway.limits, at: now)
      touch(peer)
    }
    nextCheck = peers.isEmpty ? nil : now + interval
  }

  private var interval: Duration { isDraining ? Self.drainInterval : Self.checkInterval }

  /// Goes on listening where no other process does, since whoever sends clients here has to learn first that they
  /// should go elsewhere. Where others listen too, they get the new connections at once.
  package func leave(at now: MonotonicTime) {
    guard !isLeaving else { return }
    isLeaving = true
    router.isLeaving = true
    if sharesAddresses {
      // The system resets what waits in the queue of a listener that is closed.
      for listener in listeners { _ = accept(.max, from: listener, at: now) }
      listeners = []
    }
    for peer in peers.values {
      peer.leave(at: now)
      touch(peer)
    }
  }

  /// Whoever was here a moment ago may come again, by another connection, as long as the door listens.
  package func isVisited(at now: MonotonicTime) -> Bool {
    guard peers.isEmpty else { return true }
    guard !listeners.isEmpty, let emptySince else { return false }
    return now - emptySince < Self.returnTime
  }

  /// Goes on listening where no other process does: whoever comes is told to go elsewhere, which says more than a
  /// refused connection.
  package func drain(at now: MonotonicTime) {
    guard !isDraining else { return }
    leave(at: now)
    isDraining = true
    doorway.gatekeeper.openCalls.close(
      with: Status(.unavailable, rule: "gateway_stops", "this gateway is about to stop; the call was not started"))
    lastGuest = lastPeer
    check(at: now)
  }

  /// Whoever came later was told at once to go elsewhere, and is not waited for.
  package var isDrained: Bool {
    isDraining && peers.values.allSatisfy { $0.number > lastGuest || !$0.hasRequests }
  }
}
