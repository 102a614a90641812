internal import Face
internal import RPC
internal import Wire

/// Gives browsers the cookie by which they act in one session, renews it, and takes it away.
///
/// No script reads it and no other site's page sends it. Its name lets browsers accept it from this very host over
/// https alone; a gateway that is tried out on one's own machine without TLS needs another name.
struct BrowserDoor: Sendable {
  private let passes: BrowserPasses
  private let tenant: FieldPath
  private let session: FieldPath
  private let browser: FieldPath

  /// nil when the contract has no method that opens links.
  init?(_ passes: BrowserPasses, _ catalogue: Catalogue) {
    func path(_ text: String) throws(CodecError) -> FieldPath {
      try FieldPath(text, in: "assent.consent.v1.OpenInvitationResponse", catalogue.messages)
    }
    do throws(CodecError) {
      (tenant, session, browser) = (try path("tenant"), try path("session.session_id"), try path("browser_id"))
    } catch {
      return nil
    }
    self.passes = passes
  }

  private static let hostName = "__Host-assent"
  private static let localName = "assent-local"

  private static func isLocal(_ head: RequestHead) -> Bool {
    guard !head.isSecure, let host = head["host"] else { return false }
    return ["localhost", "127.0.0.1", "[::1]"].contains { host == $0 || host.hasPrefix("\($0):") }
  }

  private static func name(for head: RequestHead) -> String { isLocal(head) ? localName : hostName }

  /// The browser's cookie; nil when it has none.
  static func cookie(of head: RequestHead) -> String? {
    let start = "\(name(for: head))="
    for header in head.headers where header.name == "cookie" {
      for pair in header.value.split(separator: ";") {
        let text = pair.drop { $0 == " " }
        if text.hasPrefix(start), text.count > start.count { return String(text.dropFirst(start.count)) }
      }
    }
    return nil
  }

  /// What an answer does to the browser's cookie.
  ///
  /// - Parameter answer: the answer of a call that ended well, in binary form.
  func headers(
    for head: RequestHead, _ method: MethodDescriptor, _ caller: VerifiedCaller, _ answer: [UInt8]
  ) -> [(name: String, value: String)] {
    switch method.path {
    case BrowserPasses.opening:
      guard CrossOrigin.isOwnPage(head), let cookie = opened(answer) else { return [] }
      return [Self.set(cookie, for: head)]
    case BrowserPasses.leaving where caller.credential?.isCookie == true:
      return [Self.set("", for: head), ("clear-site-data", "\"cache\"")]
    default:
      guard let pass = caller.pass, let cookie = passes.renewed(pass) else { return [] }
      return [Self.set(cookie, for: head)]
    }
  }

  private func opened(_ answer: [UInt8]) -> String? {
    func text(_ path: FieldPath) -> String? { (try? path.value(in: answer))?.text }
    guard let tenant = text(tenant), let session = text(session), let browser = text(browser) else { return nil }
    return passes.cookie(of: browser, in: session, of: tenant)
  }

  private static func set(_ value: String, for head: RequestHead) -> (name: String, value: String) {
    let seconds = value.isEmpty ? 0 : BrowserPasses.idleTime.components.seconds
    let secure = isLocal(head) ? "" : "; Secure"
    return (
      "set-cookie", "\(name(for: head))=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict\(secure)"
    )
  }
}
