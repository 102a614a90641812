internal import ServicePolicy
internal import Storage

extension Caller {
  /// Staff decides nothing about itself, under whichever identifier.
  func requireOther(than subjectID: String, field: String, _ snapshot: Snapshot) throws {
    guard try MergedAccounts.names(of: actor, snapshot).contains(subjectID) else { return }
    let message = "'\(actor)' is the person whom \(field) is about; somebody else of the staff decides this"
    throw Refusal(.precondition, "staff_is_subject", field: field, message)
  }

  /// The same for what people decide: a program may have its key from the person.
  func requireOtherPerson(than subjectID: String, field: String, _ snapshot: Snapshot) throws {
    guard !isProgram else {
      let message = "'\(actor)' is a program; what \(field) is about is decided by a person"
      throw Refusal(.precondition, "person_needed", field: field, message)
    }
    try requireOther(than: subjectID, field: field, snapshot)
  }
}
