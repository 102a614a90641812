public import Bus

/// Why something was not done. Nothing has changed when one is thrown.
///
/// Domain code and stores throw it and know of no status: what a caller reads is made of it in one place.
public struct Refusal: Error, Hashable, Sendable {
  /// What kind of refusal it is, as callers tell them apart.
  public enum Kind: Hashable, Sendable, CaseIterable {
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
    /// The caller asked for more than its share.
    case exhausted
  }

  public let kind: Kind
  /// The rule, as a stable name, such as `below_pass_mark`.
  public let rule: String
  /// Which field of the request, or which thing, such as `texts[de].title`; may be empty.
  public let field: String
  /// The whole story for a person: field, rule and value.
  public let message: String
  /// What a program may want to know besides: the state of things as it is now, for example.
  public let details: [Status.Detail]

  public init(_ kind: Kind, _ rule: String, field: String = "", _ message: String, details: [Status.Detail] = []) {
    self.kind = kind
    self.rule = rule
    self.field = field
    self.message = message
    self.details = details
  }

  /// - Parameter field: where the request names it, unless that is `WHAT_id`.
  public static func notFound(_ what: String, _ id: String, field: String? = nil) -> Refusal {
    let name = what.split(separator: " ").joined(separator: "_")
    return Refusal(.notFound, "unknown_\(name)", field: field ?? "\(name)_id", "there is no \(what) '\(id.prefix(80))'")
  }
}
