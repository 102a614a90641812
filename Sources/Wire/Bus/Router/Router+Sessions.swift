internal import Base

/// Who is connected: greeting, liveness, leaving.
extension Router {
  mutating func greet(_ envelope: Envelope, from peer: Peer, credentials: PeerCredentials, at now: MonotonicTime) {
    guard let hello = envelope.extra?.hello else { return }
    if let refusal = refusal(of: hello, credentials: credentials) {
      report(.helloRefused(instance: hello.instance, why: refusal.message))
      return refuse(peer, with: refusal)
    }
    if let known = sessionOfPeer[peer.number], let earlier = sessions[known]?.hello, earlier.instance == hello.instance,
      earlier.role == hello.role, earlier.epoch == hello.epoch
    {
      // The peer asked again because the answer took long. Its session stands, with the calls that it has.
      return acknowledge(session: known)
    }
    let namesakes = sessions.numbers.filter { isNamesake($0, of: hello, credentials: credentials) }
    if namesakes.contains(where: { sessions[$0]?.hello.link != hello.link }) {
      // The process dialled this gateway by two addresses. Were the newer one to win, each would end the other for ever.
      return refuse(peer, with: Status(.alreadyExists, "this process has a session here, by another address"))
    }
    // What an abandoned connection still brings is older than the session that has replaced it.
    if namesakes.contains(where: { (sessions[$0]?.hello.epoch ?? 0) >= hello.epoch }) { return }
    // Any other HELLO begins anew whatever this link or this process had before.
    if let earlier = sessionOfPeer[peer.number] { end(session: earlier, because: .superseded, at: now) }
    for earlier in namesakes { end(session: earlier, because: .superseded, at: now) }
    let session = sessions.insert(
      RouterSession(peer: peer, hello: hello, credentials: credentials, seed: generator.next(), at: now))
    sessionOfPeer.set(peer.number, session)
    acknowledge(session: session)
    if isDraining { send(Envelope(.goaway), session: session) }
    if hello.role == .worker { enlist(worker: session, offers: hello.services, at: now) }
    report(
      .sessionBegan(
        session: session, instance: hello.instance, role: hello.role, services: hello.services.map(\.name)))
    raiseCredit(of: session, to: envelope.credit)
    dispatch(toWorker: session, at: now)
  }

  private mutating func refuse(_ peer: Peer, with refusal: Status) {
    var answer = Envelope(.goaway)
    answer.statusCode = refusal.code
    answer.extra = Envelope.Extra(statusMessage: refusal.message)
    send(answer, to: peer)
  }

  private mutating func acknowledge(session: UInt64) {
    guard let hello = sessions[session]?.hello else { return }
    var answer = Envelope(.helloAck)
    answer.extra = Envelope.Extra(
      helloAck: HelloAck(
        session: session, gateway: instance, version: min(hello.newestVersion, BusLimits.protocolVersion),
        pingMilliseconds: UInt32(configuration.pingInterval.wholeMilliseconds)))
    send(answer, session: session)
  }

  private func refusal(of hello: Hello, credentials: PeerCredentials) -> Status? {
    let version = BusLimits.protocolVersion
    if hello.oldestVersion > version || hello.newestVersion < version {
      return Status(
        .failedPrecondition,
        "this gateway speaks version \(version) of the bus protocol; "
          + "the peer speaks \(hello.oldestVersion) to \(hello.newestVersion)")
    }
    if hello.role == .worker, !credentials.mayServe {
      return Status(.permissionDenied, "the key of this peer does not allow it to serve")
    }
    if hello.instance.isEmpty || hello.instance.utf8.count > 64 {
      return Status(.invalidArgument, "hello.instance must have 1 to 64 bytes")
    }
    if sessions.count >= configuration.sessionLimit {
      return Status(.resourceExhausted, "this gateway has \(configuration.sessionLimit) sessions and takes no more")
    }
    return nil
  }

  /// Whether a session is of the same process: as its key proves, and not only as its HELLO says.
  private func isNamesake(_ session: UInt64, of hello: Hello, credentials: PeerCredentials) -> Bool {
    guard let earlier = sessions[session] else { return false }
    return earlier.hello.instance == hello.instance && earlier.hello.role == hello.role
      && earlier.credentials == credentials
  }

  private mutating func enlist(worker session: UInt64, offers: [Hello.ServiceOffer], at now: MonotonicTime) {
    for offer in offers {
      let service = index(ofService: offer.name)
      services[service].wasOffered = true
      services[service].workers.append(session)
      sessions[session]?.services.append(service)
      for method in offer.methods where method.service == offer.name {
        let known = RouterMethod(descriptor: method, service: service)
        if let place = methodIndex[method.path] {
          methods[place] = known
        } else {
          methodIndex[method.path] = methods.count
          methods.append(known)
        }
      }
      resolveEarlyCalls(of: service, at: now)
    }
  }

  mutating func index(ofService name: String) -> Int {
    if let index = serviceIndex[name] { return index }
    serviceIndex[name] = services.count
    services.append(RouterService(name: name, retryTokens: configuration.retryTokens))
    return services.count - 1
  }

  mutating func handle(_ envelope: Envelope, session: UInt64, at now: MonotonicTime) {
    let isWorker = sessions[session]?.hello.role == .worker
    switch envelope.kind {
    case .open where !isWorker: open(envelope, session: session, at: now)
    case .data where isWorker: answerChunk(envelope, session: session, at: now)
    case .data: requestChunk(envelope, session: session, at: now)
    case .window where isWorker: workerWindow(envelope, session: session)
    case .window: callerWindow(envelope, session: session)
    case .halfClose where !isWorker: requestChunk(envelope, session: session, at: now)
    case .cancel where !isWorker: cancel(envelope, session: session, at: now)
    case .status where isWorker: outcome(envelope, session: session, at: now)
    case .reject where isWorker: rejected(envelope, session: session, at: now)
    case .credit where isWorker: break  // Taken before: any envelope of a worker may carry credit.
    case .ping: pong(session)
    case .pong: noteLoad(envelope.extra?.load, session: session, at: now)
    case .goaway: leave(session, at: now)
    case .bye: end(session: session, because: .bye, at: now)
    default: violation(session, at: now)
    }
  }

  private mutating func pong(_ session: UInt64) {
    send(Envelope(.pong), session: session)
  }

  private mutating func noteLoad(_ load: Load?, session: UInt64, at now: MonotonicTime) {
    guard let load, let earlier = sessions[session]?.load else { return }
    if load.progress != earlier.progress || load.busy == 0 { sessions[session]?.lastProgress = now }
    sessions[session]?.load = load
  }

  private mutating func violation(_ session: UInt64, at now: MonotonicTime) {
    sessions[session]?.violations += 1
    guard let count = sessions[session]?.violations, count >= configuration.violationLimit else { return }
    send(Envelope(.bye), session: session)
    end(session: session, because: .misbehaved, at: now)
  }

  /// The peer will leave: a worker gets nothing more and ends what it has, a client opens nothing more.
  private mutating func leave(_ session: UInt64, at now: MonotonicTime) {
    sessions[session]?.isLeaving = true
  }

  mutating func checkLiveness(at now: MonotonicTime) {
    sampleRates(at: now)
    let patience = configuration.pingInterval * configuration.missesUntilDead
    for session in sessions.numbers {
      guard let lastHeard = sessions[session]?.lastHeard else { continue }
      if now - lastHeard > patience {
        end(session: session, because: .silent, at: now)
      } else {
        var ping = Envelope(.ping)
        ping.extra = Envelope.Extra(load: Load(waiting: UInt32(clamping: waitingCount(for: session))))
        send(ping, session: session)
      }
    }
  }

  /// How many calls wait for what a worker serves: with several gateways, a worker gives more of its slots to whom
  /// more is asked of.
  private func waitingCount(for session: UInt64) -> Int {
    sessions[session]?.services.reduce(0) { $0 + services[$1].queue.count } ?? 0
  }

  /// Settles everything that a session leaves behind. Nothing that comes from it later matches anything.
  mutating func end(session: UInt64, because reason: RouterEvent.Reason, at now: MonotonicTime) {
    guard let ended = sessions.remove(session) else { return }
    sessionOfPeer.remove(ended.peer.number)
    for service in ended.services {
      services[service].workers.removeAll { $0 == session }
      guard services[service].workers.isEmpty else { continue }
      services[service].lastWorkerLeft = now
      noteAbsence(from: now)
    }
    report(.sessionEnded(session: session, instance: ended.hello.instance, reason: reason))
    for call in ended.calls.values.sorted() { abandon(call, at: now) }
    guard ended.running > 0 else { return }
    let lost = calls.numbers.filter { calls[$0]?.state == .running(session: session) }.sorted()
    var retried = 0
    for call in lost where settleLost(call, at: now) { retried += 1 }
    report(.callsLost(session: session, retried: retried, failed: lost.count - retried))
    for service in ended.services { dispatch(service: service, at: now) }
  }
}
