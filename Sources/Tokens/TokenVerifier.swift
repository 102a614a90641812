public import Base

/// Verifies access tokens with a set of keys. It is a value and uses neither clock nor network.
public struct TokenVerifier: Sendable {
  public static let longest = 8 << 10
  /// How far the clock of the server that issued a token may be ahead.
  static let toleratedSkew = Duration.seconds(60)

  public var keys: TokenKeySet

  public init(_ keys: TokenKeySet) {
    self.keys = keys
  }

  /// The claims of a token that is valid now. Revocations are not checked.
  public func claims(of token: String, at now: Instant) throws(TokenFault) -> TokenClaims {
    let claims = try signedClaims(of: token)
    try Self.checkTimes(of: claims, at: now)
    return claims
  }

  public static func checkTimes(of claims: TokenClaims, at now: Instant) throws(TokenFault) {
    guard claims.issuedAt <= now + toleratedSkew else { throw .future }
    guard now < claims.expiresAt else { throw .expired }
  }

  /// The claims of a token that was signed with one of the keys, even if it has expired or is not valid yet.
  ///
  /// The token does not choose the algorithm: whatever its header says, only Ed25519 is tried, with a key of the set.
  public func signedClaims(of token: String) throws(TokenFault) -> TokenClaims {
    guard token.utf8.count <= Self.longest else { throw .malformed }
    // Splits bytes. Splitting a String by characters would take a tenth of the time that the signature takes.
    let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Substring($0) }
    guard parts.count == 3, let header = Base64URL.decode(parts[0]).flatMap({ JSONValue($0) }),
      let payload = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2])
    else { throw .malformed }
    guard header["alg"]?.string == "EdDSA", header["crit"] == nil else { throw .algorithm }
    guard let key = header["kid"]?.string.flatMap({ keys.key(named: $0) }) else { throw .unknownKey }
    let signed = token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count)
    guard key.verifies(signature, of: Array(signed)) else { throw .forged }
    guard let claims = JSONValue(payload).flatMap({ TokenClaims(json: $0) }) else { throw .claims }
    return claims
  }
}
