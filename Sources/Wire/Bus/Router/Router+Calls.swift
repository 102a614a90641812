internal import Base

/// Calls coming in: what is refused at the door, what waits, and what a caller may still say about its call.
extension Router {
  mutating func open(_ envelope: Envelope, session: UInt64, at now: MonotonicTime) {
    guard let known = sessions[session], known.calls[envelope.call] == nil else { return }
    switch admit(envelope, session: known, sessionID: session, at: now) {
    case .success(var call):
      call.open.session = 0
      call.open.extra = extra(for: envelope, credentials: known.credentials)
      let number = calls.insert(call)
      sessions[session]?.calls[envelope.call] = number
      timers.set(
        number, at: call.method == nil ? min(call.deadline, startedAt + configuration.graceAfterStart) : call.deadline)
      enqueueOrHandOver(number, at: now)
    case .failure(let status):
      if let service = methodIndex[envelope.method].map({ methods[$0].service }) {
        services[service].counts.refused += 1
      }
      answer(status, call: envelope.call, started: false, session: session)
    }
  }

  /// Everything that can be wrong with a call before it is let in.
  private mutating func admit(
    _ envelope: Envelope, session: RouterSession, sessionID: UInt64, at now: MonotonicTime
  ) -> Result<RouterCall, Status> {
    if isDraining || session.isLeaving {
      return .failure(aboutToStop)
    }
    let extra = envelope.extra
    if let violation = extra?.metadata.violation { return .failure(Status(.invalidArgument, violation)) }
    if let key = extra?.idempotencyKey, key.utf8.count > 256 {
      return .failure(
        Status(.invalidArgument, "the idempotency key has \(key.utf8.count) bytes; at most 256 are taken"))
    }
    if session.calls.count >= configuration.openCallLimitPerSession || calls.count >= configuration.openCallLimit {
      return .failure(
        exhausted(
          "too many open calls: \(session.calls.count) of this client, \(calls.count) in all", wait: .seconds(1)))
    }
    guard let (service, method) = target(of: envelope.method, at: now) else {
      return .failure(Status(.unimplemented, "no service has announced \(envelope.method)"))
    }
    let descriptor = method.map { methods[$0].descriptor }
    let caller = identity(of: envelope, credentials: session.credentials)
    if let descriptor, let denial = denial(of: descriptor, to: caller) { return .failure(denial) }
    let asked = envelope.remainingMilliseconds
    let patience = asked == 0 ? configuration.defaultDeadline : .milliseconds(Int64(asked))
    let call = RouterCall(
      caller: sessionID, callerNumber: envelope.call, open: envelope, method: method, service: service,
      deadline: now + min(patience, configuration.longestDeadline),
      share: share(of: envelope, caller: caller, session, id: sessionID), receivedAt: now,
      mayRunTwice: mayRunTwice(envelope, as: descriptor), countsTowardsRate: descriptor?.kind == .unary)
    if let refusal = overload(of: call, at: now) { return .failure(refusal) }
    if let absence = absence(of: call, at: now) { return .failure(absence) }
    return .success(call)
  }

  /// The service and method that a path names. A router that has just begun gives services time to announce themselves.
  private mutating func target(of path: String, at now: MonotonicTime) -> (service: Int, method: Int?)? {
    if let method = methodIndex[path] { return (methods[method].service, method) }
    guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count <= 256,
      let slash = path.dropFirst().lastIndex(of: "/")
    else { return nil }
    let name = String(path[path.index(after: path.startIndex)..<slash])
    if let known = serviceIndex[name], services[known].wasOffered { return nil }
    guard now - startedAt < configuration.graceAfterStart else { return nil }
    // Names that anybody may make up are remembered for ever, so only some.
    guard serviceIndex[name] != nil || services.count < configuration.serviceLimitInGrace else { return nil }
    return (index(ofService: name), nil)
  }

  /// Calls that came before their service did are now held against its methods.
  mutating func resolveEarlyCalls(of service: Int, at now: MonotonicTime) {
    for number in calls.numbers {
      guard let call = calls[number], call.service == service, call.method == nil else { continue }
      guard let method = methodIndex[call.open.method] else {
        let status = Status(.unimplemented, "\(services[service].name) has no method \(call.open.method)")
        finish(number, with: status, started: false, at: now)
        continue
      }
      let descriptor = methods[method].descriptor
      if let caller = call.open.extra?.caller, let denial = denial(of: descriptor, to: caller) {
        finish(number, with: denial, started: false, at: now)
        continue
      }
      services[service].queue.remove(call.ticket(number))
      var resolved = call
      resolved.method = method
      resolved.mayRunTwice = mayRunTwice(call.open, as: descriptor)
      resolved.countsTowardsRate = descriptor.kind == .unary
      calls[number] = resolved
      timers.set(number, at: call.deadline)
      services[service].queue.insert(resolved.ticket(number))
    }
  }

  private func denial(of method: MethodDescriptor, to caller: CallerIdentity) -> Status? {
    guard caller.access < method.access else { return nil }
    return Status(
      caller.access == .public ? .unauthenticated : .permissionDenied,
      "\(method.path) needs \(method.access.word) access; the caller has \(caller.access.word) access")
  }

  /// Whether a call that may have run can be handed over again.
  private func mayRunTwice(_ open: Envelope, as method: MethodDescriptor?) -> Bool {
    if open.extra?.idempotencyKey.isEmpty == false { return true }
    guard let method else { return false }
    return method.idempotency != .unknown
  }

  /// Whom the call is made for: what the peer's key proves or, from a peer that may vouch, whom it names.
  private func identity(of envelope: Envelope, credentials: PeerCredentials) -> CallerIdentity {
    guard credentials.mayVouch, let named = envelope.extra?.caller else { return credentials.identity }
    return named
  }

  /// Whose turns the call takes: those of a client's own key, or of the one for whom a peer that may vouch calls. A
  /// peer that vouches and names nobody has turns of its own, since all such peers on a machine go by one name.
  private func share(
    of envelope: Envelope, caller: CallerIdentity, _ session: RouterSession, id: UInt64
  )
    -> ServiceQueue.Share
  {
    let isNamed = !session.credentials.mayVouch || envelope.extra?.caller != nil
    guard isNamed, !caller.tenant.isEmpty || !caller.subject.isEmpty else { return ServiceQueue.Share(session: id) }
    return ServiceQueue.Share(tenant: caller.tenant, subject: caller.subject)
  }

  /// What a worker gets to know beside the message: the caller is whom we have verified, never whom the peer claims.
  private func extra(for envelope: Envelope, credentials: PeerCredentials) -> Envelope.Extra {
    Envelope.Extra(
      metadata: envelope.extra?.metadata ?? [:], idempotencyKey: envelope.extra?.idempotencyKey ?? "",
      caller: identity(of: envelope, credentials: credentials))
  }

  // MARK: - Load

  private func overload(of call: RouterCall, at now: MonotonicTime) -> Status? {
    let service = services[call.service]
    let waiting = service.queue.count
    guard waiting > 0 else { return nil }
    if waitingBytes + call.open.byteCount > configuration.waitingByteLimit {
      return exhausted("waiting calls weigh more than this gateway keeps", wait: .seconds(1))
    }
    // Nobody may hold more of the queue than is still free: one caller at most a half, two at most a third each, …
    let own = service.queue.count(of: call.share)
    if own >= configuration.waitingLimitPerService - waiting {
      return exhausted("\(own) calls of this caller already wait for \(service.name)", wait: .seconds(1))
    }
    guard let rate = service.rate else { return nil }
    let ahead = service.queue.countAhead(of: call.ticket(0))
    let wait = Duration.nanoseconds(Int64((Double(ahead + 1) / rate).rounded(.up)))
    let stay = Duration.nanoseconds(Int64(service.averageStay))
    guard now + wait + stay > call.deadline else { return nil }
    return exhausted(
      "\(ahead) calls wait before this one at \(service.name), about \(wait.wholeMilliseconds) ms; "
        + "its caller waits \((call.deadline - now).wholeMilliseconds) ms", wait: wait)
  }

  /// Whether nobody is there to serve the call, and its caller does not want to wait until somebody is.
  private func absence(of call: RouterCall, at now: MonotonicTime) -> Status? {
    let service = services[call.service]
    guard service.workers.isEmpty, call.open.extra?.waitsForReady != true else { return nil }
    // After a start, workers are about to connect; after the last worker left, its successor is.
    guard now - (service.lastWorkerLeft ?? startedAt) >= configuration.graceAfterStart else { return nil }
    return Status(.unavailable, "no instance of \(service.name) is connected; the call was not started")
  }

  func exhausted(_ message: String, wait: Duration) -> Status {
    Status(
      .resourceExhausted, message,
      metadata: ["retry-after-ms": String(max(1, wait.wholeMilliseconds))])
  }

  // MARK: - The caller changes its mind

  mutating func cancel(_ envelope: Envelope, session: UInt64, at now: MonotonicTime) {
    guard let call = sessions[session]?.calls[envelope.call] else { return }
    abandon(call, at: now)
  }

  /// Nobody waits for the call any longer.
  mutating func abandon(_ number: UInt64, at now: MonotonicTime) {
    guard let call = forget(number) else { return }
    services[call.service].counts.record(.cancelled, took: now - call.receivedAt)
    if case .running(let worker) = call.state { send(Envelope(.cancel, call: number), session: worker) }
  }

  /// Takes a call out of every table, and returns what was known of it.
  @discardableResult
  mutating func forget(_ number: UInt64) -> RouterCall? {
    guard let call = calls.remove(number) else { return nil }
    timers.remove(number)
    sessions[call.caller]?.calls[call.callerNumber] = nil
    switch call.state {
    case .waiting:
      services[call.service].queue.remove(call.ticket(number))
      waitingBytes -= call.weight
    case .running(let worker):
      sessions[worker]?.running.remove(number)
      if call.countsTowardsRate { services[call.service].running -= 1 }
    case .backingOff:
      waitingBytes -= call.weight
    }
    return call
  }
}

extension RouterService {
  /// How many calls a nanosecond the service finishes while calls wait: by Little's law, those with workers divided by
  /// the time that one stays there. Nil until it is known.
  var rate: Double? {
    guard averageStay > 0, running > 0 else { return nil }
    return Double(running) / averageStay
  }

  mutating func noteStay(_ duration: Duration) {
    let sample = Double(max(1, duration.wholeNanoseconds))
    averageStay = averageStay == 0 ? sample : averageStay + (sample - averageStay) / 32
  }
}
