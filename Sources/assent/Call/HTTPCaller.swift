internal import Base
internal import Bus
internal import Face
internal import Outgoing
internal import RPC
internal import Synchronization
internal import Tokens
internal import Wire

/// Makes one call over HTTP, by Connect's protocol.
struct HTTPCaller {
  let url: String
  let key: String?
  /// A file with certificates that are trusted instead of the system's.
  let certificates: String?

  private static let mostBytes = 64 << 20

  /// - Parameter show: called with each answer as soon as it was received.
  func call(
    _ method: Catalogue.Method, _ requests: CallRequests, _ options: CallOptions, idempotencyKey: String?,
    show: @escaping @Sendable ([UInt8]) throws(RPC.Status) -> Void
  ) async throws {
    let descriptor = method.descriptor
    guard descriptor.kind != .bidirectionalStreaming else {
      throw CallError("\(descriptor.path.dropFirst()) streams in both directions, which HTTP/1.1 cannot: use the bus")
    }
    let isFramed = descriptor.kind != .unary
    var body = try requests.single() ?? []
    if descriptor.kind.clientStreams {
      for try await request in requests { PrefixedFrame(payload: request).append(to: &body) }
    } else if isFramed {
      let message = body
      body = []
      PrefixedFrame(payload: message).append(to: &body)
    }
    var request = OutgoingRequest("POST", address(of: descriptor), body: body)
    request.headers = headers(options, idempotencyKey, isFramed: isFramed)
    // The server ends a call at its deadline, and says so; this is for a server that does not.
    request.timeout = (options.deadline ?? .seconds(30)) + .seconds(5)
    request.mostBytes = isFramed ? Int.max : Self.mostBytes
    let client = OutgoingClient(
      OutgoingPolicy(.anywhere, allowsPlainText: true, certificates: certificates), width: 1)
    guard isFramed else {
      let answer = try await send(request, client)
      try check(answer, isFramed: false)
      return try show(answer.body)
    }
    let reader = FrameShower(show)
    let answer = try await send(request, client) { reader.take($0) }
    try check(answer, isFramed: true)
    try reader.finish()
  }

  /// Throws what an answer tells of that is none. A proxy's page comes with 200 as well.
  private func check(_ answer: OutgoingAnswer, isFramed: Bool) throws(RPC.Status) {
    guard answer.status == 200 else { throw Self.status(inJSON: answer.body, http: answer.status) }
    let found = answer["content-type"] ?? ""
    let wanted = Self.contentType(isFramed: isFramed)
    guard found.prefix(while: { $0 != ";" && $0 != " " }).lowercased() == wanted else {
      throw RPC.Status(.unknown, "the answer is '\(found.shortened)' and not '\(wanted)': no gateway wrote it")
    }
  }

  private static func contentType(isFramed: Bool) -> String {
    isFramed ? "application/connect+proto" : "application/proto"
  }

  private func address(of method: MethodDescriptor) -> String {
    (url.hasSuffix("/") ? String(url.dropLast()) : url) + method.path
  }

  private func headers(_ options: CallOptions, _ key: String?, isFramed: Bool) -> [(name: String, value: String)] {
    var headers = HeaderMetadata.headers(of: options.metadata)
    headers += [("Content-Type", Self.contentType(isFramed: isFramed)), ("Connect-Protocol-Version", "1")]
    if let deadline = options.deadline {
      headers.append(("Connect-Timeout-Ms", String(max(1, deadline.wholeMilliseconds))))
    }
    if let key { headers.append(("Idempotency-Key", key)) }
    if let key = self.key { headers.append(("Authorization", "Bearer \(key)")) }
    return headers
  }

  private func send(
    _ request: OutgoingRequest, _ client: OutgoingClient, _ take: (@Sendable ([UInt8]) -> Void)? = nil
  ) async throws -> OutgoingAnswer {
    do throws(OutgoingError) {
      return try await client.send(request, receiving: take)
    } catch {
      throw CallError(unreachable: "\(url): \(error)")
    }
  }

  /// Connect's form of a status: `{"code":"not_found","message":"…","details":[{"type":"…","value":"…"}]}`.
  private static func status(inJSON text: [UInt8], http: Int) -> RPC.Status {
    JSONValue(text).flatMap { status($0) }
      ?? RPC.Status(
        502...504 ~= http ? .unavailable : .unknown, "the server answered \(http), and not as Connect does")
  }

  /// nil when the value is no status.
  static func status(_ error: JSONValue) -> RPC.Status? {
    guard let word = error["code"]?.string, let code = StatusCode.allCases.first(where: { $0.connectWord == word })
    else {
      return nil
    }
    let details = (error["details"]?.array ?? []).compactMap { detail -> RPC.Status.Detail? in
      let value = Array((detail["value"]?.string ?? "").utf8)
      guard let type = detail["type"]?.string, let bytes = Base64.decodeLeniently(value.span) else { return nil }
      return RPC.Status.Detail(typeName: type, value: bytes)
    }
    return RPC.Status(code, error["message"]?.string ?? "", details: details)
  }
}

/// Reads answers from a stream while it is received, and shows each. The receiving thread calls `take`, and the caller
/// calls `finish` at the end.
private final class FrameShower: Sendable {
  private struct State {
    var reader = PrefixedFrameReader(limit: BusLimits.largestMessage)
    var outcome: RPC.Status?
  }

  private let state = Mutex(State())
  private let show: @Sendable ([UInt8]) throws(RPC.Status) -> Void

  init(_ show: @escaping @Sendable ([UInt8]) throws(RPC.Status) -> Void) {
    self.show = show
  }

  func take(_ bytes: [UInt8]) {
    state.withLock { state in
      guard state.outcome == nil else { return }
      do throws(RPC.Status) {
        var rest = bytes[...]
        while let frame = try state.reader.next(from: &rest) {
          guard frame.flags & PrefixedFrame.connectEnd == 0 else {
            state.outcome = Self.outcome(frame.payload)
            return
          }
          try show(frame.payload)
        }
      } catch {
        state.outcome = error
      }
    }
  }

  /// `{}`, or `{"error":{…}}`.
  private static func outcome(_ end: [UInt8]) -> RPC.Status {
    guard let value = JSONValue(end) else { return RPC.Status(.internal, "the end of the stream cannot be read") }
    guard let error = value["error"] else { return .ok }
    return HTTPCaller.status(error) ?? RPC.Status(.unknown, "the call failed")
  }

  func finish() throws(RPC.Status) {
    let outcome = state.withLock(\.outcome)
    guard let outcome else { throw RPC.Status(.unavailable, "the stream ended without an outcome") }
    if !outcome.isOK { throw outcome }
  }
}

extension StatusCode {
  /// Connect's word for a code; gRPC spells one of them with two l.
  fileprivate var connectWord: String { self == .cancelled ? "canceled" : name.lowercased() }
}
