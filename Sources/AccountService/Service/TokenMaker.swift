internal import AccountContract
internal import Base
internal import Storage
internal import Tokens
internal import Wire

/// How long tokens live.
package struct TokenLifetimes: Sendable {
  package var access: Duration
  package var refresh: Duration
  package var device: Duration

  package init(
    access: Duration = .seconds(300), refresh: Duration = .seconds(30 * 86_400), device: Duration = .seconds(3600)
  ) {
    self.access = access
    self.refresh = refresh
    self.device = device
  }

  /// After this time, a token that was issued now has expired by every clock that is at most a minute off.
  var longest: Duration { max(access, device) + .seconds(120) }
}

/// Makes the tokens of devices and people.
struct TokenMaker: Sendable {
  let keys: TokenKeys
  let lifetimes: TokenLifetimes

  /// A refresh token names its session, and carries a secret of which only the digest is stored. The secret ends with a
  /// message authentication code that nobody else can make, so that a used token can be told from a made-up one.
  struct Refresh: Sendable {
    let sessionID: String
    let secret: [UInt8]

    fileprivate static let codeLength = 16

    /// The longest token: "r1" and two parts of 64 bytes each, with dots between them.
    private static let longest = 132

    /// nil for a text that is no refresh token.
    init?(_ text: String) {
      guard text.utf8.count <= Self.longest else { return nil }
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0] == "r1", parts[1].utf8.count <= 64, parts[2].utf8.count <= 64,
        let secret = Base64URL.decode(parts[2])
      else { return nil }
      (sessionID, self.secret) = (String(parts[1]), secret)
    }

    fileprivate init(sessionID: String, secret: [UInt8]) {
      (self.sessionID, self.secret) = (sessionID, secret)
    }

    var text: String { "r1.\(sessionID).\(Base64URL.encode(secret))" }
    var digest: Digest { Digest(of: Array("assent-refresh-1\n\(sessionID)\n".utf8) + secret) }
  }

  /// A new refresh token of a session.
  ///
  /// - Parameter random: at most 32 bytes.
  func refresh(for sessionID: String, random: [UInt8]) -> Refresh {
    Refresh(sessionID: sessionID, secret: random + code(of: random, sessionID))
  }

  /// Whether a refresh token was made with this secret, be it valid, used or expired.
  func hasMade(_ token: Refresh) -> Bool {
    let random = Array(token.secret.dropLast(Refresh.codeLength))
    return isSame(Array(token.secret.suffix(Refresh.codeLength)), code(of: random, token.sessionID))
  }

  private func code(of random: [UInt8], _ sessionID: String) -> [UInt8] {
    let code = MessageCode.make(Array("\(sessionID)\n".utf8) + random, key: keys.key(for: "refresh"))
    return Array(code.prefix(Refresh.codeLength))
  }

  func device(
    _ id: String, places: [String], of tenant: Tenant, at now: Instant
  ) -> (token: String, expiresAt: Instant) {
    let end = now + lifetimes.device
    let claims = TokenClaims(
      use: .device, tenant: tenant.id, subject: id, device: id, grants: places, issuedAt: now, expiresAt: end)
    return (keys.token(claims), end)
  }

  /// - Parameters:
  ///   - refresh: nil for a session that cannot be renewed.
  ///   - lifetime: for how long it can.
  func person(
    _ session: SignInSession, roles: [String], refresh: Refresh?, for lifetime: Duration, of tenant: Tenant,
    at now: Instant
  ) -> AccountTokens {
    let claims = TokenClaims(
      use: .user, tenant: tenant.id, subject: session.personID, device: session.deviceID, session: session.sessionID,
      grants: roles, issuedAt: now, expiresAt: now + lifetimes.access)
    return AccountTokens(
      accessToken: keys.token(claims), accessExpiresAt: Timestamp(claims.expiresAt), refreshToken: refresh?.text ?? "",
      refreshExpiresAt: refresh.map { _ in Timestamp(now + lifetime) })
  }

  /// - Parameter roles: those that the claims of an ID token gave to this session. They are valid while it runs.
  func uploadGrant(
    _ session: SignInSession, roles: [String] = [], of tenant: Tenant, at now: Instant, lifetime: Duration
  ) -> String {
    keys.token(
      TokenClaims(
        use: .upload, tenant: tenant.id, subject: session.personID, device: session.deviceID,
        session: session.sessionID, grants: roles, issuedAt: now, expiresAt: now + lifetime))
  }
}
