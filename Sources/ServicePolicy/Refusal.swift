internal import Base
public import RPC

/// Why something was not done. When one is thrown, nothing has changed.
///
/// Domain code and stores throw it and know of no status: one place turns it into what a caller gets.
public struct Refusal: Error, Hashable, Sendable {
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
  /// The field of the request, or the thing, such as `texts[de].title`; may be empty.
  public let field: String
  /// The full explanation for a person: field, rule and value.
  public let message: String
  /// More for programs: the present state, for example.
  public let details: [Status.Detail]
  /// When trying again may help; nil: nobody can say.
  public let retryAfter: Duration?

  public init(
    _ kind: Kind, _ rule: String, field: String = "", _ message: String, details: [Status.Detail] = [],
    retryAfter: Duration? = nil
  ) {
    self.kind = kind
    self.rule = rule
    self.field = field
    self.message = message
    self.details = details
    self.retryAfter = retryAfter
  }

  /// - Parameter field: the field that names it, unless that is `WHAT_id`.
  public static func notFound(_ what: String, _ id: String, field: String? = nil) -> Refusal {
    let name = what.split(separator: " ").joined(separator: "_")
    return Refusal(.notFound, "unknown_\(name)", field: field ?? "\(name)_id", "there is no \(what) '\(id.shortened)'")
  }
}
