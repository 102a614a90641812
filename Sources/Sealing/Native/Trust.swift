internal import Base
internal import CPKI

/// Whom a verifier trusts.
public struct Trust: Sendable {
  public var roots: [Certificate]
  /// How many signatures are checked for one chain at most: of ten authorities between the certificate and the root, as
  /// `cpki_trust_chain` has it, and of the certificate.
  static let mostChecks = 11

  public init(roots: [Certificate] = []) {
    self.roots = roots
  }

  enum Answer {
    /// The certificate first, the root that is trusted last.
    case trusted(chain: [Certificate])
    case refused(String)
  }

  /// The chain that leads from a certificate to a root, all of it valid at a time and strong enough.
  ///
  /// - Parameter isStamper: whether the certificate has to be one for stamping times.
  func chain(
    of certificate: Certificate, with others: [Certificate], at time: Instant, isStamper: Bool = false
  ) -> Answer {
    guard let trust = unsafe cpki_trust_new() else { return .refused("no memory") }
    defer { unsafe cpki_trust_free(trust) }
    for root in roots { unsafe cpki_trust_root(trust, root.handle) }
    for other in others { unsafe cpki_trust_other(trust, other.handle) }
    var found: OpaquePointer?
    let seconds = time.millisecondsSince1970 / 1000
    let result = unsafe cpki_trust_chain(trust, certificate.handle, seconds, isStamper ? 1 : 0, &found)
    guard result == 0, let found = unsafe found else {
      return .refused(result <= 0 ? "no memory" : unsafe String(cString: cpki_reason(result)))
    }
    defer { unsafe cpki_free_all(found) }
    // The chain consists of what was given.
    let known = [certificate] + roots + others
    var chain: [Certificate] = []
    for place in 0..<(unsafe cpki_count(found)) {
      let handle = unsafe cpki_at(found, place)
      guard let one = known.first(where: { unsafe $0.handle == handle }) else { return .refused("no memory") }
      chain.append(one)
    }
    return .trusted(chain: chain)
  }
}
