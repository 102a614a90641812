internal import Base

/// Names a row to verify by its table and key, and the streams whose events commit to it.
public struct CommittedRow: Sendable {
  let table: String
  let key: [Value]
  let streams: [String]

  public init<each Key: Storable>(_ table: String, _ key: repeat each Key, in stream: String) {
    var values: [Value] = []
    for part in repeat each key { values.append(part.storedValue) }
    self.init(table, values, in: [stream])
  }

  init(_ table: String, _ key: [Value], in streams: [String]) {
    (self.table, self.key, self.streams) = (table, key, streams)
  }
}

extension Snapshot {
  /// Compares rows with what the newest events about them committed to, before they are handed out as proof. Throws
  /// `.corrupt` if a row is gone or was changed by other means.
  ///
  /// Somebody may have set a row back to an earlier state and removed the events since. That is found by
  /// `Database.check` and not here.
  public func verify(_ rows: [CommittedRow]) throws(DatabaseError) {
    try verifySeen()
    var open = rows
    for _ in 0..<Self.attemptsToVerify {
      open = try unlike(open)
      if open.isEmpty { return }
    }
    throw DatabaseError(
      .serializationFailure,
      "\(RowChange.title(of: RowChange.key(open[0].key), in: open[0].table)) is changed all the time")
  }

  /// In a transaction each statement sees what was committed before it, so an event may be newer than its row.
  private static let attemptsToVerify = 5

  /// The rows that have to be compared once more, because they changed meanwhile.
  private func unlike(_ rows: [CommittedRow]) throws(DatabaseError) -> [CommittedRow] {
    let before = try rows.map { row throws(DatabaseError) in try state(of: row) }
    var newest = NewestChanges(of: before, self)
    for stream in Set(rows.flatMap(\.streams)).sorted() { try newest.search(stream) }
    var left: [CommittedRow] = []
    for (row, state) in zip(rows, before) {
      if let change = changed(state.table, state.key) {
        guard change.after == state.digest else { throw altered(state, "this transaction wrote something else") }
      } else if newest[state]?.digest != state.digest {
        try newest.searchLog(for: state)
        if newest[state]?.digest == state.digest { continue }
        guard try self.state(of: row) != state else {
          throw altered(
            state, newest[state].map { "event \($0.event) commits to something else" } ?? "no event tells of it")
        }
        left.append(row)
      }
    }
    return left
  }

  /// A row as it is stored now. Throws if it is not there.
  private func state(of row: CommittedRow) throws(DatabaseError) -> RowState {
    let reading = RowReading(table: try coverage(of: row.table, key: row.key), connection: connection)
    let state = RowState(
      table: row.table, key: RowChange.key(row.key), digest: try reading.digest(of: tenant, key: row.key))
    guard state.digest != nil else { throw altered(state, "it is gone") }
    return state
  }

  func coverage(of table: String, key: [Value]) throws(DatabaseError) -> TableCoverage {
    guard let listed = context.schema.committedTable(named: table), listed.key.count == key.count else {
      throw DatabaseError(.badStatement, "table '\(table)' is not committed to, or has another key")
    }
    return listed
  }

  private func altered(_ row: RowState, _ why: String) -> DatabaseError {
    DatabaseError(
      .corrupt,
      "tenant '\(tenant)': \(RowChange.title(of: row.key, in: row.table)) is not what was committed to: it was altered; \(why)"
    )
  }

  func altered(_ event: Event) -> DatabaseError {
    DatabaseError(
      .corrupt, "tenant '\(tenant)': event \(event.sequence) is not the one that was written: it was altered")
  }
}

/// Finds the newest event that commits to each of some rows. Every event that it reads was written by this service, as
/// the event's code shows.
struct NewestChanges {
  /// What an event says of a row.
  struct LoggedState {
    let event: Int64
    let digest: Digest?
  }

  private struct Name: Hashable {
    let table: String
    let key: [UInt8]
  }

  private let snapshot: Snapshot
  private let wanted: Set<Name>
  private var newest: [Name: LoggedState] = [:]

  private static let page = 64

  init(of rows: [RowState], _ snapshot: Snapshot) {
    self.snapshot = snapshot
    wanted = Set(rows.map { Name(table: $0.table, key: $0.key) })
  }

  /// The newest event about a row among those that were searched; nil if there is none.
  subscript(row: RowState) -> LoggedState? { newest[Name(table: row.table, key: row.key)] }

  /// Searches the events of a stream, the newest first, for all rows.
  mutating func search(_ stream: String) throws(DatabaseError) {
    var open = wanted
    try search(for: &open) { snapshot, end throws(DatabaseError) in
      try snapshot.all(EventStatements.committingBefore, stream, end, Self.page)
    }
  }

  /// Searches the whole log for one row.
  mutating func searchLog(for row: RowState) throws(DatabaseError) {
    var open: Set = [Name(table: row.table, key: row.key)]
    try search(for: &open) { snapshot, end throws(DatabaseError) in
      try snapshot.all(EventStatements.committingInLogBefore, end, Self.page)
    }
  }

  private mutating func search(
    for open: inout Set<Name>, _ read: (Snapshot, Int64) throws(DatabaseError) -> [Row]
  ) throws(DatabaseError) {
    var end = Int64.max
    while !open.isEmpty {
      let rows = try read(snapshot, end)
      for row in rows {
        let event = try snapshot.event(in: row)
        end = event.sequence
        guard let changes = RowChange.list(event.changes) else { throw snapshot.altered(event) }
        for change in changes {
          let name = Name(table: change.table, key: change.key)
          guard open.remove(name) != nil, newest[name].map({ $0.event < end }) ?? true else { continue }
          newest[name] = LoggedState(event: end, digest: change.after)
        }
        // A row for which another stream has told something newer need not be searched further back.
        open = open.filter { newest[$0].map { $0.event < end } ?? true }
      }
      if rows.count < Self.page { return }
    }
  }
}
