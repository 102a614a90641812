package import Base
package import Bus

/// What a caller shows to prove who it is.
package struct PresentedCredential: Hashable, Sendable {
  /// The token of `Authorization: Bearer …`, or of the cookie that stands for it.
  package var token: String
  /// Whether it came as a cookie, which browsers send on their own: such a call must prove that the page's own code
  /// made it.
  package var isCookie = false

  package init(token: String, isCookie: Bool = false) {
    self.token = token
    self.isCookie = isCookie
  }
}

/// Verifies the credentials of one kind, such as API keys or access tokens; a door has several verifiers.
package protocol CredentialVerifier: Sendable {
  /// Whether the token has this verifier's form. The first verifier that recognises it decides.
  func recognises(_ token: String) -> Bool
  /// The caller whose token this is. Throws UNAUTHENTICATED when it is not valid, or not any more.
  func verify(_ token: String, at now: Instant) throws(Status) -> VerifiedCaller
}

/// A caller as its credential proves it.
package struct VerifiedCaller: Sendable {
  package var identity: CallerIdentity
  /// The only methods that the credential is good for, each `package.Service/Method` or `package.Service/*`; empty:
  /// every one that the identity may call.
  package var scopes: [String]
  /// Names the credential where limits are counted.
  package var account: String
  /// What was shown.
  package var credential: PresentedCredential?

  package init(identity: CallerIdentity, scopes: [String] = [], account: String) {
    self.identity = identity
    self.scopes = scopes
    self.account = account
  }
}
