internal import Base

/// What flows between a caller and its worker while a call runs. The payload is passed on unread.
extension Router {
  /// DATA or HALF_CLOSE from a caller.
  mutating func requestChunk(_ envelope: Envelope, session: UInt64, at now: MonotonicTime) {
    guard let number = sessions[session]?.calls[envelope.call], let call = calls[number] else { return }
    if case .running(let worker) = call.state {
      calls[number]?.requestChunksHandedOver = true
      return pass(envelope, as: number, to: worker)
    }
    // Nobody has granted more than the first window yet.
    guard call.earlyBytes + envelope.payload.count <= BusLimits.initialWindow,
      call.early.count <= BusLimits.initialWindow / 16
    else {
      return finish(
        number, with: Status(.resourceExhausted, "the caller sent beyond its window"), at: now)
    }
    var held = envelope
    held.session = 0
    calls[number]?.early.append(held)
    calls[number]?.earlyBytes += envelope.byteCount
    waitingBytes += envelope.byteCount
  }

  /// WINDOW from a caller: how far the worker may send.
  mutating func callerWindow(_ envelope: Envelope, session: UInt64) {
    guard let number = sessions[session]?.calls[envelope.call], let call = calls[number] else { return }
    calls[number]?.callerWindow = max(call.callerWindow, envelope.offset)
    if case .running(let worker) = call.state { pass(envelope, as: number, to: worker) }
  }

  /// DATA from a worker.
  mutating func answerChunk(_ envelope: Envelope, session: UInt64, at now: MonotonicTime) {
    guard let call = calls[envelope.call], call.state == .running(session: session) else { return }
    calls[envelope.call]?.answerChunksHandedOver = true
    pass(envelope, as: call.callerNumber, to: call.caller)
  }

  /// WINDOW from a worker: how far the caller may send.
  mutating func workerWindow(_ envelope: Envelope, session: UInt64) {
    guard let call = calls[envelope.call], call.state == .running(session: session) else { return }
    pass(envelope, as: call.callerNumber, to: call.caller)
  }

  private mutating func pass(_ envelope: Envelope, as number: UInt64, to session: UInt64) {
    var envelope = envelope
    envelope.call = number
    envelope.credit = 0
    send(envelope, session: session)
  }
}
