/// Why an ID token is refused: each case has one rule for programs, and one sentence for people.
package enum IdentityFault: String, Error, Hashable, Sendable, CaseIterable {
  /// Not three parts of base64url with JSON in the first two, or too long.
  case malformed = "id_token_malformed"
  /// Signed with an algorithm that is not accepted, or with none.
  case algorithm = "id_token_algorithm"
  /// It is a JWT of another kind, such as a logout token.
  case kind = "id_token_kind"
  /// "iss" is none of the tenant's issuers.
  case issuer = "id_token_issuer"
  /// Signed with a key that is not in the issuer's set, or not for that algorithm.
  case unknownKey = "id_token_key_unknown"
  /// The signature is not that of its contents.
  case forged = "id_token_forged"
  /// "aud" names none of the tenant's apps, or "azp" another one.
  case audience = "id_token_audience"
  /// "nonce" is not the one that the app sent.
  case nonce = "id_token_nonce"
  case expired = "id_token_expired"
  /// Issued, or valid from, more than a minute from now.
  case future = "id_token_from_the_future"
  /// The person proved who they are before this sign-in began: somebody else may have the device now.
  case stale = "id_token_not_fresh"
  /// It lacks claims, or the one that names the person is no identifier.
  case claims = "id_token_claims"

  package var message: String {
    switch self {
    case .malformed: "id_token is no JWT of at most \(IdentityToken.longest) bytes"
    case .algorithm: "id_token is not signed with RS256, PS256, ES256 or EdDSA"
    case .kind: "id_token is a JWT of another kind"
    case .issuer: "id_token is of an issuer that this tenant does not trust"
    case .unknownKey: "id_token is signed with a key that its issuer does not publish for that algorithm"
    case .forged: "id_token's signature does not fit its contents"
    case .audience: "id_token was issued for another app"
    case .nonce: "id_token's nonce is not the one in this request"
    case .expired: "id_token has expired, or was issued more than ten minutes ago; ask its issuer for another one"
    case .future: "id_token was issued in the future, by this server's clock"
    case .stale: "id_token is of somebody who proved who they are before this sign-in began"
    case .claims: "id_token lacks claims, or the one that names the person is no identifier"
    }
  }
}
