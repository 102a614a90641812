package import Base

/// Calls from OPEN to the end of their handler.
extension Worker {
  mutating func open(_ envelope: Envelope, on link: LinkID, at now: MonotonicTime) {
    guard links[link]?.calls.contains(envelope.call) == false, links[link]?.start() == true else { return }
    if isDraining { return send(Envelope(.reject, call: envelope.call), on: link) }
    guard let place = methodPlaces[envelope.method] else {
      return answer(Status(.unimplemented, "there is no \(envelope.method) here"), to: envelope.call, on: link)
    }
    let method = methods[place]
    if method.kind != .unary, streams >= configuration.streamLimit {
      let status = Status(.resourceExhausted, "this instance has \(streams) open streams and takes no more")
      return answer(status, to: envelope.call, on: link)
    }
    let isComplete = envelope.carriesMessage || method.kind.clientStreams
    let patience = envelope.remainingMilliseconds
    let deadline = now + .milliseconds(patience == 0 ? 30_000 : Int64(patience))
    let call = calls.insert(
      WorkerCall(
        link: link, number: envelope.call, start: WorkerStart(envelope, method: method, at: place, deadline: deadline),
        request: envelope.carriesMessage ? envelope.payload : nil, state: isComplete ? .queued : .assembling,
        receiver: StreamReceiver(largestMessage: configuration.largestMessage)))
    links[link]?.calls.set(envelope.call, call)
    timers.set(call, at: deadline)
    if method.kind != .unary { streams += 1 }
    if isComplete {
      queue.append(call)
      startQueued(at: now)
    } else {
      assembling += 1
    }
  }

  /// Starts handlers as long as there are slots and calls that wait for one.
  mutating func startQueued(at now: MonotonicTime) {
    while slotsHeld < configuration.slots, !queue.isEmpty {
      let call = queue.removeFirst()
      guard let start = calls[call]?.start else { continue }
      guard now < start.deadline else {
        wake(call, at: now)
        continue
      }
      calls[call]?.state = .running
      // The handler has it now; keeping it here as well would double what a big request weighs.
      let request = calls[call]?.request ?? nil
      calls[call]?.request = nil
      takeSlot(call)
      progress += 1
      act(.start(call, start, request: request))
      guard start.method.kind != .unary else { continue }
      timers.set(call, at: min(start.deadline, now + configuration.longLivedAfter))
      if start.method.kind.clientStreams { passEarlyRequests(of: call) }
    }
  }

  private mutating func passEarlyRequests(of call: UInt64) {
    for message in calls[call]?.early ?? [] { act(.request(call, message)) }
    calls[call]?.early = []
    if calls[call]?.requestsEnded == true { act(.requestsEnded(call)) }
  }

  // MARK: - What the handler does

  /// The handler has returned, with the answer of a method that gives just one.
  package mutating func finish(
    _ call: UInt64, with status: Status, answer: [UInt8]?, initialMetadata: Metadata, at now: MonotonicTime
  ) {
    guard calls[call]?.state.isRunning == true, let isSettled = calls[call]?.isSettled else { return }
    progress += 1
    calls[call]?.state = .returned
    releaseSlot(call)
    if isSettled {
      remove(call)
    } else {
      conclude(call, with: status, answer: answer, initialMetadata: initialMetadata)
    }
    startQueued(at: now)
  }

  /// A message of a stream of answers.
  package mutating func send(_ call: UInt64, message: [UInt8], initialMetadata: Metadata, at now: MonotonicTime) {
    guard calls[call]?.state.isRunning == true, calls[call]?.isSettled == false else {
      return act(.accepted(call, bytes: message.count))
    }
    progress += 1
    if !initialMetadata.isEmpty { calls[call]?.initialMetadata.append(contentsOf: initialMetadata) }
    calls[call]?.sender.append(message: message)
    calls[call]?.unacknowledged += message.count
    unpumped.note(call)
  }

  /// The handler has taken messages from the stream of requests.
  package mutating func consumed(_ call: UInt64, _ count: ReadCount, at now: MonotonicTime) {
    calls[call]?.receiver.consume(count)
    progress += 1
    sendWindow(of: call)
  }

  /// The handler waits for something that is not computation: a nested call, a message, a window, an event.
  package mutating func waits(_ call: UInt64, at now: MonotonicTime) {
    guard calls[call]?.state.isRunning == true else { return }
    releaseSlot(call)
    startQueued(at: now)
  }

  /// The handler goes on. It does not queue for a slot again: for a moment one handler more may run.
  package mutating func resumes(_ call: UInt64, at now: MonotonicTime) {
    guard calls[call]?.state.isRunning == true else { return }
    progress += 1
    if calls[call]?.isLongLived == false { takeSlot(call) }
  }

  // MARK: - Slots

  private mutating func takeSlot(_ call: UInt64) {
    guard calls[call]?.holdsSlot == false else { return }
    calls[call]?.holdsSlot = true
    slotsHeld += 1
  }

  private mutating func releaseSlot(_ call: UInt64) {
    guard calls[call]?.holdsSlot == true else { return }
    calls[call]?.holdsSlot = false
    slotsHeld -= 1
  }

  // MARK: - The end

  mutating func wake(_ call: UInt64, at now: MonotonicTime) {
    guard let known = calls[call] else { return }
    if now < known.start.deadline {
      timers.set(call, at: known.start.deadline)
      calls[call]?.isLongLived = true
      return waits(call, at: now)
    }
    guard !known.isSettled else { return }
    let status = Status(.deadlineExceeded, "the deadline passed while \(known.method.name) ran")
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

  /// Nobody waits for the call any longer. A handler that runs is cancelled and keeps its slot until it returns.
  mutating func settle(_ call: UInt64, cancelling status: Status) {
    guard let known = calls[call], !known.isSettled else { return }
    links[known.link]?.calls.remove(known.number)
    timers.remove(call)
    switch known.state {
    case .running:
      calls[call]?.isSettled = true
      act(.cancel(call, status))
      if known.unacknowledged > 0 { act(.accepted(call, bytes: known.unacknowledged)) }
    case .queued:
      queue.removeAll { $0 == call }
      remove(call)
    case .assembling:
      assembling -= 1
      remove(call)
    case .returned:
      remove(call)
    }
  }

  mutating func remove(_ call: UInt64) {
    guard let known = calls.remove(call) else { return }
    timers.remove(call)
    if !known.isUnary { streams -= 1 }
    if !known.isSettled, links[known.link]?.calls[known.number] == call {
      links[known.link]?.calls.remove(known.number)
    }
  }

  mutating func answer(_ status: Status, to number: UInt64, on link: LinkID) {
    send(Envelope(status: status, call: number), on: link)
  }
}

extension WorkerCall.State {
  var isRunning: Bool {
    if case .running = self { return true }
    return false
  }
}
