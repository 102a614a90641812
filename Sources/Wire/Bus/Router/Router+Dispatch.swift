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
    if services[call.service].queue.count == 0, let worker = freeWorker(for: number, service: call.service) {
      handOver(number, to: worker, at: now)
    } else {
      calls[number]?.state = .waiting
      waitingBytes += call.open.byteCount + call.earlyBytes
      services[call.service].queue.insert(call.ticket(number))
      dispatch(service: call.service, at: now)
    }
  }

  mutating func dispatch(toWorker session: UInt64, at now: MonotonicTime) {
    guard let offered = sessions[session]?.services else { return }
    for service in offered where services[service].queue.count > 0 { dispatch(service: service, at: now) }
  }

  /// Hands over what waits for a service, as long as a worker has credit for it.
  mutating func dispatch(service: Int, at now: MonotonicTime) {
    while services[service].queue.count > 0, let worker = freestWorker(of: service) {
      guard let next = services[service].queue.next(forWaiting: isBeyondSlots(worker)), let call = calls[next] else {
        return
      }
      waitingBytes -= call.open.byteCount + call.earlyBytes
      handOver(next, to: worker, at: now)
    }
  }

  private func freeWorker(for number: UInt64, service: Int) -> UInt64? {
    guard let worker = freestWorker(of: service) else { return nil }
    if isBeyondSlots(worker), calls[number]?.mayRunTwice == false { return nil }
    return worker
  }

  /// The worker with the most credit left: the one that waits for work, not the one that has most of it.
  private func freestWorker(of service: Int) -> UInt64? {
    var best: UInt64?
    var most = 0
    for worker in services[service].workers {
      guard let free = sessions[worker]?.freeCredit, free > most else { continue }
      most = free
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
    call.early = []
    call.earlyBytes = 0
    call.requestChunksHandedOver = call.requestChunksHandedOver || !early.isEmpty
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
    for envelope in early {
      var envelope = envelope
      envelope.call = fresh
      send(envelope, session: worker)
    }
  }
}
