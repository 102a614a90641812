public import Base

/// What was found out about one signature.
public struct SignatureReport: Sendable {
  public enum Kind: String, Sendable {
    /// It certifies the document and says what may follow.
    case certification
    case approval
    /// An attested time over the document.
    case documentTime = "document_time"
  }

  /// How far the signer can be relied on to be who the certificate says.
  public enum Identity: Hashable, Sendable {
    case trusted
    /// The certificate is self-signed: anybody can make such a one.
    case selfSigned
    case untrusted(String)
  }

  /// Whether the file proves that nobody revoked the certificates of the signer, and of who attests the time. Nobody
  /// else is asked.
  public enum Revocation: String, Sendable {
    case good
    case revoked
    case notChecked = "not_checked"
    /// The certificate itself is trusted: nobody stands above it who could revoke it.
    case notApplicable = "not_applicable"
  }

  public var field: String
  public var kind: Kind
  public var signer = ""
  public var issuer = ""
  /// SHA-256 of the certificate.
  public var fingerprint = ""
  public var validFrom: Instant?
  public var validUntil: Instant?
  public var identity = Identity.untrusted("not looked at")
  public var revocation = Revocation.notChecked
  public var reason = ""
  /// The time that the signer's own computer stated.
  public var claimedTime = ""
  /// The time that a time-stamping authority attests, and the authority's name.
  public var attestedTime: Instant?
  public var authority = ""
  public var isAuthorityTrusted = false
  public var level: Level?
  /// Whether it covers the file to its end.
  public var coversWholeFile = false
  /// Why it is not valid.
  public var faults: [String] = []
  public var changes: [Change] = []

  public init(field: String, kind: Kind) {
    self.field = field
    self.kind = kind
  }

  /// Whether what it covers is as it was signed.
  public var isIntact: Bool { faults.isEmpty }
  /// Whether it is known who signed, and, if somebody attests the time, who that is.
  var isVouchedFor: Bool { identity == .trusted && (attestedTime == nil || isAuthorityTrusted) }
  public var isChangedAfterwards: Bool { changes.contains { !$0.isExpected } }
}

/// What was found out about a file.
public struct DocumentReport: Sendable {
  public enum Verdict: String, Sendable {
    /// Every signature is intact, its signer trusted, and nothing was changed that signatures do not allow.
    case valid
    /// Intact, but it is not known who signed, or who attests the time.
    case unknownSigner = "unknown_signer"
    /// A signature is broken, or the document was changed after it.
    case invalid
    /// Nobody signed: there is nothing, or nothing but attested times.
    case unsigned
    /// The file could not be understood, so nothing is said of it.
    case unreadable
  }

  public var signatures: [SignatureReport] = []
  /// Faults of the file as a whole.
  public var faults: [String] = []
  public var isReadable = true
  /// Whether it takes more work or time than may be to check it, so that nothing is said of it.
  public var isExhausted = false

  public var verdict: Verdict {
    if !isReadable { return .unreadable }
    if !faults.isEmpty { return .invalid }
    if signatures.contains(where: { !$0.isIntact || $0.isChangedAfterwards }) { return .invalid }
    // Anybody can have the time attested over anything.
    if signatures.allSatisfy({ $0.kind == .documentTime }) { return .unsigned }
    return signatures.allSatisfy(\.isVouchedFor) ? .valid : .unknownSigner
  }
}
