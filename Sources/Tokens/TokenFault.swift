/// Why a token is refused: each case has one rule for programs, and one sentence for people.
public enum TokenFault: String, Error, Hashable, Sendable, CaseIterable {
  /// Not three parts of base64url with JSON in the first two, or longer than 8 KiB.
  case malformed = "token_malformed"
  /// Signed with another algorithm than EdDSA, or with none.
  case algorithm = "token_algorithm"
  /// Signed with a key that is not in the set.
  case unknownKey = "token_key_unknown"
  /// The signature is not that of its contents.
  case forged = "token_forged"
  /// Correctly signed, but without the claims that our tokens have.
  case claims = "token_claims"
  case expired = "token_expired"
  /// Issued more than a minute from now.
  case future = "token_from_the_future"
  /// Its session, person or device has been revoked.
  case revoked = "token_revoked"
  /// Its device has been wiped.
  case wiped = "device_wiped"
  /// The last message about revocations is too old to tell whether it was revoked.
  case unsure = "revocations_unknown"
  /// The token is for another use, such as an upload grant with which a door is called.
  case use = "token_use"

  public var message: String {
    switch self {
    case .malformed: "the token is no JWT of at most \(TokenVerifier.longest) bytes"
    case .algorithm: "the token's algorithm is not EdDSA"
    case .unknownKey: "the token's kid names no key of this installation"
    case .forged: "the token's signature does not fit its contents"
    case .claims: "the token lacks claims that access tokens have"
    case .expired: "the token has expired; refresh it"
    case .future: "the token was issued in the future, by this server's clock"
    case .revoked: "the token was revoked; sign in again"
    case .wiped: "the device was wiped; its data must be deleted"
    case .unsure: "this gateway has not heard of revocations for more than a second; try again"
    case .use: "the token is for something else"
    }
  }
}
