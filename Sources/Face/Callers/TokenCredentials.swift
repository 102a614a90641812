package import Base
package import RPC
internal import Synchronization
package import Tokens

/// Access tokens of AccountService, as a door's credentials.
///
/// A token that is neither expired nor revoked admits its bearer with the rights that its claims state. `learn` takes
/// revocations from AccountService's stream. While that stream does not show, recently enough, which tokens are
/// revoked, calls with a token are answered UNAVAILABLE.
package final class TokenCredentials: CredentialVerifier {
  private struct State {
    var verifier = TokenVerifier(TokenKeySet())
    var revocations = RevocationList()
    /// The claims of tokens whose signature was found good, so that each signature is verified once. Times and
    /// revocations are checked in each call.
    var known = BoundedCache<String, TokenClaims>(mostBytes: 4 << 20)
  }

  private let state = Mutex(State())
  private let news: RevocationNews
  private let clock: Clock

  package init(_ news: RevocationNews, clock: Clock = .system) {
    self.news = news
    self.clock = clock
  }

  package var followsNews: Bool { true }

  /// A JWT: three parts, and a beginning that no API key has.
  package func recognises(_ token: String) -> Bool {
    token.hasPrefix("eyJ") && token.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2
  }

  package func verify(_ token: String, at now: Instant) throws(Status) -> VerifiedCaller {
    let isKnown = news.noteUse()
    do throws(TokenFault) {
      // Checked first: a door that has heard nothing from AccountService yet does not know the signing keys either.
      guard isKnown else { throw .unsure }
      let claims = try signedClaims(of: token)
      try TokenVerifier.checkTimes(of: claims, at: now)
      try check(claims)
      guard let identity = claims.identity else { throw .use }
      var caller = VerifiedCaller(identity: identity, account: "\(claims.tenant)/\(claims.subject)")
      caller.claims = claims
      return caller
    } catch {
      throw Status(error == .unsure ? .unavailable : .unauthenticated, rule: error.rawValue, error.message)
    }
  }

  private func signedClaims(of token: String) throws(TokenFault) -> TokenClaims {
    let (known, verifier) = state.withLock { ($0.known.value(for: token), $0.verifier) }
    if let known { return known }
    let claims = try verifier.signedClaims(of: token)
    state.withLock { state in
      // Claims that were verified with keys that have been replaced meanwhile are not kept.
      guard state.verifier.keys == verifier.keys else { return }
      state.known.insert(claims, for: token, byteCount: 2 * token.utf8.count + 512)
    }
    return claims
  }

  private func check(_ claims: TokenClaims) throws(TokenFault) {
    let fault: TokenFault? = state.withLock { state in
      do throws(TokenFault) {
        try state.revocations.check(claims)
        return nil
      } catch {
        return error
      }
    }
    if let fault { throw fault }
  }

  /// A revocation ends open calls; the expiry of a token does not, since the person's right continues with the next
  /// token. While it is unknown whether a token is revoked, only new calls are refused.
  package func objection(to caller: VerifiedCaller, at now: Instant) -> Status? {
    guard let claims = caller.claims else { return nil }
    news.noteUse()
    do throws(TokenFault) {
      try check(claims)
      return nil
    } catch {
      return Status(.unauthenticated, rule: error.rawValue, error.message)
    }
  }

  /// Takes in one message of the stream of revocations.
  ///
  /// - Parameter jwks: the new set of keys; empty when it has not changed.
  package func learn(
    jwks: String, _ revoked: [(revoked: RevocationList.Revoked, tenant: String, before: Instant)]
  ) {
    let now = clock.now
    state.withLock { state in
      if let keys = TokenKeySet(jwks: jwks) {
        state.verifier.keys = keys
        state.known.removeAll()
      }
      for one in revoked { state.revocations.revoke(one.revoked, of: one.tenant, before: one.before) }
      state.revocations.forget(olderThan: now + .seconds(-Self.longestLifetime))
    }
  }

  /// In seconds: longer than any access token is valid, since AccountService's settings allow an hour.
  private static let longestLifetime: Int64 = 2 * 3600
}
