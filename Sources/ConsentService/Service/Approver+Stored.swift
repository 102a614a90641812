internal import ConsentDomain
internal import ServicePolicy
internal import Storage

extension Approver {
  /// The caller, with the identifiers of merged accounts. Throws if the caller is a program's key, which is no person.
  ///
  /// - Parameter askers: those whose requests wait for a second person.
  init(_ caller: Caller, after askers: [String] = [], field: String, _ snapshot: Snapshot) throws {
    try caller.requirePerson(field: field, "where a study asks for a second person, both are people")
    for name in [caller.actor] + askers { try MergedAccounts.requireIntact(name, snapshot) }
    self.init(name: caller.actor, alsoKnownAs: Set(try MergedAccounts.names(of: caller.actor, snapshot)))
  }
}
