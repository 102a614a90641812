import AccountContract
import Base
import Bus
import Face
import FaceTestKit
import RPC
import TestSupport
import Testing
import Tokens
import Wire

@Suite("Access tokens at a door") struct TokenCredentialTests {
  private static let now = Instant(millisecondsSince1970: 1_772_353_800_000)
  private static let start = MonotonicTime(nanoseconds: 1)
  private let keys = TokenKeys(secret: [UInt8](repeating: 7, count: 32))

  private func token(_ use: TokenClaims.Use = .user, tenant: String = "t1") -> String {
    keys.token(
      TokenClaims(
        use: use, tenant: tenant, subject: "anna", device: "tablet", session: "s1", grants: ["witness@heart"],
        issuedAt: Self.now, expiresAt: Self.now + .seconds(300)))
  }

  /// Credentials that know the keys and, as of now, everything that was revoked.
  private func informedCredentials() -> TokenCredentials {
    let clock = Clock(wall: { Self.now }, monotonic: { Self.start })
    let news = RevocationNews(clock: clock)
    let credentials = TokenCredentials(news, clock: clock)
    credentials.learn(jwks: keys.published(at: Self.now).jwks, [])
    news.answerAll()
    return credentials
  }

  private func refusal(_ credentials: TokenCredentials, _ token: String, after time: Duration = .zero) -> Status? {
    do throws(Status) {
      _ = try credentials.verify(token, at: Self.now + time)
      return nil
    } catch {
      return error
    }
  }

  @Test("a door takes nobody before it has heard of revocations, and a second after it heard last")
  func silence() throws {
    let time = SteppedClock()
    let news = RevocationNews(clock: time.clock)
    let credentials = TokenCredentials(news, clock: Clock(wall: { Self.now }, monotonic: { Self.start }))
    credentials.learn(jwks: keys.published(at: Self.now).jwks, [])
    #expect(refusal(credentials, token())?.code == .unavailable)
    news.answerAll()
    let caller = try credentials.verify(token(), at: Self.now)
    #expect(
      caller.identity
        == CallerIdentity(kind: .person, tenant: "t1", subject: "anna", device: "tablet", grants: ["witness@heart"]))
    time.advance(by: .seconds(1))
    #expect(refusal(credentials, token()) == nil)
    time.advance(by: .milliseconds(1))
    #expect(refusal(credentials, token())?.code == .unavailable)
    // An open call goes on until something is known against it.
    #expect(credentials.objection(to: caller, at: Self.now) == nil)
    news.answerAll()
    #expect(refusal(credentials, token()) == nil)
    time.advance(by: .seconds(2))
    credentials.learn(jwks: "", [(.session("s1"), "t1", Self.now)])
    #expect(credentials.objection(to: caller, at: Self.now)?.message.hasPrefix("token_revoked: ") == true)
  }

  @Test("revoked, expired, forged tokens, and grants for something else are refused")
  func refused() {
    let credentials = informedCredentials()
    #expect(refusal(credentials, token(.device)) == nil)
    #expect(refusal(credentials, token(), after: .seconds(300))?.message.hasPrefix("token_expired: ") == true)
    #expect(refusal(credentials, token() + "A")?.code == .unauthenticated)
    #expect(refusal(credentials, token(.upload))?.message.hasPrefix("token_use: ") == true)
    credentials.learn(jwks: "", [(.person("anna"), "t1", Self.now)])
    #expect(refusal(credentials, token())?.message.hasPrefix("token_revoked: ") == true)
    #expect(refusal(credentials, token(tenant: "t2")) == nil)
  }

  @Test("at a device that was wiped every token says so, so that a client deletes what it has")
  func wiped() throws {
    let credentials = informedCredentials()
    let caller = try credentials.verify(token(), at: Self.now)
    credentials.learn(
      jwks: "", [(.device("tablet"), "t1", Self.now), (.session("s1"), "t1", Self.now)])
    for use in [TokenClaims.Use.user, .device] {
      let status = refusal(credentials, token(use))
      #expect(status?.code == .unauthenticated && status?.message.hasPrefix("device_wiped: ") == true)
    }
    // A stream that is open ends with the same.
    #expect(credentials.objection(to: caller, at: Self.now)?.message.hasPrefix("device_wiped: ") == true)
    #expect(refusal(credentials, token(tenant: "t2")) == nil)
  }

  @Test("nobody is admitted for a tenant that is disabled, and open calls of its callers end")
  func disabledTenant() throws {
    let credentials = informedCredentials()
    let closed = ClosedCallers()
    let gatekeeper = Gatekeeper(
      [credentials], closed: closed, clock: Clock(wall: { Self.now }, monotonic: { Self.start }))
    func identify(_ tenant: String) -> Status? {
      do throws(Status) {
        _ = try gatekeeper.identify(PresentedCredential(token: token(tenant: tenant)))
        return nil
      } catch {
        return error
      }
    }
    let caller = try gatekeeper.identify(PresentedCredential(token: token()))
    #expect(gatekeeper.objection(to: caller) == nil)
    #expect(closed.set(true, "t1") && !closed.set(true, "t1"))
    let refusal = identify("t1")
    #expect(refusal?.code == .permissionDenied && refusal?.message.hasPrefix("tenant_disabled: ") == true)
    #expect(gatekeeper.objection(to: caller)?.message.hasPrefix("tenant_disabled: ") == true)
    #expect(identify("t2") == nil)
    #expect(closed.keep(only: []) && identify("t1") == nil)
  }

  @Test("a token is told from other credentials by its form")
  func form() {
    let credentials = TokenCredentials(RevocationNews())
    #expect(credentials.recognises(token()) && !credentials.recognises("ak1.abc.def") && !credentials.recognises(""))
  }
}
