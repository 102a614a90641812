package import Base
internal import RPC

/// What caller and worker exchange while a call runs. The payload is passed on unread.
extension Router {
  /// DATA or HALF_CLOSE from a caller.
  mutating func requestChunk(_ envelope: consuming Envelope, from session: CallerSession, at now: MonotonicTime) {
    guard let call = call(envelope.call, of: session), !call.requests.hasEnded else { return }
    if envelope.kind == .halfClose {
      call.requests.end()
    } else {
      do throws(StreamReceiver.Violation) {
        try call.requests.pass(envelope.payload.count, at: envelope.offset)
      } catch {
        return end(call, for: error, of: session, at: now)
      }
      // It has no effect, and nothing bounds how many there are.
      if envelope.payload.isEmpty { return }
    }
    if let worker = call.worker { return pass(envelope, of: call, as: call.number, to: worker) }
    if envelope.kind == .data { keepEarly(envelope, of: call, at: now) }
  }

  private func call(_ number: UInt64, of caller: CallerSession) -> RouterCall? {
    caller.calls[number].flatMap { calls[$0] }
  }

  /// Keeps a chunk for a worker that is not assigned yet. Chunks are parts of one stream of bytes, so many small ones
  /// take no more memory than one large one.
  private mutating func keepEarly(_ chunk: Envelope, of call: RouterCall, at now: MonotonicTime) {
    do throws(Status) {
      try checkWeight(of: call, adding: chunk.payload.count)
    } catch {
      return finish(call, with: error, at: now)
    }
    call.early.append(contentsOf: chunk.payload)
    assert(call.early.count == Int(call.requests.passed), "all that came is kept until a worker has the call")
    countWaiting(call, by: chunk.payload.count)
  }

  /// WINDOW from a caller: how far the worker may send.
  mutating func callerWindow(_ envelope: consuming Envelope, from session: CallerSession, at now: MonotonicTime) {
    guard let call = call(envelope.call, of: session) else { return }
    do throws(StreamReceiver.Violation) {
      guard try call.answers.grant(upTo: envelope.offset) else { return }
    } catch {
      return end(call, for: error, of: session, at: now)
    }
    if let worker = call.worker { pass(envelope, of: call, as: call.number, to: worker) }
  }

  /// DATA from a worker.
  mutating func answerChunk(_ envelope: consuming Envelope, from session: WorkerSession, at now: MonotonicTime) {
    guard let call = calls[envelope.call], call.runs(on: session) != nil else { return }
    let isFirst = !call.answers.hasBegun
    do throws(StreamReceiver.Violation) {
      try call.answers.pass(envelope.payload.count, at: envelope.offset)
    } catch {
      return end(call, for: error, of: session, at: now)
    }
    // Without bytes it may still carry the initial metadata, but only once.
    guard isFirst || !envelope.payload.isEmpty else { return }
    let initial = isFirst ? envelope.extra?.metadata : nil
    pass(envelope, of: call, as: call.callerNumber, to: call.caller, initialMetadata: initial ?? Metadata())
  }

  /// WINDOW from a worker: how far the caller may send.
  mutating func workerWindow(_ envelope: consuming Envelope, from session: WorkerSession, at now: MonotonicTime) {
    guard let call = calls[envelope.call], call.runs(on: session) != nil else { return }
    do throws(StreamReceiver.Violation) {
      guard try call.requests.grant(upTo: envelope.offset) else { return }
    } catch {
      return end(call, for: error, of: session, at: now)
    }
    pass(envelope, of: call, as: call.callerNumber, to: call.caller)
  }

  /// Passes on what an envelope of a stream may say. No window bounds the rest of it, which its receiver would read.
  private mutating func pass(
    _ envelope: consuming Envelope, of call: RouterCall, as number: UInt64, to session: UInt64,
    initialMetadata: Metadata = Metadata()
  ) {
    envelope.call = number
    envelope.credit = 0
    envelope.method = ""
    envelope.idempotencyKey = ""
    envelope.extra = initialMetadata.isEmpty ? nil : Envelope.Extra(metadata: initialMetadata)
    if envelope.kind != .data { envelope.payload = [] }
    send(envelope, session: session, for: call.account.number)
  }

  /// A stream that exceeds its bounds ends, and nothing else; the offender gets the reason, and loses its session when
  /// it goes on.
  private mutating func end(
    _ call: RouterCall, for violation: StreamReceiver.Violation, of session: RouterSession, at now: MonotonicTime
  ) {
    let method = call.open.method
    finish(call, with: violation.status, at: now)
    offend(session, "\(violation.status.message), in a call of \(method)", at: now)
  }

  /// There is no room for what a call's stream has to send, because its receiver does not read and others need the
  /// remaining room.
  package mutating func endUnread(_ number: UInt64, to peer: Peer, at now: MonotonicTime) {
    guard let (call, side) = call(number, with: peer) else { return }
    finish(call, with: exhausted("\(side) does not read what this stream sends", wait: .seconds(1)), at: now)
  }

  /// An envelope of a call to its worker, or of its stream to its caller, cannot be written: without it the call would
  /// have no outcome before its deadline.
  package mutating func endUnwritten(_ number: UInt64, to peer: Peer, at now: MonotonicTime) {
    guard let (call, side) = call(number, with: peer) else { return }
    finish(call, with: Status(.internal, "\(side) cannot be sent what this call has for it"), at: now)
  }

  /// A call by its number on the link of one of its ends, and which end that is.
  private func call(_ number: UInt64, with peer: Peer) -> (RouterCall, side: String)? {
    switch sessionOfPeer[peer.number]?.side {
    case nil: nil
    case .caller(let caller): call(number, of: caller).map { ($0, "the caller") }
    case .worker(let worker):
      calls[number].flatMap { $0.runs(on: worker) == nil ? nil : ($0, "the instance") }
    }
  }

  /// A peer does not take what is sent to it: a worker gets no calls until it does, in its next session either.
  package mutating func hold(_ peer: Peer) {
    heldUp.insert(peer.number)
    sessionOfPeer[peer.number]?.asWorker?.isHeldUp = true
  }

  /// The peer takes what is sent to it again, or is gone.
  package mutating func release(_ peer: Peer, at now: MonotonicTime) {
    heldUp.remove(peer.number)
    guard let worker = sessionOfPeer[peer.number]?.asWorker, worker.isHeldUp else { return }
    worker.isHeldUp = false
    dispatch(to: worker, at: now)
  }
}
