public import Base

/// What makes unexpired tokens void: a value that a door keeps up to date from AccountService's stream of revocations.
public struct RevocationList: Sendable {
  /// A session, a person or a device of one tenant.
  public enum Revoked: Hashable, Sendable {
    case session(String)
    case person(String)
    case device(String)
  }

  private struct Place: Hashable {
    let tenant: String
    let revoked: Revoked
  }

  /// Tokens that were issued up to this moment are void.
  private var moments: [Place: Instant] = [:]

  public init() {}

  public var count: Int { moments.count }

  public mutating func revoke(_ revoked: Revoked, of tenant: String, before moment: Instant) {
    let place = Place(tenant: tenant, revoked: revoked)
    moments[place] = max(moment, moments[place] ?? moment)
  }

  /// Forgets what only concerns tokens that have expired by themselves.
  public mutating func forget(olderThan moment: Instant) {
    moments = moments.filter { $0.value >= moment }
  }

  /// Throws when the list makes these claims void. Whether the list is recent enough is for its owner to know.
  public func check(_ claims: TokenClaims) throws(TokenFault) {
    for revoked: Revoked in [.device(claims.device), .session(claims.session), .person(claims.subject)] {
      if let moment = moments[Place(tenant: claims.tenant, revoked: revoked)], claims.issuedAt <= moment {
        // A device is revoked by nothing but wiping it. Its client has to be told, so that it deletes what it has.
        if case .device = revoked { throw .wiped }
        throw .revoked
      }
    }
  }
}
