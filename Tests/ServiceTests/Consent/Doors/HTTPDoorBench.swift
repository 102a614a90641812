import Base
import Bus
import Face
import GatewayContract
import HTTPFace
import RPC
import TestSupport
import Wire

/// The HTTP door of a gateway over services in this process, without its sockets: heads and bodies go in, responses
/// come out, and everything between them and the bus is what a gateway has.
actor HTTPDoorBench {
  struct Response: Sendable {
    let status: Int
    let headers: [String: String]
    let body: [UInt8]
  }

  nonisolated let catalogue: Catalogue
  private let desk: HTTPRouter
  private let doorway: Doorway
  private let wakeUp: WakeUp
  static let origin = "https://app.example.org"
  /// In place of the status of a response whose bytes ended too early.
  static let brokenOff = -1

  init(
    on bus: InProcessBus, admittingBy verifiers: [any CredentialVerifier], passes: BrowserPasses? = nil,
    clock: Base.Clock = .system
  ) throws {
    let wakeUp = WakeUp()
    self.wakeUp = wakeUp
    catalogue = try Catalogue.builtIn()
    let gatekeeper = Gatekeeper(verifiers, clock: clock)
    let downloads = Downloads(secret: [1, 2, 3], catalogue, gatekeeper)
    let maker = CallMaker(bus.channel(), catalogue, gatekeeper, downloads: downloads, passes: passes, clock: clock)
    bus.serve([OwnService(maker: maker)], slots: 8)
    doorway = Doorway(
      port: bus.port { wakeUp.set() }, catalogue: catalogue, gatekeeper: gatekeeper, limits: DoorLimits(),
      workshop: Workshop(on: DoorPool()) { wakeUp.set() }, wake: { wakeUp.set() }
    ) { _ in }
    desk = HTTPRouter(doorway, crossOrigin: CrossOrigin([Self.origin]), downloads: downloads, passes: passes)
  }

  func answer(_ head: RequestHead, _ body: [UInt8] = []) async -> Response {
    let exchange = desk.open(head)
    defer { exchange.close(wasComplete: true) }
    var rest = body[...]
    while !rest.isEmpty {
      let taken = exchange.take(rest)
      rest = rest.dropFirst(taken)
      if taken == 0 { await news() }
    }
    exchange.endBody()
    while true {
      if let response = exchange.response {
        let headers = Dictionary(response.headers.map { ($0.name, $0.value) }) { first, _ in first }
        guard case .stream = response.body else {
          guard case .bytes(let bytes) = response.body else { break }
          return Response(status: response.status, headers: headers, body: bytes)
        }
        var bytes: [UInt8] = []
        while true {
          switch exchange.nextBytes(64 << 10) {
          case .bytes(let part): bytes += part
          case .wait: await news()
          case .end: return Response(status: response.status, headers: headers, body: bytes)
          case .broken: return Response(status: Self.brokenOff, headers: headers, body: bytes)
          }
        }
      }
      await news()
    }
    return Response(status: 0, headers: [:], body: [])
  }

  /// All that a connection says to a request of HTTP/1.1 or 1.0, and whether it ends as a broken one.
  func connection(_ request: String) async -> (bytes: [UInt8], isBroken: Bool) {
    let client = HTTP1Client(desk, address: "192.0.2.7", isSecure: false, at: doorway.port.now)
    client.receive(Array(request.utf8).span, at: doorway.port.now)
    var bytes: [UInt8] = []
    while !client.isOver {
      let isUnfinished = client.output(into: &bytes, upTo: bytes.count + (64 << 10), at: doorway.port.now)
      if !isUnfinished, !client.isOver { await news() }
    }
    return (bytes, client.isBroken)
  }

  /// Reads a stream; once its first bytes are there, something changes. Returns what came after that until the stream
  /// ended; nil when it was still open after `patience`.
  func stream(
    _ head: RequestHead, _ body: [UInt8], patience: Duration, afterFirst change: @Sendable () throws -> Void
  ) async throws -> [UInt8]? {
    let exchange = desk.open(head)
    defer { exchange.close(wasComplete: true) }
    _ = exchange.take(body[...])
    exchange.endBody()
    var hasChanged = false
    var after: [UInt8] = []
    var end = doorway.port.now + patience
    while doorway.port.now < end {
      doorway.deliver()
      // As the door does in each turn of its thread.
      _ = doorway.review(at: doorway.port.now)
      switch exchange.response == nil ? .wait : exchange.nextBytes(64 << 10) {
      case .bytes(let part) where hasChanged: after += part
      case .bytes:
        hasChanged = true
        try change()
        end = doorway.port.now + patience
      case .wait: try await Task.sleep(for: .milliseconds(5))
      case .end, .broken: return after
      }
    }
    return nil
  }

  private func news() async {
    await wakeUp.wait()
    doorway.deliver()
  }
}

/// The gateway's own service, as far as it makes calls for callers.
private struct OwnService: GatewayServiceProtocol {
  let maker: CallMaker

  func listInstances(_ request: ListInstancesRequest, context: CallContext) async throws -> ListInstancesResponse {
    ListInstancesResponse()
  }

  func watchInstances(
    _ request: WatchInstancesRequest, context: CallContext, responses: ResponseWriter<WatchInstancesResponse>
  ) async throws {}

  func createDownload(
    _ request: CreateDownloadRequest, context: CallContext
  ) async throws -> CreateDownloadResponse {
    let wish = Downloads.Wish(
      method: request.method, request: request.request, fileName: request.fileName, isAttachment: request.attachment,
      lifetime: .milliseconds(Int64(request.lifetimeMs)))
    return CreateDownloadResponse(path: try maker.download(wish, for: context).path)
  }

  func createBrowserToken(
    _ request: CreateBrowserTokenRequest, context: CallContext
  ) async throws -> CreateBrowserTokenResponse {
    let made = try await maker.browserToken(
      for: request.sessionID, request.origin, lifetime: BrowserPasses.usualTokenTime, context)
    return CreateBrowserTokenResponse(token: made.text)
  }

  func createFieldLink(
    _ request: CreateFieldLinkRequest, context: CallContext
  ) async throws -> CreateFieldLinkResponse {
    CreateFieldLinkResponse(link: "/sign#\(try await maker.fieldLink(of: request.fieldID, context).token)")
  }

  func openFieldLink(_ request: OpenFieldLinkRequest, context: CallContext) async throws -> OpenFieldLinkResponse {
    let opened = try await maker.openedFieldLink(context)
    return OpenFieldLinkResponse(token: opened.token, fieldID: opened.field)
  }

  func batch(_ request: BatchRequest, context: CallContext) async throws -> BatchResponse {
    let wishes = request.calls.map {
      BatchWish(method: $0.method, request: $0.request, idempotencyKey: $0.idempotencyKey)
    }
    return BatchResponse(
      answers: try await maker.batch(wishes, for: context).map { outcome in
        switch outcome {
        case .answer(let json): BatchAnswer(response: String(decoding: json, as: UTF8.self))
        case .failed(let status): BatchAnswer(code: Int32(status.code.rawValue), message: status.message)
        }
      })
  }
}
