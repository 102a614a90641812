internal import Base
internal import ConsentDomain
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

extension Refusal {
  /// The reason for an action that needs one, trimmed.
  static func requireReason(_ reason: String, for what: String) throws(Refusal) {
    guard trimmed(reason).isEmpty else { return }
    throw Refusal(.invalid, "reason_missing", field: "reason", "reason is empty; \(what)")
  }
}
