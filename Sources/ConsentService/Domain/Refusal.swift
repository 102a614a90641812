/// Why something was not done. Nothing has changed when one is thrown.
package struct Refusal: Error, Hashable, Sendable {
  /// What kind of refusal it is, as callers tell them apart.
  package enum Kind: Hashable, Sendable {
    /// The request itself is wrong.
    case invalid
    /// There is no such thing, or none that the caller may know of.
    case notFound
    /// It exists already.
    case alreadyExists
    /// Not now: the state of things does not allow it.
    case precondition
    /// Somebody else was faster; look again.
    case aborted
    /// The caller may not.
    case denied
    /// A bound was reached.
    case exhausted
  }

  package let kind: Kind
  /// Which field of the request, or which thing, such as `texts[de].title`; may be empty.
  package let field: String
  /// The rule, as a stable name, such as `below_pass_mark`.
  package let rule: String
  /// The whole story for a person: field, rule and value.
  package let message: String

  package init(_ kind: Kind, _ rule: String, field: String = "", _ message: String) {
    self.kind = kind
    self.field = field
    self.rule = rule
    self.message = message
  }

  /// - Parameter field: where the request names it, unless that is `WHAT_id`.
  package static func notFound(_ what: String, _ id: String, field: String? = nil) -> Refusal {
    Refusal(
      .notFound, "unknown_\(what.split(separator: " ").joined(separator: "_"))", field: field ?? "\(what)_id",
      "there is no \(what) '\(id.prefix(80))'")
  }
}
