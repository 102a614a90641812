internal import Base

/// Handing calls to workers, and only against credit.
extension Router {
  mutating func raiseCredit(of session: UInt64, to credit: UInt64) {
    guard let known = sessions[session], known.hello.role == .worker, credit > known.credit else { return }
    // A worker may not ask for more at a time than it said it can take, whatever it claims.
    let most = known.started + UInt64(known.hello.slots) + UInt64(known.hello.prefetch)
    sessions[session]?.credit = min(credit, most)
  }

  /// Gives a call that may start now to a worker, else puts it into its service's queue.
  mutating func enqueueOrHandOver(_ number: UInt64, at now: MonotonicTime) {
    guard let call = calls[number] else { return }
    if services[call.service].queue.count == 0, now < call.deadline,
      let worker = freeWorker(for: number, service: call.service)
    {
      handOver(number, to: worker, at: now)
    } else {
      calls[number]?.state = .waiting
      waitingBytes += call.weight
      services[call.service].queue.insert(call.ticket(number))
      dispatch(service: call.service, at: now)
    }
  }

  mutating func dispatch(toWorker session: UInt64, at now: MonotonicTime) {
    guard let offered = sessions[session]?.services else { return }
    if offered.count == 1 { return dispatch(service: offered[0], at: now) }
    // Its services take turns, or one that always has work would leave nothing to the others.
    var idle = 0
    while idle < offered.count, let turn = sessions[session]?.nextTurn() {
      idle = dispatchOne(service: offered[turn], at: now) ? 0 : idle + 1
    }
  }

  /// Hands over what waits for a service, as long as a worker has credit for it.
  mutating func dispatch(service: Int, at now: MonotonicTime) {
    while dispatchOne(service: service, at: now) {}
  }

  private mutating func dispatchOne(service: Int, at now: MonotonicTime) -> Bool {
    guard services[service].queue.count > 0, let worker = freestWorker(of: service) else { return false }
    let forWaiting = isBeyondSlots(worker)
    while let next = services[service].queue.next(forWaiting: forWaiting) {
      guard let call = calls[next] else { continue }
      guard now < call.deadline else {
        // It expired while nobody looked at the clock: a worker would only waste its time on it.
        wake(next, at: now)
        continue
      }
      waitingBytes -= call.weight
      handOver(next, to: worker, at: now)
      return true
    }
    return false
  }

  private func freeWorker(for number: UInt64, service: Int) -> UInt64? {
    guard let worker = freestWorker(of: service) else { return nil }
    if isBeyondSlots(worker), calls[number]?.mayRunTwice == false { return nil }
    return worker
  }

  /// The worker with the most slots left: the one that waits for work, not the one that has most of it.
  private func freestWorker(of service: Int) -> UInt64? {
    var best: UInt64?
    var most = Int.min
    for worker in services[service].workers {
      guard let credit = sessions[worker]?.freeCredit, credit > 0, let beyond = sessions[worker]?.creditBeyondSlots,
        credit - beyond > most
      else { continue }
      most = credit - beyond
      best = worker
    }
    return best
  }

  /// Whether the next call of a worker would wait in its own queue.
  private func isBeyondSlots(_ session: UInt64) -> Bool {
    guard let worker = sessions[session] else { return true }
    return worker.freeCredit <= worker.creditBeyondSlots
  }

  private mutating func handOver(_ number: UInt64, to worker: UInt64, at now: MonotonicTime) {
    let fresh = calls.renumber(number)
    timers.remove(number)
    guard var call = calls[fresh] else { return }
    timers.set(fresh, at: call.deadline)
    sessions[call.caller]?.calls[call.callerNumber] = fresh
    call.state = .running(session: worker)
    call.attempt += 1
    call.handedOverAt = now
    let early = call.early
    let endsEarly = call.endsEarly
    call.early = []
    call.endsEarly = false
    call.requestChunksHandedOver = call.requestChunksHandedOver || endsEarly || !early.isEmpty
    if call.countsTowardsRate { services[call.service].running += 1 }
    sessions[worker]?.started += 1
    sessions[worker]?.running.insert(fresh)

    var open = call.open
    open.call = fresh
    open.attempt = call.attempt
    open.remainingMilliseconds = UInt32(clamping: max(1, (call.deadline - now).wholeMilliseconds))
    calls[fresh] = call
    send(open, session: worker)
    if call.callerWindow > 0 {
      var window = Envelope(.window, call: fresh)
      window.offset = call.callerWindow
      send(window, session: worker)
    }
    if !early.isEmpty {
      var chunk = Envelope(.data, call: fresh)
      chunk.payload = early
      send(chunk, session: worker)
    }
    if endsEarly { send(Envelope(.halfClose, call: fresh), session: worker) }
  }
}
