internal import Base

/// Calls coming in: what is refused at the door, what waits, and what a caller may still say about its call.
extension Router {
  mutating func open(_ envelope: Envelope, session: UInt64, at now: MonotonicTime) {
    guard sessions[session]?.calls.contains(envelope.call) == false else { return }
    do throws(Status) {
      let call = try admit(envelope, session: session, at: now)
      let isForGrace = call.method == nil && !call.waitsForReady
      let deadline = call.deadline
      let number = calls.insert(call)
      sessions[session]?.calls.set(envelope.call, number)
      timers.set(number, at: isForGrace ? min(deadline, startedAt + configuration.graceAfterStart) : deadline)
      enqueueOrHandOver(number, at: now)
    } catch {
      if let service = methodIndex[envelope.method].map({ methods[$0].service }) {
        services[service].counts.refused += 1
      }
      answer(error, call: envelope.call, started: false, session: session)
    }
  }

  /// Everything that can be wrong with a call before it is let in.
  private mutating func admit(
    _ envelope: Envelope, session: UInt64, at now: MonotonicTime
  ) throws(Status) -> RouterCall {
    guard let credentials = sessions[session]?.credentials, let openCalls = sessions[session]?.calls.count,
      sessions[session]?.isLeaving == false, !isDraining
    else { throw aboutToStop }
    try checkBounds(of: envelope)
    if openCalls >= configuration.openCallLimitPerSession || calls.count >= configuration.openCallLimit {
      throw exhausted("too many open calls: \(openCalls) of this client, \(calls.count) in all", wait: .seconds(1))
    }
    guard let (service, method) = target(of: envelope.method, isAwaited: envelope.extra?.waitsForReady == true, at: now)
    else {
      throw Status(.unimplemented, "no service has announced \(envelope.method)")
    }
    let isNamed = credentials.mayVouch && envelope.extra?.caller != nil
    var open = envelope
    open.session = 0
    open.extra = extra(for: envelope.extra, credentials: credentials)
    var mayRunTwice = !envelope.idempotencyKey.isEmpty
    var isUnary = false
    if let method {
      if let caller = open.extra?.caller, let denial = denial(of: methods[method].descriptor, to: caller) {
        throw denial
      }
      mayRunTwice = mayRunTwice || methods[method].descriptor.idempotency != .unknown
      isUnary = methods[method].descriptor.kind == .unary
    }
    let asked = envelope.remainingMilliseconds
    let patience = asked == 0 ? configuration.defaultDeadline : .milliseconds(Int64(asked))
    let call = RouterCall(
      caller: session, callerNumber: envelope.call, open: open, method: method, service: service,
      deadline: now + min(patience, configuration.longestDeadline),
      sharesTurnsOfSession: credentials.mayVouch && !isNamed, receivedAt: now,
      waitsForReady: envelope.extra?.waitsForReady == true, mayRunTwice: mayRunTwice, countsTowardsRate: isUnary)
    if services[service].queue.count > 0 { try checkLoad(call, at: now) }
    if services[service].workers.isEmpty { try checkPresence(call, at: now) }
    return call
  }

  private func checkBounds(of envelope: Envelope) throws(Status) {
    if let violation = envelope.extra?.metadata.violation { throw Status(.invalidArgument, violation) }
    let keySize = envelope.idempotencyKey.utf8.count
    if keySize > 256 {
      throw Status(.invalidArgument, "the idempotency key has \(keySize) bytes; at most 256 are taken")
    }
  }

  /// The service and method that a path names. A router that has just begun gives services time to announce themselves,
  /// and so does a caller that waits until they are there.
  private mutating func target(
    of path: String, isAwaited: Bool, at now: MonotonicTime
  ) -> (service: Int, method: Int?)? {
    if let method = methodIndex[path] { return (methods[method].service, method) }
    guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count <= 256,
      let slash = path.dropFirst().lastIndex(of: "/")
    else { return nil }
    let name = String(path[path.index(after: path.startIndex)..<slash])
    if let known = serviceIndex[name], services[known].wasOffered { return nil }
    guard isAwaited || now - startedAt < configuration.graceAfterStart else { return nil }
    // Names that anybody may make up are remembered for ever, so only some.
    guard serviceIndex[name] != nil || services.count < configuration.unannouncedServiceLimit else { return nil }
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
  private func mayRunTwice(_ open: Envelope, as method: MethodDescriptor) -> Bool {
    !open.idempotencyKey.isEmpty || method.idempotency != .unknown
  }

  /// What a worker gets to know beside the message: the caller is whom we have verified, never whom the peer claims. That
  /// is whom the peer's key proves or, from a peer that may vouch, whom it names.
  private func extra(for said: Envelope.Extra?, credentials: PeerCredentials) -> Envelope.Extra {
    guard let said else { return credentials.plainExtra }
    let named = credentials.mayVouch ? said.caller : nil
    if named != nil, said.isForWorkers { return said }
    if named == nil, said.metadata.isEmpty { return credentials.plainExtra }
    return Envelope.Extra(metadata: said.metadata, caller: named ?? credentials.identity)
  }

  // MARK: - Load

  /// Throws when a call that would have to wait is better refused now.
  private func checkLoad(_ call: RouterCall, at now: MonotonicTime) throws(Status) {
    let waiting = services[call.service].queue.count
    if waitingBytes + call.open.byteCount > configuration.waitingByteLimit {
      throw exhausted("waiting calls weigh more than this gateway keeps", wait: .seconds(1))
    }
    // Nobody may hold more of the queue than is still free: one caller at most a half, two at most a third each, …
    let ticket = call.ticket(0)
    let own = services[call.service].queue.count(of: ticket.share)
    if own >= configuration.waitingLimitPerService - waiting {
      throw exhausted("\(own) calls of this caller already wait for \(services[call.service].name)", wait: .seconds(1))
    }
    guard let rate = services[call.service].rate else { return }
    let ahead = services[call.service].queue.countAhead(of: ticket)
    let wait = Duration.nanoseconds(Int64((Double(ahead + 1) / rate).rounded(.up)))
    let stay = Duration.nanoseconds(Int64(services[call.service].averageStay))
    // The queue of an overloaded service is always as long as admission lets it be. So what is let in at the limit must
    // have something to spare: by how much the estimate may be wrong, and for its way back.
    let spare: Duration = wait / 8
    let answered: MonotonicTime = now + (wait + stay + spare)
    guard answered > call.deadline else { return }
    throw exhausted(
      "\(ahead) calls wait before this one at \(services[call.service].name), about \(wait.wholeMilliseconds) ms; "
        + "its caller waits \((call.deadline - now).wholeMilliseconds) ms", wait: wait)
  }

  /// Throws when nobody is there to serve the call, and its caller does not want to wait until somebody is.
  private func checkPresence(_ call: RouterCall, at now: MonotonicTime) throws(Status) {
    guard !call.waitsForReady else { return }
    // After a start, workers are about to connect; after the last worker left, its successor is.
    let since = services[call.service].lastWorkerLeft ?? startedAt
    guard now - since >= configuration.graceAfterStart else { return }
    throw absent(call.service)
  }

  /// Ends the calls for services whose last worker left a while ago, without a successor.
  mutating func giveUpOnAbsent(at now: MonotonicTime) {
    nextAbsence = nil
    for service in services.indices {
      guard services[service].workers.isEmpty, let left = services[service].lastWorkerLeft else { continue }
      guard now - left >= configuration.graceAfterStart else {
        noteAbsence(from: left)
        continue
      }
      guard services[service].queue.count > 0 else { continue }
      for number in calls.numbers {
        guard let call = calls[number], call.service == service, call.state == .waiting, !call.waitsForReady
        else { continue }
        finish(number, with: absent(service), started: call.attempt > 0, at: now)
      }
    }
  }

  /// A service has had nobody since `time`: calls that wait for it are to be looked at when the grace is over.
  mutating func noteAbsence(from time: MonotonicTime) {
    let due = time + configuration.graceAfterStart
    nextAbsence = min(nextAbsence ?? due, due)
  }

  private func absent(_ service: Int) -> Status {
    Status(
      .unavailable, "no instance of \(services[service].name) is connected",
      metadata: ["retry-after-ms": String(configuration.graceAfterStart.wholeMilliseconds)])
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
    services[call.service].counts.record(.cancelled, nanoseconds: now.nanoseconds(since: call.receivedAt))
    if case .running(let worker) = call.state { send(Envelope(.cancel, call: number), session: worker) }
  }

  /// Takes a call out of every table, and returns what was known of it.
  @discardableResult
  mutating func forget(_ number: UInt64) -> RouterCall? {
    guard let call = calls.remove(number) else { return nil }
    timers.remove(number)
    sessions[call.caller]?.calls.remove(call.callerNumber)
    switch call.state {
    case .waiting:
      services[call.service].queue.remove(call.ticket(number))
      waitingBytes -= call.weight
    case .running(let worker):
      sessions[worker]?.running -= 1
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

  mutating func noteStay(_ nanoseconds: Int64) {
    let sample = Double(max(1, nanoseconds))
    averageStay = averageStay == 0 ? sample : averageStay + (sample - averageStay) / 32
  }
}
