internal import Base

/// Dispatching calls to workers, only against credit.
extension Router {
  /// Dispatches a call that may start now, or puts it into its service's queue.
  mutating func enqueueOrHandOver(_ call: RouterCall, at now: MonotonicTime) {
    if services[call.service].queue.count == 0, now < call.deadline, let worker = freeWorker(for: call) {
      handOver(call, to: worker, at: now)
    } else {
      enqueue(call)
      dispatch(service: call.service, at: now)
    }
  }

  private mutating func enqueue(_ call: RouterCall) {
    assert(call.state == .waiting, "a call that a worker has, or that backs off, is in no queue")
    countWaiting(call, by: call.weight)
    services[call.service].queue.insert(call.ticket)
    // Calls that waited when the last worker left are given up after the grace. This call may have come back after
    // that, so the check is due again. A call that waits for readiness is never given up, and must not cause the check:
    // whoever has thousands of those could have the router go through all calls with each new one.
    if !call.waitsForReady, services[call.service].workers.isEmpty, let left = services[call.service].lastWorkerLeft {
      noteAbsence(from: left)
    }
  }

  /// Adds to the bytes that wait: of all calls, of the account of the call's sender and, if that may name callers, of
  /// the caller.
  mutating func countWaiting(_ call: RouterCall, by bytes: Int) {
    waitingBytes += bytes
    assert(waitingBytes >= 0, "more bytes were taken from the queues than had come")
    call.account.waitingBytes += bytes
    call.account.waitingOf?.add(bytes, for: call.share)
  }

  mutating func dispatch(to worker: WorkerSession, at now: MonotonicTime) {
    if worker.services.count == 1 { return dispatch(service: worker.services[0], at: now) }
    // Its services take turns; otherwise one that always has work would leave nothing to the others.
    var idle = 0
    while idle < worker.services.count, let service = worker.nextTurn() {
      idle = dispatchOne(service: service, at: now) ? 0 : idle + 1
    }
  }

  /// Dispatches the calls that wait for a service, as long as a worker has credit for it.
  mutating func dispatch(service: Int, at now: MonotonicTime) {
    while dispatchOne(service: service, at: now) {}
  }

  private mutating func dispatchOne(service: Int, at now: MonotonicTime) -> Bool {
    guard services[service].queue.count > 0, let worker = freestWorker(of: service) else { return false }
    let forWaiting = worker.isBeyondSlots
    while let next = services[service].queue.next(forWaiting: forWaiting, at: now) {
      guard let call = calls[next] else { continue }
      guard now < call.deadline else {
        // Its deadline has passed, although its timer has not been handled yet: a worker would only waste its time on
        // it.
        wake(call, at: now)
        continue
      }
      countWaiting(call, by: -call.weight)
      handOver(call, to: worker, at: now)
      return true
    }
    return false
  }

  private mutating func freeWorker(for call: RouterCall) -> WorkerSession? {
    guard let worker = freestWorker(of: call.service) else { return nil }
    return worker.isBeyondSlots && !call.mayRunTwice ? nil : worker
  }

  /// The best worker with credit, by `isBetter`: usually the one with the fewest open calls of the service.
  private func freestWorker(of service: Int) -> WorkerSession? {
    var best: WorkerSession?
    for worker in services[service].workers where worker.freeCredit > 0 {
      if best.map({ worker.isBetter(than: $0, for: service) }) ?? true { best = worker }
    }
    return best
  }

  private mutating func handOver(_ call: RouterCall, to worker: WorkerSession, at now: MonotonicTime) {
    if call.trace?.handedOverAt == nil { call.trace?.handedOverAt = now }
    dispatches += 1
    worker.give(call, dispatch: dispatches, at: now)
    lookSoon(at: now)
    services[call.service][paceOf: call].begin(at: now)
    send(call.handOver(to: worker.number, at: now), to: worker)
    if call.isStream { handOverStream(of: call, to: worker) }
  }

  /// Counts a call as no longer at its worker.
  mutating func release(_ call: RouterCall, from worker: UInt64) {
    sessions[worker]?.asWorker?.release(call)
    services[call.service][paceOf: call].end()
  }

  /// Takes a call from its worker without ending it: the next step decides where it goes.
  mutating func takeBack(_ call: RouterCall) {
    guard let worker = call.worker else { return assertionFailure("no worker has the call") }
    assert(!call.hasPassedRequests && !call.answers.hasBegun, "what was passed on of a call cannot be taken back")
    release(call, from: worker)
    call.state = .waiting
    // The next worker decides how far the caller may send.
    call.requests = StreamMeter()
    rename(call)
  }

  /// Each dispatch has a number of its own, so that late envelopes of an earlier one match nothing.
  private mutating func rename(_ call: RouterCall) {
    timers.remove(call.number)
    calls.rename(call)
    timers.set(call.number, at: call.deadline)
    sessions[call.caller]?.asCaller?.calls.set(call.callerNumber, call.number)
  }

  /// Sends the worker what the caller had streamed before the hand-over.
  private mutating func handOverStream(of call: RouterCall, to worker: WorkerSession) {
    if call.answers.hasGrant {
      var window = Envelope(.window, call: call.number)
      window.offset = call.answers.granted
      send(window, to: worker)
    }
    if !call.early.isEmpty {
      var chunk = Envelope(.data, call: call.number)
      chunk.payload = call.early
      send(chunk, to: worker)
      call.early = []
    }
    if call.requests.hasEnded { send(Envelope(.halfClose, call: call.number), to: worker) }
  }
}
