internal import Base

/// Verifies a row that has a stream of its own: the newest event of the stream has the row's hash, or says that the row
/// was removed.
struct OwnStream {
  private let row: CommittedRow
  private let table: TableCoverage
  private let key: [UInt8]
  private let snapshot: Snapshot

  /// How often a row is read again because others may be changing it meanwhile.
  private static let attempts = 5

  init(_ row: CommittedRow, _ snapshot: Snapshot) throws(DatabaseError) {
    (self.row, self.snapshot) = (row, snapshot)
    table = try snapshot.coverage(of: row)
    key = RowChange.key(row.key)
  }

  func verify() throws(DatabaseError) {
    var digest = try current()
    for _ in 0..<Self.attempts {
      if let change = snapshot.changed(table.name, key) {
        guard change.digest == digest else { throw altered("this transaction wrote something else") }
        return
      }
      let event = try newest()
      let expected: Digest? = if let event { try committed(by: event) } else { nil }
      if digest == expected {
        if let event { try snapshot.verify(event) }
        return
      }
      // In a transaction each statement sees what was committed before it, so the event may be newer than the row.
      let again = try current()
      guard again != digest else {
        throw altered(event.map { "event \($0.sequence) commits to something else" } ?? "no event tells of it")
      }
      digest = again
    }
    throw DatabaseError(.serializationFailure, "\(title) is changed by others all the time")
  }

  /// The hash of the row as it is stored now; nil if there is none.
  private func current() throws(DatabaseError) -> Digest? {
    try RowReading(table: table, connection: snapshot.connection).digest(of: snapshot.tenant, key: row.key)
  }

  private func newest() throws(DatabaseError) -> Event? {
    guard let stream = table.stream(of: key) else { return nil }
    guard let row = try snapshot.first(EventStatements.committingBefore, stream, Int64.max, 0, 1) else { return nil }
    return try snapshot.event(in: row)
  }

  /// The hash to which an event of the stream commits; nil if the event says that the row was removed.
  private func committed(by event: Event) throws(DatabaseError) -> Digest? {
    guard let changes = RowChange.list(event.changes), changes.count == 1, changes[0].table == table.name,
      changes[0].key == key
    else { throw altered("event \(event.sequence) commits to something else") }
    return changes[0].digest
  }

  private var title: String { RowChange.title(of: key, in: table.name) }

  private func altered(_ why: String) -> DatabaseError {
    DatabaseError(
      .corrupt, "tenant '\(snapshot.tenant)': \(title) is not what was committed to: it was altered; \(why)")
  }
}
