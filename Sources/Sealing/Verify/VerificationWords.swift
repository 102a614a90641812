internal import Base

extension DocumentReport {
  /// The report for people, as lines: a sentence, the verdict in the words of ETSI EN 319 102-1, and what was found.
  public var lines: [String] {
    let found = [summary, "    \(standing)"] + signatures.flatMap(\.lines) + faults.map { $0.line(indent: "") }
    // Text from the file cannot add lines.
    return found.map(ShownText.plain)
  }

  /// Verdict and subindication.
  public var standing: String {
    [verdict.rawValue, subindication?.rawValue].compactMap { $0 }.joined(separator: ", ")
  }

  /// Whether a revocation was not checked. The last attested time is excepted: until it is renewed, nothing in the file
  /// can prove that its authority was not revoked, and the proofs before it still count.
  private var isUnchecked: Bool {
    signatures.enumerated().contains { place, one in
      let isLastTime = one.kind == .documentTime && place > 0 && place == signatures.count - 1
      return one.revocation == .notChecked && !isLastTime
    }
  }

  /// The verdict as a sentence.
  public var summary: String {
    let why = deciding?.words ?? ""
    return switch (verdict, subindication) {
    case (.passed, _) where isUnchecked:
      "✓ Nothing was changed since this was signed, and the signers are trusted; whether their certificates were "
        + "revoked was not checked."
    case (.passed, _): "✓ Nothing was changed since this was signed, and the signers are trusted."
    case (.failed, _) where signatures.allSatisfy(\.isIntact) && faults.isEmpty:
      isSigned
        ? "✗ This was changed after it was signed: \(why)."
        : "✗ This was changed after its time was attested, and nobody signed it: \(why)."
    case (.failed, _) where !isSigned: "✗ This is not what the time was attested for, and nobody signed it: \(why)."
    case (.failed, _): "✗ This is not what was signed: \(why)."
    case (_, .noSignature?) where signatures.isEmpty: "! Nobody signed this document."
    case (_, .noSignature?): "! Nobody signed this document; somebody had the time attested."
    case _ where isExhausted: "! This file could not be checked: it takes more work than may be."
    case _ where !isReadable: "! This file could not be checked: \(why)."
    case _ where isIntact:
      "! Nothing was changed since this was signed, but it is not certain who signed, or when: \(why)."
    case _ where signatures.allSatisfy(\.isChecked):
      "! What was signed is unchanged, but it cannot be said whether the signature is good: \(why)."
    default: "! It cannot be said whether this is as it was signed: \(why)."
    }
  }
}

extension Verdict {
  var mark: String {
    switch self {
    case .passed: "✓"
    case .indeterminate: "!"
    case .failed: "✗"
    }
  }
}

extension Finding {
  func line(indent: String) -> String { "\(indent)\(verdict.mark) \(words)" }
}

extension SignatureReport {
  var lines: [String] {
    let who = signer.isEmpty ? "" : " by \(signer)"
    var lines = ["\(verdict.mark) \(title) in \(ShownText.quoted(field))\(who)"]
    let subindication = findings.deciding.map { ", \($0.subindication.rawValue)" } ?? ""
    lines.append("    verdict: \(verdict.rawValue)\(subindication)")
    if !reason.isEmpty { lines.append("    reason: \(ShownText.quoted(reason))") }
    switch identity {
    case .trusted: lines.append("    signer: vouched for by a root that you trust")
    case .selfSigned:
      lines.append("    signer: the certificate vouches for itself; anybody can make one with this name")
    case .untrusted(let why): lines.append("    signer: not trusted (\(why.words))")
    case .notChecked: lines.append("    signer: not checked")
    }
    lines += certificateLines
    if let attestedTime {
      let trust = authorityFinding.map { " (not trusted: \($0.words))" } ?? ""
      lines.append("    time: \(TimeText.printed(attestedTime)), attested by \(authority)\(trust)")
    } else if !claimedTime.isEmpty {
      lines.append("    time: \(ShownText.quoted(claimedTime)), by the signer's own clock; nobody attests it")
    }
    if let level { lines.append("    level: PAdES \(level.rawValue)") }
    lines.append("    covers: \(coversWholeFile ? "the whole file" : "the file as it was then")")
    lines += faults.map { $0.line(indent: "    ") }
    for change in changes {
      lines.append("    \(change.finding?.verdict.mark ?? "·") afterwards: \(change.description)")
    }
    return lines
  }

  /// The details of the signer's certificate that people compare with what they were told.
  private var certificateLines: [String] {
    guard let validFrom, let validUntil else { return [] }
    return [
      "    certificate: issued by \(issuer)",
      "    certificate: valid from \(TimeText.printed(validFrom)) until \(TimeText.printed(validUntil))",
      "    certificate: SHA-256 \(fingerprint)",
      "    revocation: \(revocationWords)",
    ]
  }

  private var revocationWords: String {
    switch revocation {
    case .good:
      revokedLater.map { "a certificate was revoked later, on \(TimeText.printed($0)), after the time that counts" }
        ?? "the file proves that no certificate was revoked"
    case .revoked: "a certificate was revoked"
    case .notChecked: "not checked; the file does not prove that no certificate was revoked, and nobody is asked"
    case .notApplicable: "nobody stands above the certificate who could revoke it"
    }
  }

  private var title: String {
    switch kind {
    case .certification: "certifying signature"
    case .approval: "signature"
    case .documentTime: "time stamp"
    }
  }
}
