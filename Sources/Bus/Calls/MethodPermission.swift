/// Who may call a method: a caller with one of the roles, at the place, in the relation. Generated from the option
/// `assent.allow`; docs/authorization.md has the table.
public struct MethodPermission: Hashable, Sendable {
  /// A caller's role. The raw values are the words of grants such as `coordinator@study`.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    case `public`, participant, guardian, witness, investigator, coordinator, inspector, publisher, admin
    case `operator`, device, service
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
  }

  public let roles: [Role]
  /// nil: anywhere.
  public let place: Place?
  /// nil: none is required.
  public let relation: Relation?

  public init(_ roles: [Role], at place: Place? = nil, as relation: Relation? = nil) {
    self.roles = roles
    self.place = place
    self.relation = relation
  }
}
