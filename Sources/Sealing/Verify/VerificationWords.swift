internal import Base

extension DocumentReport {
  /// What people read, a line each.
  public var lines: [String] {
    var lines = signatures.flatMap(\.lines)
    for fault in faults { lines.append("✗ \(fault)") }
    lines.append(summary)
    return lines
  }

  public var summary: String {
    switch verdict {
    case .valid: "✓ valid: nothing was changed since it was signed, and the signers are trusted"
    case .unknownSigner:
      "! unchanged since it was signed, but nobody trusted vouches for who signed, or for the time; --trust FILE names whom to trust"
    case .invalid: "✗ not valid"
    case .unsigned: "✗ not signed"
    case .unreadable: "✗ cannot be checked: this is no PDF file that could be understood whole"
    }
  }
}

extension SignatureReport {
  var lines: [String] {
    var lines = [
      "\(isIntact && !isChangedAfterwards ? "✓" : "✗") \(title) in '\(field)'\(signer.isEmpty ? "" : " by \(signer)")"
    ]
    if !reason.isEmpty { lines.append("    reason: \(reason)") }
    switch identity {
    case .trusted: lines.append("    signer: vouched for by a root that you trust")
    case .selfSigned:
      lines.append("    signer: the certificate vouches for itself; anybody can make one with this name")
    case .untrusted(let why): lines.append("    signer: not trusted (\(why))")
    }
    if let attestedTime {
      lines.append(
        "    time: \(TimeText.printed(attestedTime)), attested by \(authority)\(isAuthorityTrusted ? "" : " (not trusted)")"
      )
    } else if !claimedTime.isEmpty {
      lines.append("    time: \(claimedTime), by the signer's own clock; nobody attests it")
    }
    if let level { lines.append("    level: PAdES \(level.rawValue)") }
    lines.append("    covers: \(coversWholeFile ? "the whole file" : "the file as it was then")")
    for fault in faults { lines.append("    ✗ \(fault)") }
    for change in changes { lines.append("    \(change.isExpected ? "·" : "✗") afterwards: \(change.description)") }
    return lines
  }

  private var title: String {
    switch kind {
    case .certification: "certifying signature"
    case .approval: "signature"
    case .documentTime: "time stamp"
    }
  }
}
