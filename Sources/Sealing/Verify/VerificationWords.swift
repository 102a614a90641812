internal import Base

extension DocumentReport {
  /// The report for people, as lines.
  public var lines: [String] {
    let found = signatures.flatMap(\.lines) + faults.map { "✗ \($0)" } + [summary]
    // Text from the file cannot add lines.
    return found.map(ShownText.plain)
  }

  /// Whether a revocation was not checked. The last attested time is excepted: until it is renewed, nothing in the file
  /// can prove that its authority was not revoked, and the proofs before it still count.
  private var isUnchecked: Bool {
    signatures.enumerated().contains { place, one in
      let isLastTime = one.kind == .documentTime && place > 0 && place == signatures.count - 1
      return one.revocation == .notChecked && !isLastTime
    }
  }

  public var summary: String {
    switch verdict {
    case .valid where isUnchecked:
      "✓ valid: nothing was changed since it was signed, and the signers are trusted; whether their certificates were "
        + "revoked was not checked"
    case .valid: "✓ valid: nothing was changed since it was signed, and the signers are trusted"
    case .unknownSigner:
      "! unchanged since it was signed, but nobody trusted vouches for who signed, or for the time; --trust FILE names "
        + "whom to trust"
    case .invalid: "✗ not valid"
    case .unsigned where !signatures.isEmpty: "✗ not signed: somebody had the time attested, and nobody signed"
    case .unsigned: "✗ not signed"
    case .unreadable where isExhausted: "✗ cannot be checked: it takes more work than may be"
    case .unreadable: "✗ cannot be checked: this is no PDF file that could be understood whole"
    }
  }
}

extension SignatureReport {
  var lines: [String] {
    let isGood = isIntact && !isChangedAfterwards
    let who = signer.isEmpty ? "" : " by \(signer)"
    var lines = ["\(isGood ? "✓" : "✗") \(title) in \(ShownText.quoted(field))\(who)"]
    if !reason.isEmpty { lines.append("    reason: \(ShownText.quoted(reason))") }
    switch identity {
    case .trusted: lines.append("    signer: vouched for by a root that you trust")
    case .selfSigned:
      lines.append("    signer: the certificate vouches for itself; anybody can make one with this name")
    case .untrusted(let why): lines.append("    signer: not trusted (\(why))")
    }
    lines += certificateLines
    if let attestedTime {
      let trust = isAuthorityTrusted ? "" : " (not trusted)"
      lines.append("    time: \(TimeText.printed(attestedTime)), attested by \(authority)\(trust)")
    } else if !claimedTime.isEmpty {
      lines.append("    time: \(ShownText.quoted(claimedTime)), by the signer's own clock; nobody attests it")
    }
    if let level { lines.append("    level: PAdES \(level.rawValue)") }
    lines.append("    covers: \(coversWholeFile ? "the whole file" : "the file as it was then")")
    for fault in faults { lines.append("    ✗ \(fault)") }
    for change in changes { lines.append("    \(change.isExpected ? "·" : "✗") afterwards: \(change.description)") }
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
    case .good: "the file proves that no certificate was revoked"
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
