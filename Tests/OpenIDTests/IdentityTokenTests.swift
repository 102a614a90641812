import Base
import OpenID
import TestSupport
import Testing

/// ID tokens, signed by another library than the one that verifies them.
@Suite("ID tokens", .serialized, .timeLimit(.minutes(2))) struct IdentityTokenTests {
  private static func fault(
    _ text: String, _ keys: IssuerKeySet, for audiences: [String] = ["app", "site"], nonce: String = ""
  ) -> IdentityFault? {
    do throws(IdentityFault) {
      _ = try IdentityToken(text).claims(verifiedBy: keys, for: audiences, nonce: nonce, at: OpenIDIssuer.now)
      return nil
    } catch {
      return error
    }
  }

  @Test("tokens of each algorithm are verified, and say who and what")
  func good() async throws {
    let issuer = try await OpenIDIssuer()
    let keys = try #require(IssuerKeySet(jwks: try await issuer.keys()))
    for (key, algorithm) in [("rsa", "RS256"), ("rsa", "PS256"), ("ec", "ES256"), ("ed", "EdDSA")] {
      let text = try await issuer.token(key, algorithm, claims: ["groups": "[\"staff\",\"night\"]"])
      let token = try IdentityToken(text)
      #expect(token.issuer == "https://id.clinic.example" && token.keyName == key)
      let claims = try token.claims(verifiedBy: keys, for: ["app"], nonce: "", at: OpenIDIssuer.now)
      #expect(claims.text("sub") == "ada" && claims.texts("groups") == ["staff", "night"] && claims.texts("x") == [])
    }
    // Without a name, a key is found if there is one only for the algorithm.
    #expect(Self.fault(try await issuer.token("ec", "ES256", kid: ""), keys) == nil)
    #expect(
      Self.fault(try await issuer.token(claims: ["aud": "[\"site\",\"other\"]", "azp": "\"site\""]), keys) == nil)
    #expect(Self.fault(try await issuer.token(claims: ["nonce": "\"n-7\""]), keys, nonce: "n-7") == nil)
    await issuer.end()
  }

  @Test("claims that are not as they should be are each refused by name")
  func claims() async throws {
    let issuer = try await OpenIDIssuer()
    let keys = try #require(IssuerKeySet(jwks: try await issuer.keys()))
    let seconds = OpenIDIssuer.now.millisecondsSince1970 / 1000
    let cases: [(changes: [String: String?], fault: IdentityFault)] = [
      (["aud": "\"other\""], .audience), (["aud": "[]"], .audience), (["aud": nil], .audience),
      (["aud": "[\"app\",\"other\"]"], .audience), (["azp": "\"other\""], .audience),
      (["nonce": "\"stale\""], .nonce),
      (["exp": "\(seconds)"], .expired), (["exp": nil], .claims), (["exp": "\"soon\""], .claims),
      (["events": "{}"], .kind), (["azp": "7"], .audience), (["aud": "[\"app\",7]"], .audience),
      (["iat": "\(seconds - 600)"], .expired), (["iat": "\(seconds + 120)"], .future), (["iat": nil], .claims),
      (["nbf": "\(seconds + 120)"], .future), (["nbf": "\"later\""], .claims),
      (["iss": nil], .claims), (["iss": "7"], .claims),
    ]
    for (changes, fault) in cases {
      #expect(Self.fault(try await issuer.token(claims: changes), keys) == fault, "\(changes)")
    }
    #expect(Self.fault(try await issuer.token(), keys, nonce: "n-7") == .nonce)
    await issuer.end()
  }

  @Test("algorithms and keys that a token chooses for itself are refused")
  func confusion() async throws {
    let issuer = try await OpenIDIssuer()
    let keys = try #require(IssuerKeySet(jwks: try await issuer.keys()))
    let cases: [(key: String, algorithm: String, kid: String, fault: IdentityFault)] = [
      ("rsa", "none", "rsa", .algorithm), ("rsa", "HS256", "rsa", .algorithm), ("rsa", "RS1", "rsa", .algorithm),
      // A key of another kind, or of somebody else, under a published name.
      ("rsa", "EdDSA", "rsa", .unknownKey), ("rsa", "EdDSA", "ed", .forged), ("ed", "RS256", "rsa", .forged),
      ("ec", "ES256", "rsa", .unknownKey), ("next", "RS256", "rsa", .forged), ("next", "RS256", "next", .unknownKey),
      // Published, and too short to be trusted.
      ("weak", "RS256", "weak", .unknownKey),
    ]
    for (key, algorithm, kid, fault) in cases {
      let text = try await issuer.token(key, algorithm, kid: kid)
      #expect(Self.fault(text, keys) == fault, "\(key) \(algorithm) \(kid)")
    }
    await issuer.end()
  }

  @Test("a token of which one character was changed signs nobody in")
  func altered() async throws {
    let issuer = try await OpenIDIssuer()
    let keys = try #require(IssuerKeySet(jwks: try await issuer.keys()))
    for (key, algorithm) in [("rsa", "RS256"), ("ec", "ES256"), ("ed", "EdDSA")] {
      let text = Array(try await issuer.token(key, algorithm).utf8)
      for place in text.indices {
        var changed = text
        changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        #expect(Self.fault(String(decoding: changed, as: UTF8.self), keys) != nil, "\(algorithm) at \(place)")
        #expect(Self.fault(String(decoding: text[..<place], as: UTF8.self), keys) != nil)
      }
    }
    await issuer.end()
  }

  @Test("texts that are no key set", arguments: ["", "{}", "[]", "{\"keys\":{}}"])
  func noKeys(text: String) { #expect(IssuerKeySet(jwks: Array(text.utf8)) == nil) }

  @Test(
    "keys that verify nothing are left out",
    arguments: [
      "{\"kty\":\"RSA\"}", "{\"kty\":\"RSA\",\"n\":\"MODULUS\",\"e\":\"AQ\"}",
      "{\"kty\":\"RSA\",\"n\":\"MODULUS\",\"e\":\"AAAD\"}", "{\"kty\":\"RSA\",\"n\":\"MODULUS\",\"e\":\"BA\"}",
      "{\"kty\":\"RSA\",\"n\":\"MODULUS\",\"e\":\"AQAB\",\"use\":\"enc\"}",
      "{\"kty\":\"RSA\",\"n\":\"MODULUS\",\"e\":\"AQAB\",\"key_ops\":[\"encrypt\"]}",
      "{\"kty\":\"oct\",\"k\":\"AAAA\"}",
    ])
  func leftOut(key: String) throws {
    let modulus = String(repeating: "_", count: 341) + "w"
    let parts = key.split(separator: "MODULUS", omittingEmptySubsequences: false)
    let set = "{\"keys\":[" + parts.joined(separator: modulus) + "]}"
    #expect(try #require(IssuerKeySet(jwks: Array(set.utf8))).isEmpty)
  }

  @Test("a point beside the curve makes no key")
  func offCurve() {
    let zeros = String(repeating: "A", count: 43)
    let set = "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"\(zeros)\",\"y\":\"\(zeros)\"}]}"
    #expect(IssuerKeySet(jwks: Array(set.utf8))?.isEmpty == true)
  }
}
