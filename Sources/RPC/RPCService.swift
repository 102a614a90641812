public import Wire

/// A service that answers calls. The protocol for each service of the contract is generated: an implementation has the
/// methods, and nothing else needs to be registered.
public protocol RPCService: Sendable {
  static var descriptor: ServiceDescriptor { get }
  var handlers: [MethodHandler] { get }
}

/// A method and its handler, which takes and returns encoded messages.
public struct MethodHandler: Sendable {
  public let method: MethodDescriptor
  package let body: Body

  package enum Body: Sendable {
    case unary(@Sendable ([UInt8], CallContext) async throws -> [UInt8])
    case streaming(@Sendable (any IncomingCall, CallContext) async throws -> Void)
  }
}

/// The encoded requests and responses of a call, as its handler reads and sends them.
package protocol IncomingCall: Sendable {
  /// The request of a method that takes only one.
  var request: [UInt8]? { get }
  // `nextAtOnce` and `sendAtOnce` need no `await`, which costs time. So callers try them first, and call `next` or
  // `send` only where these have returned nil or false.
  func nextAtOnce() throws -> ArraySlice<UInt8>?
  func sendAtOnce(_ message: [UInt8]) throws -> Bool
  func next() async throws -> [UInt8]?
  func send(_ message: [UInt8]) async throws
}

extension MethodHandler {
  public static func unary<Request: Message, Response: Message>(
    _ method: MethodDescriptor,
    _ body: @escaping @Sendable (Request, CallContext) async throws -> Response
  ) -> MethodHandler {
    MethodHandler(
      method: method,
      body: .unary { bytes, context in
        try await body(Request(requestIn: bytes), context).encoded()
      })
  }

  /// For generated code, which decodes the request and encodes the answer in the same function that calls the method:
  /// another `async` function in between would cost time in each call.
  package static func unaryInBytes(
    _ method: MethodDescriptor, _ body: @escaping @Sendable ([UInt8], CallContext) async throws -> [UInt8]
  ) -> MethodHandler {
    MethodHandler(method: method, body: .unary(body))
  }

  public static func serverStreaming<Request: Message, Response: Message>(
    _ method: MethodDescriptor,
    _ body: @escaping @Sendable (Request, CallContext, ResponseWriter<Response>) async throws -> Void
  ) -> MethodHandler {
    MethodHandler(
      method: method,
      body: .streaming { call, context in
        try await body(Request(requestIn: call.request ?? []), context, ResponseWriter(call))
      })
  }

  public static func clientStreaming<Request: Message, Response: Message>(
    _ method: MethodDescriptor,
    _ body: @escaping @Sendable (RequestStream<Request>, CallContext) async throws -> Response
  ) -> MethodHandler {
    MethodHandler(
      method: method,
      body: .streaming { call, context in
        try await call.send(try await body(RequestStream(call), context).encoded())
      })
  }

  public static func bidirectional<Request: Message, Response: Message>(
    _ method: MethodDescriptor,
    _ body: @escaping @Sendable (RequestStream<Request>, CallContext, ResponseWriter<Response>) async throws -> Void
  ) -> MethodHandler {
    MethodHandler(
      method: method,
      body: .streaming { call, context in
        try await body(RequestStream(call), context, ResponseWriter(call))
      })
  }
}

/// The requests of a stream, in order.
public struct RequestStream<Request: Message>: AsyncSequence, Sendable {
  private let call: any IncomingCall

  init(_ call: any IncomingCall) {
    self.call = call
  }

  public func makeAsyncIterator() -> Iterator { Iterator(call: call) }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let call: any IncomingCall

    public mutating func next() async throws -> Request? {
      if let bytes = try call.nextAtOnce() { return try Request(requestIn: bytes) }
      guard let bytes = try await call.next() else { return nil }
      return try Request(requestIn: bytes)
    }
  }
}

/// Sends a handler's stream of answers.
public struct ResponseWriter<Response: Message>: Sendable {
  private let call: any IncomingCall

  init(_ call: any IncomingCall) {
    self.call = call
  }

  /// Sends an answer, waiting until the caller has room for it.
  public func send(_ response: Response) async throws {
    let message = try response.encoded()
    if try !call.sendAtOnce(message) { try await call.send(message) }
  }
}

extension Message {
  /// Reads a request; a malformed one is the caller's error.
  @inlinable
  public init(requestIn bytes: [UInt8]) throws(Status) {
    do throws(CodecError) {
      try self.init(decoding: bytes.span, limits: .requests)
    } catch {
      throw Status(unreadableRequest: error)
    }
  }

  /// Reads a message from a stream of requests; a malformed one is the caller's error.
  init(requestIn bytes: ArraySlice<UInt8>) throws(Status) {
    do throws(CodecError) {
      try self.init(decoding: bytes.span, limits: .requests)
    } catch {
      throw Status(unreadableRequest: error)
    }
  }
}

extension Status {
  @usableFromInline
  init(unreadableRequest error: CodecError) {
    self.init(.invalidArgument, rule: "bad_request", "the request cannot be read: \(error)")
  }
}
