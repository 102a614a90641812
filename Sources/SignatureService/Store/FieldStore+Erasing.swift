internal import ServicePolicy
internal import SignatureContract
internal import Storage

extension FieldStore {
  /// Notes with each field of a subject's of which that is not on record that what is personal in it is erased, so that
  /// whoever follows the fields has copies removed. A field that was altered by hand keeps nobody from erasing, and
  /// nothing is said of it.
  static func noteErasure(of subject: Subject, by actor: String, in transaction: Transaction) throws {
    for row in try transaction.all(FieldStatements.ofSubject, subject.id) {
      let id: String = try row.get("id")
      guard try !isErasureNoted(of: id, in: transaction) else { continue }
      guard let held = try heldAsFarAsKnown(id, in: transaction) else { continue }
      let state: Int64 = try row.get("state")
      let event = FieldEvent(
        fieldID: id, version: try row.get("version"), state: FieldState(number: Int32(truncatingIfNeeded: state)),
        actor: actor, reference: held.reference)
      try transaction.append(.fieldErased, event, to: id)
    }
  }

  private static func isErasureNoted(of id: String, in snapshot: Snapshot) throws -> Bool {
    let erased = EventType<FieldEvent>.fieldErased.name
    var last: Int64 = 0
    while case let events = try snapshot.events(after: last, stream: id, limit: 100), let newest = events.last {
      if events.contains(where: { $0.type == erased }) { return true }
      last = newest.sequence
    }
    return false
  }

  private static func heldAsFarAsKnown(_ id: String, in snapshot: Snapshot) throws -> HeldField? {
    do {
      return try held(id, in: snapshot)
    } catch let error as DatabaseError where error.code == .corrupt {
      return nil
    }
  }
}
