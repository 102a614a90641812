public import Wire

/// Calls with messages instead of bytes, on which generated clients are built.
extension Channel {
  @inlinable
  public func unary<Request: Message, Response: Message>(
    _ method: MethodDescriptor, _ request: Request, as _: Response.Type = Response.self, options: CallOptions
  ) async throws(Status) -> Answer<Response> {
    let answer = try await ask(method, encode(request), options: options).answer()
    return Answer(
      message: try decode(answer.message), initialMetadata: answer.initialMetadata,
      trailingMetadata: answer.trailingMetadata)
  }

  public func serverStream<Request: Message, Response: Message>(
    _ method: MethodDescriptor, _ request: Request, as _: Response.Type = Response.self, options: CallOptions
  ) throws(Status) -> ResponseStream<Response> {
    ResponseStream(begin(method, request: try encode(request), options: options))
  }

  public func clientStream<Request: Message, Response: Message>(
    _ method: MethodDescriptor, _: Request.Type = Request.self, as _: Response.Type = Response.self,
    options: CallOptions
  ) -> ClientStreamingCall<Request, Response> {
    ClientStreamingCall(begin(method, request: nil, options: options))
  }

  public func bidirectional<Request: Message, Response: Message>(
    _ method: MethodDescriptor, _: Request.Type = Request.self, as _: Response.Type = Response.self,
    options: CallOptions
  ) -> BidirectionalCall<Request, Response> {
    BidirectionalCall(begin(method, request: nil, options: options))
  }
}

/// The messages of a stream of answers, in order. It throws the call's status unless that is OK.
public struct ResponseStream<Response: Message>: AsyncSequence, Sendable {
  private let call: any OpenCall

  public init(_ call: any OpenCall) {
    self.call = call
  }

  public func makeAsyncIterator() -> Iterator { Iterator(call: call) }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let call: any OpenCall

    public mutating func next() async throws(Status) -> Response? {
      try await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Status) -> Response? {
      // A message that has arrived is returned without `await`, which costs less.
      if let bytes = try call.nextAtOnce() { return try decode(bytes) }
      guard let bytes = try await call.next() else { return nil }
      return try decode(bytes)
    }
  }

  /// The metadata that the handler sent before its first message.
  public func initialMetadata() async throws(Status) -> Metadata { try await call.initialMetadata() }

  /// The metadata that the handler sent at the end: empty until the stream has ended.
  public var trailingMetadata: Metadata { call.trailingMetadata }

  public func cancel() { call.cancel() }
}

/// Sends a stream of requests, waiting for room before each.
public struct RequestWriter<Request: Message>: Sendable {
  private let call: any OpenCall

  init(_ call: any OpenCall) {
    self.call = call
  }

  public func send(_ request: Request) async throws(Status) {
    let message = try encode(request)
    if try !call.sendAtOnce(message) { try await call.send(message) }
  }

  /// Declares that no further request follows.
  public func finish() { call.finishSending() }
}

/// Many requests, one answer.
public struct ClientStreamingCall<Request: Message, Response: Message>: Sendable {
  public let requests: RequestWriter<Request>
  private let call: any OpenCall

  init(_ call: any OpenCall) {
    requests = RequestWriter(call)
    self.call = call
  }

  /// Declares that no further request follows, and waits for the answer.
  public func finish() async throws(Status) -> Answer<Response> {
    call.finishSending()
    guard let bytes = try await call.next() else {
      throw Status(.internal, "the call ended well and without an answer")
    }
    while try await call.next() != nil {}
    return Answer(
      message: try decode(bytes), initialMetadata: try await call.initialMetadata(),
      trailingMetadata: call.trailingMetadata)
  }

  public func cancel() { call.cancel() }
}

/// A stream of requests and a stream of answers.
public struct BidirectionalCall<Request: Message, Response: Message>: Sendable {
  public let requests: RequestWriter<Request>
  public let responses: ResponseStream<Response>

  init(_ call: any OpenCall) {
    requests = RequestWriter(call)
    responses = ResponseStream(call)
  }

  public func cancel() { responses.cancel() }
}

@usableFromInline
func encode(_ message: some Message) throws(Status) -> [UInt8] {
  do throws(CodecError) {
    return try message.encoded()
  } catch {
    throw Status(.invalidArgument, "the message cannot be sent: \(error)")
  }
}

@usableFromInline
func decode<Response: Message>(_ bytes: [UInt8]) throws(Status) -> Response { try decode(bytes[...]) }

private func decode<Response: Message>(_ bytes: ArraySlice<UInt8>) throws(Status) -> Response {
  do throws(CodecError) {
    return try Response(decoding: bytes.span, limits: .standard)
  } catch {
    throw Status(.internal, "the answer cannot be read: \(error)")
  }
}
