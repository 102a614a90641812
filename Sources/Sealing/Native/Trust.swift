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
    case refused(Finding)
  }

  /// Finds a chain from a certificate to a root, in which every certificate is valid at `time` and strong enough.
  ///
  /// - Parameter isStamper: whether the certificate must be one for time stamps.
  func chain(
    of certificate: Certificate, with others: [Certificate], at time: Instant, isStamper: Bool = false
  ) -> Answer {
    guard let trust = unsafe cpki_trust_new() else { return .refused(Self.noMemory) }
    defer { unsafe cpki_trust_free(trust) }
    for root in roots { unsafe cpki_trust_root(trust, root.handle) }
    for other in others { unsafe cpki_trust_other(trust, other.handle) }
    var found: OpaquePointer?
    let seconds = time.millisecondsSince1970 / 1000
    let result = unsafe cpki_trust_chain(trust, certificate.handle, seconds, isStamper ? 1 : 0, &found)
    guard result == 0, let found = unsafe found else {
      return .refused(result <= 0 ? Self.noMemory : Self.finding(result, certificate, others))
    }
    defer { unsafe cpki_free_all(found) }
    // OpenSSL returns only certificates that it was given.
    let known = [certificate] + roots + others
    var chain: [Certificate] = []
    for place in 0..<(unsafe cpki_count(found)) {
      let handle = unsafe cpki_at(found, place)
      guard let one = known.first(where: { unsafe $0.handle == handle }) else { return .refused(Self.noMemory) }
      chain.append(one)
    }
    return .trusted(chain: chain)
  }

  private static let noMemory = Finding(.generic, "no memory")

  /// What OpenSSL's reason means.
  private static func finding(_ result: Int32, _ certificate: Certificate, _ others: [Certificate]) -> Finding {
    let words = unsafe String(cString: cpki_reason(result))
    switch result {
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
      X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_CERT_CHAIN_TOO_LONG:
      let root = ShownText.quoted(root(above: certificate, others))
      return Finding(.noChain, "the root \(root) is none that you trust: \(words)")
    case X509_V_ERR_CERT_NOT_YET_VALID, X509_V_ERR_CERT_HAS_EXPIRED: return Finding(.outOfTime, words)
    case X509_V_ERR_CERT_SIGNATURE_FAILURE: return Finding(.brokenChain, words)
    case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_CA_MD_TOO_WEAK:
      return Finding(.weak, words)
    default: return Finding(.chainConstraints, words)
    }
  }

  /// The name of whoever would have to be trusted.
  private static func root(above certificate: Certificate, _ others: [Certificate]) -> String {
    var last = certificate
    for _ in 0..<10 where last.subjectDER != last.issuerDER {
      guard let next = others.first(where: { $0 != last && $0.isNamed(asIssuerOf: last) }) else { break }
      last = next
    }
    return last.issuer
  }
}
