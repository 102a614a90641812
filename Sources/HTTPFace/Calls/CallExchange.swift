internal import Base
internal import Bus
package import Face
internal import RPC
internal import Wire

/// A call over HTTP: makes messages for the bus from the request's body, and the response from the messages that come
/// back.
///
/// In memory it has at most one window of answers and one answer more, one request message that the bus has no room
/// for, and, for calls with a single request, that request. All of it is counted in the budget that the doors share
/// (`GatheringRoom`).
package final class CallExchange: Exchange, CallOwner {
  let door: Doorway
  let head: CallHead
  let method: MethodDescriptor
  let admitted: VerifiedCaller
  /// The call's place among the open calls; nil once the call is over and its answer is converted, which bounds how
  /// many answers wait for conversion.
  private var place: CallPlace?
  private let toRequest: Conversion
  let startedAt: MonotonicTime
  let address: String
  package var onChange: () -> Void = {}

  // The request.
  private var reader: PrefixedFrameReader
  private var web: Base64Reader?
  /// The bytes of the single request so far.
  private var request: [UInt8] = []
  private var requestIsCompressed = false
  private var hasRequest = false
  /// A message that the bus had no room for.
  private var refused: [UInt8]?
  /// The job that converts a request message, while it is under way.
  private var requestJob: UInt64?
  private var isConverting: Bool { requestJob != nil }
  private var hasBodyEnded = false
  private var hasFinishedSending = false
  /// Bytes of the request outside this object: in conversion, or on the bus and not yet taken by the service.
  private var entrusted = 0
  /// Whether a long message of a stream is on the bus. The next one is read only when the service has taken it.
  private var waitsForService = false
  private var gathering: Gathering
  private(set) var call: PortCall?
  private(set) var bytesIn = 0

  // The response.
  package internal(set) var response: HTTPResponse? {
    didSet {
      if oldValue == nil, var dressed = response {
        dress(&dressed)
        response = dressed
      }
    }
  }
  /// Adds the headers that every response of the door has.
  var dress: (inout HTTPResponse) -> Void = { _ in }
  /// Further headers for an answer that is the whole body, by its binary form.
  var headersOfAnswer: ([UInt8]) -> [(name: String, value: String)] = { _ in [] }
  var furtherHeaders: [(name: String, value: String)] = []
  var answer = AnswerStream()
  package internal(set) var trailers: [(name: String, value: String)] = []
  var initialMetadata = Metadata()
  /// How the call ended; nil while it runs.
  private(set) var outcome: Status?
  /// The messages that wait to be converted, of which the first is being converted if `isAnswerConverting`.
  var backlog = AnswerBacklog()
  var isAnswerConverting: Bool { answerJob != nil }
  /// The job that converts an answer's message, while it is under way.
  var answerJob: UInt64?
  /// The length on the bus of the message in conversion.
  var convertedCount = 0
  /// The length of the body, for a response that is not streamed.
  var wholeCount = 0
  private var unread: UnreadAnswer
  var bytesOut = 0
  private var isClosed = false

  package init(
    _ head: CallHead, of method: Catalogue.Method, by caller: VerifiedCaller, at door: Doorway, address: String,
    place: consuming CallPlace
  ) {
    self.door = door
    self.head = head
    self.method = method.descriptor
    admitted = caller
    self.place = consume place
    self.address = address
    let isJSON = head.style.codec == .json
    toRequest = Conversion(
      .request, type: isJSON ? method.input : nil, gzip: head.isCompressed, limit: door.limits.largestMessage)
    answer.conversion = Conversion(
      .answer, type: isJSON ? method.output : nil, gzip: head.acceptsGzip, limit: door.limits.largestMessage)
    answer.conversion.leastCompressed = head.leastCompressed
    reader = PrefixedFrameReader(limit: door.limits.largestMessage)
    if head.style.dialect == .grpcWeb(isText: true) {
      web = Base64Reader()
      answer.isText = true
    }
    let holder = caller.holder(at: address)
    gathering = Gathering(in: door.room, of: holder)
    unread = UnreadAnswer(in: door.room, of: holder)
    startedAt = door.port.now
    if method.descriptor.kind.clientStreams, !gathersBody { begin(message: nil) }
  }

  // MARK: - The body

  /// Whether the call begins once its body has come whole. Answers that nobody reads before then would fill the call's
  /// window, and the service would take no further request.
  private var gathersBody: Bool { method.kind == .bidirectionalStreaming && !head.isDuplex }

  package var wantsBody: Bool {
    refused == nil && !waitsForService && !(isConverting && method.kind.clientStreams)
  }

  package func take(_ bytes: ArraySlice<UInt8>) -> Int {
    // Once the call is over, the rest of the body changes nothing.
    guard outcome == nil else { return bytes.count }
    do throws(Status) {
      let count = try takeUndecided(bytes)
      bytesIn += count
      try gather()
      return count
    } catch {
      fail(error)
      return bytes.count
    }
  }

  private func takeUndecided(_ bytes: ArraySlice<UInt8>) throws(Status) -> Int {
    guard head.style.isFramed else {
      guard request.count + bytes.count <= door.limits.largestMessage else { throw Self.tooLarge(door.limits) }
      request += bytes
      return bytes.count
    }
    if gathersBody {
      guard pendingFrames.count + bytes.count <= door.limits.largestMessage else { throw Self.tooLarge(door.limits) }
      pendingFrames += bytes
      return bytes.count
    }
    if web != nil {
      // Base64 must be decoded as it arrives; what the bus has no room for waits in decoded form.
      guard wantsBody else { return 0 }
      let decoded = try web?.decode(bytes) ?? []
      pendingFrames += decoded
      try takeFrames(from: &pendingFrames)
      return bytes.count
    }
    var rest = bytes
    try takeFrames(from: &rest)
    return bytes.count - rest.count
  }

  /// Bytes that have not been made into frames yet: decoded ones, or those of a body that is gathered.
  private var pendingFrames: ArraySlice<UInt8> = []

  private func takeFrames(from bytes: inout ArraySlice<UInt8>) throws(Status) {
    while wantsBody, let frame = try reader.next(from: &bytes) {
      guard frame.flags & ~PrefixedFrame.compressed == 0 else {
        throw Status(.invalidArgument, rule: "bad_frame", "a message has the unknown flags \(frame.flags)")
      }
      let isCompressed = frame.flags & PrefixedFrame.compressed != 0
      if isCompressed, !head.isCompressed {
        throw Status(.internal, rule: "bad_frame", "a message is marked as compressed, and the head names no encoding")
      }
      if method.kind.clientStreams {
        try pass(frame.payload, isCompressed: isCompressed)
      } else {
        guard !hasRequest else { throw Status(.unimplemented, rule: "one_message", "\(method.path) takes one message") }
        hasRequest = true
        request = frame.payload
        requestIsCompressed = isCompressed
      }
    }
  }

  package func endBody() {
    hasBodyEnded = true
    guard outcome == nil else { return }
    if gathersBody {
      begin(message: nil)
      return goOn()
    }
    if isInsideMessage || !pendingFrames.isEmpty && wantsBody { return fail(Self.cutShort) }
    if method.kind.clientStreams { return finishSendingIfDone() }
    if head.style.isFramed, !hasRequest {
      return fail(Status(.unimplemented, rule: "one_message", "\(method.path) takes one message, and none came"))
    }
    do throws(Status) {
      try pass(request, isCompressed: head.style.isFramed ? requestIsCompressed : head.isCompressed)
      request = []
      try gather()
    } catch {
      fail(error)
    }
  }

  /// Whether the bytes read so far end inside a message, or inside a group of base64.
  private var isInsideMessage: Bool { reader.isInsideFrame || web?.isInsideGroup == true }

  /// Counts the bytes of the request that are in memory.
  private func gather() throws(Status) {
    let kept = request.count + reader.gathered + pendingFrames.count + (refused?.count ?? 0) + entrusted
    var missing = reader.missing
    if !head.style.isFramed, !hasBodyEnded, let length = head.length { missing = max(0, length - request.count) }
    try gathering.hold(kept, missing: missing)
  }

  /// Converts a message and sends it on: at once, or in the pool if that takes long.
  private func pass(_ bytes: [UInt8], isCompressed: Bool) throws(Status) {
    var conversion = toRequest
    conversion.gzip = isCompressed
    guard conversion.isLong(bytes.count) else { return send(try conversion(bytes).bytes) }
    entrusted = bytes.count
    requestJob = door.convert(bytes, by: conversion, for: self)
  }

  private func send(_ message: [UInt8]) {
    guard let call else {
      // The bus keeps the message until the service begins to answer.
      entrusted = message.count
      return begin(message: message)
    }
    guard call.send(message) else {
      refused = message
      return
    }
    guard message.count > GatheringRoom.short, call.asksForRoom() else { return }
    (waitsForService, entrusted) = (true, message.count)
  }

  private func begin(message: [UInt8]?) {
    var wish = PortRequest(method, caller: admitted.identity, deadline: startedAt + patience, message: message)
    wish.metadata = head.metadata
    wish.idempotencyKey = head.idempotencyKey
    wish.earlierAttempts = head.earlierAttempts
    if head.idempotencyKey.isEmpty, method.idempotency != .noSideEffects { wish.idempotencyKey = door.port.freshKey() }
    door.gatekeeper.tickets.add(to: &wish, for: admitted, from: address)
    call = door.begin(wish, for: self)
  }

  /// Continues with the request, when the bus or the pool can take another message.
  private func goOn() {
    if waitsForService {
      guard call?.asksForRoom() != true else { return }
      (waitsForService, entrusted) = (false, 0)
    }
    if let message = refused {
      refused = nil
      send(message)
    }
    do throws(Status) {
      try takeFrames(from: &pendingFrames)
      try gather()
    } catch {
      return fail(error)
    }
    if hasBodyEnded { finishSendingIfDone() }
    onChange()
  }

  private func finishSendingIfDone() {
    guard hasBodyEnded, refused == nil, !isConverting, pendingFrames.isEmpty, !hasFinishedSending else { return }
    // The bytes that waited may have been the beginning of another message.
    guard !isInsideMessage else { return fail(Self.cutShort) }
    hasFinishedSending = true
    call?.finishSending()
  }

  // MARK: - What comes back

  func take(_ news: PortNews.Content) {
    guard outcome == nil, !isClosed else { return }
    if !method.kind.clientStreams { gathering.release() }
    switch news {
    case .headers(let metadata): initialMetadata = metadata
    case .messages(let messages):
      for message in messages { backlog.append(Array(message)) }
    case .room: return goOn()
    case .ended(let status, let last):
      if let last { backlog.append(last) }
      if let call { door.forget(call) }
      outcome = status
      forgetRequest()
    }
    do throws(Status) {
      try countAnswer()
      continueAnswer()
    } catch {
      endAnswer(with: error)
    }
    leaveIfDone()
    onChange()
  }

  private var keptOfAnswer: Int {
    let converting = isAnswerConverting ? convertedCount : 0
    return answer.kept + backlog.byteCount + converting + wholeCount
  }

  /// Counts what is kept of the answer, and what is about to be added; throws when there is no room for it.
  func countAnswer(adding count: Int = 0) throws(Status) { try unread.hold(keptOfAnswer + count) }

  /// Counts that fewer bytes of the answer are in memory than before.
  func noteTaken() { unread.shrink(to: keptOfAnswer) }

  package func forgetBody() { response?.forgetBody() }

  /// Gives up the call's place once the call is over and its answer is converted.
  private func leaveIfDone() {
    if outcome != nil, !isAnswerConverting { place = nil }
  }

  func converted(_ result: Workshop<Conversion.Result>.Outcome, _ job: UInt64) {
    guard !isClosed else { return }
    // Told apart by their numbers, since a service may answer while requests are still being converted.
    if job == answerJob {
      answerConverted(result)
      return leaveIfDone()
    }
    (requestJob, entrusted) = (nil, 0)
    guard outcome == nil else { return }
    do throws(Status) {
      let message = try result.get().bytes
      // The converted message is counted before it is sent, so that a call that finds no room is not begun.
      entrusted = message.count
      try gather()
      entrusted = 0
      send(message)
      if method.kind.clientStreams { goOn() } else { try gather() }
    } catch {
      fail(error)
    }
  }

  private func forgetRequest() {
    if let requestJob { door.giveUpConversion(requestJob) }
    requestJob = nil
    gathering.release()
    reader = PrefixedFrameReader(limit: door.limits.largestMessage)
    request = []
    refused = nil
    pendingFrames = []
  }

  /// Ends the call with a status that the door gives.
  func fail(_ status: Status) {
    guard outcome == nil else { return }
    outcome = status
    giveUpCall()
    forgetRequest()
    dropBacklog()
    continueAnswer()
    leaveIfDone()
    onChange()
  }

  /// A part of the answer cannot be converted, or finds no room: that is the outcome, also where the call itself has
  /// ended well.
  func endAnswer(with status: Status) {
    guard outcome != nil else { return fail(status) }
    outcome = status
    dropBacklog()
    continueAnswer()
  }

  private func dropBacklog() {
    backlog.removeAll()
    noteTaken()
  }

  private func giveUpCall() {
    guard let call else { return }
    door.forget(call)
    call.cancel()
  }

  package func close(wasComplete: Bool) {
    guard !isClosed else { return }
    isClosed = true
    if outcome == nil { giveUpCall() }
    forgetRequest()
    place = nil
    unread.shrink(to: 0)
    if let answerJob { door.giveUpConversion(answerJob) }
    let code = wasComplete ? outcome?.code ?? .cancelled : .cancelled
    door.finished(
      CallRecord(
        path: method.path, form: head.style.dialect.form, code: code,
        httpStatus: wasComplete ? response?.status ?? 0 : 499, duration: door.port.now - startedAt, bytesIn: bytesIn,
        bytesOut: bytesOut, address: address, account: admitted.account,
        traceID: TraceContext.traceID(of: head.metadata), isTimed: method.kind == .unary)
    )
    onChange = {}
  }
}
