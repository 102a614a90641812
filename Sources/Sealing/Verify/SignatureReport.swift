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
    case untrusted(Finding)
    /// The signature could not be read so far.
    case notChecked

    var finding: Finding? {
      switch self {
      case .trusted, .notChecked: nil
      case .selfSigned: Finding(.noChain, "the certificate vouches for itself, and anybody can make one with this name")
      case .untrusted(let finding): finding
      }
    }
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
  public var identity = Identity.notChecked
  public var revocation = Revocation.notChecked
  /// When a certificate was revoked after the time that counts, which changes nothing.
  public var revokedLater: Instant?
  public var reason = ""
  /// The time that the signer's own computer stated.
  public var claimedTime = ""
  /// The time that a time-stamping authority attests, with its name below.
  public var attestedTime: Instant?
  public var authority = ""
  /// Why that authority is not trusted; nil if it is, or nobody attests a time.
  public var authorityFinding: Finding?
  /// The signature's value, and the SHA-256 of the token that counts for its time, by which reports name them.
  public var value: [UInt8] = []
  public var token: [UInt8] = []
  /// The hash of what it covers, as the signer or the authority signed it.
  public var covered: CoveredHash?
  public var level: Level?
  /// Whether the signature covers the file to its end.
  public var coversWholeFile = false
  /// Whether the covered bytes and the signature over them were compared, and are those that were signed.
  public var isChecked = false
  /// What is wrong with the signature itself.
  public var faults: [Finding] = []
  public var changes: [Change] = []

  public init(field: String, kind: Kind) {
    self.field = field
    self.kind = kind
  }

  /// All that keeps it from passing.
  public var findings: [Finding] {
    faults + [identity.finding, authorityFinding].compactMap { $0 } + changes.compactMap(\.finding)
  }

  public var verdict: Verdict { findings.verdict }
  /// Whether nothing is wrong with the signature itself.
  public var isIntact: Bool { faults.isEmpty }
  public var isAuthorityTrusted: Bool { attestedTime != nil && authorityFinding == nil && isChecked }
  public var isChangedAfterwards: Bool { changes.contains { !$0.isExpected } }
}

/// A hash with the function that made it.
public struct CoveredHash: Hashable, Sendable {
  public let function: HashAlgorithm
  public let bytes: [UInt8]
}

/// The findings about a file.
public struct DocumentReport: Sendable {
  public var signatures: [SignatureReport] = []
  /// Faults of the file as a whole.
  public var faults: [Finding] = []
  public var isReadable = true
  /// Whether checking the file takes more work or time than allowed, so that there are no findings about it.
  public var isExhausted = false

  /// Whether somebody signed: a time proves nothing about people, since anybody can have one attested over anything.
  public var isSigned: Bool { signatures.contains { $0.kind != .documentTime } }

  /// Whether everything that was signed is as it was, whoever signed it.
  public var isIntact: Bool {
    isReadable && isSigned && faults.isEmpty && signatures.allSatisfy { $0.isIntact && !$0.isChangedAfterwards }
  }

  /// What decides about the verdict; nil if everything passed.
  public var deciding: Finding? {
    let found = (faults + signatures.flatMap(\.findings)).deciding
    if isReadable, !isSigned, found?.verdict != .failed { return Finding(.noSignature, "nobody signed this document") }
    return found
  }

  public var verdict: Verdict { deciding?.verdict ?? .passed }
  public var subindication: Subindication? { deciding?.subindication }
}
