internal import Base
public import Wire

/// Says why a call was refused. Whoever throws one has changed nothing.
///
/// Domain code and stores throw it without knowing of statuses; ServicePolicy turns it into the caller's status.
public struct Refusal: Error, Sendable {
  /// The kinds of refusals that callers distinguish.
  public enum Kind: Hashable, Sendable, CaseIterable {
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
    /// The caller has not proved to be who it says it is.
    case unauthenticated
    /// The caller asked for more than its share.
    case exhausted
  }

  public let kind: Kind
  /// The rule, as a stable name, such as `below_pass_mark`.
  public let rule: String
  /// The request's field or the thing that is at fault, such as `texts[de].title`; may be empty.
  public let field: String
  /// The full explanation for a person: field, rule and value.
  public let message: String
  /// Details for programs, such as the present state.
  public let details: [any Message]
  /// How long to wait before a retry may succeed; nil if unknown.
  public let retryAfter: Duration?

  public init(
    _ kind: Kind, _ rule: String, field: String = "", _ message: String, details: [any Message] = [],
    retryAfter: Duration? = nil
  ) {
    self.kind = kind
    self.rule = rule
    self.field = field
    self.message = message
    self.details = details
    self.retryAfter = retryAfter
  }

  /// - Parameter field: the request's field that holds the identifier; nil for `WHAT_id`.
  public static func notFound(_ what: String, _ id: String, field: String? = nil) -> Refusal {
    let name = what.split(separator: " ").joined(separator: "_")
    return Refusal(.notFound, "unknown_\(name)", field: field ?? "\(name)_id", "there is no \(what) '\(id.shortened)'")
  }
}
