internal import Base

/// What caller and worker exchange while a call runs. The payload is passed on unread.
extension Router {
  /// DATA or HALF_CLOSE from a caller.
  mutating func requestChunk(_ envelope: consuming Envelope, from session: RouterSession, at now: MonotonicTime) {
    guard let call = call(envelope.call, of: session) else { return }
    if case .running(let worker) = call.state {
      call.requestChunksHandedOver = true
      return pass(envelope, as: call.number, to: worker)
    }
    if envelope.kind == .halfClose {
      call.endsEarly = true
    } else if let refusal = keepEarly(envelope, of: call) {
      finish(call, with: refusal, started: false, at: now)
    }
  }

  private func call(_ number: UInt64, of caller: RouterSession) -> RouterCall? {
    caller.calls[number].flatMap { calls[$0] }
  }

  /// Keeps a chunk for a worker that is not assigned yet. Chunks are parts of one stream of bytes, so many small ones
  /// take no more memory than one large one.
  private mutating func keepEarly(_ chunk: Envelope, of call: RouterCall) -> Status? {
    let kept = call.early.count
    guard chunk.offset == UInt64(kept) else {
      return Status(.invalidArgument, "a chunk of the request starts at \(chunk.offset); \(kept) was next")
    }
    // Only the first window has been granted so far.
    guard kept + chunk.payload.count <= Int(BusLimits.initialWindow) else {
      return Status(.resourceExhausted, "the caller sent beyond its window of \(BusLimits.initialWindow) bytes")
    }
    guard waitingBytes + chunk.payload.count <= configuration.waitingByteLimit else {
      return exhausted("waiting calls weigh more than this gateway keeps", wait: .seconds(1))
    }
    call.early.append(contentsOf: chunk.payload)
    waitingBytes += chunk.payload.count
    return nil
  }

  /// WINDOW from a caller: how far the worker may send.
  mutating func callerWindow(_ envelope: consuming Envelope, from session: RouterSession) {
    guard let call = call(envelope.call, of: session) else { return }
    call.callerWindow = max(call.callerWindow, envelope.offset)
    if case .running(let worker) = call.state { pass(envelope, as: call.number, to: worker) }
  }

  /// DATA from a worker.
  mutating func answerChunk(_ envelope: consuming Envelope, from session: RouterSession) {
    guard let call = calls[envelope.call], call.runs(on: session) else { return }
    call.answerChunksHandedOver = true
    pass(envelope, as: call.callerNumber, to: call.caller)
  }

  /// WINDOW from a worker: how far the caller may send.
  mutating func workerWindow(_ envelope: consuming Envelope, from session: RouterSession) {
    guard let call = calls[envelope.call], call.runs(on: session) else { return }
    pass(envelope, as: call.callerNumber, to: call.caller)
  }

  private mutating func pass(_ envelope: consuming Envelope, as number: UInt64, to session: UInt64) {
    envelope.call = number
    envelope.credit = 0
    send(envelope, session: session)
  }
}
