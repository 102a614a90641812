package import ConsentContract
internal import ServicePolicy

/// Collects all problems, so that an author sees them at once.
package struct ProblemList {
  package private(set) var problems: [Problem] = []

  package init() {}

  package var hasErrors: Bool { problems.contains { $0.severity == .error } }

  mutating func error(_ rule: String, _ field: String, _ message: String) {
    problems.append(Problem(severity: .error, field: field, rule: rule, message: "\(field) \(message)"))
  }

  /// Adds a refusal of a rule that is also checked elsewhere.
  mutating func add(_ refusal: Refusal) {
    problems.append(Problem(severity: .error, field: refusal.field, rule: refusal.rule, message: refusal.message))
  }

  mutating func warning(_ rule: String, _ field: String, _ message: String) {
    problems.append(Problem(severity: .warning, field: field, rule: rule, message: "\(field) \(message)"))
  }

  /// Texts, records and audits refer to things by these names: they are short, and plain in every alphabet.
  mutating func checkName(_ name: String, _ field: String) {
    if !Self.isName(name) {
      let rule = "must be 1 to 64 letters a-z, digits, '_' or '-'"
      error("bad_name", field, "is '\(name.prefix(80))'; it \(rule)")
    }
  }

  mutating func checkUnique(_ names: [String], _ field: String) {
    var seen: Set<String> = []
    for name in names where !seen.insert(name).inserted {
      error("duplicate_name", field, "has '\(name.prefix(80))' more than once")
    }
  }

  mutating func checkCount(_ count: Int, atMost bound: Int, _ field: String) {
    if count > bound { error("too_many", field, "has \(count) entries; at most \(bound) are allowed") }
  }

  mutating func checkLength(_ text: String, atMost bound: Int, _ field: String) {
    let length = text.utf8.count
    if length > bound { error("too_long", field, "is \(length) bytes long; at most \(bound) are allowed") }
  }

  package static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0) || $0 == 95 || $0 == 45
      }
  }
}
