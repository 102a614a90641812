internal import Base
package import ConsentContract
package import Refusals

/// Collects all problems, so that an author sees them at once.
package struct ProblemList {
  /// How many problems are listed: more than anybody corrects before validating again.
  package static let most = 1_000

  package private(set) var problems: [Problem] = []

  package init() {}

  /// Whether there are more problems than are collected: the last one says so.
  var isFull: Bool { problems.count > Self.most }

  mutating func error(_ rule: String, _ field: String, _ message: String) {
    append(Problem(severity: .error, field: field, rule: rule, message: "\(field) \(message)"))
  }

  /// Adds a refusal of a rule that is also checked elsewhere.
  mutating func add(_ refusal: Refusal) {
    append(Problem(refusal))
  }

  mutating func warning(_ rule: String, _ field: String, _ message: String) {
    append(Problem(severity: .warning, field: field, rule: rule, message: "\(field) \(message)"))
  }

  mutating func information(_ rule: String, _ field: String, _ message: String) {
    append(Problem(severity: .information, field: field, rule: rule, message: "\(field) \(message)"))
  }

  /// Says that a purpose is asked for elsewhere, too: what is decided there is decided here.
  ///
  /// - Parameter others: what else asks for it, in words; nil if nothing does.
  mutating func note(_ purpose: String, askedForBy others: String?, _ field: String) {
    guard let others else { return }
    let message = "is '\(purpose.shortened)', for which \(others) asks, too: a decision about one is about all"
    information("purpose_shared", field, message)
  }

  private mutating func append(_ problem: Problem) {
    guard !isFull else { return }
    guard problems.count == Self.most else {
      problems.append(problem)
      return
    }
    let message = "there are more than \(Self.most) problems; these are the first"
    problems.append(Problem(severity: .error, rule: "too_many_problems", message: message))
  }

  /// Checks a name by which texts, records and audits refer to something: it must be short, and of plain ASCII
  /// characters.
  mutating func checkName(_ name: String, _ field: String) {
    if !Self.isName(name) {
      let rule = "must be 1 to 64 letters a-z, digits, '_' or '-'"
      error("bad_name", field, "is '\(name.shortened)'; it \(rule)")
    }
  }

  mutating func checkUnique(_ names: [String], _ field: String) {
    var seen: Set<String> = []
    for name in names where !seen.insert(name).inserted {
      error("duplicate_name", field, "has '\(name.shortened)' more than once")
    }
  }

  mutating func checkLength(_ text: String, atMost bound: Int, _ field: String) {
    let length = text.utf8.count
    if length > bound { error("too_long", field, "is \(length) bytes long; at most \(bound) are allowed") }
  }

  /// Checks that a text has no other placeholders than those that are filled in there.
  mutating func checkPlaceholders(in text: String, _ field: String, allowed: [Placeholder]) {
    for name in Placeholder.names(in: text).sorted() where !allowed.contains(where: { $0.rawValue == name }) {
      let known = Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
      if Placeholder(rawValue: name) == nil {
        error("unknown_placeholder", field, "has {\(name.shortened)}; there are \(known)")
      } else {
        error("placeholder_not_here", field, "has {\(name)}, which is not filled in there")
      }
    }
  }

  /// - Parameter assets: hashes of the assets that are stored.
  mutating func checkImages(in html: String, _ field: String, stored assets: Set<String>) {
    for hash in Reference.assets(in: html).subtracting(assets).sorted() {
      error("unknown_asset", field, "shows the image '\(hash.shortened)', which is not stored")
    }
  }

  package static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0) || $0 == 95 || $0 == 45
      }
  }
}

extension Problem {
  /// Turns a refusal into an entry for a list of problems.
  package init(_ refusal: Refusal) {
    self.init(severity: .error, field: refusal.field, rule: refusal.rule, message: refusal.message)
  }
}
