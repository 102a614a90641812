/// Why something was not done. When one is thrown, nothing has changed.
package struct Refusal: Error, Hashable, Sendable {
  /// The kinds of refusals that callers distinguish.
  package enum Kind: Hashable, Sendable {
    /// The request itself is wrong.
    case invalid
    /// It does not exist, or the caller may not know that it does.
    case notFound
    /// It exists already.
    case alreadyExists
    /// The present state does not allow it.
    case precondition
    /// Another caller changed it first; read it again.
    case aborted
    /// The caller has no right to do it.
    case denied
    /// A bound was reached.
    case exhausted
  }

  package let kind: Kind
  /// The field of the request, or the thing, such as `texts[de].title`; may be empty.
  package let field: String
  /// The rule, as a stable name, such as `below_pass_mark`.
  package let rule: String
  /// The full explanation for a person: field, rule and value.
  package let message: String

  package init(_ kind: Kind, _ rule: String, field: String = "", _ message: String) {
    self.kind = kind
    self.field = field
    self.rule = rule
    self.message = message
  }

  /// - Parameter field: the field that names it, unless that is `WHAT_id`.
  package static func notFound(_ what: String, _ id: String, field: String? = nil) -> Refusal {
    Refusal(
      .notFound, "unknown_\(what.split(separator: " ").joined(separator: "_"))", field: field ?? "\(what)_id",
      "there is no \(what) '\(id.prefix(80))'")
  }
}
