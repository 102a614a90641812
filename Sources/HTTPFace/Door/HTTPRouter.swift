package import Base
internal import Bus
package import Face
internal import HTTP1
internal import RPC
internal import ServiceKit

/// Reads the head of a request and chooses the exchange that answers it.
package final class HTTPRouter {
  private let door: Doorway
  private let crossOrigin: CrossOrigin
  private let shelf: ProtoFiles
  private let status = StatusPage()
  private let downloads: Downloads?
  private let verification: VerificationPages?
  private let browsers: BrowserDoor?
  private let web: WebFiles?
  private let element: VerificationPage.Element?
  private let clock: Base.Clock
  private var date = HTTPDate()
  /// Whether the gateway is about to stop, even if it still takes calls.
  var isLeaving = false

  package init(
    _ door: Doorway, crossOrigin: CrossOrigin, downloads: Downloads? = nil, passes: BrowserPasses? = nil,
    web: WebFiles? = nil, clock: Base.Clock = .system
  ) {
    self.door = door
    self.clock = clock
    self.downloads = downloads
    self.crossOrigin = crossOrigin
    self.web = web
    browsers = passes.flatMap { BrowserDoor($0, door.catalogue) }
    verification = VerificationPages(door.catalogue)
    element = web.flatMap { web in web.module("verify").map { .init(module: $0, keys: web.evidenceKeys) } }
    shelf = ProtoFiles(descriptorSet: door.catalogue.descriptorSet)
  }

  var limits: DoorLimits { door.limits }

  /// The time for the header of a response.
  func dateText() -> String { date.text(at: clock.now) }

  package func open(_ head: RequestHead) -> any Exchange { open(head, mayWait: true) }

  /// The response to bytes that are no request.
  func refuse(_ fault: RequestFault, from address: String) -> HTTPResponse {
    door.finished(
      CallRecord(
        path: "", form: .other, code: .invalidArgument, httpStatus: fault.status, duration: .zero, bytesIn: 0,
        bytesOut: 0, address: address, account: "", traceID: "", isTimed: false))
    return HTTPResponse(
      fault.status, text: fault.reason, [("cache-control", "no-store"), ("x-content-type-options", "nosniff")])
  }

  private func open(_ head: RequestHead, mayWait: Bool) -> any Exchange {
    if let fault = head.fault {
      return answered(HTTPResponse(400, text: fault, [("connection", "close")]), head)
    }
    if head.isCutShort { return cutShort(head) }
    guard let method = door.catalogue.method(Self.reflectionPaths[head.path] ?? head.path) else {
      if head.path.hasPrefix(Downloads.prefix), let downloads { return download(head, downloads, mayWait: mayWait) }
      if head.path.hasPrefix(VerificationPages.prefix), let verification { return verify(head, verification) }
      return elsewhere(head)
    }
    if mayWait, door.gatekeeper.mustWait(for: { try? credential(of: head, to: method.descriptor) }) {
      return hold(head)
    }
    let allowed = Self.isReadable(method.descriptor) ? "GET, HEAD, POST, OPTIONS" : "POST, OPTIONS"
    switch head.method {
    case "OPTIONS": return answered(crossOrigin.preflight(head, methods: allowed), head)
    case "POST": return post(head, method)
    case "GET" where Self.isReadable(method.descriptor), "HEAD" where Self.isReadable(method.descriptor):
      return get(head, method)
    default: return answered(HTTPResponse(405, text: "use POST", [("allow", allowed)]), head)
    }
  }

  /// Older tools use reflection's former name; the messages have not changed since.
  private static let reflectionPaths = [
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo": "/\(reflection)/ServerReflectionInfo"
  ]
  private static let reflection = "grpc.reflection.v1.ServerReflection"

  /// The answer to a request with too many bytes of headers.
  private func cutShort(_ head: RequestHead) -> any Exchange {
    let status = Status(.invalidArgument, rule: "header_too_large", "the request's header is too large")
    guard let style = CallStyle(contentType: head["content-type"] ?? ""), style.dialect == .grpc else {
      return answered(HTTPResponse(431, text: status.message), head)
    }
    return answered(refusal(status, style), head, .grpc, status.code)
  }

  /// Holds the request until it is known what was revoked.
  private func hold(_ head: RequestHead) -> any Exchange {
    door.hold { [self] in open(head, mayWait: false) }
  }

  /// Whether a method can be called by GET.
  private static func isReadable(_ method: MethodDescriptor) -> Bool {
    method.kind == .unary && method.idempotency == .noSideEffects
  }

  /// Whether a method's answers are the same for everybody and contain nothing personal, so that they may be kept.
  static func isCacheable(_ method: MethodDescriptor) -> Bool {
    isReadable(method) && method.roles.contains(.public)
  }

  // MARK: - Calls

  private func post(_ head: RequestHead, _ method: Catalogue.Method) -> any Exchange {
    guard let style = CallStyle(contentType: head["content-type"] ?? "") else {
      let text =
        "a call's content type is one of: \(CallStyle.acceptPost)"
      return answered(HTTPResponse(415, text: text, [("accept-post", CallStyle.acceptPost)]), head)
    }
    guard style.carries(method.descriptor.kind, isDuplex: head.isDuplex) else {
      return answered(explained(misfit(style, method.descriptor), style), head, style.dialect.form)
    }
    do throws(Status) {
      let call = try CallHead(head, style: style)
      if let timeout = call.timeout, timeout <= .zero {
        throw Status(.deadlineExceeded, rule: "deadline_passed", "the call came with no time left")
      }
      if let count = call.length, count > mostBytes(style) { throw CallExchange.tooLarge(door.limits) }
      let admission = try admit(head, to: method.descriptor)
      // A caller that can be refused at once need not send its long body in vain. A stream is never in memory as a
      // whole.
      if let count = call.length, !method.descriptor.kind.clientStreams {
        try door.room.check(count, of: admission.caller.holder(at: head.address))
      }
      let exchange = try exchange(call, head, method, admission.caller)
      return dressed(exchange, head, admission)
    } catch {
      return answered(refusal(error, style), head, style.dialect.form, error.code)
    }
  }

  /// Makes the exchange, with a place among the open calls.
  private func exchange(
    _ call: CallHead, _ head: RequestHead, _ method: Catalogue.Method, _ caller: VerifiedCaller
  ) throws(Status) -> CallExchange {
    let place = try door.gatekeeper.openCalls.begin(method.descriptor, by: caller.account, from: head.address)
    return CallExchange(call, of: method, by: caller, at: door, address: head.address, place: place)
  }

  private func admit(_ head: RequestHead, to method: MethodDescriptor) throws(Status) -> Gatekeeper.Admission {
    let credential = try credential(of: head, to: method)
    if credential == nil, let identity = StatusPage.localOperator(head, of: method) ?? reader(head, of: method) {
      let caller = VerifiedCaller(identity: identity, account: "")
      return Gatekeeper.Admission(caller: caller, quota: try door.gatekeeper.count(caller, from: head.address))
    }
    return try door.gatekeeper.admit(credential, from: head.address, to: method)
  }

  /// The identity with which a client on this machine reads the contract without a credential.
  private func reader(_ head: RequestHead, of method: MethodDescriptor) -> CallerIdentity? {
    guard method.service == Self.reflection, StatusPage.isOnThisMachine(head.address) else { return nil }
    return CallerIdentity(kind: .operator, subject: "this machine")
  }

  /// A call by GET, whose request is in the address.
  private func get(_ head: RequestHead, _ method: Catalogue.Method) -> any Exchange {
    do throws(Status) {
      guard let fields = head.queryFields else {
        throw Status(.invalidArgument, rule: "bad_query", "the query is malformed, or names a field twice")
      }
      guard let text = fields["message"] else {
        throw Status(.invalidArgument, rule: "bad_query", "message is missing: it is the request")
      }
      let bytes = Array(text.utf8)
      guard let message = fields["base64"] == "1" ? Base64.decodeLeniently(bytes.span) : bytes else {
        throw Status(.invalidArgument, rule: "bad_query", "message is not base64")
      }
      let call = try CallHead(head, get: fields)
      let admission = try door.gatekeeper.admit(
        try credential(of: head, to: method.descriptor), from: head.address, to: method.descriptor)
      let exchange = try exchange(call, head, method, admission.caller)
      let isCacheable = Self.isCacheable(method.descriptor)
      exchange.dress = { [crossOrigin] response in
        response.headers += admission.quota?.headers ?? []
        if isCacheable { Validator.apply(to: &response, head) }
        Self.dress(&response, head, crossOrigin)
      }
      return GetExchange(exchange, message: message)
    } catch {
      return answered(ConnectError(error, door.catalogue).response, head, .connect, error.code)
    }
  }

  /// A body in frames, or in base64, may be longer than the longest message.
  private func mostBytes(_ style: CallStyle) -> Int {
    style.isFramed ? Int.max : door.limits.largestMessage
  }

  private func misfit(_ style: CallStyle, _ method: MethodDescriptor) -> HTTPResponse {
    if style.dialect == .grpc {
      return HTTPResponse(
        505, text: "gRPC needs HTTP/2, which is spoken here too; over HTTP/1.1 use Connect or gRPC-Web")
    }
    let types = style.codec == .json ? "json" : "proto"
    let right = method.kind == .unary ? "application/\(types)" : "application/connect+\(types)"
    return HTTPResponse(
      415, text: "\(method.path) is called with content-type \(right)", [("accept-post", CallStyle.acceptPost)])
  }

  /// The same refusal as a client of Connect reads it, whose library shows nothing else to its user.
  private func explained(_ response: HTTPResponse, _ style: CallStyle) -> HTTPResponse {
    guard style.dialect == .connectUnary || style.dialect == .connectStream, case .bytes(let text) = response.body
    else {
      return response
    }
    let reason = String(decoding: text.dropLast(), as: UTF8.self)
    var explained = response
    let status = Status(.unimplemented, rule: "other_protocol", reason)
    explained.headers = [("content-type", "application/json")] + response.headers.filter { $0.name != "content-type" }
    explained.body = .bytes(Array(ConnectError(status, door.catalogue).json.utf8))
    return explained
  }

  /// The credential that the caller presents: the header takes precedence over the cookie. A cookie counts for calls
  /// by POST alone, and not where a link is opened, which brings the next one.
  private func credential(
    of head: RequestHead, to method: MethodDescriptor
  ) throws(Status) -> PresentedCredential? {
    if let text = head["authorization"] {
      let words = text.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1)
      guard words.count == 2, String(words[0])?.lowercased() == "bearer", let token = String(words[1]) else {
        throw Status(.unauthenticated, rule: "credential_unknown", "authorization must be 'Bearer' and a key or token")
      }
      return PresentedCredential(token: token, origin: head["origin"] ?? "")
    }
    guard head.method == "POST", method.path != BrowserPasses.opening, let token = BrowserDoor.cookie(of: head) else {
      return nil
    }
    guard CrossOrigin.isOwnPage(head) else {
      throw Status(
        .permissionDenied, rule: "foreign_page", "the request came with a cookie, and not from the gateway's own pages")
    }
    return PresentedCredential(token: token, isCookie: true)
  }

  /// A complete response that states the status in the form of the caller's protocol.
  private func refusal(_ status: Status, _ style: CallStyle) -> HTTPResponse {
    switch style.dialect {
    case .connectUnary: return ConnectError(status, door.catalogue).response
    case .connectStream:
      var bytes: [UInt8] = []
      let end = Array(ConnectError(status, door.catalogue).endOfStream.utf8)
      PrefixedFrame(flags: PrefixedFrame.connectEnd, payload: end).append(to: &bytes)
      return HTTPResponse(200, [("content-type", style.contentType)], body: .bytes(bytes))
    case .grpc: return GRPCStatus.wholeResponse(status)
    case .grpcWeb:
      return HTTPResponse(200, [("content-type", style.contentType)] + GRPCStatus.headers(status))
    }
  }

  // MARK: - Files

  /// A file, by an address that says on whose behalf it is read: neither header nor cookie counts.
  private func download(_ head: RequestHead, _ downloads: Downloads, mayWait: Bool) -> any Exchange {
    guard head.method == "GET" || head.method == "HEAD" else {
      return answered(HTTPResponse(405, text: "use GET", [("allow", "GET, HEAD")]), head, .download)
    }
    if mayWait, downloads.mustWait(for: head.path) { return hold(head) }
    do throws(Status) {
      let opened = try downloads.open(head.path, from: head.address)
      let plan = DownloadCall(opened: opened, head: head)
      guard plan.method.kind.serverStreams else { return single(plan, head) }
      let exchange = FileStreamExchange(plan, at: door)
      exchange.dress = { [crossOrigin] response in Self.dress(&response, head, crossOrigin) }
      return exchange
    } catch {
      return answered(DownloadResponse.refusal(error), head, .download, error.code)
    }
  }

  // MARK: - Signed documents

  /// Shows people what anybody may know of a signed document.
  private func verify(_ head: RequestHead, _ desk: VerificationPages) -> any Exchange {
    guard head.method == "GET" || head.method == "HEAD" else {
      return answered(HTTPResponse(405, text: "use GET", [("allow", "GET, HEAD")]), head, .page)
    }
    let page = VerificationPage(for: head["accept-language"], element: element)
    // For bundles of evidence, which need no identifier.
    if head.path == VerificationPages.prefix, element != nil { return answered(page.withoutQuestion, head, .page) }
    guard let question = desk.question(head) else {
      let unknown = Status(.notFound, rule: "unknown_verification", "there is no identifier in the address")
      return answered(page.response(to: unknown), head, .page)
    }
    return single(VerificationCall(question: question, page: page, desk: desk, address: head.address), head)
  }

  // MARK: - Everything else

  /// Answers a request that is not a call. It counts against the limit of its address like one: finding the nearest
  /// name of a method takes a while.
  private func elsewhere(_ head: RequestHead) -> any Exchange {
    let style = head.method == "POST" ? CallStyle(contentType: head["content-type"] ?? "") : nil
    do throws(Status) {
      _ = try door.gatekeeper.count(VerifiedCaller(identity: .stranger, account: ""), from: head.address)
    } catch {
      let response = style.map { refusal(error, $0) } ?? ConnectError(error, door.catalogue).response
      return answered(response, head, style?.dialect.form ?? .other, error.code)
    }
    if let style {
      let unknown = door.catalogue.unknownMethod(head.path)
      var response = refusal(unknown, style)
      if style.dialect == .connectUnary { response.status = 404 }
      return answered(response, head, style.dialect.form, unknown.code)
    }
    if ProtoFiles.has(head.path) { return answered(isLeaving ? Self.leaving : shelf.response(to: head), head) }
    if let response = web?.response(to: head) { return answered(response, head) }
    if head.path == "/" { return answered(status.response(to: head), head) }
    if head.method == "OPTIONS" { return answered(crossOrigin.preflight(head, methods: "POST, OPTIONS"), head) }
    return answered(HTTPResponse(404, text: door.catalogue.unknownMethod(head.path).message), head)
  }

  /// What load balancers that ask for `/proto` get before the end.
  private static let leaving = HTTPResponse(503, text: "this gateway is about to stop", [("retry-after", "1")])

  /// A response that depends on the head alone. Adds what every response has; a refusal is counted and logged like a
  /// call.
  ///
  /// - Parameter code: why the request is refused, where HTTP's status does not tell.
  private func answered(
    _ response: HTTPResponse, _ head: RequestHead, _ form: CallRecord.Form = .other, _ code: StatusCode? = nil
  ) -> any Exchange {
    var response = response
    dress(&response, head)
    guard let code = code ?? Self.code(ofRefusal: response.status) else { return AnsweredExchange(response) }
    let (door, startedAt) = (door, door.port.now)
    let (path, address, status) = (Self.place(of: head), head.address, response.status)
    return AnsweredExchange(response) { wasComplete, bytesIn in
      door.finished(
        CallRecord(
          path: path, form: form, code: code, httpStatus: wasComplete ? status : 499,
          duration: door.port.now - startedAt, bytesIn: bytesIn, bytesOut: 0, address: address, account: "",
          traceID: "", isTimed: false))
    }
  }

  /// The code that a refusal is logged with; nil for other responses.
  private static func code(ofRefusal httpStatus: Int) -> StatusCode? {
    switch httpStatus {
    case ..<400: nil
    case 404: .notFound
    case 405, 505: .unimplemented
    case 429: .resourceExhausted
    case 503: .unavailable
    default: .invalidArgument
    }
  }

  /// What the log says of where a request went. It never has an address that opens something or names a document.
  private static func place(of head: RequestHead) -> String {
    let path = head.path.lowercased()
    return [Downloads.prefix, VerificationPages.prefix].first { path.hasPrefix($0) } ?? head.path.shortened(to: 256)
  }

  private func dressed(
    _ exchange: CallExchange, _ head: RequestHead, _ admission: Gatekeeper.Admission
  ) -> any Exchange {
    exchange.headersOfAnswer = { [browsers, method = exchange.method, caller = admission.caller] answer in
      browsers?.headers(for: head, method, caller, answer) ?? []
    }
    exchange.dress = { [crossOrigin] response in
      response.headers += admission.quota?.headers ?? []
      Self.dress(&response, head, crossOrigin)
    }
    return exchange
  }

  private func single(_ plan: any SingleCall, _ head: RequestHead) -> any Exchange {
    let exchange = SingleCallExchange(plan, head, at: door)
    exchange.dress = { [crossOrigin] response in Self.dress(&response, head, crossOrigin) }
    return exchange
  }

  private func dress(_ response: inout HTTPResponse, _ head: RequestHead) { Self.dress(&response, head, crossOrigin) }

  private static func dress(_ response: inout HTTPResponse, _ head: RequestHead, _ crossOrigin: CrossOrigin) {
    response.headers += crossOrigin.headers(for: head, of: response)
    response.setDefault("cache-control", "no-store")
    response.setDefault("x-content-type-options", "nosniff")
  }
}
