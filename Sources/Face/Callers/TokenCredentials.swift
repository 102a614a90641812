package import Base
package import RPC
internal import Synchronization
package import Tokens

/// Access tokens of AccountService, as a door's credentials.
///
/// A token that is neither expired nor revoked admits its bearer as its claims say. `learn` takes revocations from
/// AccountService's stream. While the news does not tell which tokens are revoked, calls with a token are answered
/// UNAVAILABLE.
package final class TokenCredentials: CredentialVerifier {
  private struct State {
    var verifier = TokenVerifier(TokenKeySet())
    var revocations = RevocationList()
    /// What tokens with a good signature say, so that a signature is verified once. Times and revocations are looked at
    /// in each call.
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

  /// A JWT: three parts, and nothing that an API key looks like.
  package func recognises(_ token: String) -> Bool {
    token.hasPrefix("eyJ") && token.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2
  }

  package func verify(_ token: String, at now: Instant) throws(Status) -> VerifiedCaller {
    let isKnown = news.noteUse()
    do throws(TokenFault) {
      // Before anything else: a door that has heard nothing yet knows no key either.
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
      // Not if the keys were replaced meanwhile.
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

  /// A revocation ends calls that are open; a token's own end does not, since the person's right goes on with the next
  /// token. While it is unknown whether a token is revoked, calls that are open stay so: new ones are refused.
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

  /// No access token lives longer, in seconds; the settings of AccountService allow an hour.
  private static let longestLifetime: Int64 = 2 * 3600
}
