public import Base

/// The findings about one signature.
public struct SignatureReport: Sendable {
  public enum Kind: String, Sendable {
    /// It certifies the document and states what may follow.
    case certification
    case approval
    /// An attested time over the document.
    case documentTime = "document_time"
  }

  /// Whether the signer can be trusted to be who the certificate says.
  public enum Identity: Hashable, Sendable {
    case trusted
    /// The certificate is self-signed, as anybody can make one.
    case selfSigned
    case untrusted(String)
  }

  /// Whether the file proves that the certificates of the signer and of the time-stamping authority were not revoked.
  /// No other source is asked.
  public enum Revocation: String, Sendable {
    case good
    case revoked
    case notChecked = "not_checked"
    /// The certificate itself is a trusted root, which has no issuer that could revoke it.
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
  /// The time that a time-stamping authority attests, with its name below.
  public var attestedTime: Instant?
  public var authority = ""
  public var isAuthorityTrusted = false
  public var level: Level?
  /// Whether the signature covers the file to its end.
  public var coversWholeFile = false
  /// Why the signature is not valid.
  public var faults: [String] = []
  public var changes: [Change] = []

  public init(field: String, kind: Kind) {
    self.field = field
    self.kind = kind
  }

  /// Whether the covered bytes are as they were signed.
  public var isIntact: Bool { faults.isEmpty }
  /// Whether the signer is trusted, and, if a time is attested, its authority too.
  var isVouchedFor: Bool { identity == .trusted && (attestedTime == nil || isAuthorityTrusted) }
  public var isChangedAfterwards: Bool { changes.contains { !$0.isExpected } }
}

/// The findings about a file.
public struct DocumentReport: Sendable {
  public enum Verdict: String, Sendable {
    /// Every signature is intact, its signer trusted, and nothing was changed that the signatures do not allow.
    case valid
    /// Everything is intact, but the signer, or the authority of an attested time, is not trusted.
    case unknownSigner = "unknown_signer"
    /// A signature is broken, or the document was changed after it.
    case invalid
    /// Nobody signed: the file has no signatures, or only attested times.
    case unsigned
    /// The file could not be understood, so there are no findings about it.
    case unreadable
  }

  public var signatures: [SignatureReport] = []
  /// Faults of the file as a whole.
  public var faults: [String] = []
  public var isReadable = true
  /// Whether checking the file takes more work or time than allowed, so that there are no findings about it.
  public var isExhausted = false

  public var verdict: Verdict {
    if !isReadable { return .unreadable }
    if !faults.isEmpty { return .invalid }
    if signatures.contains(where: { !$0.isIntact || $0.isChangedAfterwards }) { return .invalid }
    // A time proves nothing about people, since anybody can have one attested over anything.
    if signatures.allSatisfy({ $0.kind == .documentTime }) { return .unsigned }
    return signatures.allSatisfy(\.isVouchedFor) ? .valid : .unknownSigner
  }
}
