public import Base
public import RPC

/// What a token says: who, at which device, in which session, with which roles, and how long.
public struct TokenClaims: Hashable, Sendable {
  /// What a token may be used for.
  public enum Use: String, Hashable, Sendable, CaseIterable {
    /// Calls of a device on which nobody has signed in.
    case device
    /// Calls of a person.
    case user
    /// Uploading that person's queue, and nothing else.
    case upload
  }

  public var use: Use
  public var tenant: String
  /// The person, or the device itself.
  public var subject: String
  public var device: String
  /// Empty for a device's own token.
  public var session: String
  /// Roles: `role@study`, `role@study/site` or `role@*`; those of a device's token are the places to which it is bound.
  public var grants: [String]
  public var issuedAt: Instant
  public var expiresAt: Instant

  public init(
    use: Use, tenant: String, subject: String, device: String, session: String = "", grants: [String] = [],
    issuedAt: Instant, expiresAt: Instant
  ) {
    self.use = use
    self.tenant = tenant
    self.subject = subject
    self.device = device
    self.session = session
    self.grants = grants
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
  }

  /// The caller as whom a door admits the bearer; nil for an upload grant, which no door accepts.
  public var identity: CallerIdentity? {
    switch use {
    case .device: CallerIdentity(kind: .device, tenant: tenant, subject: subject, device: device, grants: grants)
    case .user:
      CallerIdentity(
        kind: .person, tenant: tenant, subject: subject,
        device: device,
        grants: grants)
    case .upload: nil
    }
  }

  var json: String {
    let members = [
      ("iss", JSONText.quoted(Self.issuer)), ("aud", JSONText.quoted("\(Self.issuer)/\(use.rawValue)")),
      ("sub", JSONText.quoted(subject)), ("ten", JSONText.quoted(tenant)), ("dev", JSONText.quoted(device)),
      ("sid", JSONText.quoted(session)), ("roles", "[\(grants.map { JSONText.quoted($0) }.joined(separator: ","))]"),
      ("iat", Self.seconds(issuedAt)), ("exp", Self.seconds(expiresAt)),
    ]
    return "{\(members.map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
  }

  init?(json: JSONValue) {
    guard json["iss"]?.string == Self.issuer, let audience = json["aud"]?.string,
      let use = Use.allCases.first(where: { audience == "\(Self.issuer)/\($0.rawValue)" }),
      let subject = json["sub"]?.string, let tenant = json["ten"]?.string, let device = json["dev"]?.string,
      let session = json["sid"]?.string, let roles = json["roles"]?.array,
      let issuedAt = json["iat"]?.number.flatMap(Self.instant),
      let expiresAt = json["exp"]?.number.flatMap(Self.instant),
      !tenant.isEmpty, !subject.isEmpty
    else { return nil }
    let grants = roles.compactMap(\.string)
    guard grants.count == roles.count else { return nil }
    self.init(
      use: use, tenant: tenant, subject: subject, device: device, session: session, grants: grants, issuedAt: issuedAt,
      expiresAt: expiresAt)
  }

  static let issuer = "assent"

  /// Seconds since 1970 with milliseconds, because a revocation and a new token may fall into the same second.
  private static func seconds(_ instant: Instant) -> String {
    let (seconds, rest) = instant.millisecondsSince1970.quotientAndRemainder(dividingBy: 1000)
    let digits = String(1000 + rest).dropFirst()
    return rest == 0 ? "\(seconds)" : "\(seconds).\(digits)"
  }

  private static func instant(_ seconds: Double) -> Instant? {
    guard (0...253_402_300_799).contains(seconds) else { return nil }
    return Instant(millisecondsSince1970: Int64((seconds * 1000).rounded()))
  }
}
