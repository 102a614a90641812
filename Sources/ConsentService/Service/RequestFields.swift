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
  private static let longestReason = 4000

  /// Refuses an action that needs a reason and has none, and a reason that is too long to be kept.
  static func requireReason(_ reason: String, for what: String) throws(Refusal) {
    try checkReason(reason)
    guard trimmed(reason).isEmpty else { return }
    throw Refusal(.invalid, "reason_missing", field: "reason", "reason is empty; \(what)")
  }

  /// Refuses a reason that is too long to be kept.
  static func checkReason(_ reason: String) throws(Refusal) {
    let length = reason.utf8.count
    guard length > longestReason else { return }
    let message = "reason is \(length) bytes long; at most \(longestReason) are allowed"
    throw Refusal(.invalid, "too_long", field: "reason", message)
  }
}
