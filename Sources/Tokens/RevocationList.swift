public import Base

/// The revocations that make unexpired tokens void. Each door of a gateway keeps one up to date from AccountService's
/// stream of revocations.
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

  /// For each revoked session, person and device the time of the revocation: tokens issued until then are void.
  private var moments: [Place: Instant] = [:]

  public init() {}

  public var count: Int { moments.count }

  public mutating func revoke(_ revoked: Revoked, of tenant: String, before moment: Instant) {
    let place = Place(tenant: tenant, revoked: revoked)
    moments[place] = max(moment, moments[place] ?? moment)
  }

  /// Removes revocations from before a moment. The caller chooses it so that all tokens which these make void have
  /// expired.
  public mutating func forget(olderThan moment: Instant) {
    moments = moments.filter { $0.value >= moment }
  }

  /// Throws when the list makes these claims void. The list's owner has to know whether it is recent enough.
  public func check(_ claims: TokenClaims) throws(TokenFault) {
    for revoked: Revoked in [.device(claims.device), .session(claims.session), .person(claims.subject)] {
      if let moment = moments[Place(tenant: claims.tenant, revoked: revoked)], claims.issuedAt <= moment {
        // Only wiping revokes a device. The error says so, so that the device's client deletes its data.
        if case .device = revoked { throw .wiped }
        throw .revoked
      }
    }
  }
}
