internal import Base

extension DocumentReport {
  /// The report for programs.
  public var json: String {
    let list = signatures.map(\.json).joined(separator: ",")
    return "{\"verdict\":\(quoted(verdict.rawValue)),\"faults\":\(listed(faults)),\"signatures\":[\(list)]}"
  }
}

extension SignatureReport {
  fileprivate var json: String {
    var fields = [
      "\"field\":\(quoted(field))", "\"kind\":\(quoted(kind.rawValue))", "\"intact\":\(isIntact)",
      "\"changed_afterwards\":\(isChangedAfterwards)", "\"covers_whole_file\":\(coversWholeFile)",
      "\"signer\":\(quoted(signer))", "\"issuer\":\(quoted(issuer))", "\"certificate_sha256\":\(quoted(fingerprint))",
      "\"identity\":\(quoted(identity.word))", "\"revocation\":\(quoted(revocation.rawValue))",
      "\"faults\":\(listed(faults))",
      "\"changes\":[\(changes.map(\.json).joined(separator: ","))]",
    ]
    if case .untrusted(let why) = identity { fields.append("\"identity_reason\":\(quoted(why))") }
    if let level { fields.append("\"level\":\(quoted(level.rawValue))") }
    if !reason.isEmpty { fields.append("\"reason\":\(quoted(reason))") }
    if !claimedTime.isEmpty { fields.append("\"claimed_time\":\(quoted(claimedTime))") }
    if let attestedTime {
      fields.append("\"attested_time\":\(quoted(TimeText.rfc3339(attestedTime)))")
      fields.append("\"time_authority\":\(quoted(authority))")
      fields.append("\"time_authority_trusted\":\(isAuthorityTrusted)")
    }
    if let validFrom, let validUntil {
      fields.append("\"certificate_valid_from\":\(quoted(TimeText.rfc3339(validFrom)))")
      fields.append("\"certificate_valid_until\":\(quoted(TimeText.rfc3339(validUntil)))")
    }
    return "{\(fields.joined(separator: ","))}"
  }
}

extension Change {
  fileprivate var json: String { "{\"what\":\(quoted(description)),\"expected\":\(isExpected)}" }
}

extension SignatureReport.Identity {
  fileprivate var word: String {
    switch self {
    case .trusted: "trusted"
    case .selfSigned: "self_signed"
    case .untrusted: "untrusted"
    }
  }
}

private func listed(_ texts: [String]) -> String { "[\(texts.map(quoted).joined(separator: ","))]" }

/// Escaped so that a terminal that shows it takes nothing in it for a command.
private func quoted(_ text: String) -> String { JSONText.quoted(text, onOneLine: true) }
