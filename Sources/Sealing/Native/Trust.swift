internal import Base
internal import CPKI

/// The roots that a verifier trusts.
public struct Trust: Sendable {
  public var roots: [Certificate]
  /// The most signatures that are checked for one chain: those of the certificate and of ten authorities between it and
  /// the root, which is the limit in `cpki_trust_chain`.
  static let mostChecks = 11

  public init(roots: [Certificate] = []) {
    self.roots = roots
  }

  enum Answer {
    /// The chain, from the certificate to the trusted root.
    case trusted(chain: [Certificate])
    case refused(String)
  }

  /// Finds a chain from a certificate to a root, in which every certificate is valid at `time` and strong enough.
  ///
  /// - Parameter isStamper: whether the certificate must be one for time stamps.
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
    // OpenSSL returns only certificates that it was given.
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
