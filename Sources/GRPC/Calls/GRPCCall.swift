internal import Base
internal import Bus
internal import Face
internal import HTTP2
internal import RPC

/// One call on a connection: makes messages for the bus from the request's body, and the answer from the messages that
/// come back.
///
/// In memory it has at most a window of the request's body, one request message that the bus has no room for, and a
/// window of answers and one answer more; calls with a single request keep that until it is complete. All of it is
/// counted in the budget that the doors share (`GatheringRoom`).
final class GRPCCall {
  unowned let connection: GRPCConnection
  private let stream: Int32
  private let method: MethodDescriptor
  let caller: VerifiedCaller
  private let request: GRPCRequest
  private let startedAt: MonotonicTime
  /// The call's place among the open calls; nil once the call is over.
  private var place: CallPlace?
  private var portCall: PortCall?

  // The request.
  private var reader: PrefixedFrameReader
  /// The single request, until the body has ended.
  private var single: [UInt8]?
  /// A message that the bus had no room for.
  private var refused: [UInt8]?
  /// The job that decompresses a message, while it is under way.
  private var expansion: UInt64?
  /// Bytes of the body that arrived while the call could take none.
  private var unread: ArraySlice<UInt8> = []
  /// Bytes of the body for which the client's window has not been reopened.
  private var unconsumed = 0
  private var hasBodyEnded = false
  /// Bytes of the request outside this object: being decompressed, or on the bus and not yet taken by the service.
  private var entrusted = 0
  /// Whether a long message of a stream is on the bus. The next one is read only when the service has taken it.
  private var waitsForService = false
  private var gathering: Gathering
  private var bytesIn = 0

  // The answer.
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

  /// Begins a call whose requests are a stream. Other calls begin when their request is complete.
  func begin() {
    if let timeout = request.timeout, timeout <= .zero {
      return fail(Status(.deadlineExceeded, rule: "deadline_passed", "the call came with no time left"))
    }
    if method.kind.clientStreams { begin(with: nil) }
  }

  private var patience: Duration { doorway.limits.times.time(of: method.kind, stated: request.timeout) }

  /// Whether the request has not arrived within the call's deadline. Once the call is on the bus, the bus watches the
  /// deadline.
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

  /// Whether the rest of the body has to wait.
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

  /// Takes a decompressed message. Not called once the call is over.
  func expanded(_ outcome: Workshop<[UInt8]>.Outcome) {
    (expansion, entrusted) = (nil, 0)
    do throws(Status) {
      pass(try outcome.get())
      try goOn()
    } catch {
      fail(error)
    }
  }

  /// Reads the bytes that arrived while the call could take none, unless it still cannot.
  private func goOn() throws(Status) {
    guard !isHeld else { return try gather() }
    read(unread)
  }

  /// Takes a complete message.
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
    // The bus keeps the message until the service begins to answer.
    entrusted = message.count
    begin(with: message)
  }

  private func consume() {
    connection.http.consume(unconsumed, of: stream)
    unconsumed = 0
  }

  /// Counts the bytes of the request that are in memory.
  private func gather() throws(Status) {
    let kept = reader.gathered + (single?.count ?? 0) + (refused?.count ?? 0) + entrusted + unread.count
    try gathering.hold(kept, missing: reader.missing)
  }

  // MARK: - The answer

  /// Takes news of the call from the bus.
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

  /// Answers are compressed if the request was: clients that compress nothing are mostly nearby.
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
    frame.write { connection.http.send($0, to: stream) }
  }

  /// The lengths of messages that are compressed: shorter ones gain nothing, and longer ones would keep other callers
  /// waiting.
  private static let compressedSizes = Gzip.worthwhileSize...BusLimits.chunk

  /// Notes that this many more bytes of the answer have been sent.
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

  /// Ends the call with a status that the door gives.
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

  /// Called when the stream is over.
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
