package import Base
package import RPC
package import Tokens

/// What a caller shows to prove who it is.
package struct PresentedCredential: Hashable, Sendable {
  /// The token of `Authorization: Bearer …`, or of a browser's cookie.
  package var token: String
  /// Whether it came as a cookie, which browsers send on their own: such a call must prove that the page's own code
  /// made it.
  package var isCookie = false
  /// The origin of the page that sent it; empty where none is stated.
  package var origin = ""

  package init(token: String, isCookie: Bool = false, origin: String = "") {
    self.token = token
    self.isCookie = isCookie
    self.origin = origin
  }
}

/// Verifies the credentials of one kind, such as API keys or access tokens; a door has several verifiers.
package protocol CredentialVerifier: Sendable {
  /// Whether the token has this verifier's form. The first verifier that recognises it decides.
  func recognises(_ token: String) -> Bool
  /// Whether it relies on AccountService's news of what was revoked.
  var followsNews: Bool { get }
  /// The caller whose token this is. Throws UNAUTHENTICATED when the token is not valid, or no longer.
  func verify(_ token: String, at now: Instant) throws(Status) -> VerifiedCaller
  /// Why a call that began with this caller's token may not go on; nil when it may. Doors ask often, for each open
  /// call.
  func objection(to caller: VerifiedCaller, at now: Instant) -> Status?
}

extension CredentialVerifier {
  package var followsNews: Bool { false }

  /// Verifies the token again: it must still be valid, and grant what it granted when the call began.
  package func objection(to caller: VerifiedCaller, at now: Instant) -> Status? {
    guard let token = caller.credential?.token else { return nil }
    do throws(Status) {
      return try verify(token, at: now).objection(to: caller)
    } catch {
      return error
    }
  }
}

extension VerifiedCaller {
  /// Why a call that began as `caller` may not go on as this one; nil when both have the same rights.
  func objection(to caller: VerifiedCaller) -> Status? {
    guard identity == caller.identity, scopes == caller.scopes else {
      return Status(
        .unavailable, rule: "rights_changed", "the key's rights changed while the call was open; call again")
    }
    return nil
  }
}

/// A caller as its credential proves it.
package struct VerifiedCaller: Sendable {
  package var identity: CallerIdentity
  /// The only methods that the credential is good for, each `package.Service/Method` or `package.Service/*`; empty:
  /// every one that the identity may call.
  package var scopes: [String]
  /// Whom limits are counted for; empty for a caller without a credential.
  package var account: String
  /// The credential that the caller presented.
  package var credential: PresentedCredential?
  /// What an access token says.
  package var claims: TokenClaims?
  /// What a browser's cookie or token says.
  package var pass: BrowserPasses.Pass?

  package init(identity: CallerIdentity, scopes: [String] = [], account: String) {
    self.identity = identity
    self.scopes = scopes
    self.account = account
  }
}
