import Base
import RPC
import Testing
import Tokens

@Suite("Access tokens") struct TokenVerifierTests {
  private static let now = Instant(millisecondsSince1970: 1_772_353_800_123)
  private let keys = TokenKeys(secret: [UInt8](repeating: 7, count: 32))
  private var verifier: TokenVerifier { TokenVerifier(keys.published(at: Self.now)) }

  private func claims(_ change: (inout TokenClaims) -> Void = { _ in }) -> TokenClaims {
    var claims = TokenClaims(
      use: .user, tenant: "t1", subject: "anna", device: "tablet", session: "s1", grants: ["coordinator@heart/berlin"],
      issuedAt: Self.now, expiresAt: Self.now + .seconds(300))
    change(&claims)
    return claims
  }

  @Test("a token says what it was made with")
  func roundTrip() throws {
    let token = keys.token(claims())
    #expect(try verifier.claims(of: token, at: Self.now) == claims())
    let identity = try #require(try verifier.claims(of: token, at: Self.now).identity)
    #expect(identity.kind == .person && identity.grants == ["coordinator@heart/berlin"])
    #expect(claims { $0.grants = ["admin@heart"] }.identity?.kind == .person)
    #expect(claims { $0.use = .upload }.identity == nil)
    #expect(claims { $0.use = .device }.identity?.kind == .device)
  }

  @Test("the key set reads what it writes, and leaves other kinds of keys out")
  func jwks() throws {
    let set = keys.published(at: Self.now)
    #expect(set.entries.count == 3 && TokenKeySet(jwks: set.jwks) == set)
    let rsa = "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"a\",\"n\":\"AQAB\",\"e\":\"AQAB\"}]}"
    #expect(TokenKeySet(jwks: rsa)?.entries.isEmpty == true)
    #expect(TokenKeySet(jwks: "{}") == nil)
  }

  @Test("a key signs in its period alone, and is published one period before and after")
  func rotation() throws {
    let month = Duration.seconds(30 * 86_400)
    let later = Self.now + month
    let token = keys.token(
      claims {
        $0.issuedAt = later
        $0.expiresAt = later + .seconds(300)
      })
    #expect(keys.token(claims()).split(separator: ".")[0] != token.split(separator: ".")[0])
    #expect(try verifier.claims(of: token, at: later).issuedAt == later)
    let old = TokenVerifier(keys.published(at: Self.now + .seconds(-60 * 86_400)))
    #expect(throws: TokenFault.unknownKey) { try old.claims(of: keys.token(claims()), at: Self.now) }
  }

  @Test("time: expired, from the future, and clocks that are off by hours")
  func time() throws {
    let token = keys.token(claims())
    #expect(throws: TokenFault.expired) { try verifier.claims(of: token, at: Self.now + .seconds(300)) }
    #expect(throws: TokenFault.future) { try verifier.claims(of: token, at: Self.now + .seconds(-3600)) }
    #expect(throws: TokenFault.expired) { try verifier.claims(of: token, at: Self.now + .seconds(7200)) }
    #expect(try verifier.claims(of: token, at: Self.now + .seconds(-59)).subject == "anna")
  }

  private func signed(header: String, payload: String, by key: SigningKey) -> String {
    let signed = "\(Base64URL.encode(Array(header.utf8))).\(Base64URL.encode(Array(payload.utf8)))"
    return "\(signed).\(Base64URL.encode(key.sign(Array(signed.utf8))))"
  }

  @Test("forgeries, each with its own fault")
  func forgeries() throws {
    let token = keys.token(claims())
    let parts = token.split(separator: ".").map(String.init)
    let stranger = try #require(SigningKey(seed: [UInt8](repeating: 9, count: 32)))
    let header = String(decoding: try #require(Base64URL.decode(parts[0])), as: UTF8.self)
    let payload = String(decoding: try #require(Base64URL.decode(parts[1])), as: UTF8.self)
    let ours = try #require(keys.published(at: Self.now).entries.dropFirst().first)
    let none = Base64URL.encode(Array("{\"alg\":\"none\"}".utf8))
    let table: [(String, TokenFault)] = [
      ("", .malformed), ("a.b", .malformed), ("....", .malformed), ("\(parts[0]).\(parts[1])", .malformed),
      ("\(parts[0])=.\(parts[1]).\(parts[2])", .malformed), (String(repeating: "a", count: 9000), .malformed),
      ("\(none).\(parts[1]).", .algorithm),
      (signed(header: header.replacing("EdDSA", with: "RS256"), payload: payload, by: stranger), .algorithm),
      (signed(header: header.replacing("EdDSA", with: "HS256"), payload: payload, by: stranger), .algorithm),
      (
        signed(
          header: "{\"alg\":\"EdDSA\",\"kid\":\"\(ours.name)\",\"crit\":[\"b64\"]}", payload: payload, by: stranger),
        .algorithm
      ),
      (
        signed(header: header.replacing("\"kid\":\"", with: "\"kid\":\"x"), payload: payload, by: stranger), .unknownKey
      ),
      (signed(header: "{\"alg\":\"EdDSA\"}", payload: payload, by: stranger), .unknownKey),
      (signed(header: header, payload: payload, by: stranger), .forged),
      ("\(parts[0]).\(Base64URL.encode(Array(payload.replacing("anna", with: "anne").utf8))).\(parts[2])", .forged),
      ("\(parts[0]).\(parts[1]).\(Base64URL.encode([UInt8](repeating: 0, count: 64)))", .forged),
      ("\(parts[0]).\(parts[1]).", .forged),
    ]
    for (token, fault) in table {
      #expect(throws: fault, "\(token.prefix(200))") { try verifier.claims(of: token, at: Self.now) }
    }
  }

  @Test("whatever byte of a token is changed, it opens nothing")
  func alteredBytes() throws {
    let token = Array(keys.token(claims()).utf8)
    for index in token.indices {
      for flip in [1, 2, 64] as [UInt8] {
        var altered = token
        altered[index] ^= flip
        let text = String(decoding: altered, as: UTF8.self)
        #expect(throws: TokenFault.self) { try verifier.claims(of: text, at: Self.now) }
      }
    }
  }

  @Test("random bytes neither pass nor trap")
  func noise() throws {
    var generator = SeededGenerator(seed: 4)
    let pieces = ["{", "}", "\"", ":", ",", "[", "]", "\\u", "d800", "1e", "-", ".", "alg", "EdDSA", "null", "é"]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }
      .joined()
      _ = JSONValue(Array(text.utf8))
      let token = "\(Base64URL.encode(Array(text.utf8))).\(text)."
      #expect(throws: TokenFault.self) { try verifier.claims(of: token, at: Self.now) }
    }
  }

  @Test(
    "JSON is read strictly",
    arguments: [
      "{\"a\":1,\"a\":2}", "{\"a\":1,}", "[1 2]", "01e", "+1", ".5", "1.", "\"\u{01}\"", "\"\\ud800\"", "{a:1}", "tru",
      "[[[[[[[[[1]]]]]]]]]", "1 1", "", "NaN",
    ])
  func strict(text: String) {
    #expect(JSONValue(Array(text.utf8)) == nil)
  }

  @Test("JSON is read as it is meant")
  func meaning() throws {
    let value = try #require(JSONValue(Array(" {\"a\": [1, -2.5e1, true, null], \"b\": \"\\ud83d\\ude00\\n\"} ".utf8)))
    #expect(value["a"] == .array([.number(1), .number(-25), .bool(true), .null]) && value["b"]?.string == "😀\n")
  }
}

@Suite("Revocations at a door") struct RevocationListTests {
  private let issued = Instant(millisecondsSince1970: 1_000_500)

  private func claims(tenant: String = "t1") -> TokenClaims {
    TokenClaims(
      use: .user, tenant: tenant, subject: "anna", device: "tablet", session: "s1", issuedAt: issued,
      expiresAt: issued + .seconds(300))
  }

  @Test(
    "a revoked session, person or device opens nothing, and a newer token does",
    arguments: [RevocationList.Revoked.session("s1"), .person("anna"), .device("tablet")])
  func revoked(place: RevocationList.Revoked) throws {
    var list = RevocationList()
    try list.check(claims())
    list.revoke(place, of: "t2", before: issued)
    try list.check(claims())
    list.revoke(place, of: "t1", before: issued + .milliseconds(-1))
    try list.check(claims())
    list.revoke(place, of: "t1", before: issued)
    let fault = place == .device("tablet") ? TokenFault.wiped : .revoked
    #expect(throws: fault) { try list.check(claims()) }
    // An older message changes nothing.
    list.revoke(place, of: "t1", before: issued + .seconds(-60))
    #expect(throws: fault) { try list.check(claims()) }
    list.forget(olderThan: issued + .milliseconds(1))
    #expect(list.count == 0)
  }
}
