internal import Base

/// What flows between a caller and its worker while a call runs. The payload is passed on unread.
extension Router {
  /// DATA or HALF_CLOSE from a caller.
  mutating func requestChunk(_ envelope: Envelope, session: UInt64, at now: MonotonicTime) {
    guard let number = sessions[session]?.calls[envelope.call], let state = calls[number]?.state else { return }
    if case .running(let worker) = state {
      calls[number]?.requestChunksHandedOver = true
      return pass(envelope, as: number, to: worker)
    }
    if envelope.kind == .halfClose {
      calls[number]?.endsEarly = true
    } else if let refusal = keepEarly(envelope, of: number) {
      finish(number, with: refusal, started: false, at: now)
    }
  }

  /// Keeps a chunk for the worker that is yet to come. Chunks are parts of one stream of bytes, so many small ones
  /// weigh no more than one big one.
  private mutating func keepEarly(_ chunk: Envelope, of number: UInt64) -> Status? {
    let kept = calls[number]?.early.count ?? 0
    guard chunk.offset == UInt64(kept) else {
      return Status(.invalidArgument, "a chunk of the request starts at \(chunk.offset); \(kept) was next")
    }
    // Nobody has granted more than the first window yet.
    guard kept + chunk.payload.count <= Int(BusLimits.initialWindow) else {
      return Status(.resourceExhausted, "the caller sent beyond its window of \(BusLimits.initialWindow) bytes")
    }
    guard waitingBytes + chunk.payload.count <= configuration.waitingByteLimit else {
      return exhausted("waiting calls weigh more than this gateway keeps", wait: .seconds(1))
    }
    calls[number]?.early.append(contentsOf: chunk.payload)
    waitingBytes += chunk.payload.count
    return nil
  }

  /// WINDOW from a caller: how far the worker may send.
  mutating func callerWindow(_ envelope: Envelope, session: UInt64) {
    guard let number = sessions[session]?.calls[envelope.call], let window = calls[number]?.callerWindow,
      let state = calls[number]?.state
    else { return }
    calls[number]?.callerWindow = max(window, envelope.offset)
    if case .running(let worker) = state { pass(envelope, as: number, to: worker) }
  }

  /// DATA from a worker.
  mutating func answerChunk(_ envelope: Envelope, session: UInt64, at now: MonotonicTime) {
    guard calls[envelope.call]?.state == .running(session: session) else { return }
    calls[envelope.call]?.answerChunksHandedOver = true
    passToCaller(envelope)
  }

  /// WINDOW from a worker: how far the caller may send.
  mutating func workerWindow(_ envelope: Envelope, session: UInt64) {
    guard calls[envelope.call]?.state == .running(session: session) else { return }
    passToCaller(envelope)
  }

  private mutating func passToCaller(_ envelope: Envelope) {
    // Field by field: a copy of the call would hold on to all that it keeps.
    guard let number = calls[envelope.call]?.callerNumber, let caller = calls[envelope.call]?.caller else { return }
    pass(envelope, as: number, to: caller)
  }

  private mutating func pass(_ envelope: Envelope, as number: UInt64, to session: UInt64) {
    var envelope = envelope
    envelope.call = number
    envelope.credit = 0
    send(envelope, session: session)
  }
}
