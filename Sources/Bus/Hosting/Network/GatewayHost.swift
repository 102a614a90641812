internal import Base
internal import Wire

/// Runs a router on a reactor: messages from the doors go into the state machine, and its envelopes go to peers.
final class GatewayHost: ReactorHost {
  enum Work: Sendable {
    case addWorker(WorkerDriver, any WorkerHost, number: UInt64)
    case addClient(ClientDriver, number: UInt64)
    case worker(WorkerInput, number: UInt64)
    case client(ClientInput, number: UInt64)
    /// Reads or changes the router between two turns.
    case visit(@Sendable (inout Router, MonotonicTime) -> Void)
    case keysChanged
  }

  private var router: Router
  private var local = LocalPeers()
  private let doors: [OpenDoor]
  private let ring: KeyRing
  private var admitted: KeyRing.Admitted
  /// The key that each greeted peer has proved.
  private var keyOfPeer: [Peer: UInt32] = [:]
  private var outboxes = Outboxes<Peer>(bytesEach: 8 << 20)
  private var lost: [(peer: Peer, reason: RouterEvent.Reason)] = []
  private var deliveries: [Delivery] = []
  private var memory = EnvelopeMemory()
  private var messages = OutgoingMessages<Peer>()
  private var now: MonotonicTime
  private let report: @Sendable (BusServer.Report) -> Void

  final class OpenDoor {
    let link: Link
    let door: GatewayListener.Door
    /// The credentials of peers on a socket in a private directory; nil where keys decide.
    let localCredentials: PeerCredentials?

    init(_ link: Link, door: GatewayListener.Door, isLocal: Bool) {
      self.link = link
      self.door = door
      localCredentials = isLocal ? door.localCredentials : nil
    }
  }

  init(
    router: Router, doors: [OpenDoor], ring: KeyRing, at now: MonotonicTime,
    report: @escaping @Sendable (BusServer.Report) -> Void
  ) {
    self.router = router
    self.doors = doors
    self.ring = ring
    admitted = ring.admitted
    self.now = now
    self.report = report
  }

  // MARK: - Input

  func startTurn(at now: MonotonicTime) {
    self.now = now
    admitted = ring.admitted
  }

  func perform(_ work: inout [Work]) {
    for item in work {
      switch item {
      case .addWorker(let driver, let host, let number): local.add(driver, host: host, as: number, at: now)
      case .addClient(let driver, let number): local.add(driver, as: number, at: now)
      case .worker(let input, let number): local.apply(input, to: number, at: now)
      case .client(let input, let number): local.apply(input, to: number, at: now)
      case .visit(let body): body(&router, now)
      case .keysChanged: endRevokedSessions()
      }
    }
  }

  func received(_ message: borrowing Inbound, on link: Link) {
    guard let door = door(of: link.id) else { return }
    let peer = Peer(door: door.door.peerDoor, link: UInt64(link.id) << 32 | UInt64(message.sender.number))
    guard let credentials = credentials(of: message, at: door) else {
      return router.lose(peer, because: .keyRevoked, at: now)
    }
    let payload = message.hasPayload ? message.payload : nil
    do throws(CodecError) {
      try message.withHeader { head throws(CodecError) in
        try EnvelopeFrames.read(head: head, payload: payload, memory: &memory) { envelope in
          if envelope.kind == .hello {
            let greeting = greeting(envelope, in: message, from: peer)
            router.receive(greeting, from: peer, credentials: credentials, at: now)
          } else {
            router.receive(envelope, from: peer, credentials: credentials, at: now)
          }
        }
      }
    } catch {
      report(.undecodable(door: door.door, why: "\(error)"))
    }
  }

  /// Adds to a HELLO what only the connection knows, and records its peer's key.
  private func greeting(_ envelope: Envelope, in message: borrowing Inbound, from peer: Peer) -> Envelope {
    guard let number = message.keyNumber else { return envelope }
    keyOfPeer[peer] = number
    guard var hello = envelope.extra?.hello else { return envelope }
    hello.dialledFrom = message.peerAddress
    var greeting = envelope
    greeting.extra = Envelope.Extra(hello: hello)
    return greeting
  }

  private func door(of link: Int) -> OpenDoor? {
    for door in doors where door.link.id == link { return door }
    return nil
  }

  private func credentials(of message: borrowing Inbound, at door: OpenDoor) -> PeerCredentials? {
    door.localCredentials ?? message.keyNumber.flatMap { admitted[$0] }
  }

  func receivedMalformed(on link: Link) {
    guard let door = door(of: link.id) else { return }
    report(.undecodable(door: door.door, why: "a message has one part or two"))
  }

  func connectionChanged(_ event: ConnectionEvent, on link: Link) {}
  func roomAvailable(on link: Link) {}

  private func endRevokedSessions() {
    router.revoke(where: { peer in keyOfPeer[peer].map { admitted[$0] == nil } ?? false }, at: now)
    keyOfPeer = keyOfPeer.filter { router.knows($0.key) }
  }

  // MARK: - Output

  func finishTurn() -> MonotonicTime? {
    for peer in outboxes.retry({ frames, peer in send(frames, to: peer) }) {
      lost.append((peer, .unreachable))
    }
    _ = router.advanceIfDue(to: now)
    local.advance(to: now)
    repeat {
      local.flush(into: &router, at: now)
      for loss in lost {
        outboxes.drop(loss.peer)
        router.lose(loss.peer, because: loss.reason, at: now)
      }
      lost.removeAll(keepingCapacity: true)
    } while deliverEnvelopes()
    for event in router.takeEvents() { report(.router(event)) }
    local.takeDeliveries(into: &deliveries)
    for delivery in deliveries { delivery.perform() }
    deliveries.removeAll(keepingCapacity: true)
    var wake = router.advanceIfDue(to: now)
    if let next = local.nextWake { wake = min(wake, next) }
    return outboxes.isEmpty ? wake : min(wake, now + Self.retryInterval)
  }

  /// Sends the router's envelopes; true when a failure was reported back to the router.
  private func deliverEnvelopes() -> Bool {
    var reachedLocalPeer = false
    router.flush { peer, envelope in
      if peer.door == .local {
        local.receive(envelope, for: peer.link, at: now)
        reachedLocalPeer = true
      } else {
        deliver(envelope, to: peer)
      }
    }
    messages.flush { frames, peer in post(frames, to: peer) }
    return reachedLocalPeer || !lost.isEmpty
  }

  private func deliver(_ envelope: Envelope, to peer: Peer) {
    do throws(CodecError) {
      try messages.add(envelope, for: peer) { frames, peer in post(frames, to: peer) }
    } catch {
      report(.unencodable(why: "\(error)"))
    }
  }

  private func post(_ frames: EnvelopeFrames, to peer: Peer) {
    if outboxes.holds(peer) { return keep(frames, for: peer) }
    switch send(frames, to: peer) {
    case .sent: break
    case .wouldBlock: keep(frames, for: peer)
    case .unreachable: lost.append((peer, .unreachable))
    }
  }

  private func keep(_ frames: EnvelopeFrames, for peer: Peer) {
    if !outboxes.add(frames, for: peer) { lost.append((peer, .doesNotRead)) }
  }

  private func send(_ frames: EnvelopeFrames, to peer: Peer) -> SendOutcome {
    guard let link = door(of: Int(peer.link >> 32))?.link else { return .unreachable }
    let routing = RoutingID(number: UInt32(truncatingIfNeeded: peer.link))
    do throws(ZeroMQError) {
      return try link.send(frames.head.span, payload: frames.payload ?? [], to: routing)
    } catch {
      report(.unencodable(why: "\(error)"))
      return .unreachable
    }
  }

  /// A router's socket cannot report when one of its peers accepts messages again.
  private static let retryInterval = Duration.milliseconds(2)
}
