package import Base
internal import Tokens

/// An ID token as it was received (OpenID Connect Core 1.0, 2). Nothing that it states is trusted before it is
/// verified.
package struct IdentityToken: Sendable {
  package static let longest = 16 << 10
  /// How far the issuer's clock may be off.
  package static let toleratedSkew = Duration.seconds(60)
  /// For how long after its issue a token is accepted, whatever its "exp" says, so that a captured one is soon useless.
  static let longestAge = Duration.seconds(600)

  /// The issuer that the token states.
  package let issuer: String
  /// The name of the key with which the token claims to be signed.
  package let keyName: String?
  private let algorithm: String
  private let payload: JSONValue
  private let signed: [UInt8]
  private let signature: [UInt8]

  package init(_ text: String) throws(IdentityFault) {
    guard text.utf8.count <= Self.longest else { throw .malformed }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64URL.decode(parts[0]).flatMap({ JSONValue($0) }),
      let payload = Base64URL.decode(parts[1]).flatMap({ JSONValue($0) }),
      let signature = Base64URL.decode(parts[2])
    else { throw .malformed }
    guard let algorithm = header["alg"]?.string, Self.algorithms.contains(algorithm), header["crit"] == nil else {
      throw .algorithm
    }
    // Other kinds of JWT have another type, and logout tokens of OpenID Connect have "events".
    guard header["typ"].map({ $0.string?.lowercased() == "jwt" }) ?? true, payload["events"] == nil else { throw .kind }
    guard let issuer = payload["iss"]?.string else { throw .claims }
    self.issuer = issuer
    keyName = header["kid"]?.string
    self.algorithm = algorithm
    self.payload = payload
    signed = Array("\(parts[0]).\(parts[1])".utf8)
    self.signature = signature
  }

  private static let algorithms: Set = ["RS256", "PS256", "ES256", "EdDSA"]

  /// Whether one of these keys has signed the token. If not, the issuer may have published newer ones.
  package func isSigned(withOneOf keys: IssuerKeySet) -> Bool {
    keys.key(named: keyName, for: algorithm)?.verifies(signature, of: signed, by: algorithm) ?? false
  }

  /// The claims of a token that is valid now, has this nonce, and was issued for one of `audiences`.
  package func claims(
    verifiedBy keys: IssuerKeySet, for audiences: [String], nonce: String, at now: Instant
  ) throws(IdentityFault) -> IdentityClaims {
    guard let key = keys.key(named: keyName, for: algorithm) else { throw .unknownKey }
    guard key.verifies(signature, of: signed, by: algorithm) else { throw .forged }
    let named = payload["aud"]?.array?.map { $0.string ?? "" } ?? payload["aud"]?.string.map { [$0] } ?? []
    guard let audience = named.first(where: { audiences.contains($0) }) else { throw .audience }
    // A token for several audiences has to state in "azp" to which of them it was issued.
    if let party = payload["azp"] {
      guard let party = party.string, audiences.contains(party) else { throw .audience }
    } else if named != [audience] {
      throw .audience
    }
    guard (payload["nonce"]?.string ?? "") == nonce else { throw .nonce }
    guard let issuedAt = Self.instant(payload["iat"]), let expiresAt = Self.instant(payload["exp"]) else {
      throw .claims
    }
    guard issuedAt <= now + Self.toleratedSkew else { throw .future }
    if let start = payload["nbf"] {
      guard let start = Self.instant(start) else { throw .claims }
      guard start <= now + Self.toleratedSkew else { throw .future }
    }
    guard now < expiresAt, now < issuedAt + Self.longestAge else { throw .expired }
    return IdentityClaims(payload)
  }

  fileprivate static func instant(_ value: JSONValue?) -> Instant? {
    guard let seconds = value?.number, (0...253_402_300_799).contains(seconds) else { return nil }
    return Instant(millisecondsSince1970: Int64((seconds * 1000).rounded(.down)))
  }
}

/// The claims of a verified ID token.
package struct IdentityClaims: Sendable {
  private let payload: JSONValue

  init(_ payload: JSONValue) {
    self.payload = payload
  }

  package func text(_ claim: String) -> String? { payload[claim]?.string }

  /// When the issuer says that the person proved who they are; nil: it does not say.
  package var authenticatedAt: Instant? { IdentityToken.instant(payload["auth_time"]) }

  /// The texts of a claim that is a text or a list of texts; none otherwise.
  package func texts(_ claim: String) -> [String] {
    payload[claim]?.array?.compactMap(\.string) ?? text(claim).map { [$0] } ?? []
  }
}
