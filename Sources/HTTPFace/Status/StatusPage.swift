internal import Base
internal import RPC

/// What an operator sees of this gateway in a browser.
///
/// The page itself discloses nothing: what it shows comes from `WatchInstances`, which only operators and browsers on
/// the gateway's own machine may call.
struct StatusPage {
  private let page: HTTPResponse

  init() {
    let style = StatusStyle.text
    let script = StatusScript.text
    let text = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Assent gateway</title>
      <link rel="icon" href="data:,">
      <style>\(style)</style>
      </head>
      <body>
      \(StatusMarkup.body)
      <script>\(script)</script>
      </body>
      </html>

      """
    // Only the page's own style and script are allowed.
    let policy = [
      "default-src 'none'", "style-src '\(Self.source(style))'", "script-src '\(Self.source(script))'",
      "connect-src 'self'", "img-src data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ]
    page = HTTPResponse(
      200,
      [
        ("content-type", "text/html; charset=utf-8"), ("content-security-policy", policy.joined(separator: "; ")),
        ("referrer-policy", "no-referrer"),
      ], body: .bytes(Array(text.utf8)))
  }

  private static func source(_ text: String) -> String {
    "sha256-\(Base64.encode(Digest(of: Array(text.utf8)).bytes))"
  }

  func response(to head: RequestHead) -> HTTPResponse {
    guard head.method == "GET" || head.method == "HEAD" else {
      return HTTPResponse(405, text: "use GET", [("allow", "GET, HEAD")])
    }
    return page
  }

  // MARK: - Whom it is for

  /// The identity of an operator, for a browser on the gateway's own machine without a key; nil for everybody else.
  ///
  /// A proxy on this machine may forward strangers' requests, and a stranger's page could reach this gateway under a
  /// host name of its own. So nothing may have been forwarded, and the host must be given as an address.
  static func localOperator(_ head: RequestHead, of method: MethodDescriptor) -> CallerIdentity? {
    guard method.service == "assent.gateway.v1.GatewayService", method.roles == [.operator],
      isOnThisMachine(head.address), isCalledByAddress(head["host"] ?? ""),
      !head.headers.contains(where: { $0.name == "forwarded" || $0.name == "via" || $0.name.hasPrefix("x-forwarded-") }
      ),
      head["origin"].map({ $0 == "\(head.isSecure ? "https" : "http")://\(head["host"] ?? "")" }) ?? true
    else { return nil }
    return CallerIdentity(kind: .operator, subject: "this machine")
  }

  static func isOnThisMachine(_ address: String) -> Bool {
    address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.")
  }

  private static func isCalledByAddress(_ host: String) -> Bool {
    let name = host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : String(host.prefix { $0 != ":" })
    return ["127.0.0.1", "localhost", "[::1]"].contains(name)
  }
}
