internal import Base

/// Handing calls to workers, and only against credit.
extension Router {
  mutating func raiseCredit(of session: UInt64, to credit: UInt64) {
    sessions[session]?.raiseCredit(to: credit)
  }

  /// Gives a call that may start now to a worker, else puts it into its service's queue.
  mutating func enqueueOrHandOver(_ number: UInt64, at now: MonotonicTime) {
    guard let service = calls[number]?.service, let deadline = calls[number]?.deadline else { return }
    if services[service].queue.count == 0, now < deadline, let worker = freeWorker(for: number, service: service) {
      handOver(number, to: worker, at: now)
    } else {
      enqueue(number)
      dispatch(service: service, at: now)
    }
  }

  private mutating func enqueue(_ number: UInt64) {
    guard let call = calls[number] else { return }
    calls[number]?.state = .waiting
    waitingBytes += call.weight
    services[call.service].queue.insert(call.ticket(number))
    // Nobody tells a call that has come back when its service's last worker has left.
    if services[call.service].workers.isEmpty, let left = services[call.service].lastWorkerLeft {
      noteAbsence(from: left)
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
      guard let deadline = calls[next]?.deadline, let weight = calls[next]?.weight else { continue }
      guard now < deadline else {
        // It expired while nobody looked at the clock: a worker would only waste its time on it.
        wake(next, at: now)
        continue
      }
      waitingBytes -= weight
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
    sessions[session]?.isBeyondSlots ?? true
  }

  private mutating func handOver(_ waiting: UInt64, to worker: UInt64, at now: MonotonicTime) {
    let number = freshNumber(for: waiting)
    sessions[worker]?.started += 1
    sessions[worker]?.running += 1
    guard let open = calls[number]?.handOver(as: number, to: worker, at: now) else { return }
    if let service = calls[number]?.service, calls[number]?.countsTowardsRate == true {
      services[service].running += 1
    }
    send(open, session: worker)
    if calls[number]?.isStream == true { handOverStream(of: number, to: worker) }
  }

  /// Each hand-over has a number of its own, so that what comes late of an earlier one matches nothing.
  private mutating func freshNumber(for number: UInt64) -> UInt64 {
    guard calls[number]?.wasHandedOver == true else { return number }
    let fresh = calls.renumber(number)
    timers.remove(number)
    guard let call = calls[fresh] else { return fresh }
    timers.set(fresh, at: call.deadline)
    sessions[call.caller]?.calls[call.callerNumber] = fresh
    return fresh
  }

  /// What the caller has streamed already.
  private mutating func handOverStream(of number: UInt64, to worker: UInt64) {
    guard let call = calls[number] else { return }
    calls[number]?.early = []
    calls[number]?.endsEarly = false
    if call.endsEarly || !call.early.isEmpty { calls[number]?.requestChunksHandedOver = true }
    if call.callerWindow > 0 {
      var window = Envelope(.window, call: number)
      window.offset = call.callerWindow
      send(window, session: worker)
    }
    if !call.early.isEmpty {
      var chunk = Envelope(.data, call: number)
      chunk.payload = call.early
      send(chunk, session: worker)
    }
    if call.endsEarly { send(Envelope(.halfClose, call: number), session: worker) }
  }
}
