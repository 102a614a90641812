internal import Base
internal import ConsentContract
internal import Storage
internal import Wire

/// Signs assertions that a person has just proved a passcode. A tenant's studies trust them as those of the verifier
/// "account".
struct Voucher: Sendable {
  static let name = "account"
  private let secret: [UInt8]

  init(secret: [UInt8]) {
    self.secret = secret
  }

  func publicKey(of tenant: Tenant) -> [UInt8] { key(of: tenant).verifyingKey.bytes }

  /// The assertion, and its signature, in the form that ConsentService verifies.
  func vouch(
    for person: String, of tenant: Tenant, challenge: [UInt8], at now: Instant
  ) throws -> (assertion: [UInt8], signature: [UInt8]) {
    let assertion = AuthenticationAssertion(
      challenge: challenge, verifierID: Self.name, signer: person, method: "passcode", authenticatedAt: Timestamp(now))
    let bytes = try assertion.encoded()
    return (bytes, key(of: tenant).sign(Array("assent-authentication-1\n".utf8) + bytes))
  }

  private func key(of tenant: Tenant) -> SigningKey {
    let seed = Digest(of: Array("assent-verifier-key-1\n\(tenant.id)\n".utf8) + secret).bytes
    guard let key = SigningKey(seed: seed) else { preconditionFailure("a digest is a seed") }
    return key
  }
}
