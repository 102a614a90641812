internal import Base
internal import RPC
internal import Wire

/// Runs a client machine, and a worker machine if the process serves, on a reactor: each has one link to every gateway.
struct ConnectionHost: ~Copyable, ReactorHost {
  enum Work: Sendable {
    case client(ClientInput)
    case worker(WorkerInput)
    // Indirect, because it is large and used once: all other cases would take as much memory in the inbox.
    indirect case serve(WorkerDriver, any WorkerHost)
    case endpoints(EndpointChange)
    /// Ends the wait when a gateway has accepted this process, or when all of them refuse it for good.
    case whenReady(ReadyWait)
    /// Accepts nothing new; calls the closure when everything has ended.
    case drain(@Sendable () -> Void)
    /// Says BYE to the gateways.
    case leave
  }

  private var client: ClientDriver
  private var worker: (driver: WorkerDriver, host: any WorkerHost)?
  private let links: Links
  private let options: SocketOptions
  private var endpoints: [String] = []
  private var connections: Connections
  /// Connections to addresses that their host names no longer have, kept as long as they are of use.
  private var retired: [Connection] = []
  private var deliveries: [Delivery] = []
  private var awaitingReady: [ReadyWait] = []
  /// The gateways' refusals that were reported, the last of each link.
  private var refusals: [LinkID: BusRefusal] = [:]
  private var awaitingDrained: [@Sendable () -> Void] = []
  private var memory = EnvelopeMemory()
  private var messages = OutgoingMessages<LinkID>()
  private var now: MonotonicTime
  private let report: @Sendable (BusConnection.Report) -> Void

  init(
    client: ClientDriver, links: Links, options: SocketOptions, at now: MonotonicTime,
    report: @escaping @Sendable (BusConnection.Report) -> Void
  ) {
    self.client = client
    self.links = links
    self.options = options
    self.now = now
    self.report = report
    connections = Connections(report: report)
  }

  // MARK: - Input

  mutating func startTurn(at now: MonotonicTime) { self.now = now }

  mutating func perform(_ work: inout [Work]) {
    for item in work {
      switch item {
      case .client(let input): client.apply(input, at: now)
      case .worker(let input): worker?.driver.apply(input, at: now)
      case .serve(let driver, let host):
        worker = (driver, host)
        for endpoint in endpoints { connect(endpoint, for: .worker) }
      case .endpoints(let change): follow(change)
      case .whenReady(let wait):
        awaitingReady.removeAll(where: \.isOver)
        awaitingReady.append(wait)
        if client.machine.isClosed { endWaiting(.failure(CancellationError())) }
      case .drain(let body):
        worker?.driver.machine.drain(at: now)
        awaitingDrained.append(body)
      case .leave:
        client.machine.close(at: now)
        endWaiting(.failure(CancellationError()))
      }
    }
  }

  mutating func received(_ message: borrowing Inbound, on link: Link) {
    guard let part = connections[link.id]?.part else { return }
    // Taken out of `self` meanwhile, because the closure changes `self`.
    var memory = EnvelopeMemory.none
    swap(&memory, &self.memory)
    defer { swap(&memory, &self.memory) }
    do throws(CodecError) {
      let payload = message.hasPayload ? message.payload : nil
      try message.withHeader { head throws(CodecError) in
        try EnvelopeFrames.read(head: head, payload: payload, memory: &memory) { envelope in
          receive(envelope, for: part, on: link)
        }
      }
    } catch {
      report(.unreadable(endpoint: connections.endpoint(of: link), why: "\(error)"))
    }
  }

  private mutating func receive(_ envelope: consuming Envelope, for part: ConnectionPart, on link: Link) {
    if envelope.kind == .goaway, envelope.statusCode != .ok { refused(by: link, with: envelope.status) }
    if envelope.kind == .helloAck { refusals[link.id] = nil }
    if envelope.kind == .bye, envelope.statusCode != .ok, envelope.session == session(on: link, for: part) {
      report(.dismissed(endpoint: connections.endpoint(of: link), why: envelope.status.message))
    }
    switch part {
    case .client: client.machine.receive(envelope, on: link.id, at: now)
    case .worker: worker?.driver.machine.receive(envelope, on: link.id, at: now)
    }
  }

  private func session(on link: Link, for part: ConnectionPart) -> UInt64? {
    switch part {
    case .client: client.machine.links.value(of: link.id)?.link.session
    case .worker: worker?.driver.machine.links.value(of: link.id)?.link.session
    }
  }

  func receivedMalformed(_ message: borrowing Inbound, on link: Link) {
    report(.unreadable(endpoint: connections.endpoint(of: link), why: "a message has one part or two"))
  }

  private mutating func refused(by link: Link, with status: Status) {
    // No fault: this gateway has a session with the process by another address.
    if status.code == .alreadyExists { return }
    let final: Set<StatusCode> = [.failedPrecondition, .permissionDenied, .invalidArgument]
    refused(by: link, why: status.message, isFinal: final.contains(status.code))
  }

  /// Reports a refusal, unless the link's last one was the same.
  private mutating func refused(by link: Link, why: String, isFinal: Bool) {
    let refusal = BusRefusal(endpoint: connections.endpoint(of: link), why: why, isFinal: isFinal)
    guard refusals.updateValue(refusal, forKey: link.id) != refusal else { return }
    report(.refused(endpoint: refusal.endpoint, why: why))
  }

  // MARK: - Links

  mutating func connectionChanged(_ event: ConnectionEvent, on link: Link) {
    guard let connection = connections[link.id] else { return }
    // The waiting envelopes were meant for the earlier connection.
    connections.forgetWaiting(on: link)
    switch event.kind {
    case .accepted: break  // Only bound sockets report this.
    case .established: connected(connection)
    case .lost: disconnected(connection)
    // Not final: the key may still be added to the gateway's list.
    case .refused: refused(by: link, why: "the gateway does not know this process's key", isFinal: false)
    case .incompatible:
      let why = "the keys do not fit, it is no gateway, or it takes no more connections now"
      refused(by: link, why: why, isFinal: false)
    }
  }

  private mutating func connected(_ connection: Connection) {
    switch connection.part {
    case .client: client.machine.connected(connection.link.id, at: now)
    case .worker: worker?.driver.machine.connected(connection.link.id, at: now)
    }
  }

  private mutating func disconnected(_ connection: Connection) {
    switch connection.part {
    case .client: client.machine.disconnected(connection.link.id, at: now)
    case .worker: worker?.driver.machine.disconnected(connection.link.id, at: now)
    }
  }

  private mutating func follow(_ change: EndpointChange) {
    for endpoint in change.added {
      endpoints.append(endpoint)
      dial(endpoint, for: .client)
      if worker != nil { dial(endpoint, for: .worker) }
    }
    for endpoint in change.removed {
      endpoints.removeAll { $0 == endpoint }
      for id in connections.ids {
        if let connection = connections[id], connection.endpoint == endpoint { retire(connection) }
      }
    }
  }

  private mutating func dial(_ endpoint: String, for part: ConnectionPart) {
    guard let known = retired.first(where: { $0.endpoint == endpoint && $0.part == part }) else {
      return connect(endpoint, for: part)
    }
    retired.removeAll { $0 === known }
    if part == .client { client.machine.retire(known.link.id, false) }
  }

  /// Retires a connection whose address has left its host name. Its gateway may be about to end, or may only have been
  /// left out of an answer. So calls there go on, and a worker serves there as long as it has a session: the gateway
  /// may have calls waiting for it.
  private mutating func retire(_ connection: Connection) {
    retired.append(connection)
    if connection.part == .client { client.machine.retire(connection.link.id) }
  }

  private mutating func closeRetired() {
    for connection in retired where !isOfUse(connection) { disconnect(connection) }
  }

  private func isOfUse(_ connection: Connection) -> Bool {
    switch connection.part {
    case .client: client.machine.isUsed(connection.link.id)
    case .worker: worker?.driver.machine.serves(connection.link.id) ?? false
    }
  }

  private mutating func connect(_ endpoint: String, for part: ConnectionPart) {
    var options = options
    // The private directory of such a socket takes the place of keys.
    if endpoint.hasPrefix("ipc://") {
      options.security = .none
      options.heartbeatInterval = .zero
    }
    do throws(ZeroMQError) {
      let link = try links.connect(options, to: endpoint)
      connections.add(Connection(link: link, part: part, endpoint: endpoint))
    } catch {
      report(.unreachable(endpoint: endpoint, why: "\(error)"))
    }
  }

  private mutating func disconnect(_ connection: Connection) {
    let link = connection.link
    connections.remove(connection)
    retired.removeAll { $0 === connection }
    refusals[link.id] = nil
    switch connection.part {
    case .client: client.machine.removed(link.id, at: now)
    case .worker: worker?.driver.machine.removed(link.id, at: now)
    }
    links.close(link)
  }

  // MARK: - Output

  mutating func roomAvailable(on link: Link) { connections.roomAvailable(on: link) }

  mutating func finishTurn() -> MonotonicTime? {
    if !retired.isEmpty { closeRetired() }
    _ = client.machine.advanceIfDue(to: now)
    _ = worker?.driver.machine.advanceIfDue(to: now)
    deliverCalls()
    worker?.driver.machine.flush { id, envelope in connections.deliver(envelope, on: id, with: &messages) }
    messages.flush { frames, id in connections.post(frames, on: id) }
    let overflowed = connections.takeOverflowed()
    for connection in overflowed {
      disconnected(connection)
      connected(connection)
    }
    client.deliver()
    if let host = worker?.host {
      worker?.driver.takeDeliveries(for: host, into: &deliveries)
      for delivery in deliveries { delivery.perform() }
      deliveries.removeAll(keepingCapacity: true)
    }
    tellWhoWaits()
    let wake = client.machine.advanceIfDue(to: now)
    let next = min(wake, worker?.driver.machine.advanceIfDue(to: now) ?? wake)
    // What has overflowed begins anew, and its calls go elsewhere: that is sent in the next turn, which must not wait.
    return overflowed.isEmpty ? next : now
  }

  /// Sends what the client machine has, and ends the calls that cannot be encoded.
  private mutating func deliverCalls() {
    var unsent: [(call: UInt64, link: LinkID, why: CodecError)] = []
    client.machine.flush { id, envelope in
      let fault = connections.deliver(envelope, on: id, with: &messages)
      if let fault, envelope.kind == .open { unsent.append((envelope.call, id, fault)) }
    }
    for (call, link, why) in unsent { client.machine.endUnsent(call, on: link, because: "\(why)") }
  }

  private mutating func tellWhoWaits() {
    if !awaitingReady.isEmpty, client.machine.isReady, worker?.driver.machine.isReady ?? true {
      endWaiting(.success(()))
    } else if !awaitingReady.isEmpty, let refusal = finalRefusal {
      endWaiting(.failure(refusal))
    }
    // After a close nothing tells when handlers that still run have ended.
    if !awaitingDrained.isEmpty, client.machine.isClosed || worker?.driver.machine.isDrained ?? true {
      for body in awaitingDrained { body() }
      awaitingDrained = []
    }
  }

  private mutating func endWaiting(_ outcome: Result<Void, any Error>) {
    for wait in awaitingReady { wait.end(outcome) }
    awaitingReady = []
  }

  /// Why this process can never join; nil as long as some gateway might accept it, as a worker and as a client.
  private var finalRefusal: BusRefusal? {
    for part in [ConnectionPart.client, .worker] {
      let ids = connections.ids.filter { connections[$0]?.part == part }
      if !ids.isEmpty, ids.allSatisfy({ refusals[$0]?.isFinal == true }) { return ids.first.flatMap { refusals[$0] } }
    }
    return nil
  }
}
