internal import Base
internal import ServicePolicy

extension IdentifierSource {
  /// An identifier that the caller chose, or a new one.
  func chosen(_ wanted: String, _ field: String) throws(Refusal) -> String {
    if wanted.isEmpty { return next() }
    guard ProblemList.isName(wanted) else {
      let message = "\(field) is '\(wanted.prefix(80))'; it must be 1 to 64 letters a-z, digits, '_' or '-'"
      throw Refusal(.invalid, "bad_name", field: field, message)
    }
    return wanted
  }
}

extension LocaleTag {
  static func checked(_ text: String, _ field: String) throws(Refusal) -> LocaleTag {
    guard let locale = LocaleTag(text) else {
      let message = "\(field) is '\(text.prefix(40))', which is no language tag such as 'de-AT'"
      throw Refusal(.invalid, "unknown_locale", field: field, message)
    }
    return locale
  }

  static let english: LocaleTag = {
    guard let tag = LocaleTag("en") else { preconditionFailure("'en' is a language tag") }
    return tag
  }()
}

extension Refusal {
  /// The reason for an action that needs one, trimmed.
  static func requireReason(_ reason: String, for what: String) throws(Refusal) {
    guard trimmed(reason).isEmpty else { return }
    throw Refusal(.invalid, "reason_missing", field: "reason", "reason is empty; \(what)")
  }
}
