internal import Base
internal import RPC

/// Arriving calls: admission, waiting, and later envelopes of their callers.
extension Router {
  mutating func open(_ envelope: consuming Envelope, from session: CallerSession, at now: MonotonicTime) {
    let (number, path) = (envelope.call, envelope.method)
    if let earlier = session.calls[number].flatMap({ calls[$0] }) {
      return refuseTwin(of: earlier, from: session, at: now)
    }
    do throws(Status) {
      if number == 0 { throw Status(.invalidArgument, "0 is the number of no call") }
      let call = try admit(envelope, from: session, at: now)
      calls.add(call)
      call.account.openCalls += 1
      services[call.service].openCalls += 1
      lookSoon(at: now)
      session.calls.set(number, call.number)
      let isForGrace = !call.hasMethod && !call.waitsForReady
      timers.set(
        call.number, at: isForGrace ? min(call.deadline, startedAt + configuration.graceAfterStart) : call.deadline)
      enqueueOrHandOver(call, at: now)
    } catch {
      if let method = methods.place(of: path) { services[methods[method].service].counts.recordRefusal(error.code) }
      answer(error, call: number, started: false, session: session.number)
    }
  }

  /// Ends both calls when a second OPEN has the number of an open call, since the caller could not tell their answers
  /// apart. They get the one outcome that a number can have.
  private mutating func refuseTwin(of call: RouterCall, from session: CallerSession, at now: MonotonicTime) {
    let text = "a call was opened under number \(call.callerNumber), which another had; both are over"
    finish(call, with: Status(.invalidArgument, text), at: now)
    offend(session, text, at: now)
  }

  /// Checks everything that can be wrong with a call before it is admitted.
  private mutating func admit(
    _ open: consuming Envelope, from session: CallerSession, at now: MonotonicTime
  ) throws(Status) -> RouterCall {
    if isDraining { throw aboutToStop(mayHaveRun: false) }
    if session.isLeaving { throw Status(.unavailable, "this client has said GOAWAY; the call was not started") }
    let said = open.extra
    if let said { try checkBounds(of: said) }
    try checkBounds(ofKey: open.idempotencyKey)
    let own = session.account.openCalls
    if session.calls.count >= configuration.openCallLimitPerSession
      || !FairShare.mayTake(1, own: own, of: configuration.openCallLimit, taken: calls.count)
    {
      throw .exhausted("too many open calls: \(own) of this client, \(calls.count) in all", wait: .seconds(1))
    }
    let isAwaited = said?.waitsForReady == true
    guard
      let (service, method) = try target(of: open.method, isAwaited: isAwaited, for: session.account, at: now)
    else { throw Status(.unimplemented, "no service has announced \(open.method)") }
    let credentials = session.credentials
    var extra = try extra(for: said, credentials: credentials, method.map { methods[$0].descriptor })
    var mayRunTwice = !open.idempotencyKey.isEmpty
    var kind: MethodDescriptor.Kind?
    if let method {
      if let denial = denial(of: methods[method], to: extra, from: session, at: now) { throw denial }
      mayRunTwice = mayRunTwice || methods[method].descriptor.idempotency != .unknown
      kind = methods[method].descriptor.kind
    }
    let asked = open.remainingMilliseconds
    let patience = asked == 0 ? defaultPatience : min(Int64(asked) * 1_000_000, longestPatience)
    let callerNumber = open.call
    let trace = traced(extra)
    if let trace { extra = trace.1 }
    open.session = 0
    open.extra = extra
    let call = RouterCall(
      open: open, caller: session.number, account: session.account, callerNumber: callerNumber,
      kind: kind, service: service, deadline: MonotonicTime(nanoseconds: now.nanoseconds + patience),
      sharesTurnsOfSession: credentials.rights.vouching != .nobody && said?.caller == nil, receivedAt: now,
      waitsForReady: isAwaited, mayRunTwice: mayRunTwice,
      slotUntil: MonotonicTime(nanoseconds: now.nanoseconds + min(slotPatience, patience / 2)))
    call.trace = trace?.0
    do throws(Status) {
      if services[service].queue.count > 0 { try checkLoad(call, at: now) }
      if services[service].workers.isEmpty { try checkPresence(call, at: now) }
    } catch {
      // `denial` may have admitted this as the minute's attempt for the service to record. The service does not hear of
      // it, so the next attempt must be admitted.
      if let method, let caller = extra.caller {
        deniedAttempts.takeBack(caller, methods[method].descriptor, at: now)
      }
      throw error
    }
    return call
  }

  private func checkBounds(of said: Envelope.Extra) throws(Status) {
    guard !said.metadata.isEmpty, let violation = said.metadata.violation else { return }
    throw Status(.invalidArgument, violation)
  }

  private func checkBounds(ofKey key: String) throws(Status) {
    let limit = BusLimits.longestIdempotencyKey
    guard key.utf8.count > limit else { return }
    throw Status(.invalidArgument, "the idempotency key has \(key.utf8.count) bytes; at most \(limit) are taken")
  }

  /// The service and the method that a path names; nil if no worker has announced them, unless the call may wait for
  /// the announcement. Then the method alone is nil: shortly after the router's start, and for a caller that waits for
  /// readiness.
  private mutating func target(
    of path: String, isAwaited: Bool, for account: KeyAccount, at now: MonotonicTime
  ) throws(Status) -> (service: Int, method: Int?)? {
    if let method = methods.place(of: path) { return (methods[method].service, method) }
    guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count <= BusLimits.longestPath,
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex
    else { return nil }
    let name = String(path[path.utf8.index(after: path.startIndex)..<slash])
    let lengths = BusLimits.nameLengths
    guard lengths.contains(name.utf8.count), lengths.contains(path[slash...].utf8.count - 1) else { return nil }
    if let known = serviceIndex[name], services[known].wasOffered { return nil }
    guard isAwaited || now - startedAt < configuration.graceAfterStart else { return nil }
    if let known = serviceIndex[name] { return (known, nil) }
    guard mayAskForUnannounced(account, at: now) else {
      throw Status(
        .unavailable, "calls wait for as many services that nobody has announced as this caller may ask for",
        metadata: retryAfterGrace)
    }
    let service = index(ofService: name)
    services[service].askedFor = account.number
    return (service, nil)
  }

  /// Checks the calls that arrived before their service had announced itself, now that its methods are known.
  mutating func resolveEarlyCalls(of service: Int, at now: MonotonicTime) {
    for call in calls.all where call.service == service && !call.hasMethod {
      guard let method = methods.place(of: call.open.method) else {
        let status = Status(.unimplemented, "\(services[service].name) has no method \(call.open.method)")
        finish(call, with: status, at: now)
        continue
      }
      let descriptor = methods[method].descriptor
      if let extra = call.open.extra,
        let denial = denial(of: methods[method], to: extra, from: sessions[call.caller], at: now)
      {
        finish(call, with: denial, at: now)
        continue
      }
      // The ticket changes: whether the call may wait at a worker is known only now.
      services[service].queue.remove(call.ticket)
      call.mayRunTwice = !call.open.idempotencyKey.isEmpty || descriptor.idempotency != .unknown
      call.kind = descriptor.kind
      timers.set(call.number, at: call.deadline)
      services[service].queue.insert(call.ticket)
    }
  }

  /// Why the caller may not call the method; nil also if the call goes on to its service, which refuses and records it.
  /// Otherwise the refusal is reported to operators, because no service hears of it.
  private mutating func denial(
    of method: RouterMethod, to extra: Envelope.Extra, from session: RouterSession?, at now: MonotonicTime
  ) -> Status? {
    guard let caller = extra.caller, !caller.isAdmitted(to: method.descriptor) else { return nil }
    if !services[method.service].workers.isEmpty, deniedAttempts.handsOver(caller, method.descriptor, at: now) {
      return nil
    }
    if let session {
      report(
        .callDenied(
          instance: session.hello.instance, key: session.credentials.name, caller: caller,
          method: method.descriptor.path),
        about: session)
    }
    return caller.refusal(of: method.descriptor)
  }

  /// The rare fields of the OPEN that a worker gets. The caller is the verified one, never the one that the peer
  /// claims: the one that the peer's key proves or, from a peer that may name callers, the one that it names.
  ///
  /// A client's claim is ignored. A service that names somebody for whom it may not speak is refused: otherwise the
  /// call would be made with the service's own rights.
  private func extra(
    for said: Envelope.Extra?, credentials: PeerCredentials, _ method: MethodDescriptor?
  ) throws(Status) -> Envelope.Extra {
    guard let said else { return credentials.plainExtra }
    let named = credentials.isClient ? nil : said.caller
    let weight = said.plainCaller.count
    if named != nil, weight > BusLimits.largestCaller {
      throw Status(.invalidArgument, "the caller weighs \(weight) bytes; at most \(BusLimits.largestCaller) may travel")
    }
    if let named, !credentials.rights.vouching.includes(named), !mayRead(for: named, credentials, method) {
      throw Status(
        .permissionDenied,
        rule: "not_admitted",
        "the key of \(credentials.name) may not speak for the \(named.kind.word) '\(named.subject.shortened)'")
    }
    if named != nil, said.isForWorkers { return said }
    if named == nil, said.metadata.isEmpty { return credentials.plainExtra }
    return Envelope.Extra(metadata: said.metadata, caller: named ?? credentials.identity)
  }

  /// Whether a key that vouches for `callers` may name this one: the method only reads, and a worker with the same key
  /// has a call of this caller in hand.
  private func mayRead(
    for caller: CallerIdentity, _ credentials: PeerCredentials, _ method: MethodDescriptor?
  ) -> Bool {
    guard credentials.rights.vouching == .callers, let key = credentials.keyNumber,
      method?.idempotency == .noSideEffects
    else { return false }
    return sessions.all.contains { $0.credentials.keyNumber == key && $0.asWorker?.worksFor(caller) == true }
  }

  // MARK: - Load

  /// Throws when a call that would have to wait should be refused now.
  private func checkLoad(_ call: RouterCall, at now: MonotonicTime) throws(Status) {
    try checkWeight(of: call, adding: call.open.byteCount)
    // No caller may hold more of the queue than is still free: one caller at most a half, two at most a third each, …
    let (ticket, most) = (call.ticket, configuration.waitingLimitPerService)
    let own = services[call.service].queue.count(of: ticket.share)
    guard FairShare.mayTake(1, own: own, of: most, taken: services[call.service].queue.count) else {
      throw .exhausted("\(own) calls of this caller already wait for \(services[call.service].name)", wait: .seconds(1))
    }
    guard let rate = services[call.service].rate(at: now) else { return }
    let ahead = services[call.service].queue.countAhead(of: ticket)
    // No call waits longer than the longest deadline. A service that has long stood still, with many calls before this
    // one, would give more nanoseconds than an integer holds.
    let expected = min((Double(ahead + 1) / rate).rounded(.up), Double(longestPatience))
    let wait = Duration.nanoseconds(Int64(expected))
    // A stream answers long before it ends.
    let stay = Duration.nanoseconds(call.isUnary ? Int64(services[call.service].unary.averageStay) : 0)
    // The queue of an overloaded service is always as long as admission allows. So a call that is admitted at the limit
    // needs some time to spare, for errors of the estimate and for its answer's way back.
    let spare: Duration = wait / 8
    let answered: MonotonicTime = now + (wait + stay + spare)
    guard answered > call.deadline else { return }
    throw .exhausted(
      "\(ahead) calls wait before this one at \(services[call.service].name), about \(wait.wholeMilliseconds) ms; "
        + "its caller waits \((call.deadline - now).wholeMilliseconds) ms", wait: wait)
  }

  /// Throws when this many more bytes would exceed the bound for all waiting calls, the account's share, or the
  /// caller's share of that.
  func checkWeight(of call: RouterCall, adding count: Int) throws(Status) {
    let (own, limit) = (call.account.waitingBytes, configuration.waitingByteLimit)
    guard FairShare.mayTake(count, own: own, of: limit, taken: waitingBytes) else {
      throw .exhausted(
        "waiting calls of this client weigh \(own) bytes, all together \(waitingBytes), of \(limit)", wait: .seconds(1))
    }
    guard let callers = call.account.waitingOf else { return }
    // The most that the account could get, given what all others use.
    let most = (limit - (waitingBytes - own)) / 2
    let ofCaller = callers[call.share]
    guard FairShare.mayTake(count, own: ofCaller, of: most, taken: own) else {
      throw .exhausted(
        "waiting calls of this caller weigh \(ofCaller) bytes, those of its client \(own), of \(most)",
        wait: .seconds(1))
    }
  }

  /// Throws when no worker serves the call, and its caller does not want to wait for one.
  private func checkPresence(_ call: RouterCall, at now: MonotonicTime) throws(Status) {
    guard !call.waitsForReady else { return }
    // After a start, workers are about to connect; after the last worker has left, its successor is.
    let since = services[call.service].lastWorkerLeft ?? startedAt
    guard now - since >= configuration.graceAfterStart else { return }
    throw absent(call.service)
  }

  /// Ends the calls for services whose last worker left some time ago, without a successor.
  mutating func giveUpOnAbsent(at now: MonotonicTime) {
    nextAbsence = nil
    var unserved: Set<Int> = []
    for service in services.indices {
      guard services[service].workers.isEmpty, let left = services[service].lastWorkerLeft else { continue }
      if now - left < configuration.graceAfterStart {
        noteAbsence(from: left)
      } else if services[service].queue.count > 0 {
        unserved.insert(service)
      }
    }
    if unserved.isEmpty { return }
    for call in calls.all where call.state == .waiting && !call.waitsForReady && unserved.contains(call.service) {
      finish(call, with: absent(call.service), at: now)
    }
  }

  /// A service has had no worker since `time`: calls that wait for it are checked when the grace has passed.
  mutating func noteAbsence(from time: MonotonicTime) {
    let due = time + configuration.graceAfterStart
    nextAbsence = min(nextAbsence ?? due, due)
  }

  private func absent(_ service: Int) -> Status {
    Status(.unavailable, "no instance of \(services[service].name) is connected", metadata: retryAfterGrace)
  }

  var retryAfterGrace: Metadata {
    ["retry-after-ms": String(configuration.graceAfterStart.wholeMilliseconds)]
  }

  // MARK: - Cancellation

  mutating func cancel(_ number: UInt64, from session: CallerSession, at now: MonotonicTime) {
    guard let call = session.calls[number].flatMap({ calls[$0] }) else { return }
    abandon(call, at: now)
  }

  /// Counts a stream that its caller has given up, or whose time is over, among those that have ended: many streams end
  /// in no other way. A unary call that is given up counts for nothing, since its handler may well go on.
  mutating func noteGivenUp(_ call: RouterCall, at now: MonotonicTime) {
    guard !call.isUnary, case .running(_, let since) = call.state else { return }
    services[call.service].streams.noteStay(now.nanoseconds(since: since), at: now)
  }

  /// Ends a call that its caller has cancelled, or whose caller's session is over, and cancels it at its worker.
  mutating func abandon(_ call: RouterCall, at now: MonotonicTime) {
    guard forget(call) else { return }
    noteGivenUp(call, at: now)
    record(.cancelled, of: call, at: now)
    if let worker = call.worker { send(Envelope(.cancel, call: call.number), session: worker) }
  }

  /// Removes a call from every table; false when it is in none.
  mutating func forget(_ call: RouterCall) -> Bool {
    guard calls.remove(call.number) != nil else { return false }
    call.account.openCalls -= 1
    services[call.service].openCalls -= 1
    timers.remove(call.number)
    sessions[call.caller]?.asCaller?.calls.remove(call.callerNumber)
    switch call.state {
    case .waiting:
      services[call.service].queue.remove(call.ticket)
      countWaiting(call, by: -call.weight)
    case .running(let worker, _): release(call, from: worker)
    case .backingOff:
      countWaiting(call, by: -call.weight)
    }
    return true
  }
}
