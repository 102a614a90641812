package import Base
package import RPC

/// Calls from OPEN to the end of their handler.
extension Worker {
  mutating func open(_ envelope: Envelope, on link: LinkID, at now: MonotonicTime) {
    guard links.change(link, { $0.start(envelope.call) }) == true else { return }
    if isDraining { return send(Envelope(.reject, call: envelope.call), on: link) }
    guard let place = methodPlaces.value(of: envelope.method) else {
      return answer(Status(.unimplemented, "there is no \(envelope.method) here"), to: envelope.call, on: link)
    }
    let method = methods[place]
    if method.kind != .unary, !streams.take(1, for: CallHolder(envelope.extra?.caller ?? .stranger)) {
      let text = "this instance has \(streams.taken) open streams, and takes no more of this caller"
      return answer(.exhausted(text), to: envelope.call, on: link, hasBegun: false)
    }
    let isComplete = envelope.carriesMessage || method.kind.clientStreams
    let patience = envelope.remainingMilliseconds == 0 ? 30_000 : Int64(envelope.remainingMilliseconds)
    let deadline = MonotonicTime(nanoseconds: now.nanoseconds + patience * 1_000_000)
    let mayBeSilent = method.kind.mayBeSilent(over: deadline - now)
    let call = calls.insert(
      WorkerCall(
        link: link, number: envelope.call, mayBeSilent: mayBeSilent,
        start: WorkerStart(
          envelope, method: method, at: place, deadline: deadline,
          from: links.change(link) { $0.link.gateway ?? "" } ?? ""),
        state: isComplete ? .queued(request: envelope.carriesMessage ? envelope.payload : nil) : .assembling(.expected))
    )
    links.change(link) {
      $0.add(call, as: envelope.call, mayBeSilent: mayBeSilent)
      $0.link.watch(at: now)
    }
    sessions.lookSoon(at: now)
    timers.set(call, at: isComplete ? deadline : min(deadline, now + configuration.longLivedAfter))
    if !isComplete {
      assembling += 1
    } else if queue.isEmpty, slotsHeld < configuration.slots {
      begin(call, at: now)
    } else {
      queue.append(call)
    }
  }

  /// Starts handlers as long as there are free slots and waiting calls.
  mutating func startQueued(at now: MonotonicTime) {
    while slotsHeld < configuration.slots, !queue.isEmpty {
      let call = queue.removeFirst()
      guard let deadline = calls[call]?.start.deadline else { continue }
      if now < deadline {
        begin(call, at: now)
      } else {
        wake(call, at: now)
      }
    }
  }

  private mutating func begin(_ call: UInt64, at now: MonotonicTime) {
    guard let (start, request) = calls.change(call, { $0.begin() }) else { return }
    slotsHeld += 1
    assert(slotsHeld <= configuration.slots, "a handler begins in a free slot")
    progress += 1
    act(.start(call, start, request: request))
    // The room was for requests that wait. How many requests handlers have is bounded by the slots.
    if let request, request.count > Int(BusLimits.initialWindow) { giveBackRoom(of: call) }
    let kind = start.method.kind
    guard kind != .unary else { return }
    timers.set(call, at: min(start.deadline, now + configuration.longLivedAfter))
    if kind.clientStreams { passEarlyRequests(of: call) }
  }

  private mutating func passEarlyRequests(of call: UInt64) {
    if let early = flows[call]?.early, !early.isEmpty {
      flows[call]?.early = []
      act(.requests(call, early))
    }
    if flows[call]?.requestsEnded == true { act(.requestsEnded(call)) }
  }

  // MARK: - Called for handlers

  /// The handler has returned with an answer and nothing else.
  package mutating func answer(_ call: UInt64, message: [UInt8], at now: MonotonicTime) {
    guard message.count <= BusLimits.largestPayload, !flows.contains(call) else {
      return finish(call, with: .ok, answer: message, initialMetadata: Metadata(), at: now)
    }
    guard let isAwaited = noteReturn(of: call), let known = remove(call) else { return }
    if isAwaited { sendAnswer(message, to: known.number, on: known.link) }
    startQueued(at: now)
  }

  /// The handler has returned, with the answer of a method that gives only one.
  package mutating func finish(
    _ call: UInt64, with status: Status, answer: [UInt8]?, initialMetadata: Metadata, at now: MonotonicTime
  ) {
    guard let isAwaited = noteReturn(of: call) else { return }
    if isAwaited {
      conclude(call, with: status, answer: answer, initialMetadata: initialMetadata)
    } else {
      remove(call)
    }
    startQueued(at: now)
  }

  /// Records that the handler has returned, and frees its slot. Returns whether anybody waits for the answer; nil if no
  /// handler was running. The same step must end the call or give it another state.
  private mutating func noteReturn(of call: UInt64) -> Bool? {
    guard let end = calls.change(call, { $0.ending }) ?? nil else { return nil }
    progress += 1
    if end.heldSlot { slotsHeld -= 1 }
    assert(slotsHeld >= 0, "a handler has one slot")
    return end.isAwaited
  }

  /// The handler has sent messages of a stream of answers.
  package mutating func send(
    _ call: UInt64, _ messages: MessageRun, initialMetadata: Metadata, at now: MonotonicTime
  ) {
    guard calls[call]?.state.isRunning == true else {
      return act(.accepted(call, bytes: messages.byteCount))
    }
    progress += 1
    startFlow(of: call)
    if !initialMetadata.isEmpty { flows[call]?.initialMetadata.append(contentsOf: initialMetadata) }
    flows[call]?.sender.append(messages)
    flows[call]?.unacknowledged += messages.byteCount
    unpumped.note(call)
  }

  /// The handler has read messages from the stream of requests.
  package mutating func consumed(_ call: UInt64, _ count: ReadCount, at now: MonotonicTime) {
    flows[call]?.receiver.consume(count)
    progress += 1
    sendWindow(of: call)
  }

  /// The handler waits for something that is not computation: a nested call, a message, a window, an event.
  package mutating func waits(_ call: UInt64, at now: MonotonicTime) {
    release(call, forGood: false)
    startQueued(at: now)
  }

  /// The handler continues. It does not queue for a slot again, so for a moment one more handler may run than there are
  /// slots.
  package mutating func resumes(_ call: UInt64, at now: MonotonicTime) {
    guard calls[call]?.slot != nil else { return }
    progress += 1
    if calls.change(call, { $0.resume() }) == true { slotsHeld += 1 }
  }

  private mutating func release(_ call: UInt64, forGood: Bool) {
    if calls.change(call, { $0.release(forGood: forGood) }) == true { slotsHeld -= 1 }
    assert(slotsHeld >= 0, "a handler has one slot")
  }

  // MARK: - The end

  mutating func wake(_ call: UInt64, at now: MonotonicTime) {
    guard let known = calls[call] else { return }
    if now < known.start.deadline {
      if case .assembling(let arrival) = known.state { return awaitRequest(of: call, arrival, at: now) }
      timers.set(call, at: known.start.deadline)
      release(call, forGood: true)
      return startQueued(at: now)
    }
    guard !known.isSettled else { return }
    let status = Status(.deadlineExceeded, "the deadline passed \(known.state.when(known.method.name))")
    answer(status, to: known.number, on: known.link)
    settle(call, cancelling: status)
  }

  mutating func cancelled(_ envelope: Envelope, on link: LinkID) {
    guard let call = links[link]?.calls[envelope.call] else { return }
    settle(call, cancelling: Status(.cancelled, "the caller cancelled"))
  }

  mutating func reject(_ call: UInt64) {
    guard let known = calls[call] else { return }
    send(Envelope(.reject, call: known.number), on: known.link)
    settle(call, cancelling: Status(.cancelled, "handed back"))
  }

  /// The caller no longer waits for the call. A running handler is cancelled and keeps its slot until it returns.
  mutating func settle(_ call: UInt64, cancelling status: Status) {
    guard let known = calls[call], !known.isSettled else { return }
    links.change(known.link) { $0.forget(call, as: known.number, mayBeSilent: known.mayBeSilent) }
    timers.remove(call)
    defer { assert(calls[call]?.isSettled ?? true, "nobody waits for the call any more") }
    switch known.state {
    case .running(let slot):
      calls[call]?.state = .cancelled(slot)
      act(.cancel(call, status))
      if let bytes = flows[call]?.unacknowledged, bytes > 0 { act(.accepted(call, bytes: bytes)) }
    case .queued:
      queue.removeAll { $0 == call }
      remove(call)
    case .assembling(let arrival):
      endArrival(arrival, of: known)
      remove(call)
    case .returned:
      remove(call)
    case .cancelled: break
    }
  }

  @discardableResult
  mutating func remove(_ call: UInt64) -> WorkerCall? {
    guard let known = calls.remove(call) else { return nil }
    if let flow = flows.remove(call) {
      windowAllowance.giveBack(flow.receiver.growth)
      if flow.room > 0 { largeMessages.giveBack(flow.room, for: known.holder) }
    }
    timers.remove(call)
    if !known.isUnary { streams.giveBack(1, for: known.holder) }
    if !known.isSettled {
      links.change(known.link) { $0.forget(call, as: known.number, mayBeSilent: known.mayBeSilent) }
    }
    return known
  }

  /// - Parameter hasBegun: false when no handler has seen the call here.
  mutating func answer(_ status: Status, to number: UInt64, on link: LinkID, hasBegun: Bool = true) {
    var envelope = Envelope(status: status, call: number)
    envelope.notStarted = !hasBegun
    send(envelope, on: link)
  }
}

extension WorkerCall.State {
  /// Whether a handler has seen the call.
  var hasBegun: Bool {
    switch self {
    case .assembling, .queued: false
    case .running, .cancelled, .returned: true
    }
  }

  /// Where in its life a call of this method is, for the text of a status.
  fileprivate func when(_ method: String) -> String {
    switch self {
    case .assembling: "before the request of \(method) had come"
    case .queued: "while \(method) waited for a slot"
    case .running, .cancelled: "while \(method) ran"
    case .returned: "while the answer of \(method) waited to be read"
    }
  }

  /// Whether the handler runs and somebody waits for it.
  var isRunning: Bool {
    if case .running = self { return true }
    return false
  }
}
