internal import Base

extension DocumentReport {
  /// The report for programs.
  public var json: String {
    var fields = ["\"verdict\":\(quoted(verdict.rawValue))"]
    if let subindication { fields.append("\"subindication\":\(quoted(subindication.rawValue))") }
    fields += [
      "\"summary\":\(quoted(summary))", "\"faults\":\(listed(faults.map(\.json)))",
      "\"signatures\":\(listed(signatures.map(\.json)))",
    ]
    return "{\(fields.joined(separator: ","))}"
  }
}

extension SignatureReport {
  /// Whether the covered bytes are those that were signed; null where that is not known.
  private var intact: String {
    if faults.verdict == .failed { return "false" }
    return isChecked ? "true" : "null"
  }

  fileprivate var json: String {
    var fields = [
      "\"field\":\(quoted(field))", "\"kind\":\(quoted(kind.rawValue))", "\"verdict\":\(quoted(verdict.rawValue))",
    ]
    if let deciding = findings.deciding {
      fields.append("\"subindication\":\(quoted(deciding.subindication.rawValue))")
    }
    fields += [
      "\"intact\":\(intact)",
      "\"changed_afterwards\":\(isChangedAfterwards)", "\"covers_whole_file\":\(coversWholeFile)",
      "\"signer\":\(quoted(signer))", "\"issuer\":\(quoted(issuer))", "\"certificate_sha256\":\(quoted(fingerprint))",
      "\"identity\":\(quoted(identity.word))", "\"revocation\":\(quoted(revocation.rawValue))",
      "\"faults\":\(listed(faults.map(\.json)))",
      "\"changes\":\(listed(changes.map(\.json)))",
    ]
    if case .untrusted(let why) = identity { fields.append("\"identity_reason\":\(quoted(why.words))") }
    if let level { fields.append("\"level\":\(quoted(level.rawValue))") }
    if !reason.isEmpty { fields.append("\"reason\":\(quoted(reason))") }
    if !claimedTime.isEmpty { fields.append("\"claimed_time\":\(quoted(claimedTime))") }
    if let attestedTime {
      fields.append("\"attested_time\":\(quoted(TimeText.rfc3339(attestedTime)))")
      fields.append("\"time_authority\":\(quoted(authority))")
      fields.append("\"time_authority_trusted\":\(isAuthorityTrusted)")
    }
    if let revokedLater { fields.append("\"revoked_later\":\(quoted(TimeText.rfc3339(revokedLater)))") }
    if let validFrom, let validUntil {
      fields.append("\"certificate_valid_from\":\(quoted(TimeText.rfc3339(validFrom)))")
      fields.append("\"certificate_valid_until\":\(quoted(TimeText.rfc3339(validUntil)))")
    }
    return "{\(fields.joined(separator: ","))}"
  }
}

extension Finding {
  fileprivate var json: String {
    "{\"subindication\":\(quoted(subindication.rawValue)),\"what\":\(quoted(words))}"
  }
}

extension Change {
  fileprivate var json: String {
    "{\"what\":\(quoted(description)),\"verdict\":\(quoted((finding?.verdict ?? .passed).rawValue))}"
  }
}

extension SignatureReport.Identity {
  fileprivate var word: String {
    switch self {
    case .trusted: "trusted"
    case .selfSigned: "self_signed"
    case .untrusted: "untrusted"
    case .notChecked: "not_checked"
    }
  }
}

private func listed(_ values: [String]) -> String { "[\(values.joined(separator: ","))]" }

/// Escaped so that a terminal that shows it takes nothing in it for a command.
private func quoted(_ text: String) -> String { JSONText.quoted(text, onOneLine: true) }
