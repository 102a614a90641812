internal import Base

/// Messages of a call, in both directions.
extension Worker {
  mutating func requestChunk(_ envelope: Envelope, on link: LinkID, at now: MonotonicTime) {
    guard let call = links[link]?.calls[envelope.call], calls[call]?.requestsEnded == false else { return }
    var messages: [[UInt8]] = []
    do throws(StreamReceiver.Violation) {
      try calls[call]?.receiver.take(offset: envelope.offset, bytes: envelope.payload) { messages.append($0) }
    } catch {
      return fail(call, with: error.status)
    }
    guard let known = calls[call] else { return }
    progress += 1
    if !known.method.kind.clientStreams {
      if let request = messages.first, case .assembling = known.state { complete(call, request: request, at: now) }
    } else if known.state.isRunning {
      for message in messages { act(.request(call, message)) }
    } else {
      calls[call]?.early.append(contentsOf: messages)
    }
    sendWindow(of: call)
  }

  /// Ends the call with an outcome of the worker's own.
  private mutating func fail(_ call: UInt64, with status: Status) {
    guard let known = calls[call] else { return }
    answer(status, to: known.number, on: known.link)
    settle(call, cancelling: status)
  }

  /// A single request that came in chunks is whole.
  private mutating func complete(_ call: UInt64, request: [UInt8], at now: MonotonicTime) {
    calls[call]?.request = request
    calls[call]?.receiver.consume(messageOf: request.count)
    calls[call]?.state = .queued
    assembling -= 1
    queue.append(call)
    startQueued(at: now)
  }

  mutating func requestsEnded(_ envelope: Envelope, on link: LinkID, at now: MonotonicTime) {
    guard let call = links[link]?.calls[envelope.call], let known = calls[call], !known.requestsEnded else { return }
    calls[call]?.requestsEnded = true
    if known.receiver.isInsideMessage {
      return fail(call, with: Status(.invalidArgument, "the stream of requests ends in the middle of a message"))
    }
    if case .assembling = known.state {
      return fail(call, with: Status(.invalidArgument, "\(known.method.name) takes one request; none came"))
    }
    if known.method.kind.clientStreams, known.state.isRunning { act(.requestsEnded(call)) }
  }

  mutating func window(_ envelope: Envelope, on link: LinkID) {
    guard let call = links[link]?.calls[envelope.call] else { return }
    calls[call]?.sender.extend(window: envelope.offset)
    pump(call)
  }

  mutating func sendWindow(of call: UInt64) {
    guard let known = calls[call], !known.isSettled, !known.requestsEnded,
      let offset = calls[call]?.receiver.nextWindow()
    else { return }
    var envelope = Envelope(.window, call: known.number)
    envelope.offset = offset
    send(envelope, on: known.link)
  }

  /// Sends what the window allows, and then, if the handler is done, the outcome.
  mutating func pump(_ call: UInt64) {
    guard let link = calls[call]?.link, let number = calls[call]?.number else { return }
    while let chunk = calls[call]?.sender.nextChunk() {
      var envelope = Envelope(.data, call: number)
      envelope.offset = chunk.offset
      envelope.payload = chunk.bytes
      if let metadata = calls[call]?.initialMetadata, !metadata.isEmpty {
        envelope.extra = Envelope.Extra(metadata: metadata)
        calls[call]?.initialMetadata = [:]
      }
      send(envelope, on: link)
    }
    guard calls[call]?.sender.backlog == 0 else { return }
    if let bytes = calls[call]?.unacknowledged, bytes > 0 {
      calls[call]?.unacknowledged = 0
      act(.accepted(call, bytes: bytes))
    }
    if let outcome = calls[call]?.outcome ?? nil {
      send(outcome, on: link)
      remove(call)
    }
  }

  /// The handler is done: the outcome follows what still waits for the window.
  mutating func conclude(_ call: UInt64, with status: Status, answer: [UInt8]?, initialMetadata: Metadata) {
    guard let number = calls[call]?.number, let link = calls[call]?.link else { return }
    var outcome = Envelope(status: status, call: number)
    if let answer, status.isOK {
      // Metadata that goes ahead of the answer, and an answer too big for one envelope, travel as DATA.
      if answer.count <= BusLimits.chunk, initialMetadata.isEmpty {
        outcome.carriesMessage = true
        outcome.payload = answer
      } else {
        calls[call]?.sender.append(message: answer)
      }
    }
    if initialMetadata.isEmpty, calls[call]?.sender.backlog == 0, calls[call]?.unacknowledged == 0 {
      send(outcome, on: link)
      return remove(call)
    }
    if !initialMetadata.isEmpty {
      calls[call]?.initialMetadata.append(contentsOf: initialMetadata)
      if calls[call]?.sender.backlog == 0 { sendInitialMetadataAlone(call) }
    }
    calls[call]?.outcome = outcome
    pump(call)
  }

  private mutating func sendInitialMetadataAlone(_ call: UInt64) {
    guard let known = calls[call], !known.initialMetadata.isEmpty else { return }
    var envelope = Envelope(.data, call: known.number)
    envelope.offset = known.sender.offset
    envelope.extra = Envelope.Extra(metadata: known.initialMetadata)
    calls[call]?.initialMetadata = [:]
    send(envelope, on: known.link)
  }
}

extension StreamReceiver.Violation {
  var status: Status {
    switch self {
    case .gap(let expected, let found):
      Status(.internal, "a chunk of the stream starts at \(found); \(expected) was next")
    case .windowExceeded(let granted, let sent):
      Status(.resourceExhausted, "the sender went to \(sent); the window ended at \(granted)")
    case .messageTooLarge(let length, let limit):
      Status(.resourceExhausted, "a message has \(length) bytes; at most \(limit) are taken")
    }
  }
}

extension Envelope {
  init(status: Status, call: UInt64) {
    self.init(.status, call: call)
    statusCode = status.code
    if !status.message.isEmpty || !status.details.isEmpty || !status.metadata.isEmpty {
      extra = Extra(metadata: status.metadata, statusMessage: status.message, statusDetails: status.details)
    }
  }

  /// The outcome that a STATUS carries.
  var status: Status {
    Status(
      statusCode, extra?.statusMessage ?? "", details: extra?.statusDetails ?? [], metadata: extra?.metadata ?? [:])
  }
}
