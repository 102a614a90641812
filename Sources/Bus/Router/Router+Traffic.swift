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
      // A chunk without bytes has no effect, and no window bounds how many of them a peer sends.
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

  /// Passes on an envelope of a stream, with only those fields that its kind has: no window bounds how much of the
  /// others the receiver would have to read.
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

  /// Ends a call whose stream violates the protocol, and records an offence of the peer that did so. Nothing else ends,
  /// unless that peer goes on and loses its session.
  private mutating func end(
    _ call: RouterCall, for violation: StreamReceiver.Violation, of session: RouterSession, at now: MonotonicTime
  ) {
    let method = call.open.method
    finish(call, with: violation.status, at: now)
    offend(session, "\(violation.status.message), in a call of \(method)", at: now)
  }

  /// Ends a call whose stream has something to send to a peer that does not read, and for which the host has no room
  /// left. If it has ended with OK already, the host tells its caller of the lack of room instead.
  package mutating func endUnread(_ number: UInt64, to peer: Peer, at now: MonotonicTime) {
    guard let (call, side) = call(number, with: peer) else {
      return recount(number, with: peer, as: .resourceExhausted)
    }
    finish(call, with: .unread(by: side), at: now)
  }

  /// Ends a call of which an envelope to its worker, or of its stream to its caller, cannot be encoded: without that
  /// envelope the call would have no outcome before its deadline. If it has ended with OK already, the host tells its
  /// caller `INTERNAL` instead.
  package mutating func endUnwritten(_ number: UInt64, to peer: Peer, at now: MonotonicTime) {
    guard let (call, side) = call(number, with: peer) else { return recount(number, with: peer, as: .internal) }
    finish(call, with: .unwritten(for: side), at: now)
  }

  /// Counts a call that was recorded with OK by what its caller is told. Hosts find out in the turn in which they send
  /// the call's end, so nobody has seen the former count.
  private mutating func recount(_ number: UInt64, with peer: Peer, as code: StatusCode) {
    guard let session = sessionOfPeer[peer.number], let ended = endedStreams.take(number, of: session.number)
    else { return }
    services[ended.service].counts.correct(to: code)
    if let spanID = ended.spanID { correctSpan(spanID, to: code) }
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

  /// Notes that a peer does not read what is sent to it. A worker gets no calls until `release`, not even in a new
  /// session on the same connection.
  package mutating func hold(_ peer: Peer) {
    heldUp.insert(peer.number)
    sessionOfPeer[peer.number]?.asWorker?.isHeldUp = true
  }

  /// Notes that a peer has read what waited for it, or is gone.
  package mutating func release(_ peer: Peer, at now: MonotonicTime) {
    heldUp.remove(peer.number)
    guard let worker = sessionOfPeer[peer.number]?.asWorker, worker.isHeldUp else { return }
    worker.isHeldUp = false
    dispatch(to: worker, at: now)
  }
}
