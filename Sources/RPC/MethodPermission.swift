/// Who may call a method: a caller with one of the roles, at the place, in the relation. Generated from the option
/// `assent.allow`; docs/authorization.md has the table.
public struct MethodPermission: Hashable, Sendable {
  /// A caller's role. The raw values are the words of grants such as `coordinator@study`.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    case `public`, participant, guardian, witness, investigator, coordinator, inspector, publisher, admin
    case `operator`, device, service

    /// The role with this number in `assent.Permission.Role`; nil for 0, which stands for no role, and for unknown
    /// numbers.
    package init?(number: Int) {
      guard Self.allCases.indices.contains(number - 1) else { return nil }
      self = Self.allCases[number - 1]
    }

    /// The roles that people hold by a grant for a place. Participant and guardian follow from what is on record about
    /// a subject, `public` is everybody, and the others are kinds of keys.
    public static let granted: [Role] = [.witness, .investigator, .coordinator, .inspector, .publisher, .admin]
  }

  /// Where the caller must have the role; a role for a wider place counts for the narrower ones in it.
  public enum Place: Hashable, Sendable, CaseIterable {
    case tenant, study, site
  }

  /// The caller's relation to the person whose data are used.
  public enum Relation: Hashable, Sendable, CaseIterable {
    /// The caller is that person.
    case itself
    case guardianOf
    case deviceOf
    /// The caller is the person to whom the task was given.
    case assigned
    /// The caller assists in the person's session, as the session's record says.
    case assisting
  }

  public let roles: [Role]
  /// nil: a role at any place will do.
  public let place: Place?
  /// nil: none is required.
  public let relation: Relation?

  public init(_ roles: [Role], at place: Place? = nil, as relation: Relation? = nil) {
    self.roles = roles
    self.place = place
    self.relation = relation
  }
}

extension [MethodPermission] {
  /// For methods that anyone may call.
  public static var anyone: [MethodPermission] { [MethodPermission([.public])] }
}
