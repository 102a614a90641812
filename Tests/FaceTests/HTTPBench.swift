import Base
import Bus
import Face
import HTTPFace
import HealthContract
import Interop
import RPC
import TestSupport

/// The HTTP door without its server: heads and bodies go in, responses come out, and the bus is in this process.
final class HTTPBench {
  let desk: HTTPRouter
  let doorway: Doorway
  let bus = InProcessBus()
  let closed = ClosedCallers()
  let maker: CallMaker
  private let signal: WakeUp
  static let key = "ak_00112233_" + String(repeating: "5a", count: 24)
  static let origin = "https://app.example.org"

  /// Is always well.
  struct Healthy: HealthProtocol {
    func check(_ request: HealthCheckRequest, context: CallContext) async throws -> HealthCheckResponse {
      var response = HealthCheckResponse()
      response.status = .serving
      return response
    }

    func list(_ request: HealthListRequest, context: CallContext) async throws -> HealthListResponse {
      HealthListResponse()
    }

    func watch(
      _ request: HealthCheckRequest, context: CallContext, responses: ResponseWriter<HealthCheckResponse>
    ) async throws {}
  }

  /// Accepts one key, of a device.
  struct OneKey: CredentialVerifier {
    var scopes: [String] = []
    /// Set when the key has been removed.
    var isVoid: @Sendable () -> Bool = { false }
    var followsNews = false

    func recognises(_ token: String) -> Bool { token.hasPrefix("ak_") }

    func verify(_ token: String, at now: Instant) throws(Status) -> VerifiedCaller {
      guard token == HTTPBench.key, !isVoid() else {
        throw Status(.unauthenticated, rule: "credential_unknown", "no such key")
      }
      let identity = CallerIdentity(kind: .device, tenant: "acme", subject: "kiosk", device: "kiosk")
      return VerifiedCaller(identity: identity, scopes: scopes, account: "ak_00112233")
    }
  }

  init(
    limits: DoorLimits = DoorLimits(), rates: Gatekeeper.Rates = .init(), scopes: [String] = [],
    key: OneKey? = nil, clock: Base.Clock = .system, room: GatheringRoom = GatheringRoom(),
    news: RevocationNews = RevocationNews(), web: WebFiles? = nil,
    before: @escaping @Sendable (CallContext) -> Void = { _ in }
  ) throws {
    let signal = WakeUp()
    self.signal = signal
    bus.serve([Preceded(service: InteropHandlers(instance: "one"), before: before), Healthy()], slots: 8)
    let catalogue = try Catalogue.builtIn()
    let gatekeeper = Gatekeeper(
      [key ?? OneKey(scopes: scopes)], news: news, closed: closed, rates: rates, clock: clock)
    let downloads = Downloads(secret: [1, 2, 3], catalogue, gatekeeper, clock: clock)
    maker = CallMaker(bus.channel(), catalogue, gatekeeper, downloads: downloads, clock: clock)
    bus.serve([BatchService(maker: maker)], slots: 8)
    let sink = RecordSink()
    doorway = Doorway(
      port: bus.port { signal.set() }, catalogue: catalogue, gatekeeper: gatekeeper, limits: limits, room: room,
      workshop: Workshop(on: DoorPool()) { signal.set() }, wake: { signal.set() }
    ) { sink.records.append($0) }
    desk = HTTPRouter(doorway, crossOrigin: CrossOrigin([Self.origin]), downloads: downloads, web: web)
    self.sink = sink
  }

  private final class RecordSink {
    var records: [CallRecord] = []
  }

  private let sink: RecordSink
  var finished: [CallRecord] { sink.records }

  static func head(_ method: String, _ target: String, _ headers: [(String, String)] = []) -> RequestHead {
    var head = RequestHead(method: method, target: target, address: "192.0.2.7")
    for (name, value) in headers { head.add(name, value) }
    return head
  }

  /// A POST to a method of the interoperability service, with the key.
  static func call(_ method: String, _ type: String, _ headers: [(String, String)] = []) -> RequestHead {
    head(
      "POST", "/assent.interop.v1.InteropService/\(method)",
      [("Content-Type", type), ("Authorization", "Bearer \(key)")] + headers)
  }

  /// Sends the body, in pieces of this size, and returns the response with its whole body.
  func answer(
    _ head: RequestHead, _ body: [UInt8] = [], pieces: Int = 10_000
  ) async -> (response: HTTPResponse, body: [UInt8]) {
    let exchange = desk.open(head)
    defer { exchange.close(wasComplete: true) }
    var rest = body[...]
    while !rest.isEmpty {
      let taken = exchange.take(rest.prefix(pieces))
      rest = rest.dropFirst(taken)
      if taken == 0 { await news() }
    }
    exchange.endBody()
    while exchange.response == nil { await news() }
    guard let response = exchange.response else { return (HTTPResponse(0), []) }
    guard case .stream = response.body else {
      if case .bytes(let bytes) = response.body { return (response, bytes) }
      return (response, [])
    }
    var bytes: [UInt8] = []
    while true {
      switch exchange.nextBytes(1_000) {
      case .bytes(let part): bytes += part
      case .wait: await news()
      case .end, .broken: return (response, bytes)
      }
    }
  }

  /// Waits until something has come, and leads it to its exchange.
  func news() async {
    await signal.wait()
    doorway.deliver()
  }

  static func json(_ text: String) -> [UInt8] { Array(text.utf8) }
}

extension [UInt8] {
  var text: String { String(decoding: self, as: UTF8.self) }

  /// The frames in it.
  func frames() throws -> [PrefixedFrame] {
    var reader = PrefixedFrameReader(limit: 1 << 26)
    var rest = self[...]
    var frames: [PrefixedFrame] = []
    while let frame = try reader.next(from: &rest) { frames.append(frame) }
    return frames
  }
}
