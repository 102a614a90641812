internal import AccountContract
internal import Base
internal import OpenID

/// What the claims of an ID token say about how a person is shown.
struct ClaimedProfile: Sendable {
  private let title: String
  private let subtitle: String
  private let picture: [UInt8]

  /// What cannot be shown is left out: a name that a screen cannot draw does not keep anybody from signing in.
  init(_ claims: IdentityClaims, of issuer: IdentityIssuer) {
    let given = [claims.text("given_name"), claims.text("family_name")].compactMap(\.self).joined(separator: " ")
    let name = claims.text(issuer.nameClaim.isEmpty ? "name" : issuer.nameClaim) ?? given
    title = Self.isShown(name) ? name : ""
    let further = issuer.subtitleClaim.isEmpty ? "" : claims.text(issuer.subtitleClaim) ?? ""
    subtitle = Self.isShown(further) ? further : ""
    picture = claims.text(issuer.pictureClaim.isEmpty ? "picture" : issuer.pictureClaim).flatMap(Self.picture) ?? []
  }

  /// The profile with what the claims say in place of what it said.
  func applied(to profile: PersonProfile) -> PersonProfile {
    var applied = profile
    if !title.isEmpty { (applied.title, applied.initials) = (title, Initials.of(title)) }
    if !subtitle.isEmpty { applied.subtitle = subtitle }
    if !picture.isEmpty { applied.picture = picture }
    return applied
  }

  private static func isShown(_ text: String) -> Bool {
    !text.isEmpty && (try? ProfileRules.checkText(text, atMost: 200, "claim", isRequired: true)) != nil
  }

  /// The picture in a data: address in base64; nil for any other address, and for what is no picture for a profile.
  private static func picture(_ address: String) -> [UInt8]? {
    guard address.hasPrefix("data:image/"), let comma = address.firstIndex(of: ","),
      address[..<comma].hasSuffix(";base64"),
      let bytes = Base64.decodeLeniently(Array(address[address.index(after: comma)...].utf8).span),
      (try? PictureRules.check(bytes, "picture", atMost: ProfileRules.largestPicture)) != nil
    else { return nil }
    return bytes
  }
}
