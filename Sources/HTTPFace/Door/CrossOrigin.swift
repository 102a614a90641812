/// Decides which web pages of other origins may call (CORS), and whether the gateway's own page made a call.
package struct CrossOrigin: Sendable {
  /// Such as `https://app.example.org`; `*` stands for every origin.
  package var origins: [String]

  package init(_ origins: [String] = []) {
    self.origins = origins
  }

  private func admits(_ origin: String) -> Bool { origins.contains(origin) || origins.contains("*") }

  /// The headers that let a page of an admitted origin read the response.
  package func headers(for head: RequestHead, of response: HTTPResponse) -> [(name: String, value: String)] {
    guard let origin = head["origin"], !origins.isEmpty else { return [] }
    guard admits(origin) else { return [("vary", "Origin")] }
    var headers = [("vary", "Origin"), ("access-control-allow-origin", origin)]
    let exposed = response.headers.map(\.name).filter { !Self.safelisted.contains($0) }
    if !exposed.isEmpty {
      headers.append(("access-control-expose-headers", Set(exposed).sorted().joined(separator: ", ")))
    }
    return headers
  }

  /// The answer to a browser that asks, before it sends the request, whether it may.
  package func preflight(_ head: RequestHead, methods: String) -> HTTPResponse {
    var response = HTTPResponse(204, [("allow", methods)])
    guard let origin = head["origin"], admits(origin), head["access-control-request-method"] != nil else {
      return response
    }
    response.headers.append(("access-control-allow-methods", methods))
    let wanted = (head["access-control-request-headers"] ?? "").split(separator: ",").map {
      $0.filter { $0 != " " }.lowercased()
    }
    // All headers are admitted, since any may be metadata, and no caller gains a right by sending one.
    let named = wanted.filter { $0.utf8.allSatisfy(Self.isNameByte) && (1...64).contains($0.utf8.count) }.prefix(64)
    if !named.isEmpty { response.headers.append(("access-control-allow-headers", named.joined(separator: ", "))) }
    response.headers.append(("access-control-max-age", "7200"))
    return response
  }

  /// Whether a script of the gateway's own pages sent a request, so that its cookie counts: the browser states their
  /// origin, and Connect's header, which no form and no other site's page can send. Behind a proxy that ends TLS the
  /// gateway does not know that it is reached by https.
  static func isOwnPage(_ head: RequestHead) -> Bool {
    guard let origin = head["origin"], let host = head["host"], head["connect-protocol-version"] != nil else {
      return false
    }
    return origin == "https://\(host)" || !head.isSecure && origin == "http://\(host)"
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static let safelisted: Set<String> = ["cache-control", "content-type", "content-length", "expires", "vary"]
}
