public import Storage

extension Caller {
  /// Refuses a member of staff who would decide about themselves, under any of their identifiers.
  public func requireOther(than subjectID: String, field: String, _ snapshot: Snapshot) throws {
    try requireOther(than: subjectID, field: field, knownAs: MergedAccounts.names(of: actor, snapshot))
  }

  /// The same check for a service that looks up the caller's accounts itself. A caller that is a service passes: what
  /// it carries over was decided elsewhere.
  ///
  /// - Parameter names: all identifiers of the caller.
  public func requireOther(than subjectID: String, field: String, knownAs names: [String]) throws(Refusal) {
    guard isPerson, names.contains(subjectID) else { return }
    let message = "'\(actor)' is the person whom \(field) is about; somebody else of the staff decides this"
    throw Refusal(.precondition, "staff_is_subject", field: field, message)
  }

  /// Also refuses every program, for decisions that a person has to make: a program's key may come from the subject.
  public func requireOtherPerson(than subjectID: String, field: String, _ snapshot: Snapshot) throws {
    try requirePerson(field: field, "what \(field) is about is decided by a person")
    try requireOther(than: subjectID, field: field, snapshot)
  }

  /// Refuses a caller who would place or lift a hold on themselves, and a program that would lift any hold.
  public func requireMayHold(_ isHeld: Bool, _ subjectID: String, field: String, _ snapshot: Snapshot) throws {
    try requireMayHold(isHeld, subjectID, field: field, knownAs: MergedAccounts.names(of: actor, snapshot))
  }

  /// The same check for a service that looks up the caller's accounts itself.
  ///
  /// - Parameter names: all identifiers of the caller.
  public func requireMayHold(
    _ isHeld: Bool, _ subjectID: String, field: String, knownAs names: [String]
  ) throws(Refusal) {
    if !isHeld { try requirePerson(field: field, "a person lifts a hold") }
    try requireOther(than: subjectID, field: field, knownAs: names)
  }

  /// Refuses a program where it matters which person acts: anybody may hold its key, and its name is no person's.
  public func requirePerson(field: String, _ why: String) throws(Refusal) {
    guard isProgram else { return }
    throw Refusal(.precondition, "person_needed", field: field, "'\(actor)' is a program; \(why)")
  }
}
