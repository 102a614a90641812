internal import Base
internal import RPC

/// Sessions: greeting, liveness, leaving.
extension Router {
  mutating func greet(_ envelope: Envelope, from peer: Peer, credentials: PeerCredentials, at now: MonotonicTime) {
    guard let hello = envelope.extra?.hello else { return }
    do throws(Status) {
      try check(hello, credentials: credentials, at: now)
    } catch {
      let event = RouterEvent.helloRefused(instance: hello.instance, key: credentials.name, why: error.message)
      report(event, about: peer, credentials)
      return refuse(peer, with: error)
    }
    if let known = sessionOfPeer[peer.number], known.hello.instance == hello.instance,
      known.hello.role == hello.role, known.hello.epoch == hello.epoch
    {
      // The peer asked again because the answer took long. Its session and its calls go on.
      return acknowledge(known)
    }
    let namesakes = sessions.all.filter { isNamesake($0, of: hello, credentials: credentials) }
    if namesakes.contains(where: { $0.hello.link != hello.link }) {
      // The process dialled this gateway by two addresses. If the newer one won, each would end the other's session for
      // ever.
      return refuse(peer, with: Status(.alreadyExists, "this process has a session here, by another address"))
    }
    // A late message of an abandoned connection: it is older than the session that has replaced it.
    if namesakes.contains(where: { $0.hello.epoch >= hello.epoch }) { return }
    // Any other HELLO replaces the earlier session of this link or this process.
    if let earlier = sessionOfPeer[peer.number] { end(earlier, because: .superseded, at: now) }
    for earlier in namesakes { end(earlier, because: .superseded, at: now) }
    let session = RouterSession(
      peer: peer, hello: hello, credentials: credentials, account: account(of: credentials), seed: generator.next(),
      at: now)
    session.account.sessions += 1
    sessions.add(session)
    sessionOfPeer.set(peer.number, session)
    acknowledge(session)
    if isDraining { send(Envelope(.goaway), to: session) }
    if hello.role == .worker { enlist(session, offers: hello.services, at: now) }
    report(
      .sessionBegan(
        session: session.number, instance: hello.instance, role: hello.role, services: hello.services.map(\.name)),
      about: session)
    session.raiseCredit(to: envelope.credit)
    dispatch(toWorker: session, at: now)
  }

  mutating func refuse(_ peer: Peer, with refusal: Status) {
    var answer = Envelope(.goaway)
    answer.statusCode = refusal.code
    answer.extra = Envelope.Extra(statusMessage: refusal.message)
    send(answer, to: peer)
  }

  private mutating func acknowledge(_ session: RouterSession) {
    var answer = Envelope(.helloAck)
    answer.extra = Envelope.Extra(
      helloAck: HelloAck(
        session: session.number, gateway: instance,
        version: min(session.hello.newestVersion, BusLimits.protocolVersion),
        pingMilliseconds: UInt32(configuration.timings.pingInterval.wholeMilliseconds)))
    send(answer, to: session)
  }

  private mutating func check(
    _ hello: Hello, credentials: PeerCredentials, at now: MonotonicTime
  ) throws(Status) {
    let version = BusLimits.protocolVersion
    if hello.oldestVersion > version || hello.newestVersion < version {
      throw Status(
        .failedPrecondition,
        "this gateway speaks version \(version) of the bus protocol; "
          + "the peer speaks \(hello.oldestVersion) to \(hello.newestVersion)")
    }
    if hello.role == .worker { try checkRight(toServe: hello.services, credentials) }
    let lengths = BusLimits.instanceLengths
    if !lengths.contains(hello.instance.utf8.count) {
      throw Status(
        .invalidArgument,
        "hello.instance has \(hello.instance.utf8.count) bytes; it must have \(lengths.lowerBound) to \(lengths.upperBound)"
      )
    }
    for (field, text) in [("version", hello.version), ("address", hello.address)]
    where text.utf8.count > BusLimits.longestDescription {
      throw Status(
        .invalidArgument,
        "hello.\(field) has \(text.utf8.count) bytes; it must have at most \(BusLimits.longestDescription)")
    }
    let own = account(of: credentials).sessions
    guard KeyAccount.mayTake(1, own: own, of: configuration.sessionLimit, taken: sessions.count) else {
      throw Status(
        .resourceExhausted, "this gateway has \(sessions.count) sessions, \(own) of this key, and takes no more of it")
    }
    if hello.role == .worker { try checkServices(of: hello, by: credentials, at: now) }
  }

  private func checkRight(toServe offers: [Hello.ServiceOffer], _ credentials: PeerCredentials) throws(Status) {
    guard credentials.rights.mayServe else {
      throw Status(.permissionDenied, "the key of this peer does not allow it to serve")
    }
    if let other = offers.first(where: { !credentials.rights.serving.includes($0.name) }) {
      throw Status(
        .permissionDenied, "the key of \(credentials.name) does not allow it to serve \(other.name.prefix(256))")
    }
  }

  /// Whether a session belongs to the same process: its key must prove it too, not only its HELLO.
  private func isNamesake(_ earlier: RouterSession, of hello: Hello, credentials: PeerCredentials) -> Bool {
    earlier.hello.instance == hello.instance && earlier.hello.role == hello.role
      && earlier.credentials == credentials
  }

  private mutating func enlist(_ session: RouterSession, offers: [Hello.ServiceOffer], at now: MonotonicTime) {
    for offer in offers {
      let service = index(ofService: offer.name)
      // An earlier worker's methods are void.
      if services[service].workers.isEmpty { methods.remove(ofService: service) }
      services[service].announcer = session.credentials
      services[service].workers.append(session)
      session.services.append(service)
      for method in offer.methods where method.service == offer.name {
        methods.set(RouterMethod(descriptor: method, service: service))
      }
      resolveEarlyCalls(of: service, at: now)
    }
    noteHealthChange()
  }

  mutating func handle(_ envelope: consuming Envelope, from session: RouterSession, at now: MonotonicTime) {
    let isWorker = session.isWorker
    switch envelope.kind {
    case .open where !isWorker: open(envelope, from: session, at: now)
    case .data where isWorker: answerChunk(envelope, from: session, at: now)
    case .data: requestChunk(envelope, from: session, at: now)
    case .window where isWorker: workerWindow(envelope, from: session, at: now)
    case .window: callerWindow(envelope, from: session, at: now)
    case .halfClose where !isWorker: requestChunk(envelope, from: session, at: now)
    case .cancel where !isWorker: cancel(envelope.call, from: session, at: now)
    case .status where isWorker: outcome(envelope, from: session, at: now)
    case .reject where isWorker: rejected(envelope.call, by: session, at: now)
    case .credit where isWorker: break  // Handled above: any envelope of a worker may carry credit.
    case .ping: send(Envelope(.pong), to: session)
    case .pong: session.note(envelope.extra?.load, at: now)
    // The peer will leave: a worker gets nothing more and finishes its calls, a client opens no more.
    case .goaway:
      session.isLeaving = true
      if isWorker { noteHealthChange() }
    case .bye: end(session, because: .bye, at: now)
    default: offend(session, "a \(session.hello.role) may not send \(envelope.kind)", at: now)
    }
  }

  mutating func checkLiveness(at now: MonotonicTime) {
    sampleRates(at: now)
    for session in sessions.all {
      let waiting = waitingCount(for: session)
      let isBusy = session.awaited > 0 || waiting > 0 || awaitsOutcome(session)
      if !session.isLocal, isBusy || session.signs.isWatched { lookSoon(at: now) }
      switch session.signs.check(isBusy: isBusy, session.timings(configuration), at: now) {
      case .alive where !isProbing: break
      case .alive, .ping:
        session.signs.ask(at: now)
        var ping = Envelope(.ping)
        ping.extra = Envelope.Extra(load: Load(waiting: UInt32(clamping: waiting)))
        send(ping, to: session)
      case .dead:
        end(session, because: .silent, at: now)
        continue
      }
      if session.isWorker { checkFaltering(session, at: now) }
    }
    isProbing = false
  }

  /// Notes whether a worker is late or stuck; while it is, it is looked at soon again. Whoever is told so must hear of
  /// the end as well, and so whoever looks notes it.
  mutating func checkFaltering(_ session: RouterSession, at now: MonotonicTime) {
    let isFaltering = session.isSuspect(configuration, at: now) || session.isWedged(configuration, at: now)
    if isFaltering { lookSoon(at: now) }
    guard isFaltering != session.isFaltering else { return }
    session.isFaltering = isFaltering
    noteHealthChange()
  }

  /// Whether the session has a call of which a single outcome is expected.
  private func awaitsOutcome(_ session: RouterSession) -> Bool {
    session.calls.values.contains { calls[$0]?.isAnsweredByStream != true }
  }

  /// Somebody waits for a peer: from now on, its liveness is checked at the shorter interval.
  mutating func lookSoon(at now: MonotonicTime) {
    nextPing = min(nextPing, now + configuration.timings.pingInterval)
  }

  /// How many calls wait for a worker's services: with several gateways, a worker gives more slots to the one with more
  /// waiting calls.
  private func waitingCount(for session: RouterSession) -> Int {
    session.services.reduce(0) { $0 + services[$1].queue.count }
  }

  /// Settles all calls of a session. Later envelopes of it match nothing.
  mutating func end(_ session: RouterSession, because reason: RouterEvent.Reason, at now: MonotonicTime) {
    guard sessions.remove(session.number) != nil else { return }
    sessionOfPeer.remove(session.peer.number)
    session.account.sessions -= 1
    if session.account.sessions == 0 { accounts[session.credentials] = nil }
    if session.isWorker { noteHealthChange() }
    for service in session.services {
      services[service].workers.removeAll { $0 === session }
      guard services[service].workers.isEmpty else { continue }
      services[service].lastWorkerLeft = now
      noteAbsence(from: now)
    }
    report(.sessionEnded(session: session.number, instance: session.hello.instance, reason: reason), about: session)
    for number in session.calls.values.sorted() { if let call = calls[number] { abandon(call, at: now) } }
    guard session.running > 0 else { return }
    let lost = calls.all.filter { $0.worker == session.number }.sorted { $0.number < $1.number }
    var retried = 0
    for call in lost where settleLost(call, at: now) { retried += 1 }
    report(.callsLost(session: session.number, retried: retried, failed: lost.count - retried), about: session)
    for service in session.services { dispatch(service: service, at: now) }
  }
}
