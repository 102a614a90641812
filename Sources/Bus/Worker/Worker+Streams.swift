internal import Base
package import RPC

/// Messages of a call, in both directions.
extension Worker {
  mutating func requestChunk(_ envelope: Envelope, on link: LinkID, at now: MonotonicTime) {
    guard let call = links[link]?.calls[envelope.call], let known = calls[call], flows[call]?.requestsEnded != true,
      !envelope.payload.isEmpty
    else { return }
    guard known.awaitsRequests else { return fail(call, with: Self.oneRequest(known.method)) }
    startFlow(of: call)
    var messages: [ArraySlice<UInt8>] = []
    do throws(StreamReceiver.Violation) {
      try flows[call]?.receiver.take(offset: envelope.offset, bytes: envelope.payload) { messages.append($0) }
    } catch {
      return fail(call, with: error.status)
    }
    progress += 1
    if case .assembling(let arrival) = known.state {
      if let request = messages.first {
        let isAll = messages.count == 1 && flows[call]?.receiver.isInsideMessage == false
        guard isAll else { return fail(call, with: Self.oneRequest(known.method)) }
        return complete(call, arrival, request: Array(request), at: now)
      }
    } else if known.state.isRunning {
      if !messages.isEmpty { act(.requests(call, messages)) }
    } else {
      flows[call]?.early.append(contentsOf: messages)
    }
    sendWindow(of: call)
  }

  private static func oneRequest(_ method: MethodDescriptor) -> Status {
    Status(.invalidArgument, "\(method.name) takes one request; more came")
  }

  /// Ends the call with a status that the worker has decided on, and cancels its handler.
  mutating func fail(_ call: UInt64, with status: Status) {
    guard let known = calls[call] else { return }
    answer(status, to: known.number, on: known.link, hasBegun: known.state.hasBegun)
    settle(call, cancelling: status)
  }

  mutating func requestsEnded(_ envelope: Envelope, on link: LinkID, at now: MonotonicTime) {
    guard let call = links[link]?.calls[envelope.call], let known = calls[call] else { return }
    startFlow(of: call)
    guard flows[call]?.requestsEnded == false else { return }
    flows[call]?.requestsEnded = true
    if flows[call]?.receiver.isInsideMessage == true {
      return fail(call, with: Status(.invalidArgument, "the stream of requests ends in the middle of a message"))
    }
    if case .assembling = known.state {
      return fail(call, with: Status(.invalidArgument, "\(known.method.name) takes one request; none came"))
    }
    if known.method.kind.clientStreams, known.state.isRunning { act(.requestsEnded(call)) }
  }

  mutating func window(_ envelope: Envelope, on link: LinkID) {
    guard let call = links[link]?.calls[envelope.call] else { return }
    startFlow(of: call)
    flows[call]?.sender.extend(window: envelope.offset)
    pump(call)
  }

  mutating func sendWindow(of call: UInt64) {
    guard takeRoom(for: call) else {
      return fail(call, with: .exhausted("this instance has no room for so large a message of this caller now"))
    }
    guard let known = calls[call], !known.isSettled, flows[call]?.requestsEnded == false,
      let offset = flows[call]?.receiver.nextWindow(growingBy: &windowAllowance)
    else { return }
    var envelope = Envelope(.window, call: known.number)
    envelope.offset = offset
    send(envelope, on: known.link)
  }

  /// Sends what the window allows, and then, if the handler has returned, the outcome.
  mutating func pump(_ call: UInt64) {
    guard let known = calls[call] else { return }
    while let chunk = flows[call]?.sender.nextChunk() {
      var envelope = Envelope(.data, call: known.number)
      envelope.offset = chunk.offset
      envelope.payload = chunk.bytes
      if let metadata = flows[call]?.initialMetadata, !metadata.isEmpty {
        envelope.extra = Envelope.Extra(metadata: metadata)
        flows[call]?.initialMetadata = Metadata()
      }
      send(envelope, on: known.link)
    }
    guard flows[call]?.sender.backlog == 0 else { return }
    if let bytes = flows[call]?.unacknowledged, bytes > 0 {
      flows[call]?.unacknowledged = 0
      act(.accepted(call, bytes: bytes))
    }
    if case .returned(let outcome) = known.state {
      send(outcome, on: known.link)
      remove(call)
    }
  }

  /// The handler has returned. Its outcome is sent at once or, if messages still wait for the window, after those.
  mutating func conclude(_ call: UInt64, with status: Status, answer: [UInt8]?, initialMetadata: Metadata) {
    guard let known = calls[call] else { return }
    let answer = status.isOK ? answer : nil
    // Initial metadata and an answer too large for one envelope are sent as DATA.
    let isWhole = initialMetadata.isEmpty && (answer?.count ?? 0) <= BusLimits.largestPayload
    if isWhole, flows[call]?.isQuiet ?? true {
      send(Envelope(status: status, answer: answer, call: known.number), on: known.link)
      remove(call)
      return
    }
    startFlow(of: call)
    if !isWhole, let answer { flows[call]?.sender.append(MessageRun(answer)) }
    if !initialMetadata.isEmpty {
      flows[call]?.initialMetadata.append(contentsOf: initialMetadata)
      if flows[call]?.sender.backlog == 0 { sendInitialMetadataAlone(call) }
    }
    let outcome = Envelope(status: status, answer: isWhole ? answer : nil, call: known.number)
    calls[call]?.state = .returned(outcome: outcome)
    pump(call)
  }

  /// Gives the call its streams, once it needs more than one envelope with the request and one with the answer.
  mutating func startFlow(of call: UInt64) {
    guard !flows.contains(call), calls.contains(call) else { return }
    flows.set(call, WorkerFlow(receiver: StreamReceiver(largestMessage: configuration.largestMessage)))
  }

  private mutating func sendInitialMetadataAlone(_ call: UInt64) {
    guard let known = calls[call], let flow = flows[call], !flow.initialMetadata.isEmpty else { return }
    var envelope = Envelope(.data, call: known.number)
    envelope.offset = flow.sender.offset
    envelope.extra = Envelope.Extra(metadata: flow.initialMetadata)
    flows[call]?.initialMetadata = Metadata()
    send(envelope, on: known.link)
  }
}

extension StreamReceiver.Violation {
  package var status: Status {
    switch self {
    case .gap(let expected, let found):
      Status(.invalidArgument, "a chunk of the stream starts at \(found); \(expected) was next")
    case .windowExceeded(let granted, let sent):
      Status(.resourceExhausted, "the sender went to \(sent); the window ended at \(granted)")
    case .messageTooLarge(let length, let limit):
      Status(.resourceExhausted, "a message has \(length) bytes; at most \(limit) are taken")
    case .windowTooFar(let furthest, let asked):
      Status(.resourceExhausted, "a WINDOW goes to \(asked); \(furthest) is as far as it may")
    }
  }
}

extension Envelope {
  /// - Parameter answer: the message of the outcome.
  init(status: Status, answer: [UInt8]? = nil, call: UInt64) {
    self.init(.status, call: call)
    let status = status.bounded
    statusCode = status.code
    if let answer {
      carriesMessage = true
      payload = answer
    }
    if !status.message.isEmpty || !status.details.isEmpty || !status.metadata.isEmpty {
      extra = Extra(metadata: status.metadata, statusMessage: status.message, statusDetails: status.details)
    }
  }

  /// Turns a new STATUS, which is OK, into the answer of a call.
  mutating func answer(_ message: [UInt8], in session: UInt64) {
    self.session = session
    carriesMessage = true
    payload = message
  }

  /// The outcome that a STATUS carries.
  var status: Status {
    Status(
      statusCode, extra?.statusMessage ?? "", details: extra?.statusDetails ?? [],
      metadata: extra?.metadata ?? Metadata())
  }
}
