package import Base
internal import Bus
internal import Face
internal import RPC

/// Writes the HTTP response of a call while the call's messages and its outcome arrive.
extension CallExchange {
  /// Writes as much of the response as the messages and the outcome so far allow.
  func continueAnswer() {
    head.style.dialect == .connectUnary ? continueUnary() : continueStream()
  }

  // MARK: - One message as the whole body

  private func continueUnary() {
    guard response == nil, !isAnswerConverting, let outcome else { return }
    guard outcome.isOK, let message = backlog.last else {
      let status =
        outcome.isOK ? Status(.internal, rule: "no_answer", "the call ended well and without an answer") : outcome
      response = ConnectError(status, door.catalogue).response
      response?.headers += HeaderMetadata.answerHeaders(of: initialMetadata)
      return
    }
    backlog.removeAll()
    furtherHeaders = headersOfAnswer(message)
    if answer.conversion.isLong(message.count) {
      convertedCount = message.count
      answerJob = door.convert(message, by: answer.conversion, for: self)
      return
    }
    do throws(Status) {
      respond(with: try answer.conversion(message))
    } catch {
      endAnswer(with: error)
    }
  }

  private func respond(with result: Conversion.Result) {
    wholeCount = result.bytes.count
    do throws(Status) {
      try countAnswer()
    } catch {
      wholeCount = 0
      return endAnswer(with: error)
    }
    var answer = HTTPResponse(200, [("content-type", head.style.contentType)], body: .bytes(result.bytes))
    if result.isCompressed { answer.headers.append(("content-encoding", "gzip")) }
    if head.acceptsGzip { answer.headers.append(("vary", "Accept-Encoding")) }
    answer.headers += HeaderMetadata.answerHeaders(of: initialMetadata)
    answer.headers += HeaderMetadata.answerHeaders(of: outcome?.metadata ?? [:], prefix: "trailer-")
    answer.headers += furtherHeaders
    bytesOut += result.bytes.count
    response = answer
  }

  // MARK: - Frames

  private func continueStream() {
    while !isAnswerConverting, !backlog.isEmpty {
      let message = backlog.removeFirst()
      if answer.conversion.isLong(message.count) {
        convertedCount = message.count
        answerJob = door.convert(message, by: answer.conversion, for: self)
        break
      }
      do throws(Status) {
        try append(try answer.conversion(message), messageOf: message.count)
      } catch {
        return endAnswer(with: error)
      }
    }
    let isOver = outcome != nil && backlog.isEmpty && !isAnswerConverting
    if response == nil, isOver, answer.waiting == 0, initialMetadata.isEmpty, head.style.dialect == .grpc {
      response = GRPCStatus.wholeResponse(outcome ?? .ok)
      return
    }
    if response == nil, isOver || answer.waiting > 0 || isAnswerConverting || opensEarly { openStream() }
    if isOver, !answer.isOver { finishStream() }
  }

  func answerConverted(_ result: Workshop<Conversion.Result>.Outcome) {
    answerJob = nil
    switch (result, head.style.dialect) {
    case (.success(let converted), .connectUnary): respond(with: converted)
    case (.success(let converted), _):
      do throws(Status) {
        try append(converted, messageOf: convertedCount)
        continueStream()
      } catch {
        endAnswer(with: error)
      }
    case (.failure(let status), _): endAnswer(with: status)
    }
    onChange()
  }

  /// Adds a message to the stream if there is room for it as its caller reads it, which may be more than on the bus.
  private func append(_ result: Conversion.Result, messageOf count: Int) throws(Status) {
    let flags = result.isCompressed ? PrefixedFrame.compressed : 0
    let frame = PrefixedFrame(flags: flags, payload: result.bytes)
    try countAnswer(adding: answer.size(of: frame))
    answer.append(frame, messageOf: count)
  }

  /// Whether the caller is told at once what the service says before its first message.
  private var opensEarly: Bool { !initialMetadata.isEmpty && method.kind == .bidirectionalStreaming }

  /// Whether the response's head says that messages may be compressed. A short answer over gRPC is not.
  private var namesEncoding: Bool {
    guard answer.conversion.gzip else { return false }
    return head.style.dialect != .grpc || head.isCompressed || method.kind.serverStreams || isAnswerConverting
  }

  private func openStream() {
    var response = HTTPResponse(200, [("content-type", head.style.contentType)], body: .stream)
    if namesEncoding {
      let name = head.style.dialect == .connectStream ? "connect-content-encoding" : "grpc-encoding"
      response.headers.append((name, "gzip"))
    }
    response.headers += HeaderMetadata.answerHeaders(of: initialMetadata)
    self.response = response
  }

  private func finishStream() {
    let status = outcome ?? .ok
    switch head.style.dialect {
    case .connectUnary, .connectStream:
      answer.finish(
        PrefixedFrame(
          flags: PrefixedFrame.connectEnd,
          payload: Array(ConnectError(status, door.catalogue).endOfStream.utf8)))
    case .grpc:
      trailers = GRPCStatus.headers(status)
      answer.finish()
    case .grpcWeb:
      answer.finish(PrefixedFrame(flags: PrefixedFrame.webTrailers, payload: GRPCStatus.lines(status)))
    }
  }

  package func nextBytes(_ most: Int) -> StreamedBytes {
    guard answer.waiting > 0 else { return answer.isOver ? .end : .wait }
    let (bytes, consumed) = answer.take(most)
    bytesOut += bytes.count
    noteTaken()
    call?.consumed(bytes: consumed.bytes, messages: consumed.messages)
    return .bytes(bytes)
  }

  static func tooLarge(_ limits: DoorLimits) -> Status {
    Status(.invalidArgument, rule: "message_too_large", "the body has more than \(limits.largestMessage) bytes")
  }

  static let cutShort = Status(.invalidArgument, rule: "cut_short", "the body ends inside a message")

  // MARK: - The caller, and the call's time

  var caller: VerifiedCaller? { admitted }
  /// The account or address that takes turns in the pool and that memory is counted for.
  var holder: String { admitted.holder(at: address) }

  /// Ends a call whose request has not arrived within its deadline. Once the call is on the bus, the bus watches it.
  package func check(at now: MonotonicTime) {
    guard call == nil, outcome == nil, now - startedAt >= patience else { return }
    fail(Status(.deadlineExceeded, rule: "deadline_passed", "the request had not come in the call's time"))
  }

  var patience: Duration { door.limits.times.time(of: method.kind, stated: head.timeout) }
}
