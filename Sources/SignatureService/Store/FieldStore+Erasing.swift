internal import ServicePolicy
internal import SignatureContract
internal import Storage
internal import Wire

extension FieldStore {
  /// The actor in the events of erasures that are repeated after the restore of a backup.
  private static let restore = "system"

  /// Records for each of a subject's fields, unless that is recorded already, that its personal data are erased, so
  /// that services which follow the fields have copies removed.
  ///
  /// An event that was recorded after a restore does not count as recorded already: a follower may have read further
  /// than the restored log, and learns of the erasure by the repeated event.
  static func noteErasure(of subject: Subject, by actor: String, in transaction: Transaction) throws {
    try noteErasure(of: subject, by: actor, in: transaction) { erasers in erasers.contains { $0 != restore } }
  }

  /// The same, for an erasure that is repeated because a restored backup does not have it.
  static func noteRepeatedErasure(of subject: Subject, in transaction: Transaction) throws {
    try noteErasure(of: subject, by: restore, in: transaction) { erasers in !erasers.isEmpty }
  }

  private static func noteErasure(
    of subject: Subject, by actor: String, in transaction: Transaction, unlessNoted isNoted: ([String]) -> Bool
  ) throws {
    for row in try transaction.all(FieldStatements.ofSubject, subject.id) {
      let (id, state): (String, Int64) = (try row.get("id"), try row.get("state"))
      guard try !isNoted(erasers(of: id, in: transaction)) else { continue }
      let event = FieldEvent(
        fieldID: id, version: try row.get("version"), state: FieldState(number: Int32(truncatingIfNeeded: state)),
        actor: actor, reference: try held(id, in: transaction).reference)
      try transaction.append(.fieldErased, event, to: id)
    }
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
}
