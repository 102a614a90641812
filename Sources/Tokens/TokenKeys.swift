public import Base

/// The keys that sign access tokens. They are derived from a secret and the date: all replicas have the same ones, and
/// a key is published one period before the first token is signed with it.
public struct TokenKeys: Sendable {
  private let secret: [UInt8]
  /// For how long new tokens are signed with the same key.
  private let period: Duration

  /// - Parameter secret: at least 32 bytes, kept from everybody else.
  public init(secret: [UInt8], period: Duration = .seconds(30 * 86_400)) {
    precondition(secret.count >= 32 && period > .zero, "tokens are signed with a secret, for a time")
    self.secret = secret
    self.period = period
  }

  /// A signed token with these claims.
  public func token(_ claims: TokenClaims) -> String {
    let key = key(epoch(at: claims.issuedAt))
    let header = "{\"alg\":\"EdDSA\",\"typ\":\"JWT\",\"kid\":\(JSONText.quoted(key.name))}"
    let signed = "\(Base64URL.encode(Array(header.utf8))).\(Base64URL.encode(Array(claims.json.utf8)))"
    return "\(signed).\(Base64URL.encode(key.key.sign(Array(signed.utf8))))"
  }

  /// The public keys of earlier periods, of this one and of the next.
  ///
  /// - Parameter periods: how many earlier periods. A verifier of long-lived tokens, which has the secret itself, needs
  ///   more of them.
  public func published(at now: Instant, back periods: Int64 = 1) -> TokenKeySet {
    let current = epoch(at: now)
    return TokenKeySet(
      (current - periods...current + 1).map { key($0) }.map { .init(name: $0.name, key: $0.key.verifyingKey) })
  }

  /// A symmetric key for another use, which is derived from the same secret.
  public func key(for use: String) -> [UInt8] { Digest(of: Array("assent-\(use)-key-1\n".utf8) + secret).bytes }

  private func epoch(at time: Instant) -> Int64 {
    time.millisecondsSince1970 / period.wholeMilliseconds
  }

  private func key(_ epoch: Int64) -> (name: String, key: SigningKey) {
    let seed = Digest(of: Array("assent-token-key-1\n".utf8) + secret + Array("\n\(epoch)".utf8)).bytes
    guard let key = SigningKey(seed: seed) else { preconditionFailure("a digest is a seed") }
    // The name has a part of the key, so that a change of the secret does not give another key the same name.
    return ("\(epoch)-\(Hex.encode(key.verifyingKey.bytes.prefix(4)))", key)
  }
}

/// Public keys by name: a JWK set (RFC 7517) of Ed25519 keys (RFC 8037).
public struct TokenKeySet: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    public let name: String
    public let key: VerifyingKey

    public init(name: String, key: VerifyingKey) {
      self.name = name
      self.key = key
    }
  }

  public let entries: [Entry]

  public init(_ entries: [Entry] = []) {
    self.entries = entries
  }

  /// Reads a set. Keys of other kinds are left out: no token of ours is signed with them.
  public init?(jwks: String) {
    guard let keys = JSONValue(Array(jwks.utf8))?["keys"]?.array else { return nil }
    entries = keys.compactMap { key in
      guard key["kty"]?.string == "OKP", key["crv"]?.string == "Ed25519", let name = key["kid"]?.string,
        let bytes = key["x"]?.string.flatMap({ Base64URL.decode($0) }), let verifying = VerifyingKey(bytes: bytes)
      else { return nil }
      return Entry(name: name, key: verifying)
    }
  }

  public var jwks: String {
    let keys = entries.map { entry in
      "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"alg\":\"EdDSA\",\"use\":\"sig\",\"kid\":\(JSONText.quoted(entry.name)),"
        + "\"x\":\"\(Base64URL.encode(entry.key.bytes))\"}"
    }
    return "{\"keys\":[\(keys.joined(separator: ","))]}"
  }

  func key(named name: String) -> VerifyingKey? { entries.first { $0.name == name }?.key }
}
