internal import ServicePolicy
internal import SignatureContract
internal import Storage
internal import Wire

extension FieldStore {
  /// The actor in the events of erasures that are repeated after the restore of a backup.
  private static let restore = "system"

  /// Records for each of a subject's fields, unless that is recorded already, that its personal data are erased, so
  /// that services which follow the fields have copies removed. A field that was altered by hand is skipped, so that it
  /// does not prevent the erasure.
  ///
  /// An event that was recorded after a restore does not count as recorded already: a follower may have read further
  /// than the restored log, and learns of the erasure by the repeated event.
  static func noteErasure(of subject: Subject, by actor: String, in transaction: Transaction) throws {
    for row in try transaction.all(FieldStatements.ofSubject, subject.id) {
      let id: String = try row.get("id")
      guard try !erasers(of: id, in: transaction).contains(where: { $0 != restore }) else { continue }
      guard let held = try heldAsFarAsKnown(id, in: transaction) else { continue }
      try noteErasure(row, held.reference, by: actor, in: transaction)
    }
  }

  /// The same, for an erasure that is repeated because a restored backup does not have it. Rows are not verified: a
  /// backup may be older than the map of rows that this takes, and then the process that makes the map could not start.
  static func noteRepeatedErasure(of subject: Subject, in transaction: Transaction) throws {
    for row in try transaction.all(FieldStatements.ofSubject, subject.id) {
      let id: String = try row.get("id")
      guard try erasers(of: id, in: transaction).isEmpty else { continue }
      let reference = try FieldReference(row: try transaction.one(FieldStatements.reference, id))
      try noteErasure(row, reference, by: restore, in: transaction)
    }
  }

  private static func noteErasure(
    _ row: Row, _ reference: FieldReference, by actor: String, in transaction: Transaction
  ) throws {
    let (id, state): (String, Int64) = (try row.get("id"), try row.get("state"))
    let event = FieldEvent(
      fieldID: id, version: try row.get("version"), state: FieldState(number: Int32(truncatingIfNeeded: state)),
      actor: actor, reference: reference)
    try transaction.append(.fieldErased, event, to: id)
  }

  private static func erasers(of id: String, in snapshot: Snapshot) throws -> [String] {
    let erased = EventType<FieldEvent>.fieldErased.name
    var (erasers, last): ([String], Int64) = ([], 0)
    while case let events = try snapshot.events(after: last, stream: id, limit: 100), let newest = events.last {
      erasers += try events.filter { $0.type == erased }.map { try FieldEvent(decoding: $0.payload).actor }
      last = newest.sequence
    }
    return erasers
  }

  private static func heldAsFarAsKnown(_ id: String, in snapshot: Snapshot) throws -> HeldField? {
    do {
      return try held(id, in: snapshot)
    } catch let error as DatabaseError where error.isDamage {
      return nil
    }
  }
}
