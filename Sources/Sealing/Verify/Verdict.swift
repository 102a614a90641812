/// What becomes of a signature, or of a file with all its signatures, in the words of ETSI EN 319 102-1.
public enum Verdict: String, Sendable {
  /// What was signed is unchanged, and who signed is vouched for.
  case passed = "TOTAL-PASSED"
  /// Nothing speaks against it, and something that would speak for it is missing or not known here.
  case indeterminate = "INDETERMINATE"
  /// The bytes that were signed are not these, or somebody forbade what was done to them afterwards.
  case failed = "TOTAL-FAILED"
}

/// Why a signature did not pass: the subindications of ETSI EN 319 102-1 that this verifier gives.
public enum Subindication: String, Sendable {
  /// The signature does not belong to this document as the document is written, or something that was forbidden was
  /// done to it afterwards.
  case formatFailure = "FORMAT_FAILURE"
  case hashFailure = "HASH_FAILURE"
  case cryptoFailure = "SIG_CRYPTO_FAILURE"
  /// It is not in the form that PAdES asks for.
  case signatureConstraints = "SIG_CONSTRAINTS_FAILURE"
  /// A certificate is not meant for what it was used for.
  case chainConstraints = "CHAIN_CONSTRAINTS_FAILURE"
  case brokenChain = "CERTIFICATE_CHAIN_GENERAL_FAILURE"
  case noChain = "NO_CERTIFICATE_CHAIN_FOUND"
  case noCertificate = "NO_SIGNING_CERTIFICATE_FOUND"
  case weak = "CRYPTO_CONSTRAINTS_FAILURE"
  case revoked = "REVOKED_NO_POE"
  case issuerRevoked = "REVOKED_CA_NO_POE"
  case outOfTime = "OUT_OF_BOUNDS_NO_POE"
  case timeOrder = "TIMESTAMP_ORDER_FAILURE"
  /// What was signed could not be read.
  case noData = "SIGNED_DATA_NOT_FOUND"
  /// Anything that this verifier does not know.
  case generic = "GENERIC"
  /// There is nothing to judge. The standard begins with a signature and has no word for this.
  case noSignature = "NO_SIGNATURE_FOUND"

  public var verdict: Verdict {
    switch self {
    case .formatFailure, .hashFailure, .cryptoFailure: .failed
    default: .indeterminate
    }
  }
}

/// One reason why a signature, or a file, did not pass.
public struct Finding: Hashable, Sendable {
  public let subindication: Subindication
  /// In plain words.
  public let words: String

  init(_ subindication: Subindication, _ words: String) {
    (self.subindication, self.words) = (subindication, words)
  }

  public var verdict: Verdict { subindication.verdict }
}

extension [Finding] {
  /// The finding that decides: the first that fails, or else the first.
  var deciding: Finding? { first { $0.verdict == .failed } ?? first }

  var verdict: Verdict { deciding?.verdict ?? .passed }
}
