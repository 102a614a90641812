internal import Base
internal import ConsentDomain
internal import ServicePolicy

extension IdentifierSource {
  /// An identifier that the caller chose, or a new one.
  func chosen(_ wanted: String, _ field: String) throws(Refusal) -> String {
    if wanted.isEmpty { return next() }
    guard ProblemList.isName(wanted) else {
      let message = "\(field) is '\(wanted.shortened)'; it must be 1 to 64 letters a-z, digits, '_' or '-'"
      throw Refusal(.invalid, "bad_name", field: field, message)
    }
    return wanted
  }
}

extension Refusal {
  private static let longestReason = 4_000
  private static let longestName = 1_000

  /// Throws if the reason for an action that needs one is missing or too long.
  static func requireReason(_ reason: String, for what: String) throws(Refusal) {
    try requireShort(reason)
    guard trimmed(reason).isEmpty else { return }
    throw Refusal(.invalid, "reason_missing", field: "reason", "reason is empty; \(what)")
  }

  /// Throws if a reason is longer than a few sentences: it is shown wherever its subject is.
  static func requireShort(_ reason: String) throws(Refusal) {
    try require(reason, atMost: longestReason, "reason")
  }

  /// Throws if a name is too long for the lists in which people see it.
  static func requireName(_ name: String, _ field: String) throws(Refusal) {
    try require(name, atMost: longestName, field)
  }

  private static func require(_ text: String, atMost bound: Int, _ field: String) throws(Refusal) {
    let length = text.utf8.count
    guard length > bound else { return }
    throw Refusal(
      .invalid, "too_long", field: field, "\(field) is \(length) bytes long; at most \(bound) are allowed")
  }
}
