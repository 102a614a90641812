internal import ConsentDomain
internal import ServicePolicy
internal import Storage

extension Approver {
  /// The caller, with the identifiers of merged accounts. Throws if the caller is a program's key, which is no person.
  init(_ caller: Caller, field: String, _ snapshot: Snapshot) throws {
    try caller.requirePerson(field: field, "where a study asks for a second person, both are people")
    self.init(name: caller.actor, alsoKnownAs: Set(try MergedAccounts.names(of: caller.actor, snapshot)))
  }
}
