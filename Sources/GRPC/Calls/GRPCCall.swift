internal import Base
internal import Bus
internal import Face
internal import HTTP2

/// One call on a connection: the body becomes messages for the bus, what comes back becomes the answer.
///
/// It holds at most a window of the request's body, one request message that the bus has no room for, and a window of
/// answers; calls with a single request hold that until it is complete.
final class GRPCCall {
  unowned let connection: GRPCConnection
  private let stream: Int32
  private let method: MethodDescriptor
  let caller: VerifiedCaller
  private let request: GRPCRequest
  private let startedAt: MonotonicTime
  private var portCall: PortCall?

  // The way in.
  private var reader: PrefixedFrameReader
  /// The single request, until the body has ended.
  private var single: [UInt8]?
  /// A message that the bus had no room for.
  private var refused: [UInt8]?
  private var isExpanding = false
  /// Bytes that came while the call could take none.
  private var unread: ArraySlice<UInt8> = []
  /// Bytes of the body that the client has not been given back as window.
  private var unconsumed = 0
  private var hasBodyEnded = false
  /// How many bytes are kept for messages that are not complete, or wait for the end of the body.
  private var gathered = 0
  private var bytesIn = 0

  // The way out.
  private var hasHeader = false
  private var messages = SentMessages()
  /// How the call ended; nil while it runs.
  private var outcome: StatusCode?
  private var lastProgress: MonotonicTime

  init(
    _ request: GRPCRequest, of method: MethodDescriptor, by caller: VerifiedCaller, on stream: Int32,
    of connection: GRPCConnection
  ) {
    self.request = request
    self.method = method
    self.caller = caller
    self.stream = stream
    self.connection = connection
    startedAt = connection.now
    lastProgress = connection.now
    reader = PrefixedFrameReader(limit: connection.doorway.limits.largestMessage)
  }

  private var doorway: GRPCDoorway { connection.doorway }

  // MARK: - The request

  /// Begins a call whose requests come as a stream; another begins when its request is complete.
  func begin() {
    if let timeout = request.timeout, timeout <= .zero {
      return fail(Status(.deadlineExceeded, "deadline_passed: the call came with no time left"))
    }
    if method.kind.clientStreams { begin(with: nil) }
  }

  private func begin(with message: [UInt8]?) {
    let patience = request.timeout ?? doorway.limits.defaultTimeout
    var wish = PortRequest(method, caller: caller.identity, deadline: startedAt + patience, message: message)
    wish.metadata = request.metadata
    wish.idempotencyKey = request.idempotencyKey
    if wish.idempotencyKey.isEmpty, method.idempotency != .noSideEffects {
      wish.idempotencyKey = doorway.port.freshKey()
    }
    doorway.gatekeeper.tickets.add(to: &wish, for: caller, from: connection.address)
    portCall = doorway.begin(wish, for: self)
  }

  /// The next bytes of the body.
  func take(_ bytes: [UInt8]) {
    bytesIn += bytes.count
    unconsumed += bytes.count
    guard outcome == nil else { return consume() }
    if isHeld {
      unread += bytes
    } else {
      read(bytes[...])
    }
  }

  func endBody() {
    hasBodyEnded = true
    guard outcome == nil, !isHeld else { return }
    finishBody()
  }

  /// Whether something has to happen before more of the body can be taken.
  private var isHeld: Bool { refused != nil || isExpanding }

  private func read(_ bytes: ArraySlice<UInt8>) {
    var bytes = bytes
    do throws(Status) {
      while !isHeld {
        let before = bytes.count
        let frame = try reader.next(from: &bytes)
        try gather(gathered + before - bytes.count)
        guard let frame else { break }
        try take(frame)
      }
    } catch {
      return fail(error)
    }
    unread = bytes
    guard !isHeld else { return }
    consume()
    if hasBodyEnded { finishBody() }
  }

  private func take(_ frame: PrefixedFrame) throws(Status) {
    guard frame.flags & ~PrefixedFrame.compressed == 0 else {
      throw Status(.internal, "bad_frame: a message has the unknown flags \(frame.flags)")
    }
    guard method.kind.clientStreams || single == nil else {
      throw Status(.unimplemented, "one_message: \(method.path) takes one message")
    }
    guard frame.flags == PrefixedFrame.compressed else { return try pass(frame.payload) }
    guard request.encoding == .gzip else {
      throw Status(.internal, "bad_frame: a message is marked as compressed, and the head names no encoding")
    }
    isExpanding = true
    doorway.expand(frame.payload, for: self)
  }

  func expanded(_ outcome: Workshop<[UInt8]>.Outcome) {
    isExpanding = false
    guard self.outcome == nil else { return }
    do throws(Status) {
      try pass(try outcome.get())
    } catch {
      return fail(error)
    }
    if !isHeld { read(unread) }
  }

  /// A message is complete.
  private func pass(_ message: [UInt8]) throws(Status) {
    guard method.kind.clientStreams else {
      try gather(message.count)
      single = message
      return
    }
    try gather(0)
    if portCall?.send(message) == false { refused = message }
  }

  private func finishBody() {
    if reader.isInsideFrame { return fail(Status(.invalidArgument, "cut_short: the body ends inside a message")) }
    guard !method.kind.clientStreams else {
      portCall?.finishSending()
      return
    }
    guard let message = single else {
      return fail(Status(.unimplemented, "one_message: \(method.path) takes one message, and none came"))
    }
    single = nil
    releaseRoom()
    begin(with: message)
  }

  private func consume() {
    connection.http.consume(unconsumed, of: stream)
    unconsumed = 0
  }

  private func gather(_ count: Int) throws(Status) {
    guard doorway.room.change(from: gathered, to: count, of: &connection.gathered) else {
      throw Status(
        .resourceExhausted, "messages_too_large: too many large messages are on their way at once",
        metadata: ["retry-after-ms": "1000"])
    }
    gathered = count
  }

  private func releaseRoom() {
    // There is always room for less.
    _ = doorway.room.change(from: gathered, to: 0, of: &connection.gathered)
    gathered = 0
  }

  // MARK: - The answer

  /// What has come back.
  func take(_ news: PortNews.Content) {
    guard outcome == nil else { return }
    lastProgress = connection.now
    switch news {
    case .headers(let metadata): sendHeader(metadata)
    case .messages(let messages):
      for message in messages { send(message) }
    case .room: resume()
    case .ended(let status, let last):
      if let portCall { doorway.forget(portCall) }
      portCall = nil
      if let last { send(last[...]) }
      finish(status)
    }
  }

  private func resume() {
    guard let message = refused else { return }
    refused = nil
    if portCall?.send(message) == false {
      refused = message
    } else {
      read(unread)
    }
  }

  /// Answers are compressed as requests were: clients that compress nothing are mostly close by.
  private var compresses: Bool { request.encoding == .gzip && request.acceptsGzip }

  private func sendHeader(_ metadata: Metadata) {
    guard !hasHeader else { return }
    hasHeader = true
    connection.http.answer(stream, GRPCAnswer.header(metadata, isCompressing: compresses))
  }

  private func send(_ message: ArraySlice<UInt8>) {
    sendHeader(Metadata())
    var frame = PrefixedFrame(payload: Array(message))
    if compresses, Self.compressedSizes.contains(message.count) {
      let packed = Gzip.compress(frame.payload)
      if packed.count < message.count { frame = PrefixedFrame(flags: PrefixedFrame.compressed, payload: packed) }
    }
    var bytes: [UInt8] = []
    frame.append(to: &bytes)
    messages.add(ofSize: message.count, framed: bytes.count)
    connection.http.send(bytes, to: stream)
  }

  /// Compressing less saves nothing, and compressing more would make others wait.
  private static let compressedSizes = Gzip.worthwhileSize...BusLimits.chunk

  /// So many bytes of the answer have gone out.
  func sent(_ count: Int) {
    lastProgress = connection.now
    let done = messages.sent(count)
    if done.messages > 0 { portCall?.consumed(bytes: done.bytes, messages: done.messages) }
  }

  private func finish(_ status: Status) {
    outcome = status.code
    if hasHeader {
      connection.http.finish(stream, GRPCAnswer.trailer(status))
    } else {
      connection.http.answer(stream, GRPCAnswer.trailerOnly(status), isWhole: true)
    }
    forgetRequest()
  }

  /// Ends the call with a status of the door's own.
  func fail(_ status: Status) {
    guard outcome == nil else { return }
    giveUpPortCall()
    finish(status)
  }

  /// Gives the call up, because the client does not read its answer.
  func giveUp() {
    giveUpPortCall()
    connection.http.reset(stream, .cancel)
  }

  func isUnread(since limit: Duration, at now: MonotonicTime) -> Bool {
    messages.areWaiting && now - lastProgress >= limit
  }

  /// The stream is over.
  func close(wasComplete: Bool) {
    giveUpPortCall()
    forgetRequest()
    doorway.finished(
      GRPCCallRecord(
        path: method.path, code: wasComplete ? outcome ?? .cancelled : .cancelled,
        duration: connection.now - startedAt, bytesIn: bytesIn, bytesOut: messages.sentBytes,
        address: connection.address, account: caller.account,
        traceID: TraceContext.traceID(of: request.metadata)))
    outcome = outcome ?? .cancelled
  }

  private func giveUpPortCall() {
    guard let portCall else { return }
    doorway.forget(portCall)
    portCall.cancel()
    self.portCall = nil
  }

  private func forgetRequest() {
    releaseRoom()
    single = nil
    refused = nil
    unread = []
    consume()
  }
}
