package import Base
package import RPC

/// Calls, from their start to their outcome.
extension Client {
  // MARK: - Called by hosts for the caller

  package mutating func open(_ request: ClientRequest, at now: MonotonicTime) {
    let call = request.number
    assert(!calls.contains(call), "a number is used once")
    // Whoever has used up all attempts and calls again gets one more, and no gateway repeats it.
    let earlier = min(request.earlierAttempts, configuration.attemptLimit - 1)
    calls.set(call, ClientCall(request: request, attempt: earlier, due: request.deadline))
    if isClosed { return end(call, with: Self.channelClosed) }
    if let count = request.request?.count, count > configuration.largestMessage {
      let limit = configuration.largestMessage
      return end(call, with: Status(.resourceExhausted, "the request has \(count) bytes; at most \(limit) are taken"))
    }
    place(call, at: now)
  }

  package mutating func send(_ call: UInt64, _ messages: MessageRun, at now: MonotonicTime) {
    guard calls.contains(call) else { return }
    if messages.largestMessage > configuration.largestMessage {
      let (count, limit) = (messages.largestMessage, configuration.largestMessage)
      return giveUp(call, with: Status(.resourceExhausted, "a message has \(count) bytes; at most \(limit) are taken"))
    }
    startFlow(of: call)
    flows[call]?.sender.append(messages)
    flows[call]?.unacknowledged += messages.byteCount
    unpumped.note(call)
  }

  package mutating func halfClose(_ call: UInt64, at now: MonotonicTime) {
    guard calls.contains(call) else { return }
    startFlow(of: call)
    if flows[call]?.requests == .open { flows[call]?.requests = .ended }
    pump(call)
  }

  package mutating func consumed(_ call: UInt64, _ count: ReadCount, at now: MonotonicTime) {
    flows[call]?.receiver.consume(count)
    sendWindow(of: call)
  }

  package mutating func cancel(_ call: UInt64, at now: MonotonicTime) {
    giveUp(call, with: Status(.cancelled, "the caller cancelled"))
  }

  // MARK: - Finding a gateway

  /// Sends the call through the gateway that it asks for, or else through the one with the fewest of our calls; parks
  /// it if there is no gateway. Retired links are taken only if there is no other, and links that have handed the call
  /// back only after those.
  private mutating func place(_ call: UInt64, at now: MonotonicTime) {
    let wanted = calls.reading(call) { $0.request.gateway } ?? ""
    let refusing = refusals.isEmpty ? nil : refusals[call]
    var best: (link: LinkID, load: Int)?
    for link in links.links {
      guard let state = links.value(of: link), state.link.takesCalls else { continue }
      var load = state.isRetired ? state.calls + Self.lastResort : state.calls
      if !wanted.isEmpty, state.link.gateway == wanted {
        load = -1
      } else if refusing?.contains(link) == true {
        load += 2 * Self.lastResort
      }
      if load < best?.load ?? .max { best = (link, load) }
    }
    if let best { begin(call, on: best.link, at: now) } else { park(call, at: now) }
  }

  /// Added to a link's load to rank the link last: more than any number of calls.
  private static var lastResort: Int { 1 << 32 }

  /// Notes that the gateway of a link handed the call back, so that the next try goes through another one. When all
  /// gateways have done so, only this last one is still avoided.
  private mutating func avoid(_ link: LinkID, for call: UInt64) {
    let takers = links.links.filter { links.value(of: $0)?.link.takesCalls == true }
    guard takers.count > 1 else { return }
    let refusing = refusals[call, default: []].union([link])
    refusals[call] = refusing.isSuperset(of: takers) ? [link] : refusing
  }

  private mutating func park(_ call: UInt64, at now: MonotonicTime) {
    guard let request = calls[call]?.request else { return }
    assert(calls[call]?.link == nil, "only a call without a gateway waits for one")
    parked.insert(call)
    calls[call]?.place = .parked
    let patience = request.waitsForReady ? request.deadline : min(request.deadline, now + configuration.connectGrace)
    calls[call]?.due = patience
    timers.add(call, at: patience)
  }

  mutating func sendParked(at now: MonotonicTime) {
    let waiting = parked.sorted()
    parked = []
    for call in waiting { place(call, at: now) }
  }

  private mutating func begin(_ call: UInt64, on link: LinkID, at now: MonotonicTime) {
    guard var known = calls[call] else { return }
    let request = known.request
    assert(known.link == nil, "a call is with one gateway at a time")
    known.place = .sent(on: link, hasAnswer: false)
    known.attempt += 1
    assert(known.attempt <= configuration.attemptLimit, "a call is not tried for ever")
    known.due = request.deadline
    calls[call] = known
    links.change(link) {
      $0.add(request)
      $0.link.watch(at: now)
    }
    sessions.lookSoon(at: now)
    timers.add(call, at: request.deadline)
    var envelope = Envelope(.open, call: call)
    request.describe(in: &envelope, attempt: known.attempt, at: now)
    send(consume envelope, on: link)
    if request.fitsOpening { return }
    startFlow(of: call)
    if let message = request.request {
      flows[call]?.sender = StreamSender()
      flows[call]?.sender.append(MessageRun(message))
      flows[call]?.requests = .ended
    } else if flows[call]?.requests == .endSent {
      // HALF_CLOSE has gone to an earlier gateway; this one needs it too.
      flows[call]?.requests = .ended
    }
    pump(call)
  }

  // MARK: - Messages

  private mutating func startFlow(of call: UInt64) {
    if flows.contains(call) { return }
    flows.set(call, ClientFlow(receiver: StreamReceiver(largestMessage: configuration.largestMessage)))
  }

  mutating func pump(_ call: UInt64) {
    guard let known = calls[call], let link = known.link else { return }
    while let chunk = flows[call]?.sender.nextChunk() {
      var envelope = Envelope(.data, call: call)
      envelope.offset = chunk.offset
      envelope.payload = chunk.bytes
      if known.request.request == nil { flows[call]?.isBeyondRetry = true }
      send(envelope, on: link)
    }
    guard flows[call]?.sender.backlog == 0 else { return }
    if let bytes = flows[call]?.unacknowledged, bytes > 0 {
      flows[call]?.unacknowledged = 0
      act(.accepted(known.request, bytes: bytes))
    }
    if flows[call]?.requests == .ended {
      flows[call]?.requests = .endSent
      send(Envelope(.halfClose, call: call), on: link)
    }
  }

  mutating func window(_ envelope: Envelope, on link: LinkID) {
    guard calls[envelope.call]?.link == link else { return }
    flows[envelope.call]?.sender.extend(window: envelope.offset)
    pump(envelope.call)
  }

  mutating func answerChunk(_ envelope: Envelope, on link: LinkID, at now: MonotonicTime) {
    let call = envelope.call
    guard let known = calls[call], known.link == link else { return }
    if !known.hasAnswer {
      calls[call]?.place = .sent(on: link, hasAnswer: true)
      act(.initialMetadata(known.request, envelope.extra?.metadata ?? [:]))
    }
    startFlow(of: call)
    var messages: [ArraySlice<UInt8>] = []
    do throws(StreamReceiver.Violation) {
      try flows[call]?.receiver.take(offset: envelope.offset, bytes: envelope.payload) { messages.append($0) }
    } catch {
      return giveUp(call, with: error.status)
    }
    if !messages.isEmpty { act(.messages(known.request, messages)) }
    if !known.request.method.kind.serverStreams {
      for message in messages { flows[call]?.receiver.consume(messageOf: message.count) }
    }
    sendWindow(of: call)
  }

  private mutating func sendWindow(of call: UInt64) {
    guard let link = calls[call]?.link, let offset = flows[call]?.receiver.nextWindow(growingBy: &windowAllowance)
    else { return }
    var envelope = Envelope(.window, call: call)
    envelope.offset = offset
    send(envelope, on: link)
  }

  // MARK: - The end

  mutating func outcome(_ envelope: Envelope, on link: LinkID, at now: MonotonicTime) {
    let call = envelope.call
    guard let known = calls[call], known.link == link else { return }
    let code = envelope.statusCode
    if envelope.notStarted, code == .unavailable, mayTryAgain(call) {
      if tryAgainLater(call, after: envelope.pushback, at: now) { return }
    }
    if code == .ok, flows[call]?.receiver.isInsideMessage == true {
      return end(call, with: Status(.internal, "the stream of answers ends in the middle of a message"))
    }
    if code == .ok, envelope.carriesMessage, envelope.extra == nil {
      if let request = forget(call) { act(.answered(request, envelope.payload)) }
      return
    }
    if code != .ok, !known.hasAnswer { act(.initialMetadata(known.request, Metadata())) }
    var status = envelope.status
    status.isNotStarted = envelope.notStarted && !known.mayHaveRun
    end(call, with: status, last: envelope.carriesMessage ? envelope.payload : nil)
  }

  /// Whether the call can be sent again from its start, and no part of an answer was passed on.
  private func mayTryAgain(_ call: UInt64) -> Bool {
    guard let known = calls[call] else { return false }
    return known.attempt < configuration.attemptLimit && !known.hasAnswer && flows[call]?.isBeyondRetry != true
  }

  /// - Parameter pushback: how long the gateway asks the client to wait.
  /// - Returns: whether that pause ends before the deadline; if not, the outcome at hand is final.
  private mutating func tryAgainLater(_ call: UInt64, after pushback: Duration, at now: MonotonicTime) -> Bool {
    guard let known = calls[call] else { return false }
    assert(!known.hasAnswer, "a call of whose answer a part was passed on stays where it is")
    let pause = max(pushback, configuration.retryBackoff.backedOff(after: known.attempt, using: &generator))
    guard now + pause < known.request.deadline else { return false }
    if let link = known.link {
      links.change(link) { $0.remove(known.request) }
      avoid(link, for: call)
    }
    calls[call]?.place = .pausing
    calls[call]?.due = now + pause
    timers.add(call, at: now + pause)
    return true
  }

  /// The session that had the call is over, and nobody knows its outcome: tries it again if it may run twice, ends it
  /// otherwise.
  mutating func settleLost(_ call: UInt64, at now: MonotonicTime) {
    guard let known = calls[call] else { return }
    let isTriedAgain = known.request.mayRunTwice && mayTryAgain(call)
    calls[call]?.place = .leaving
    guard isTriedAgain else {
      return end(call, with: Status(.unavailable, "the gateway was lost; the call may have run"))
    }
    calls[call]?.mayHaveRun = true
    if let flow = flows[call] {
      windowAllowance.giveBack(flow.receiver.growth)
      flows[call]?.receiver = StreamReceiver(largestMessage: configuration.largestMessage)
    }
    place(call, at: now)
  }

  mutating func wake(_ call: UInt64, at now: MonotonicTime) {
    guard let known = calls[call] else { return }
    if now >= known.request.deadline {
      let text = known.isUntaken ? "the deadline passed before a gateway took the call" : "the deadline passed"
      return giveUp(call, with: Status(.deadlineExceeded, text))
    }
    switch known.place {
    case .pausing: place(call, at: now)
    case .parked:
      let past = known.mayHaveRun ? "may have run" : "was not started"
      end(call, with: Status(.unavailable, "no gateway is connected; the call \(past)"))
    // A call that has been sent is due only at its deadline.
    case .sent, .leaving: break
    }
  }

  /// Ends a call whose OPEN on the link cannot be encoded: without it the call would have no outcome before its
  /// deadline. Its gateway drops whatever else of the call it gets.
  package mutating func endUnsent(_ call: UInt64, on link: LinkID, because why: String) {
    guard let known = calls[call], known.link == link else { return }
    let status = Status(.internal, "the call cannot be sent: \(why)")
    end(call, with: known.mayHaveRun ? status : status.unstarted)
  }

  /// Ends the call with a status that the client has decided on, and cancels it at its gateway.
  private mutating func giveUp(_ call: UInt64, with status: Status) {
    guard let known = calls[call] else { return }
    if let link = known.link { send(Envelope(.cancel, call: call), on: link) }
    end(call, with: status)
  }

  mutating func end(_ call: UInt64, with status: Status, last: [UInt8]? = nil) {
    let isUntaken = calls.reading(call) { $0.isUntaken } ?? false
    guard let request = forget(call) else { return }
    act(.ended(request, isUntaken ? status.unstarted : status, last: last))
  }

  /// Removes the call from all tables; the caller reports its outcome next.
  private mutating func forget(_ call: UInt64) -> ClientRequest? {
    guard let known = calls.remove(call) else { return nil }
    switch known.place {
    case .sent(let link, _): links.change(link) { $0.remove(known.request) }
    case .parked: parked.remove(call)
    case .pausing, .leaving: break
    }
    if !refusals.isEmpty { refusals[call] = nil }
    timers.sweep(keeping: calls.count) { entry in calls.reading(entry.key) { $0.due } == entry.time }
    if let flow = flows.remove(call) {
      windowAllowance.giveBack(flow.receiver.growth)
      if flow.unacknowledged > 0 { act(.accepted(known.request, bytes: flow.unacknowledged)) }
    }
    return known.request
  }

  package static let channelClosed = Status(.cancelled, "the channel was closed")
}
