internal import Base
internal import Tokens

/// The upload grants that came with a queue, each verified once, however many people and parts there are.
struct UploadGrants: Sendable {
  private var newest: [String: TokenClaims] = [:]
  private var hasExpired = false

  init(_ texts: [String], _ verifier: TokenVerifier, tenant: String, device: String, at now: Instant) {
    for text in texts {
      do throws(TokenFault) {
        let claims = try verifier.claims(of: text, at: now)
        guard claims.use == .upload, claims.tenant == tenant, claims.device == device else { continue }
        if newest[claims.subject].map({ $0.issuedAt < claims.issuedAt }) ?? true { newest[claims.subject] = claims }
      } catch {
        if error == .expired { hasExpired = true }
      }
    }
  }

  /// A person's newest grant, as long as it lasts.
  func newest(of person: String, at now: Instant) -> TokenClaims? {
    newest[person].flatMap { $0.expiresAt > now ? $0 : nil }
  }

  /// Why somebody has none, as far as can be told: whose a grant was that has expired is not known.
  func missing(of person: String) -> (rule: String, message: String) {
    if hasExpired || newest[person] != nil {
      return ("grant_expired", "the person has to sign in: an upload grant has expired")
    }
    return ("grant_missing", "the person has to sign in: there is no upload grant")
  }
}
