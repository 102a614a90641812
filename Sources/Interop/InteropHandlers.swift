internal import Base
public import InteropContract
public import RPC

/// Answers the calls with which implementations of the contract are checked against each other.
///
/// Metadata under `assent-echo-initial` comes back before the answer, under `assent-echo-trailing-bin` after it.
public struct InteropHandlers: InteropServiceProtocol {
  private let instance: String
  private let journal: CallJournal?

  /// - Parameter journal: where each UnaryCall records its payload before it does anything else.
  public init(instance: String, journal: CallJournal? = nil) {
    self.instance = instance
    self.journal = journal
  }

  public func emptyCall(_ request: EmptyCallRequest, context: CallContext) async throws -> EmptyCallResponse {
    echoMetadata(context)
    return EmptyCallResponse()
  }

  public func unaryCall(_ request: UnaryCallRequest, context: CallContext) async throws -> UnaryCallResponse {
    try journal?.note(request.payload?.body ?? [])
    echoMetadata(context)
    if request.sleepMs > 0 { try await Task.sleep(for: .milliseconds(Int64(request.sleepMs))) }
    try refuse(with: request.responseStatus)
    var response = UnaryCallResponse()
    response.payload = try payload(of: request.responseSize)
    response.instance = instance
    if request.fillCaller { response.caller = "\(context.identity.tenant)/\(context.identity.subject)" }
    return response
  }

  public func idempotentUnaryCall(
    _ request: IdempotentUnaryCallRequest, context: CallContext
  ) async throws -> IdempotentUnaryCallResponse {
    echoMetadata(context)
    if request.sleepMs > 0 { try await Task.sleep(for: .milliseconds(Int64(request.sleepMs))) }
    try refuse(with: request.responseStatus)
    var response = IdempotentUnaryCallResponse()
    response.payload = try payload(of: request.responseSize)
    response.instance = instance
    return response
  }

  public func streamingOutputCall(
    _ request: StreamingOutputCallRequest, context: CallContext, responses: ResponseWriter<StreamingOutputCallResponse>
  ) async throws {
    echoMetadata(context)
    try await answer(request, responses)
  }

  public func streamingInputCall(
    _ requests: RequestStream<StreamingInputCallRequest>, context: CallContext
  ) async throws -> StreamingInputCallResponse {
    echoMetadata(context)
    var response = StreamingInputCallResponse()
    for try await request in requests { response.aggregatedPayloadSize += UInt64(request.payload?.body.count ?? 0) }
    return response
  }

  public func fullDuplexCall(
    _ requests: RequestStream<StreamingOutputCallRequest>, context: CallContext,
    responses: ResponseWriter<StreamingOutputCallResponse>
  ) async throws {
    echoMetadata(context)
    for try await request in requests { try await answer(request, responses) }
  }

  public func halfDuplexCall(
    _ requests: RequestStream<StreamingOutputCallRequest>, context: CallContext,
    responses: ResponseWriter<StreamingOutputCallResponse>
  ) async throws {
    echoMetadata(context)
    var waiting: [StreamingOutputCallRequest] = []
    for try await request in requests {
      guard waiting.count < Self.halfDuplexLimit else {
        throw Status(.invalidArgument, "HalfDuplexCall keeps at most \(Self.halfDuplexLimit) requests")
      }
      waiting.append(request)
    }
    for request in waiting { try await answer(request, responses) }
  }

  public func unimplementedCall(
    _ request: UnimplementedCallRequest, context: CallContext
  ) async throws -> UnimplementedCallResponse {
    throw Status(.unimplemented, "UnimplementedCall has no implementation, for tests of missing methods")
  }

  public func echoMixed(_ request: EchoMixedRequest, context: CallContext) async throws -> EchoMixedResponse {
    var response = EchoMixedResponse()
    response.message = request.message
    return response
  }

  // MARK: -

  private static let halfDuplexLimit = 1000
  private static let largestPayload: UInt32 = 31 << 20

  private func answer(
    _ request: StreamingOutputCallRequest, _ responses: ResponseWriter<StreamingOutputCallResponse>
  ) async throws {
    for parameters in request.responseParameters {
      if parameters.intervalUs > 0 { try await Task.sleep(for: .microseconds(Int64(parameters.intervalUs))) }
      var response = StreamingOutputCallResponse()
      response.payload = try payload(of: parameters.size)
      try await responses.send(response)
    }
    try refuse(with: request.responseStatus)
  }

  private func payload(of size: UInt32) throws -> Payload {
    guard size <= Self.largestPayload else {
      throw Status(.invalidArgument, "response_size is \(size); at most \(Self.largestPayload) bytes are made")
    }
    var payload = Payload()
    payload.body = [UInt8](repeating: 0, count: Int(size))
    return payload
  }

  private func refuse(with status: EchoStatus?) throws {
    guard let status, status.code != 0 else { return }
    throw Status(StatusCode(wire: status.code), status.message)
  }

  private func echoMetadata(_ context: CallContext) {
    let metadata = context.metadata
    if metadata.isEmpty { return }
    var initial = Metadata()
    var trailing = Metadata()
    for entry in metadata.entries {
      if entry.key == "assent-echo-initial" { try? initial.add(entry.key, entry.text) }
      if entry.key == "assent-echo-trailing-bin" { try? trailing.add(entry.key, bytes: entry.value) }
    }
    if !initial.isEmpty { context.setInitialMetadata(initial) }
    if !trailing.isEmpty { context.setTrailingMetadata(trailing) }
  }
}
