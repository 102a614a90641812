internal import Base
internal import Wire

/// Runs a router on a reactor: messages from the doors go into the state machine, and its envelopes go to peers.
struct GatewayHost: ~Copyable, ReactorHost {
  enum Work: Sendable {
    case addWorker(WorkerDriver, any WorkerHost, number: UInt64)
    case addClient(ClientDriver, number: UInt64)
    case worker(WorkerInput, number: UInt64)
    case client(ClientInput, number: UInt64)
    /// Reads or changes the router on the reactor's thread.
    case visit(@Sendable (inout Router, MonotonicTime) -> Void)
    /// Calls the closure, from now on, each time that the health of services may have changed.
    case followHealth(@Sendable () -> Void)
    case keysChanged
    /// Concerns the doors of other protocols, whose sockets live on this reactor too.
    case guests(@Sendable (Guests, MonotonicTime) -> Void)
  }

  private var router: Router
  private var local = LocalPeers()
  private let doors: [GatewayDoor]
  private let guests: Guests
  private let ring: KeyRing
  private var healthFollower: (@Sendable () -> Void)?
  private var reportedHealthChanges: UInt64 = 0
  private var admitted: KeyRing.Admitted
  private var output: GatewayOutput
  private var messages = OutgoingMessages<Peer>()
  private var deliveries: [Delivery] = []
  private var memory = EnvelopeMemory()
  private var now: MonotonicTime
  private let reserve = DescriptorReserve()
  /// How many connections each address has opened lately, in the form that `CountedAddress` gives it.
  private var arrivals: RecentCounts
  private let report: @Sendable (BusServer.Report) -> Void

  init(
    router: Router, doors: [GatewayDoor], guests: Guests, ring: KeyRing, at now: MonotonicTime,
    report: @escaping @Sendable (BusServer.Report) -> Void
  ) {
    self.router = router
    self.doors = doors
    self.guests = guests
    self.ring = ring
    admitted = ring.admitted
    self.now = now
    self.report = report
    arrivals = RecentCounts(within: SocketOptions(.router).handshakeTimeout, at: now)
    output = GatewayOutput(doors: doors, report: report)
  }

  // MARK: - Input

  mutating func startTurn(at now: MonotonicTime) {
    self.now = now
    admitted = ring.admitted
  }

  mutating func perform(_ work: inout [Work]) {
    for item in work {
      switch item {
      case .addWorker(let driver, let host, let number): local.add(driver, host: host, as: number, at: now)
      case .addClient(let driver, let number): local.add(driver, as: number, at: now)
      case .worker(let input, let number): local.apply(input, to: number, at: now)
      case .client(let input, let number): local.apply(input, to: number, at: now)
      case .visit(let body): body(&router, now)
      case .followHealth(let follower): healthFollower = follower
      case .keysChanged:
        // The copy from the start of the turn may be older than the change. Sessions that send nothing are checked only
        // here.
        admitted = ring.admitted
        endRevokedSessions()
      case .guests(let body): body(guests, now)
      }
    }
  }

  mutating func received(_ message: borrowing Inbound, on link: Link) {
    guard let door = doors.door(of: link.id) else { return }
    let peer = peer(of: message, on: link, at: door)
    guard let credentials = credentials(of: message, at: door) else {
      return turnAway(peer, message)
    }
    // Moved to the reader, because what it reads may change everything else.
    var memory = EnvelopeMemory.none
    swap(&memory, &self.memory)
    defer { swap(&memory, &self.memory) }
    do throws(CodecError) {
      let payload = message.hasPayload ? message.payload : nil
      try message.withHeader { head throws(CodecError) in
        try EnvelopeFrames.read(head: head, payload: payload, memory: &memory) { envelope in
          if envelope.kind == .hello {
            let greeting = greeting(envelope, in: message)
            router.receive(greeting, from: peer, credentials: credentials, at: now)
          } else {
            router.receive(envelope, from: peer, credentials: credentials, at: now)
          }
        }
      }
    } catch {
      unreadable(peer, credentials, why: "\(error)")
    }
  }

  /// Records an unreadable message: as an offence if its sender has a session, otherwise in the log only.
  private mutating func unreadable(_ peer: Peer, _ credentials: PeerCredentials?, why: String) {
    if router.noteUnreadable(from: peer, why: why, at: now) { return }
    report(.unreadable(peer, key: credentials?.keyName, why: why))
  }

  /// Handles a message of a peer whose key was removed: ends its session, and answers nothing but a HELLO, with the
  /// reason.
  private mutating func turnAway(_ peer: Peer, _ message: borrowing Inbound) {
    router.revoke(peer, at: now)
    let payload = message.hasPayload ? message.payload : nil
    try? message.withHeader { head throws(CodecError) in
      var memory = EnvelopeMemory.none
      try EnvelopeFrames.read(head: head, payload: payload, memory: &memory) { envelope in
        if envelope.kind == .hello { router.turnAway(peer) }
      }
    }
  }

  /// Adds the TCP address to a HELLO, as the connection has it and not the peer.
  private func greeting(_ envelope: Envelope, in message: borrowing Inbound) -> Envelope {
    guard message.keyNumber != nil else { return envelope }
    guard var hello = envelope.extra?.hello else { return envelope }
    hello.dialledFrom = message.peerAddress
    var greeting = envelope
    greeting.extra = Envelope.Extra(hello: hello)
    return greeting
  }

  private func peer(of message: borrowing Inbound, on link: Link, at door: GatewayDoor) -> Peer {
    Peer(
      door: door.door.peerDoor, link: UInt64(link.id) << 32 | UInt64(message.sender.number),
      key: message.keyNumber ?? 0)
  }

  private func credentials(of message: borrowing Inbound, at door: GatewayDoor) -> PeerCredentials? {
    door.localCredentials ?? message.keyNumber.flatMap { admitted[$0] }
  }

  mutating func receivedMalformed(_ message: borrowing Inbound, on link: Link) {
    guard let door = doors.door(of: link.id) else { return }
    let peer = peer(of: message, on: link, at: door)
    unreadable(peer, credentials(of: message, at: door), why: "a message has one part or two")
  }

  mutating func connectionChanged(_ event: ConnectionEvent, on link: Link) {
    switch event.kind {
    case .accepted(let descriptor): letIn(descriptor)
    // libzmq does not say whose connection it was: a ping to the peer that is gone fails.
    case .lost: router.probe(at: now)
    case .established, .refused, .incompatible: break  // Only of sockets that connect.
    }
  }

  /// Closes a new connection that has one of the process's last descriptors: without any, libzmq would try to accept
  /// again and again, without a pause.
  ///
  /// Also closes one whose address has opened as many as there are descriptors left, within the time that libzmq gives
  /// a handshake: it keeps a silent connection for so long, and does not say whose connection has ended.
  private mutating func letIn(_ descriptor: Int32) {
    guard !reserve.includes(descriptor) else {
      Descriptors.endConnection(descriptor)
      return report(.full(limit: reserve.limit))
    }
    guard let address = NetworkAddress(peerOf: descriptor)?.text else { return }
    let host = CountedAddress.of(address)
    let (opened, left) = (arrivals.count(of: host, at: now), reserve.left(from: descriptor))
    guard opened < left else {
      Descriptors.endConnection(descriptor)
      return report(.crowded(address: address, opened: opened, left: left))
    }
    arrivals.add(host, at: now)
  }

  func roomAvailable(on link: Link) {}

  private mutating func endRevokedSessions() {
    router.revoke(where: { known in known.keyNumber.map { admitted[$0] != known } ?? false }, at: now)
  }

  // MARK: - Output

  mutating func finishTurn() -> MonotonicTime? {
    for peer in output.retry() { router.release(peer, at: now) }
    _ = router.advanceIfDue(to: now)
    local.advance(to: now)
    repeat {
      // First, because peers in this process may end a call that has to end otherwise.
      for item in output.takeNews() { tell(item) }
      local.flush(into: &router, at: now)
    } while deliverEnvelopes()
    for news in router.takeEvents() { report(.router(news)) }
    for span in router.takeSpans() { report(.span(span)) }
    if router.healthChanges != reportedHealthChanges {
      reportedHealthChanges = router.healthChanges
      healthFollower?()
    }
    local.takeDeliveries(into: &deliveries)
    for delivery in deliveries { delivery.perform() }
    deliveries.removeAll(keepingCapacity: true)
    var wake = router.advanceIfDue(to: now)
    if let next = local.nextWake { wake = min(wake, next) }
    return output.isEmpty ? wake : min(wake, now + Self.retryInterval)
  }

  private mutating func tell(_ news: GatewayOutput.News) {
    switch news {
    case .lost(let peer, let reason):
      output.forget(peer)
      router.lose(peer, because: reason, at: now)
    case .unread(let peer, let call): router.endUnread(call, to: peer, at: now)
    case .unwritten(let peer, let call): router.endUnwritten(call, to: peer, at: now)
    case .heldUp(let peer):
      router.hold(peer)
    }
  }

  /// Sends the router's envelopes; true when peers in this process got some or the router must hear of failures, so
  /// that there may be more to send.
  private mutating func deliverEnvelopes() -> Bool {
    var reachedLocalPeer = false
    router.flush { peer, envelope, account in
      if peer.door == .local {
        local.receive(envelope, for: peer.link, at: now)
        reachedLocalPeer = true
      } else {
        output.deliver(envelope, to: peer, for: account, with: &messages)
      }
    }
    messages.flush { frames, peer in output.post(frames, to: peer) }
    return reachedLocalPeer || output.hasNews
  }

  /// How often messages that wait are tried again: a ROUTER cannot report when one of its peers accepts messages again.
  private static let retryInterval = Duration.milliseconds(2)
}
