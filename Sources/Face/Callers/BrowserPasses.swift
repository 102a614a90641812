package import Base
package import RPC

/// What lets a browser act in one session, as that session's person and for nothing else.
///
/// A pass contains all that is needed to admit its bearer, sealed with a key that gateways share, like the address of a
/// file. So gateways keep nothing. Whether the session is still at this browser the service that owns sessions decides,
/// at each call.
package struct BrowserPasses: CredentialVerifier {
  package struct Pass: Hashable, Sendable {
    package var tenant: String
    package var session: String
    /// The browser, by the name that the session has for it.
    package var browser: String
    /// The origin of the pages that send it as a bearer token; empty: it is a cookie of the gateway's own pages.
    package var origin = ""
    /// When the browser got its first one.
    package var begunAt: Instant
    package var expiry: Instant

    package init(
      tenant: String, session: String, browser: String, origin: String = "", begunAt: Instant, expiry: Instant
    ) {
      self.tenant = tenant
      self.session = session
      self.browser = browser
      self.origin = origin
      self.begunAt = begunAt
      self.expiry = expiry
    }

    /// Why it is not good as it was presented; nil when it is.
    fileprivate func objection(to credential: PresentedCredential) -> Status? {
      if origin.isEmpty {
        guard !credential.isCookie else { return nil }
        return Status(.unauthenticated, rule: "credential_unknown", "the token is good as a cookie alone")
      }
      guard credential.isCookie || credential.origin != origin else { return nil }
      return Status(.permissionDenied, rule: "foreign_page", "the token is good for pages of \(origin) alone")
    }
  }

  /// How long a cookie is good without a call.
  package static let idleTime = Duration.seconds(30 * 60)
  /// How long a browser may go on with one cookie after the other, until the link has to be opened again.
  package static let longestTime = Duration.seconds(12 * 3600)
  /// How long tokens for pages of other origins may be good.
  package static let tokenTimes = Duration.seconds(60)...Duration.seconds(3600)
  package static let usualTokenTime = Duration.seconds(900)

  /// The method by which a link is opened. It is called without a cookie, and its answer brings one.
  package static let opening = "/assent.consent.v1.SessionService/OpenInvitation"
  /// The method by which a browser signs out. Its answer takes the cookie away.
  package static let leaving = "/assent.consent.v1.SessionService/LeaveSession"
  /// How many links an address may open: so many at once, and then one a second. A code has fifty random bits.
  package static let openingRate = TokenRate(perSecond: 1, depth: 60)

  /// The methods that a browser may call: those of its session.
  package static let methods =
    ["GetSession", "ActOnSession", "ResumeSession", "LeaveSession", "PreviewSignedCopy"]
    .map { "assent.consent.v1.SessionService/\($0)" }
    + ["GetRecord", "GetSignedCopy", "GetShownContent", "CheckSignedCopy"]
    .map { "assent.consent.v1.RecordService/\($0)" }
    + [
      "CreateField", "GetField", "ListFields", "WatchField", "TapField", "AppendStrokes", "ClearField", "UndoStroke",
      "ResizeField", "ImportStrokes", "SaveField", "CancelField", "ReEnterField", "SaveTypedName", "SaveUploadedImage",
      "LendField",
    ].map { "assent.signature.v1.SignatureService/\($0)" }
    + [
      "assent.consent.v1.DocumentService/GetAsset", "assent.signature.v1.RenderService/Render",
      "assent.gateway.v1.GatewayService/CreateDownload", "assent.gateway.v1.GatewayService/CreateFieldLink",
    ]

  private static let prefix = "bp1."
  private static let longest = 2_048

  private let key: SealingKey
  private let clock: Clock

  /// - Parameter secret: shared by all gateways that admit each other's browsers.
  package init(secret: [UInt8], clock: Clock = .system) {
    key = SealingKey(secret: secret, purpose: "assent-browser-1")
    self.clock = clock
  }

  // MARK: Making

  /// The cookie of a browser that has opened a link.
  package func cookie(of browser: String, in session: String, of tenant: String) -> String {
    let now = clock.now
    return text(
      Pass(tenant: tenant, session: session, browser: browser, begunAt: now, expiry: now + Self.idleTime))
  }

  /// The cookie that follows; nil while the present one is good for more than half of its time, or no more may follow.
  package func renewed(_ pass: Pass) -> String? {
    let now = clock.now
    let expiry = min(now + Self.idleTime, pass.begunAt + Self.longestTime)
    guard pass.origin.isEmpty, pass.expiry - now < Self.idleTime / 2, expiry > pass.expiry else { return nil }
    var next = pass
    next.expiry = expiry
    return text(next)
  }

  /// The token of pages of another origin.
  package func token(
    of browser: String, in session: String, of tenant: String, for origin: String, lifetime: Duration
  ) -> (text: String, expiry: Instant) {
    let now = clock.now
    let pass = Pass(
      tenant: tenant, session: session, browser: browser, origin: origin, begunAt: now, expiry: now + lifetime)
    return (text(pass), pass.expiry)
  }

  private func text(_ pass: Pass) -> String {
    let times = [pass.begunAt, pass.expiry].map { String($0.millisecondsSince1970) }
    return sealed([pass.tenant, pass.session, pass.browser, pass.origin] + times)
  }

  func sealed(_ fields: [String]) -> String {
    Self.prefix + Base64URL.encode(key.seal(Array(fields.joined(separator: "\n").utf8)))
  }

  // MARK: Verification

  package func recognises(_ token: String) -> Bool { token.hasPrefix(Self.prefix) }

  package func verify(_ token: String, at now: Instant) throws(Status) -> VerifiedCaller {
    let fields = fields(in: token)
    if let loan = FieldLoan(fields) { return try loan.caller(at: now) }
    guard let pass = Pass(fields) else {
      throw Status(.unauthenticated, rule: "credential_unknown", "the token is none that this gateway has made")
    }
    guard now < pass.expiry else {
      throw Status(
        .unauthenticated, rule: "credential_expired", "the browser's right has ended; open the link again")
    }
    let identity = CallerIdentity(
      kind: .device, tenant: pass.tenant, subject: pass.browser, device: pass.browser,
      grants: ["session@\(pass.session)"])
    var caller = VerifiedCaller(
      identity: identity, scopes: Self.methods, account: "\(pass.tenant)/session:\(pass.session)")
    caller.pass = pass
    return caller
  }

  /// What was sealed into a token; empty when it is none of these gateways' tokens.
  func fields(in token: String) -> [String] {
    guard token.utf8.count <= Self.longest, let sealed = Base64URL.decode(token.dropFirst(Self.prefix.count)),
      let bytes = key.open(sealed)
    else { return [] }
    return String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}

extension BrowserPasses.Pass {
  fileprivate init?(_ fields: [String]) {
    guard fields.count == 6, let begunAt = Int64(fields[4]), let expiry = Int64(fields[5]) else { return nil }
    self.init(
      tenant: fields[0], session: fields[1], browser: fields[2], origin: fields[3],
      begunAt: Instant(millisecondsSince1970: begunAt), expiry: Instant(millisecondsSince1970: expiry))
  }
}

extension VerifiedCaller {
  /// Why the caller is not admitted with its credential as it was presented; nil when it is.
  func objection(to credential: PresentedCredential) -> Status? {
    if let pass { return pass.objection(to: credential) }
    guard credential.isCookie else { return nil }
    return Status(.unauthenticated, rule: "credential_unknown", "a cookie holds nothing but a browser's own right")
  }
}
