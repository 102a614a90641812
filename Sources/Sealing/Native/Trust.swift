internal import Base
internal import CPKI

/// Whom a verifier trusts.
public struct Trust: Sendable {
  public var roots: [Certificate]

  public init(roots: [Certificate] = []) {
    self.roots = roots
  }

  enum Answer: Hashable {
    case trusted
    case refused(String)
  }

  /// Whether a chain leads from a certificate to a root, all of it valid at a time.
  ///
  /// - Parameters:
  ///   - lists: of revocations, in DER; where `needsLists`, one has to cover each certificate of the chain.
  func check(
    _ certificate: Certificate, with others: [Certificate], at time: Instant, lists: [[UInt8]] = [],
    needsLists: Bool = false
  ) -> Answer {
    guard let trust = unsafe cpki_trust_new() else { return .refused("no memory") }
    defer { unsafe cpki_trust_free(trust) }
    for root in roots { unsafe cpki_trust_root(trust, root.handle) }
    for other in others { unsafe cpki_trust_other(trust, other.handle) }
    for list in lists { _ = unsafe cpki_trust_list(trust, list, Int32(list.count)) }
    let result = unsafe cpki_trust_check(
      trust, certificate.handle, time.millisecondsSince1970 / 1000, needsLists ? 1 : 0)
    guard result != 0 else { return .trusted }
    return .refused(result < 0 ? "no memory" : unsafe String(cString: cpki_reason(result)))
  }
}
