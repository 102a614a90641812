internal import Tokens

/// What an issuer says about itself in its discovery document (OpenID Connect Discovery 1.0, 3), as far as it is used.
package struct IssuerMetadata: Sendable {
  /// The issuer, by its own account. Whoever asks compares it with the one that was asked.
  package let issuer: String
  /// Where browsers go to sign in.
  package let authorizationEndpoint: String
  /// Where codes are exchanged.
  package let tokenEndpoint: String
  /// Where its keys are; empty: it does not say.
  package let keysAddress: String
  /// Whether it names itself where it sends browsers back (RFC 9207).
  package let namesItself: Bool

  private static let longestAddress = 2_000

  /// nil for bytes that are no such document, or lead elsewhere than to https.
  init?(_ bytes: [UInt8]) {
    guard let document = JSONValue(bytes, limit: 256 << 10), let issuer = document["issuer"]?.string,
      let authorization = document["authorization_endpoint"]?.string, Self.isAddress(authorization),
      let token = document["token_endpoint"]?.string, Self.isAddress(token)
    else { return nil }
    self.issuer = issuer
    authorizationEndpoint = authorization
    tokenEndpoint = token
    keysAddress = document["jwks_uri"]?.string ?? ""
    namesItself = document["authorization_response_iss_parameter_supported"] == .bool(true)
  }

  /// A browser is sent there, so it must be nothing that a browser would run.
  private static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("https://") && (9...longestAddress).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } && !text.contains("#")
  }

  /// Where it is.
  package static func address(of issuer: String) -> String {
    (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
  }

  /// Where a browser goes with a question.
  package func address(asking question: [(name: String, value: String)]) -> String {
    authorizationEndpoint + (authorizationEndpoint.contains("?") ? "&" : "?") + FormText.encode(question)
  }
}
