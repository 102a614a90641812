public import Storage

extension Caller {
  /// Staff decides nothing about itself, under whichever identifier.
  public func requireOther(than subjectID: String, field: String, _ snapshot: Snapshot) throws {
    try requireOther(than: subjectID, field: field, knownAs: MergedAccounts.names(of: actor, snapshot))
  }

  /// The same where a service knows by itself which accounts are the caller's. What another service carries over is
  /// decided elsewhere.
  ///
  /// - Parameter names: all identifiers of the caller.
  public func requireOther(than subjectID: String, field: String, knownAs names: [String]) throws(Refusal) {
    guard isPerson, names.contains(subjectID) else { return }
    let message = "'\(actor)' is the person whom \(field) is about; somebody else of the staff decides this"
    throw Refusal(.precondition, "staff_is_subject", field: field, message)
  }

  /// The same for what people decide: a program may have its key from the person.
  public func requireOtherPerson(than subjectID: String, field: String, _ snapshot: Snapshot) throws {
    try requirePerson(field: field, "what \(field) is about is decided by a person")
    try requireOther(than: subjectID, field: field, snapshot)
  }

  /// Nobody sets a hold on themselves or lifts one, and no program lifts any.
  public func requireMayHold(_ isHeld: Bool, _ subjectID: String, field: String, _ snapshot: Snapshot) throws {
    try requireMayHold(isHeld, subjectID, field: field, knownAs: MergedAccounts.names(of: actor, snapshot))
  }

  /// The same where a service knows by itself which accounts are the caller's.
  ///
  /// - Parameter names: all identifiers of the caller.
  public func requireMayHold(
    _ isHeld: Bool, _ subjectID: String, field: String, knownAs names: [String]
  ) throws(Refusal) {
    if !isHeld { try requirePerson(field: field, "a person lifts a hold") }
    try requireOther(than: subjectID, field: field, knownAs: names)
  }

  /// Refuses a program where people are told apart: its key may be anybody's, and its name is nobody's.
  public func requirePerson(field: String, _ why: String) throws(Refusal) {
    guard isProgram else { return }
    throw Refusal(.precondition, "person_needed", field: field, "'\(actor)' is a program; \(why)")
  }
}
