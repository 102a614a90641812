internal import Base
internal import RPC

/// Sessions: greeting, liveness, leaving.
extension Router {
  var workers: [WorkerSession] { sessions.all.compactMap(\.asWorker) }

  mutating func greet(_ envelope: Envelope, from peer: Peer, credentials: PeerCredentials, at now: MonotonicTime) {
    guard let hello = envelope.extra?.hello else {
      let refusal = Status(.invalidArgument, "HELLO has to state whether its peer is a client or a worker")
      return refuseHello(of: "", from: peer, credentials, with: refusal)
    }
    let earlier = session(of: peer, at: now)
    do throws(Status) {
      try check(hello, credentials: credentials)
    } catch {
      return refuseHello(of: hello.instance, from: peer, credentials, with: error)
    }
    if let earlier, earlier.hello.instance == hello.instance, earlier.hello.role == hello.role,
      earlier.hello.epoch == hello.epoch
    {
      // The peer asked again because the answer took long. Its session and its calls go on.
      return acknowledge(earlier)
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
    let replaced = [earlier].compactMap { $0 } + namesakes.filter { $0 !== earlier }
    do throws(Status) {
      try checkRoom(for: hello, inPlaceOf: replaced, credentials: credentials, at: now)
    } catch {
      return refuseHello(of: hello.instance, from: peer, credentials, with: error)
    }
    for session in replaced { end(session, because: .superseded, at: now) }
    let origin = RouterSession.Origin(
      peer: peer, hello: hello, credentials: credentials, account: account(of: credentials))
    // Drawn for workers too, who do not need it: so the generator's later numbers do not depend on roles, and simulated
    // worlds stay the same.
    let seed = generator.next()
    switch hello.role {
    case .client: begin(CallerSession(origin, seed: seed, at: now))
    case .worker:
      let worker = WorkerSession(origin, at: now)
      worker.isHeldUp = heldUp.contains(peer.number)
      begin(worker)
      enlist(worker, offers: hello.services, at: now)
      worker.raiseCredit(to: envelope.credit)
      dispatch(to: worker, at: now)
    }
  }

  private mutating func begin(_ session: RouterSession) {
    session.account.sessions += 1
    sessions.add(session)
    sessionOfPeer.set(session.peer.number, session)
    acknowledge(session)
    if isDraining || isLeaving && session.peer.door == .clients { send(Envelope(.goaway), to: session) }
    let hello = session.hello
    report(
      .sessionBegan(
        session: session.number, instance: hello.instance, role: hello.role, services: hello.services.map(\.name)),
      about: session)
  }

  private mutating func refuseHello(
    of instance: String, from peer: Peer, _ credentials: PeerCredentials, with refusal: Status
  ) {
    report(.helloRefused(instance: instance, key: credentials.name, why: refusal.message), about: peer, credentials)
    refuse(peer, with: refusal)
  }

  mutating func refuse(_ peer: Peer, with refusal: Status) {
    send(Envelope(.goaway, because: refusal), to: peer)
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

  /// Throws when a HELLO is unacceptable by itself, whatever other sessions there are.
  private func check(_ hello: Hello, credentials: PeerCredentials) throws(Status) {
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
    if hello.role == .worker { try checkNames(in: hello.services) }
  }

  /// Throws when there is no room for the new session, in place of those that it replaces, or for the services that it
  /// announces.
  private mutating func checkRoom(
    for hello: Hello, inPlaceOf replaced: [RouterSession], credentials: PeerCredentials, at now: MonotonicTime
  ) throws(Status) {
    let account = accounts[credentials]
    let own = account.map { account in account.sessions - replaced.count { $0.account === account } } ?? 0
    let taken = sessions.count - replaced.count
    guard FairShare.mayTake(1, own: own, of: configuration.sessionLimit, taken: taken) else {
      throw Status(
        .resourceExhausted, "this gateway has \(taken) sessions, \(own) of this key, and takes no more of it")
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

  /// Whether a session belongs to the same process as a HELLO: not only what the HELLO claims must be the same, but
  /// also the credentials.
  private func isNamesake(_ earlier: RouterSession, of hello: Hello, credentials: PeerCredentials) -> Bool {
    earlier.hello.instance == hello.instance && earlier.hello.role == hello.role
      && earlier.credentials == credentials
  }

  private mutating func enlist(_ worker: WorkerSession, offers: [Hello.ServiceOffer], at now: MonotonicTime) {
    for offer in offers {
      let service = index(ofService: offer.name)
      // The methods of workers that have left are void.
      if services[service].workers.isEmpty { methods.remove(ofService: service) }
      services[service].announcer = worker.credentials
      services[service].workers.append(worker)
      worker.serve(service)
      for method in offer.methods where method.service == offer.name {
        methods.set(RouterMethod(descriptor: method, service: service))
      }
      resolveEarlyCalls(of: service, at: now)
    }
    noteHealthChange()
  }

  mutating func handle(_ envelope: consuming Envelope, fromCaller caller: CallerSession, at now: MonotonicTime) {
    switch envelope.kind {
    case .open: open(envelope, from: caller, at: now)
    case .data, .halfClose: requestChunk(envelope, from: caller, at: now)
    case .window: callerWindow(envelope, from: caller, at: now)
    case .cancel: cancel(envelope.call, from: caller, at: now)
    case .pong: break
    // It will leave and opens no more calls.
    case .goaway: caller.isLeaving = true
    default: handle(envelope, fromEither: caller, at: now)
    }
  }

  mutating func handle(_ envelope: consuming Envelope, fromWorker worker: WorkerSession, at now: MonotonicTime) {
    switch envelope.kind {
    case .status: outcome(envelope, from: worker, at: now)
    case .data: answerChunk(envelope, from: worker, at: now)
    case .window: workerWindow(envelope, from: worker, at: now)
    case .reject: rejected(envelope.call, by: worker, at: now)
    case .credit: break  // Any envelope of a worker may carry credit: that has been read.
    case .pong: worker.note(envelope.extra?.load, at: now)
    // It will leave: it gets nothing more and finishes its calls.
    case .goaway:
      worker.isLeaving = true
      noteHealthChange()
    default: handle(envelope, fromEither: worker, at: now)
    }
  }

  private mutating func handle(
    _ envelope: consuming Envelope, fromEither session: RouterSession, at now: MonotonicTime
  ) {
    switch envelope.kind {
    case .ping: send(Envelope(.pong), to: session)
    case .bye: end(session, because: .bye, at: now)
    default: offend(session, "a \(session.hello.role) may not send \(envelope.kind)", at: now)
    }
  }

  mutating func checkLiveness(at now: MonotonicTime) {
    sampleRates(at: now)
    for session in sessions.all {
      let waiting = session.asWorker.map { waitingCount(for: $0) } ?? 0
      let isBusy = waiting > 0 || hasAwaitedCall(session)
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
      if let worker = session.asWorker { checkFaltering(worker, at: now) }
    }
    isProbing = false
  }

  /// Updates whether a worker counts as late or stuck, and notes a change of health when that begins or ends. While it
  /// does, liveness is checked again soon. A snapshot calls this too: whoever reads there that a worker is late must
  /// also hear of the end.
  mutating func checkFaltering(_ worker: WorkerSession, at now: MonotonicTime) {
    let isFaltering = worker.isSuspect(configuration, at: now) || worker.isWedged(configuration, at: now)
    if isFaltering { lookSoon(at: now) }
    guard isFaltering != worker.isFaltering else { return }
    worker.isFaltering = isFaltering
    noteHealthChange()
  }

  /// Whether the session has an open call, made or handed over, other than a stream that may be silent for long.
  private func hasAwaitedCall(_ session: RouterSession) -> Bool {
    switch session.side {
    case .caller(let caller): caller.calls.values.contains { calls[$0]?.mayBeSilent != true }
    case .worker(let worker): worker.awaited > 0
    }
  }

  /// Somebody waits for a peer: from now on, its liveness is checked at the shorter interval.
  mutating func lookSoon(at now: MonotonicTime) {
    nextPing = min(nextPing, now + configuration.timings.pingInterval)
  }

  /// How many calls wait for a worker's services: with several gateways, a worker gives more slots to the one with more
  /// waiting calls.
  private func waitingCount(for worker: WorkerSession) -> Int {
    worker.services.reduce(0) { $0 + services[$1].queue.count }
  }

  /// Ends a session, and settles its calls. Later envelopes of it match nothing.
  mutating func end(_ session: RouterSession, because reason: RouterEvent.Reason, at now: MonotonicTime) {
    guard sessions.remove(session.number) != nil else { return }
    sessionOfPeer.remove(session.peer.number)
    session.account.sessions -= 1
    if session.account.sessions == 0 { accounts[session.credentials] = nil }
    report(.sessionEnded(session: session.number, instance: session.hello.instance, reason: reason), about: session)
    switch session.side {
    case .caller(let caller):
      for number in caller.calls.values.sorted() { if let call = calls[number] { abandon(call, at: now) } }
    case .worker(let worker):
      delist(worker, at: now)
      settleLost(of: worker, at: now)
    }
  }

  /// Takes a worker off its services.
  private mutating func delist(_ worker: WorkerSession, at now: MonotonicTime) {
    for service in worker.services {
      services[service].workers.removeAll { $0 === worker }
      guard services[service].workers.isEmpty else { continue }
      services[service].lastWorkerLeft = now
      noteAbsence(from: now)
    }
    noteHealthChange()
  }

  /// Hands the calls of a lost worker to other workers, or ends them.
  private mutating func settleLost(of worker: WorkerSession, at now: MonotonicTime) {
    guard worker.running > 0 else { return }
    let lost = calls.all.filter { $0.worker == worker.number }.sorted { $0.number < $1.number }
    var retried = 0
    for call in lost where settleLost(call, at: now) { retried += 1 }
    report(.callsLost(session: worker.number, retried: retried, failed: lost.count - retried), about: worker)
    for service in worker.services { dispatch(service: service, at: now) }
  }
}
