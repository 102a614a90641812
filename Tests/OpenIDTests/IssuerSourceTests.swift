import Base
import OpenID
import Outgoing
import TestSupport
import Testing

/// Keys that are fetched from where their issuer publishes them.
@Suite("Issuers' keys", .serialized, .timeLimit(.minutes(2))) struct IssuerSourceTests {
  private static func isGood(_ text: String, _ source: IssuerSource, _ address: String) async throws -> Bool {
    let token = try IdentityToken(text)
    guard let keys = await source.keys(at: .address(address), for: token) else { return false }
    return (try? token.claims(verifiedBy: keys, for: ["app"], nonce: "", at: OpenIDIssuer.now)) != nil
  }

  private static let policy = OutgoingPolicy(.anywhere, allowsPlainText: true)

  @Test("keys are fetched once, again for a new key, and at most once in a while for invented ones")
  func rotation() async throws {
    let (issuer, time) = (try await OpenIDIssuer(), SteppedClock())
    let source = IssuerSource(Self.policy, clock: time.clock)
    let good = try await issuer.token()
    for _ in 0..<5 { #expect(try await Self.isGood(good, source, issuer.keysAddress)) }
    #expect(try await issuer.count() == 1)
    // A burst of tokens with a key that nobody publishes.
    let invented = try await issuer.token("next")
    for _ in 0..<20 { #expect(try await !Self.isGood(invented, source, issuer.keysAddress)) }
    #expect(try await issuer.count() == 1)
    time.advance(by: IssuerSource.pause)
    #expect(try await !Self.isGood(invented, source, issuer.keysAddress))
    #expect(try await issuer.count() == 2)
    // The issuer changes its keys: the new one is taken, the old one is not any more.
    try await issuer.publish("next")
    time.advance(by: IssuerSource.pause)
    #expect(try await Self.isGood(invented, source, issuer.keysAddress))
    #expect(try await !Self.isGood(good, source, issuer.keysAddress))
    #expect(try await issuer.count() == 3)
    // An issuer that withdraws all keys signs nobody in, also with those that were known.
    try await issuer.publish()
    time.advance(by: IssuerSource.freshFor)
    #expect(try await !Self.isGood(invented, source, issuer.keysAddress))
    await issuer.end()
  }

  @Test("keys that were fetched outlive an issuer that is down, for a day")
  func down() async throws {
    let (issuer, time) = (try await OpenIDIssuer(), SteppedClock())
    let source = IssuerSource(Self.policy, clock: time.clock)
    let good = try await issuer.token()
    try await issuer.answers(503)
    #expect(try await !Self.isGood(good, source, issuer.keysAddress))
    try await issuer.answers(200)
    time.advance(by: IssuerSource.pause)
    #expect(try await Self.isGood(good, source, issuer.keysAddress))
    try await issuer.answers(503)
    time.advance(by: IssuerSource.freshFor)
    #expect(try await Self.isGood(good, source, issuer.keysAddress))
    time.advance(by: IssuerSource.trustedFor)
    #expect(try await !Self.isGood(good, source, issuer.keysAddress))
    await issuer.end()
  }

  @Test("an address inside the network is not asked unless it is allowed, and none without TLS")
  func guarded() async throws {
    let issuer = try await OpenIDIssuer()
    let good = try await issuer.token()
    for policy in [OutgoingPolicy(.publicAddresses(), allowsPlainText: true), OutgoingPolicy(.anywhere)] {
      let source = IssuerSource(policy, clock: .system)
      #expect(try await !Self.isGood(good, source, issuer.keysAddress))
    }
    #expect(try await issuer.count() == 0)
    await issuer.end()
  }
}
