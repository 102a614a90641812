package import Base

/// Calls from the wish to the outcome.
extension Client {
  // MARK: - What the caller does

  package mutating func open(_ call: UInt64, _ request: ClientRequest, at now: MonotonicTime) {
    calls.set(
      call,
      ClientCall(request: request, receiver: StreamReceiver(largestMessage: configuration.largestMessage)))
    timers.set(call, at: request.deadline)
    if let count = request.request?.count, count > configuration.largestMessage {
      let limit = configuration.largestMessage
      return end(call, with: Status(.resourceExhausted, "the request has \(count) bytes; at most \(limit) are taken"))
    }
    place(call, at: now)
  }

  package mutating func send(_ call: UInt64, message: [UInt8], at now: MonotonicTime) {
    guard calls.contains(call) else { return act(.accepted(call, bytes: message.count)) }
    if message.count > configuration.largestMessage {
      let limit = configuration.largestMessage
      let status = Status(.resourceExhausted, "a message has \(message.count) bytes; at most \(limit) are taken")
      return giveUp(call, with: status)
    }
    calls[call]?.sender.append(message: message)
    calls[call]?.unacknowledged += message.count
    unpumped.note(call)
  }

  package mutating func halfClose(_ call: UInt64, at now: MonotonicTime) {
    calls[call]?.isHalfClosed = true
    pump(call)
  }

  package mutating func consumed(_ call: UInt64, _ count: ReadCount, at now: MonotonicTime) {
    calls[call]?.receiver.consume(count)
    sendWindow(of: call)
  }

  package mutating func cancel(_ call: UInt64, at now: MonotonicTime) {
    giveUp(call, with: Status(.cancelled, "the caller cancelled"))
  }

  // MARK: - Finding a gateway

  /// Sends the call through the gateway with the fewest calls of ours, or parks it until there is one.
  private mutating func place(_ call: UInt64, at now: MonotonicTime) {
    var best: (link: LinkID, load: Int)?
    for link in links.links where links[link]?.link.takesCalls == true {
      guard let load = links[link]?.calls, load < best?.load ?? .max else { continue }
      best = (link, load)
    }
    if let best { begin(call, on: best.link, at: now) } else { park(call, at: now) }
  }

  private mutating func park(_ call: UInt64, at now: MonotonicTime) {
    guard let request = calls[call]?.request else { return }
    parked.insert(call)
    let patience = request.waitsForReady ? request.deadline : min(request.deadline, now + configuration.connectGrace)
    timers.set(call, at: patience)
  }

  mutating func sendParked(at now: MonotonicTime) {
    let waiting = parked.sorted()
    parked = []
    for call in waiting { place(call, at: now) }
  }

  private mutating func begin(_ call: UInt64, on link: LinkID, at now: MonotonicTime) {
    guard let request = calls[call]?.request, let attempt = calls[call]?.attempt else { return }
    calls[call]?.link = link
    calls[call]?.attempt = attempt + 1
    calls[call]?.saidHalfClose = false
    links[link]?.calls += 1
    timers.set(call, at: request.deadline)
    var envelope = Envelope(.open, call: call)
    envelope.method = request.method.path
    envelope.priority = request.priority
    envelope.attempt = UInt8(clamping: attempt + 1)
    envelope.remainingMilliseconds = UInt32(clamping: max(1, now.milliseconds(until: request.deadline)))
    envelope.idempotencyKey = request.idempotencyKey
    envelope.extra = request.extra
    guard let message = request.request else {
      send(envelope, on: link)
      return pump(call)
    }
    if message.count <= BusLimits.chunk {
      envelope.carriesMessage = true
      envelope.payload = message
      send(envelope, on: link)
    } else {
      calls[call]?.sender = StreamSender()
      calls[call]?.sender.append(message: message)
      calls[call]?.isHalfClosed = true
      send(envelope, on: link)
      pump(call)
    }
  }

  // MARK: - Messages

  mutating func pump(_ call: UInt64) {
    guard let link = calls[call]?.link ?? nil else { return }
    while let chunk = calls[call]?.sender.nextChunk() {
      var envelope = Envelope(.data, call: call)
      envelope.offset = chunk.offset
      envelope.payload = chunk.bytes
      if calls[call]?.request.request == nil { calls[call]?.isBeyondRetry = true }
      send(envelope, on: link)
    }
    guard calls[call]?.sender.backlog == 0 else { return }
    if let bytes = calls[call]?.unacknowledged, bytes > 0 {
      calls[call]?.unacknowledged = 0
      act(.accepted(call, bytes: bytes))
    }
    if calls[call]?.isHalfClosed == true, calls[call]?.saidHalfClose == false {
      calls[call]?.saidHalfClose = true
      send(Envelope(.halfClose, call: call), on: link)
    }
  }

  mutating func window(_ envelope: Envelope, on link: LinkID) {
    guard calls[envelope.call]?.link == link else { return }
    calls[envelope.call]?.sender.extend(window: envelope.offset)
    pump(envelope.call)
  }

  mutating func answerChunk(_ envelope: Envelope, on link: LinkID, at now: MonotonicTime) {
    let call = envelope.call
    guard calls[call]?.link == link else { return }
    if calls[call]?.hasAnswer == false {
      calls[call]?.hasAnswer = true
      act(.initialMetadata(call, envelope.extra?.metadata ?? [:]))
    }
    var messages: [[UInt8]] = []
    do throws(StreamReceiver.Violation) {
      try calls[call]?.receiver.take(offset: envelope.offset, bytes: envelope.payload) { messages.append($0) }
    } catch {
      return giveUp(call, with: error.status)
    }
    for message in messages { act(.message(call, message)) }
    if calls[call]?.request.method.kind.serverStreams == false {
      for message in messages { calls[call]?.receiver.consume(messageOf: message.count) }
    }
    sendWindow(of: call)
  }

  private mutating func sendWindow(of call: UInt64) {
    guard let link = calls[call]?.link ?? nil, let offset = calls[call]?.receiver.nextWindow() else { return }
    var envelope = Envelope(.window, call: call)
    envelope.offset = offset
    send(envelope, on: link)
  }

  // MARK: - The end

  mutating func outcome(_ envelope: Envelope, on link: LinkID, at now: MonotonicTime) {
    let call = envelope.call
    guard calls[call]?.link == link else { return }
    let code = envelope.statusCode
    if envelope.notStarted, code == .unavailable, mayTryAgain(call) {
      return tryAgainLater(call, at: now)
    }
    if code == .ok, calls[call]?.receiver.isInsideMessage == true {
      return end(call, with: Status(.internal, "the stream of answers ends in the middle of a message"))
    }
    if code != .ok, calls[call]?.hasAnswer == false { act(.initialMetadata(call, [:])) }
    end(call, with: envelope.status, last: envelope.carriesMessage ? envelope.payload : nil)
  }

  /// Whether everything is at hand for another try, and none of the answer was passed on.
  private func mayTryAgain(_ call: UInt64) -> Bool {
    guard let known = calls[call] else { return false }
    return known.attempt < configuration.attemptLimit && !known.isBeyondRetry && !known.hasAnswer
  }

  private mutating func tryAgainLater(_ call: UInt64, at now: MonotonicTime) {
    guard let known = calls[call] else { return }
    leaveLink(call)
    let pause = configuration.retryBackoff * (1 << min(known.attempt, 6))
    calls[call]?.retryAt = now + pause
    timers.set(call, at: min(now + pause, known.request.deadline))
  }

  /// The gateway of this call is gone, and what became of the call is not known.
  mutating func settleLost(_ call: UInt64, at now: MonotonicTime) {
    guard let known = calls[call] else { return }
    calls[call]?.link = nil
    guard known.request.mayRunTwice, mayTryAgain(call) else {
      return end(call, with: Status(.unavailable, "the gateway was lost; the call may have run"))
    }
    calls[call]?.receiver = StreamReceiver(largestMessage: configuration.largestMessage)
    place(call, at: now)
  }

  mutating func wake(_ call: UInt64, at now: MonotonicTime) {
    guard let known = calls[call] else { return }
    if now >= known.request.deadline {
      let text = known.link == nil ? "the deadline passed before a gateway took the call" : "the deadline passed"
      return giveUp(call, with: Status(.deadlineExceeded, text))
    }
    if known.retryAt != nil {
      calls[call]?.retryAt = nil
      return place(call, at: now)
    }
    guard known.link == nil else { return timers.set(call, at: known.request.deadline) }
    end(call, with: Status(.unavailable, "no gateway is connected; the call was not started"))
  }

  /// Ends the call from this side.
  private mutating func giveUp(_ call: UInt64, with status: Status) {
    guard let known = calls[call] else { return }
    if let link = known.link { send(Envelope(.cancel, call: call), on: link) }
    end(call, with: status)
  }

  mutating func end(_ call: UInt64, with status: Status, last: [UInt8]? = nil) {
    guard let known = calls.remove(call) else { return }
    if let link = known.link { links[link]?.calls -= 1 } else { parked.remove(call) }
    timers.remove(call)
    if known.unacknowledged > 0 { act(.accepted(call, bytes: known.unacknowledged)) }
    act(.ended(call, status, last: last))
  }

  private mutating func leaveLink(_ call: UInt64) {
    guard let link = calls[call]?.link ?? nil else { return }
    links[link]?.calls -= 1
    calls[call]?.link = nil
  }
}
