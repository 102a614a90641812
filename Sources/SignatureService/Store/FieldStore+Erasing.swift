internal import ServicePolicy
internal import SignatureContract
internal import Storage

extension FieldStore {
  /// Notes with each field of a subject's that what is personal in it is erased now, so that whoever follows the fields
  /// has copies removed. A field that was altered by hand keeps nobody from erasing, and nothing is said of it.
  static func noteErasure(of subject: Subject, by caller: Caller, in transaction: Transaction) throws {
    for row in try transaction.all(FieldStatements.ofSubject, subject.id) {
      let id: String = try row.get("id")
      guard let held = try heldAsFarAsKnown(id, in: transaction) else { continue }
      let state: Int64 = try row.get("state")
      let event = FieldEvent(
        fieldID: id, version: try row.get("version"), state: FieldState(number: Int32(truncatingIfNeeded: state)),
        actor: caller.actor, reference: held.reference)
      try transaction.append(.fieldErased, event, to: id)
    }
  }

  private static func heldAsFarAsKnown(_ id: String, in snapshot: Snapshot) throws -> HeldField? {
    do {
      return try held(id, in: snapshot)
    } catch let error as DatabaseError where error.code == .corrupt {
      return nil
    }
  }
}
