internal import Base
internal import Tokens

/// The upload grants of a queue: for each person the newest one that was issued for this device.
struct UploadGrants: Sendable {
  private var byPerson: [String: TokenClaims] = [:]

  /// Ignores texts that are no grants of this tenant for this device.
  init(_ texts: [String], for device: String, _ tenant: String, _ parts: AccountParts) {
    let now = parts.clock.now
    let verifier = TokenVerifier(parts.tokens.keys.published(at: now, back: 14))
    for text in texts {
      guard let claims = try? verifier.signedClaims(of: text), claims.use == .upload, claims.tenant == tenant,
        claims.device == device
      else { continue }
      // A grant that has not expired takes precedence over one that has; of two alike the newer one counts.
      if let known = byPerson[claims.subject], Self.rank(known, now) >= Self.rank(claims, now) { continue }
      byPerson[claims.subject] = claims
    }
  }

  private static func rank(_ claims: TokenClaims, _ now: Instant) -> (Int, Instant) {
    (now < claims.expiresAt ? 1 : 0, claims.issuedAt)
  }

  /// What the person's grant says, whether it has expired or not: it was issued to that person, here.
  func claims(of person: String) -> TokenClaims? { byPerson[person] }
}
