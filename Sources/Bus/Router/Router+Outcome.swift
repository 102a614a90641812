internal import Base
internal import RPC

/// How a call ends or is tried again. Every admitted call passes exactly once through `finish` or `abandon`.
extension Router {
  /// STATUS from a worker.
  mutating func outcome(_ envelope: consuming Envelope, from session: WorkerSession, at now: MonotonicTime) {
    guard let call = calls[envelope.call], let since = call.runs(on: session) else { return }
    let code = envelope.statusCode
    let service = call.service
    let stay = now.nanoseconds(since: since)
    session.counts.record(code, nanoseconds: stay)
    services[service][paceOf: call].noteStay(stay, at: now)
    // Its handler may pass on the end of a call of its own: what was tried for that one counts, since the whole tree of
    // calls has one budget.
    if code == .unavailable, let left = envelope.attemptsLeft {
      call.countOn(to: configuration.attemptLimit - max(0, left))
    }
    if code == .ok {
      let tokens = services[service].retryTokens + configuration.retryTokensPerSuccess
      services[service].retryTokens = min(configuration.retryTokens, tokens)
    } else if code == .unavailable, mayRetryAnswer(to: call),
      let time = timeOfRetry(of: call, after: stay, atLeast: envelope.pushback, at: now)
    {
      services[service].retryTokens -= 1
      return backOff(call, until: time)
    }
    guard forget(call) else { return }
    takeDatabaseTime(from: &envelope, of: call)
    record(code, of: call, at: now)
    if code == .ok, call.answers.hasBegun {
      endedStreams.note(
        .init(caller: call.caller, call: call.callerNumber, service: call.service, spanID: call.trace?.own.spanID))
    }
    // `notStarted` holds for this worker's try alone: another worker may have run the call before.
    if call.attempt > 1 || call.answers.hasBegun { envelope.notStarted = false }
    if code == .unavailable, !envelope.notStarted {
      // Only a gateway repeats what a handler has answered: whoever gets this answer leaves it at that.
      var status = envelope.status
      status.metadata.attemptsLeft = 0
      return answer(status, call: call.callerNumber, started: true, session: call.caller)
    }
    envelope.call = call.callerNumber
    envelope.credit = 0
    send(envelope, session: call.caller)
  }

  /// REJECT from a worker: the call has not started there. That does not count as an attempt.
  mutating func rejected(_ number: UInt64, by session: WorkerSession, at now: MonotonicTime) {
    guard let call = calls[number], call.runs(on: session) != nil else { return }
    let service = services[call.service].name
    if call.answers.hasBegun {
      // A handler has answered, whatever the worker says, and another one's answer would follow a part of this one.
      finish(call, with: Status(.unavailable, "\(service) handed the call back within its answer"), at: now)
      return offend(session, "a call of \(call.open.method) was handed back within its answer", at: now)
    }
    call.attempt -= 1
    if call.hasPassedRequests {
      // The router has kept nothing of what it passed on, so it cannot dispatch the call again. No handler ran here, so
      // unless one did before, the caller may safely begin again.
      return finish(call, with: Status(.unavailable, "\(service) handed the call back before it began"), at: now)
    }
    // A gateway that drains dispatches no call again.
    if isDraining { return finish(call, with: aboutToStop(mayHaveRun: call.mayHaveRun), at: now) }
    takeBack(call)
    enqueueOrHandOver(call, at: now)
  }

  /// Settles a call whose worker was lost. Returns whether the call is tried again.
  mutating func settleLost(_ call: RouterCall, at now: MonotonicTime) -> Bool {
    let service = services[call.service].name
    call.losses += 1
    if call.mayRunAgain, attemptsLeft(of: call) > 0 {
      takeBack(call)
      services[call.service].counts.retries += 1
      enqueueOrHandOver(call, at: now)
      return true
    }
    finish(call, with: Status(.unavailable, "the instance of \(service) was lost; the call may have run"), at: now)
    return false
  }

  private func mayRetryAnswer(to call: RouterCall) -> Bool {
    call.mayRunAgain && attemptsLeft(of: call) > 0 && services[call.service].retryTokens >= 1
  }

  /// How many more workers may get the call; attempts that its caller made through other gateways count.
  private func attemptsLeft(of call: RouterCall) -> Int {
    max(0, configuration.attemptLimit - call.attemptNumber)
  }

  /// When a call that its service has answered with `UNAVAILABLE` is tried again; nil if its deadline comes first, or
  /// would come within the next attempt: the caller is to get what the service said, and not that time is over.
  ///
  /// - Parameter stay: how many nanoseconds the last attempt took. The next one may take half as long again.
  private mutating func timeOfRetry(
    of call: RouterCall, after stay: Int64, atLeast pushback: Duration, at now: MonotonicTime
  ) -> MonotonicTime? {
    let doubled = configuration.retryBackoff * (1 << min(Int(call.attempt), 16))
    let jitter = Double.random(in: 0.8...1.2, using: &generator)
    let time = now + max(pushback, min(doubled, configuration.longestRetryBackoff) * jitter)
    return time + .nanoseconds(stay + stay / 2) < call.deadline ? time : nil
  }

  private mutating func backOff(_ call: RouterCall, until time: MonotonicTime) {
    takeBack(call)
    call.state = .backingOff
    countWaiting(call, by: call.weight)
    services[call.service].counts.retries += 1
    timers.set(call.number, at: time)
  }

  /// The call's timer has fired: at its deadline, at the end of a pause, or when the grace for a service that nobody
  /// has announced is over.
  mutating func wake(_ call: RouterCall, at now: MonotonicTime) {
    if !call.hasMethod, now < call.deadline {
      let status = Status(
        .unavailable, "this gateway has just begun, and no service has announced \(call.open.method) yet",
        metadata: retryAfterGrace)
      return finish(call, with: status, at: now)
    }
    if now < call.deadline, call.state == .backingOff {
      countWaiting(call, by: -call.weight)
      call.state = .waiting
      timers.set(call.number, at: call.deadline)
      return enqueueOrHandOver(call, at: now)
    }
    noteGivenUp(call, at: now)
    let service = services[call.service].name
    let place = call.mayHaveRun ? "it may have run" : "it waited for \(service) and was not started"
    finish(call, with: Status(.deadlineExceeded, "the deadline passed; \(place)"), at: now)
  }

  func aboutToStop(mayHaveRun: Bool) -> Status {
    let place = mayHaveRun ? "the call may have run" : "the call was not started"
    return Status(.unavailable, "this gateway is about to stop; \(place)")
  }

  /// Ends a call with a status that the router has decided on, and cancels it at its worker.
  mutating func finish(_ call: RouterCall, with status: Status, at now: MonotonicTime) {
    guard forget(call) else { return }
    if let worker = call.worker { send(Envelope(.cancel, call: call.number), session: worker) }
    record(status.code, of: call, at: now)
    var status = status
    status.lostInstances = call.losses
    if status.code == .unavailable, call.mayHaveRun { status.metadata.attemptsLeft = attemptsLeft(of: call) }
    answer(status, call: call.callerNumber, started: call.mayHaveRun, session: call.caller)
  }

  /// - Parameter started: false when the call reached no handler, so that it may be tried again in any case.
  mutating func answer(_ status: Status, call: UInt64, started: Bool, session: UInt64) {
    var envelope = Envelope(status: status, call: call)
    envelope.notStarted = !started
    send(envelope, session: session)
  }
}
