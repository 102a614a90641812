internal import Base
public import FuzzKit
internal import OpenID
internal import Tokens

/// What must hold for any bytes as a token and a set of keys, each on a line of its own: nothing is admitted but what
/// one of our keys has signed, and what is read says the same when it is written and read again.
public enum TokenTarget: FuzzTarget {
  private static let now = Instant(millisecondsSince1970: 1_772_353_800_000)
  private static let keys = TokenKeys(secret: [UInt8](repeating: 7, count: 32))
  private static let stranger = TokenKeys(secret: [UInt8](repeating: 9, count: 32))
  private static let verifier = TokenVerifier(keys.published(at: now))
  private static let claims = TokenClaims(
    use: .user, tenant: "t1", subject: "anna", device: "tablet", session: "s1", grants: ["witness@heart/north"],
    issuedAt: now, expiresAt: now + .seconds(300))
  private static let good = keys.token(claims)

  public static func complaint(about input: [UInt8]) -> String? {
    let parts = input.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
    let token = String(decoding: parts[0], as: UTF8.self)
    let set = parts.count == 2 ? parts[1] : []
    return complaint(aboutToken: token) ?? complaint(aboutSet: set, token)
  }

  private static func complaint(aboutToken token: String) -> String? {
    if (try? verifier.claims(of: token, at: now)) != nil, token != good { return "a token that nobody issued" }
    // The same claims with another signature, and another payload under this one, are somebody else's.
    for part in token.split(separator: ".") {
      guard let bytes = Base64URL.decode(part) else { continue }
      if Base64URL.encode(bytes) != part { return "a part of a token has two forms" }
    }
    return nil
  }

  /// - Parameter token: is shown as the token of an issuer who publishes the set.
  private static func complaint(aboutSet set: [UInt8], _ token: String) -> String? {
    if let read = TokenKeySet(jwks: String(decoding: set, as: UTF8.self)) {
      guard TokenKeySet(jwks: read.jwks) == read else { return "a set of keys that is written differently" }
      let other = TokenVerifier(read)
      // Keys of a stranger's set verify what the stranger has signed, and none of ours.
      if read.entries.allSatisfy({ entry in !verifier.keys.entries.contains { $0.key == entry.key } }),
        (try? other.claims(of: good, at: now)) != nil
      {
        return "a key that is none of ours verifies a token of ours"
      }
    }
    guard let issuer = IssuerKeySet(jwks: set), let identity = try? IdentityToken(token) else { return nil }
    let isSigned = identity.isSigned(withOneOf: issuer)
    let claims = try? identity.claims(verifiedBy: issuer, for: ["app"], nonce: "n1", at: now)
    return claims != nil && !isSigned ? "an identity is believed that nobody has signed" : nil
  }

  public static func seeds() -> [[UInt8]] {
    let ours = Array(keys.published(at: now).jwks.utf8)
    let theirs = stranger.published(at: now)
    let text = { (name: String) in "\"\(name)\"" }
    let key = theirs.entries[0]
    let identity =
      "{\"iss\":\"https://id.example\",\"aud\":\"app\",\"sub\":\"ada\",\"nonce\":\"n1\",\"iat\":1772353800,\"exp\":1772354100}"
    let header = "{\"alg\":\"EdDSA\",\"typ\":\"JWT\",\"kid\":\(text(key.name))}"
    let none = "{\"alg\":\"none\"}"
    let forms = [header, none, header.replacing("EdDSA", with: "RS256"), header.replacing("EdDSA", with: "ES256")]
    let identities = forms.map { form in
      "\(Base64URL.encode(Array(form.utf8))).\(Base64URL.encode(Array(identity.utf8))).\(Base64URL.encode([UInt8](repeating: 1, count: 64)))"
    }
    let rsa = Base64URL.encode([0xC1] + [UInt8](repeating: 0x55, count: 254) + [0x0D])
    let point = Base64URL.encode([UInt8](repeating: 2, count: 32))
    let sets = [
      theirs.jwks, "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"r\",\"n\":\"\(rsa)\",\"e\":\"AQAB\"}]}",
      "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"e\",\"x\":\"\(point)\",\"y\":\"\(point)\"}]}",
    ]
    let tokens = [good, stranger.token(claims)] + identities
    return tokens.flatMap { token in ([ours] + sets.map { Array($0.utf8) }).map { Array(token.utf8) + [0x0A] + $0 } }
  }
}
