internal import Base
internal import Bus
internal import Face
internal import HTTP2
internal import RPC

/// One call on a connection: the body becomes messages for the bus, what comes back becomes the answer.
///
/// It holds at most a window of the request's body, one request message that the bus has no room for, and a window of
/// answers and one more; calls with a single request hold that until it is complete. What it holds is counted in the
/// room that all doors have for it.
final class GRPCCall {
  unowned let connection: GRPCConnection
  private let stream: Int32
  private let method: MethodDescriptor
  let caller: VerifiedCaller
  private let request: GRPCRequest
  private let startedAt: MonotonicTime
  /// nil once the call is over.
  private var place: CallPlace?
  private var portCall: PortCall?

  // The way in.
  private var reader: PrefixedFrameReader
  /// The single request, until the body has ended.
  private var single: [UInt8]?
  /// A message that the bus had no room for.
  private var refused: [UInt8]?
  /// The expansion of a message, while it is under way.
  private var expansion: UInt64?
  /// Bytes that came while the call could take none.
  private var unread: ArraySlice<UInt8> = []
  /// Bytes of the body that the client has not been given back as window.
  private var unconsumed = 0
  private var hasBodyEnded = false
  /// Bytes of the request that are elsewhere: being expanded, or with the bus while the service has not taken them.
  private var entrusted = 0
  /// A long message of a stream is with the bus, and no other follows before the service has taken it.
  private var waitsForService = false
  private var gathering: Gathering
  private var bytesIn = 0

  // The way out.
  private var hasHeader = false
  private var messages = SentMessages()
  private var unreadAnswer: UnreadAnswer
  /// How the call ended; nil while it runs.
  private var outcome: StatusCode?
  private var lastProgress: MonotonicTime

  init(
    _ request: GRPCRequest, of method: MethodDescriptor, by caller: VerifiedCaller, on stream: Int32,
    of connection: GRPCConnection, place: consuming CallPlace
  ) {
    self.request = request
    self.method = method
    self.caller = caller
    self.place = consume place
    self.stream = stream
    self.connection = connection
    startedAt = connection.now
    lastProgress = connection.now
    reader = PrefixedFrameReader(limit: connection.doorway.limits.largestMessage)
    let holder = caller.holder(at: connection.address)
    gathering = Gathering(in: connection.doorway.room, of: holder)
    unreadAnswer = UnreadAnswer(in: connection.doorway.room, of: holder)
  }

  private var doorway: GRPCDoorway { connection.doorway }

  // MARK: - The request

  /// Begins a call whose requests come as a stream; another begins when its request is complete.
  func begin() {
    if let timeout = request.timeout, timeout <= .zero {
      return fail(Status(.deadlineExceeded, rule: "deadline_passed", "the call came with no time left"))
    }
    if method.kind.clientStreams { begin(with: nil) }
  }

  private var patience: Duration { request.timeout ?? doorway.limits.defaultTimeout }

  /// Whether the request has not come within the call's time. Once it has, the bus looks after the time.
  func isLate(at now: MonotonicTime) -> Bool {
    portCall == nil && outcome == nil && now - startedAt >= patience
  }

  private func begin(with message: [UInt8]?) {
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
    guard isHeld else { return read(bytes[...]) }
    unread += bytes
    do throws(Status) {
      try gather()
    } catch {
      fail(error)
    }
  }

  func endBody() {
    hasBodyEnded = true
    guard outcome == nil, !isHeld else { return }
    finishBody()
  }

  /// Whether something has to happen before more of the body can be taken.
  private var isHeld: Bool { refused != nil || expansion != nil || waitsForService }

  private func read(_ bytes: ArraySlice<UInt8>) {
    var bytes = bytes
    do throws(Status) {
      while !isHeld, let frame = try reader.next(from: &bytes) { try take(frame) }
      unread = bytes
      try gather()
    } catch {
      return fail(error)
    }
    guard !isHeld else { return }
    consume()
    if hasBodyEnded { finishBody() }
  }

  private func take(_ frame: PrefixedFrame) throws(Status) {
    guard frame.flags & ~PrefixedFrame.compressed == 0 else {
      throw Status(.internal, rule: "bad_frame", "a message has the unknown flags \(frame.flags)")
    }
    guard method.kind.clientStreams || single == nil else {
      throw Status(.unimplemented, rule: "one_message", "\(method.path) takes one message")
    }
    guard frame.flags == PrefixedFrame.compressed else { return pass(frame.payload) }
    guard request.encoding == .gzip else {
      throw Status(.internal, rule: "bad_frame", "a message is marked as compressed, and the head names no encoding")
    }
    entrusted = frame.payload.count
    expansion = doorway.expand(frame.payload, for: self)
  }

  /// Takes the message. It does not come once the call is over.
  func expanded(_ outcome: Workshop<[UInt8]>.Outcome) {
    (expansion, entrusted) = (nil, 0)
    do throws(Status) {
      pass(try outcome.get())
      try goOn()
    } catch {
      fail(error)
    }
  }

  /// Takes what came while the call could take none, unless it still cannot.
  private func goOn() throws(Status) {
    guard !isHeld else { return try gather() }
    read(unread)
  }

  /// A message is complete.
  private func pass(_ message: [UInt8]) {
    guard method.kind.clientStreams else {
      single = message
      return
    }
    guard let portCall else { return }
    guard portCall.send(message) else {
      refused = message
      return
    }
    guard message.count > GatheringRoom.short, portCall.asksForRoom() else { return }
    (waitsForService, entrusted) = (true, message.count)
  }

  private func finishBody() {
    if reader.isInsideFrame {
      return fail(Status(.invalidArgument, rule: "cut_short", "the body ends inside a message"))
    }
    guard !method.kind.clientStreams else {
      portCall?.finishSending()
      return
    }
    guard let message = single else {
      return fail(Status(.unimplemented, rule: "one_message", "\(method.path) takes one message, and none came"))
    }
    single = nil
    // The bus keeps it until the service has begun to answer.
    entrusted = message.count
    begin(with: message)
  }

  private func consume() {
    connection.http.consume(unconsumed, of: stream)
    unconsumed = 0
  }

  /// Counts what is kept of the request.
  private func gather() throws(Status) {
    let kept = reader.gathered + (single?.count ?? 0) + (refused?.count ?? 0) + entrusted + unread.count
    try gathering.hold(kept, missing: reader.missing)
  }

  // MARK: - The answer

  /// What has come back.
  func take(_ news: PortNews.Content) {
    guard outcome == nil else { return }
    lastProgress = connection.now
    if !method.kind.clientStreams { gathering.release() }
    switch news {
    case .headers(let metadata): sendHeader(metadata)
    case .messages(let messages): sendAll(messages)
    case .room: resume()
    case .ended(let status, let last):
      if let portCall { doorway.forget(portCall) }
      portCall = nil
      if let last { sendAll([last[...]]) }
      // There may have been no room for it.
      if outcome == nil { finish(status) }
    }
  }

  private func resume() {
    guard waitsForService || refused != nil else { return }
    if waitsForService, portCall?.asksForRoom() == true { return }
    (waitsForService, entrusted) = (false, 0)
    if let message = refused {
      refused = nil
      pass(message)
    }
    do throws(Status) {
      try goOn()
    } catch {
      fail(error)
    }
  }

  /// Answers are compressed as requests were: clients that compress nothing are mostly close by.
  private var compresses: Bool { request.encoding == .gzip && request.acceptsGzip }

  private func sendHeader(_ metadata: Metadata) {
    guard !hasHeader else { return }
    hasHeader = true
    connection.http.answer(stream, GRPCAnswer.header(metadata, isCompressing: compresses))
  }

  /// Sends messages that came together. Their memory is counted once for all of them.
  private func sendAll(_ messages: [ArraySlice<UInt8>]) {
    let size = messages.reduce(0) { $0 + PrefixedFrame.prefix + $1.count }
    do throws(Status) {
      try unreadAnswer.hold(connection.http.kept(of: stream) + size)
    } catch {
      return fail(error)
    }
    sendHeader(Metadata())
    for message in messages { send(message) }
  }

  private func send(_ message: ArraySlice<UInt8>) {
    var frame = PrefixedFrame(payload: Array(message))
    if compresses, Self.compressedSizes.contains(message.count) {
      let packed = Gzip.compress(frame.payload)
      if packed.count < message.count { frame = PrefixedFrame(flags: PrefixedFrame.compressed, payload: packed) }
    }
    messages.add(ofSize: message.count, framed: PrefixedFrame.prefix + frame.payload.count)
    var bytes: [UInt8] = []
    if frame.payload.count <= ByteQueue.piece {
      frame.append(to: &bytes)
      connection.http.send(bytes, to: stream)
    } else {
      frame.appendHead(to: &bytes)
      connection.http.send(bytes, to: stream)
      connection.http.send(frame.payload, to: stream)
    }
  }

  /// Compressing less saves nothing, and compressing more would make others wait.
  private static let compressedSizes = Gzip.worthwhileSize...BusLimits.chunk

  /// So many bytes of the answer have gone out.
  func sent(_ count: Int) {
    lastProgress = connection.now
    let done = messages.sent(count)
    unreadAnswer.shrink(to: connection.http.kept(of: stream))
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
        traceID: TraceContext.traceID(of: request.metadata), isTimed: method.kind == .unary))
    outcome = outcome ?? .cancelled
  }

  private func giveUpPortCall() {
    guard let portCall else { return }
    doorway.forget(portCall)
    portCall.cancel()
    self.portCall = nil
  }

  private func forgetRequest() {
    place = nil
    if let expansion { doorway.giveUpExpansion(expansion) }
    expansion = nil
    gathering.release()
    reader = PrefixedFrameReader(limit: doorway.limits.largestMessage)
    single = nil
    refused = nil
    unread = []
    consume()
  }
}
