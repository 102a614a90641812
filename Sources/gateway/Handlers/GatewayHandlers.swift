import Base
import Face
import GatewayContract
import RPC
import Wire

/// The gateway's own methods: tells operators which processes are behind it, makes the calls of a batch, and makes
/// addresses of files.
struct GatewayHandlers: GatewayServiceProtocol {
  let router: any RouterView
  let clock: Base.Clock
  let caller: CallMaker
  /// The origins whose pages may call over HTTP; `*` stands for every one.
  var origins: [String] = []

  private static let defaultInterval: UInt32 = 1000
  private static let shortestInterval: UInt32 = 50

  func listInstances(_ request: ListInstancesRequest, context: CallContext) async throws -> ListInstancesResponse {
    let snapshot = await router.snapshot()
    var response = ListInstancesResponse()
    response.instances = snapshot.instances(of: request.service, at: clock.now)
    response.services = snapshot.loads(of: request.service)
    return response
  }

  func watchInstances(
    _ request: WatchInstancesRequest, context: CallContext, responses: ResponseWriter<WatchInstancesResponse>
  ) async throws {
    let asked = request.intervalMs == 0 ? Self.defaultInterval : request.intervalMs
    let interval = Duration.milliseconds(Int64(max(asked, Self.shortestInterval)))
    var last: WatchInstancesResponse?
    while true {
      let snapshot = await router.snapshot()
      var response = WatchInstancesResponse()
      response.instances = snapshot.instances(of: request.service, at: clock.now)
      response.services = snapshot.loads(of: request.service)
      if response != last { try await responses.send(response) }
      last = response
      try await Task.sleep(for: interval)
    }
  }

  func batch(_ request: BatchRequest, context: CallContext) async throws -> BatchResponse {
    try BatchPlan.check(count: request.calls.count)
    let wishes = request.calls.map {
      BatchWish(method: $0.method, request: $0.request, idempotencyKey: $0.idempotencyKey)
    }
    let outcomes = try await caller.batch(wishes, for: context)
    return BatchResponse(answers: outcomes.map(BatchAnswer.init))
  }
}

extension GatewayHandlers {
  func createDownload(
    _ request: CreateDownloadRequest, context: CallContext
  ) async throws -> CreateDownloadResponse {
    let lifetime = request.lifetimeMs == 0 ? Downloads.longestLifetime : .milliseconds(Int64(request.lifetimeMs))
    let wish = Downloads.Wish(
      method: request.method, request: request.request, fileName: request.fileName, isAttachment: request.attachment,
      lifetime: lifetime)
    let (path, expiry) = try caller.download(wish, for: context)
    return CreateDownloadResponse(path: path, expiresAt: Timestamp(expiry))
  }
}

extension GatewayHandlers {
  func createBrowserToken(
    _ request: CreateBrowserTokenRequest, context: CallContext
  ) async throws -> CreateBrowserTokenResponse {
    let times = BrowserPasses.tokenTimes
    let lifetime =
      request.lifetimeMs == 0 ? BrowserPasses.usualTokenTime : .milliseconds(Int64(request.lifetimeMs))
    guard times.contains(lifetime) else {
      let bounds = "\(times.lowerBound.wholeMilliseconds) to \(times.upperBound.wholeMilliseconds)"
      throw Status(.invalidArgument, rule: "bad_lifetime", "lifetime_ms must be \(bounds)")
    }
    guard Self.isOrigin(request.origin) else {
      throw Status(
        .invalidArgument, rule: "bad_origin", "origin must be one of web pages, such as https://app.example.org")
    }
    guard !request.sessionID.isEmpty else {
      throw Status(.invalidArgument, rule: "session_missing", "session_id is empty")
    }
    guard origins.contains(request.origin) || origins.contains("*") else {
      throw Status(
        .failedPrecondition, rule: "origin_not_admitted", "http-origins does not admit pages of \(request.origin)")
    }
    let (token, end) = try await caller.browserToken(
      for: request.sessionID, request.origin, lifetime: lifetime, context)
    return CreateBrowserTokenResponse(token: token, expiresAt: Timestamp(end))
  }

  func createFieldLink(
    _ request: CreateFieldLinkRequest, context: CallContext
  ) async throws -> CreateFieldLinkResponse {
    guard !request.fieldID.isEmpty else {
      throw Status(.invalidArgument, rule: "field_missing", "field_id is empty")
    }
    let (token, end) = try await caller.fieldLink(of: request.fieldID, context)
    return CreateFieldLinkResponse(link: "/sign#\(token)", expiresAt: Timestamp(end))
  }

  func openFieldLink(_ request: OpenFieldLinkRequest, context: CallContext) async throws -> OpenFieldLinkResponse {
    let (token, field, end) = try await caller.openedFieldLink(context)
    return OpenFieldLinkResponse(token: token, expiresAt: Timestamp(end), fieldID: field)
  }

  private static func isOrigin(_ text: String) -> Bool {
    guard text.utf8.count <= 256, let scheme = ["https://", "http://"].first(where: { text.hasPrefix($0) }) else {
      return false
    }
    let rest = text.dropFirst(scheme.count)
    return !rest.isEmpty && rest.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "/") }
  }
}

extension BatchAnswer {
  fileprivate init(_ outcome: BatchOutcome) {
    self.init()
    switch outcome {
    case .answer(let json): response = String(decoding: json, as: UTF8.self)
    case .failed(let status):
      code = Int32(status.code.rawValue)
      message = status.message
      details = status.details.map { BatchDetail(typeName: $0.typeName, value: $0.value) }
      retryAfterMs = status.metadata["retry-after-ms"].flatMap { UInt32($0) } ?? 0
    }
  }
}
