import Base
import Bus
import Face
import GatewayContract
import HTTPFace
import RPC
import TestSupport
import Wire

/// A way in: how a call comes to the door, and how the caller proves who it is.
enum Way: String, CaseIterable, Sendable {
  case connect = "Connect with an API key"
  case grpcWeb = "gRPC-Web with an API key"
  case token = "Connect with an access token"
  case batch = "a call inside a batch"
  case file = "a file by its address"
}

/// Makes calls through the door, as programs outside do.
struct DoorChannel: Channel {
  let desk: HTTPDoorBench
  let way: Way
  /// nil: none is shown.
  let credential: String?

  private struct Pending: PendingCall {
    let make: @Sendable () async throws(Status) -> [UInt8]

    func answer() async throws(Status) -> Answer<[UInt8]> { Answer(message: try await make()) }
  }

  func ask(_ method: MethodDescriptor, _ request: [UInt8], options: CallOptions) throws(Status) -> any PendingCall {
    var key = ""
    if case .given(let given) = options.idempotencyKey { key = given }
    let wish = Wish(method: method.path, request: request, key: key)
    return Pending { () async throws(Status) in try await self.make(wish) }
  }

  /// Streams do not come this way: what they need of the door is tested by itself.
  func begin(_ method: MethodDescriptor, request: [UInt8]?, options: CallOptions) -> any OpenCall {
    InProcessBus().channel().begin(method, request: request, options: options)
  }

  private struct Wish: Sendable {
    let method: String
    let request: [UInt8]
    let key: String
  }

  private func make(_ wish: Wish) async throws(Status) -> [UInt8] {
    switch way {
    case .connect, .token: try await connect(wish.method, wish.request, key: wish.key)
    case .grpcWeb: try await grpcWeb(wish)
    case .batch: try await batch(wish)
    case .file: try await file(wish)
    }
  }

  /// A request's head, with the credential where this way has it.
  func head(_ method: String, _ target: String, _ headers: [(String, String)] = []) -> RequestHead {
    var head = RequestHead(method: method, target: target, address: "192.0.2.7")
    for (name, value) in headers { head.add(name, value) }
    if let credential { head.add("Authorization", "Bearer \(credential)") }
    return head
  }

  private func connect(_ path: String, _ request: [UInt8], key: String = "") async throws(Status) -> [UInt8] {
    var head = head("POST", path, [("Content-Type", "application/proto")])
    if !key.isEmpty { head.add("Idempotency-Key", key) }
    let response = await desk.answer(head, request)
    if response.status == 200 { return response.body }
    throw Self.status(response)
  }

  private static func status(_ response: HTTPDoorBench.Response) -> Status {
    let text = String(decoding: response.body, as: UTF8.self)
    guard text.hasPrefix("{") else { return Status(.unknown, "HTTP \(response.status): \(text)") }
    let told = JSONValue(parsing: text)
    let code = StatusCode.allCases.first { ConnectError.word($0) == told["code"].text }
    return Status(code ?? .unknown, told["message"].text ?? "")
  }

  private func grpcWeb(_ wish: Wish) async throws(Status) -> [UInt8] {
    var body: [UInt8] = []
    PrefixedFrame(payload: wish.request).append(to: &body)
    var head = head("POST", wish.method, [("Content-Type", "application/grpc-web+proto")])
    if !wish.key.isEmpty { head.add("Idempotency-Key", wish.key) }
    let response = await desk.answer(head, body)
    var trailers = response.headers
    var message: [UInt8] = []
    var reader = PrefixedFrameReader(limit: 32 << 20)
    var rest = response.body[...]
    while let frame = try reader.next(from: &rest) {
      guard frame.flags & 0x80 != 0 else {
        message = frame.payload
        continue
      }
      for line in String(decoding: frame.payload, as: UTF8.self).split(whereSeparator: \.isNewline) {
        let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingPrefix(" ") }
        if parts.count == 2 { trailers[String(parts[0])] = String(parts[1]) }
      }
    }
    let code = trailers["grpc-status"].flatMap { Int($0) }.flatMap { number in
      StatusCode.allCases.first { Int($0.rawValue) == number }
    }
    if code == .ok { return message }
    throw Status(code ?? .unknown, trailers["grpc-message"] ?? "")
  }

  private func batch(_ wish: Wish) async throws(Status) -> [UInt8] {
    guard let method = desk.catalogue.method(wish.method) else { throw desk.catalogue.unknownMethod(wish.method) }
    let call = BatchCall(
      method: String(wish.method.dropFirst()), request: try json(wish.request, method.input), idempotencyKey: wish.key)
    let answers: [BatchAnswer]
    do {
      let bytes = try await connect("/assent.gateway.v1.GatewayService/Batch", BatchRequest(calls: [call]).encoded())
      answers = try BatchResponse(decoding: bytes).answers
    } catch let status as Status {
      throw status
    } catch {
      throw Status(.internal, "\(error)")
    }
    guard let answer = answers.first else { throw Status(.internal, "no answer") }
    if let code = StatusCode.allCases.first(where: { $0.rawValue == answer.code }), code != .ok {
      throw Status(code, answer.message)
    }
    do throws(CodecError) {
      return try method.output.binary(fromJSON: Array(answer.response.utf8).span)
    } catch {
      throw Status(.internal, "\(error)")
    }
  }

  private func json(_ bytes: [UInt8], _ type: DynamicType) throws(Status) -> String {
    do throws(CodecError) {
      return String(decoding: try type.json(fromBinary: bytes.span), as: UTF8.self)
    } catch {
      throw Status(.internal, "\(error)")
    }
  }

  /// The bytes of the file, in the field where the method's answer would have them.
  private func file(_ wish: Wish) async throws(Status) -> [UInt8] {
    guard let method = desk.catalogue.method(wish.method) else { throw desk.catalogue.unknownMethod(wish.method) }
    let wished = CreateDownloadRequest(
      method: String(wish.method.dropFirst()), request: try json(wish.request, method.input), lifetimeMs: 60_000)
    let path: String
    do {
      let bytes = try await connect("/assent.gateway.v1.GatewayService/CreateDownload", wished.encoded())
      path = try CreateDownloadResponse(decoding: bytes).path
    } catch let status as Status {
      throw status
    } catch {
      throw Status(.internal, "\(error)")
    }
    // The address alone: who fetches it shows nothing.
    let response = await desk.answer(RequestHead(method: "GET", target: path, address: "192.0.2.8"))
    switch response.status {
    case 200: return []
    case 401: throw Status(.unauthenticated, "the address was refused")
    case 403: throw Status(.permissionDenied, "the address was refused")
    default: throw Status(.notFound, "HTTP \(response.status)")
    }
  }
}
