internal import Base

/// Verifies rows against the newest event that commits to each, in whatever stream it is. That event is found among
/// those after the signed map or, if none is there, by the map. No index of the database is used, since an altered one
/// could hide an event.
struct MappedRows {
  private let snapshot: Snapshot
  /// The rows as they were read last, in the order in which they were wanted; nil for one that is not there.
  private(set) var stored: [Row?]
  private var open: [SoughtRow]

  private struct SoughtRow {
    /// Where the row stands among those that were wanted.
    let place: Int
    let wanted: CommittedRow
    let table: TableCoverage
    let key: [UInt8]
    let name: RowName
    /// The hash of the row as it was read last, and whether it was compared with the log without a match.
    var digest: Digest?
    var wasCompared = false

    /// Whether the row is as an event left it; nil stands for no event about it.
    func isAs(_ saying: RowTail.Saying?) -> Bool {
      (wanted.mayBeAbsent || digest != nil) && digest == saying?.digest
    }
  }

  /// How often rows are read again because others may be changing them meanwhile.
  static let attempts = 5

  init(_ rows: [CommittedRow], in snapshot: Snapshot) throws(DatabaseError) {
    self.snapshot = snapshot
    stored = rows.map { _ in nil }
    open = []
    for (place, row) in rows.enumerated() {
      let (table, key) = (try snapshot.coverage(of: row), RowChange.key(row.key))
      let name = RowName(table: table.name, key: key)
      open.append(SoughtRow(place: place, wanted: row, table: table, key: key, name: name))
    }
  }

  mutating func verify() throws(DatabaseError) {
    if let view = snapshot.viewedLog { try settle(under: view) }
    for _ in 0..<Self.attempts {
      if open.isEmpty { return }
      try read()
      if open.isEmpty { return }
      let view = try snapshot.logView()
      do throws(DatabaseError) {
        try compare(under: view)
      } catch {
        // In a transaction each statement sees what was committed before it, so the map's pages may be newer than the
        // head that was read before. Then all rows are compared again.
        guard try snapshot.logView() != view else { throw error }
        for index in open.indices { open[index].wasCompared = false }
      }
      if open.isEmpty { return }
    }
    throw DatabaseError(.serializationFailure, "\(title(open[0])) is changed by others all the time")
  }

  /// The hashes to which the newest events commit; nil for a row that was removed, or to which no event commits. The
  /// rows themselves are not read.
  func committed() throws(DatabaseError) -> [Digest?] {
    for _ in 0..<Self.attempts {
      let view = try snapshot.logView()
      do throws(DatabaseError) {
        return zip(open, try sayings(under: view)).map { row, saying in
          guard let change = snapshot.changed(row.table.name, row.key) else { return saying?.digest }
          return change.digest
        }
      } catch {
        // The map may have changed between two statements, as in `verify`.
        guard try snapshot.logView() != view else { throw error }
      }
    }
    throw DatabaseError(.serializationFailure, "tenant '\(snapshot.tenant)': its log is changed by others all the time")
  }

  /// Compares rows with the state of the log that this transaction has read before, which saves reading it once more. A
  /// row that matches is as the log said at that time. Whatever does not match is left open: the row may be newer than
  /// that state, and so may the pages of the map.
  private mutating func settle(under view: LogView) throws(DatabaseError) {
    try read()
    guard !open.isEmpty, let sayings = try? sayings(under: view) else { return }
    open = zip(open, sayings).filter { !$0.isAs($1) }.map(\.0)
  }

  /// Reads the rows again. Those that this transaction has changed are compared with the hashes to which its events are
  /// going to commit.
  private mutating func read() throws(DatabaseError) {
    var left: [SoughtRow] = []
    for var row in open {
      let reading = RowReading(table: row.table, connection: snapshot.connection)
      let found = try reading.stored(of: snapshot.tenant, key: row.wanted.key)
      stored[row.place] = found
      let digest = found.map(reading.digest)
      if let change = snapshot.changed(row.table.name, row.key) {
        guard change.digest == digest else { throw altered(row, "this transaction wrote something else") }
        continue
      }
      // The row was changed by another transaction meanwhile, so it is compared again.
      if digest != row.digest { row.wasCompared = false }
      row.digest = digest
      left.append(row)
    }
    open = left
  }

  private mutating func compare(under view: LogView) throws(DatabaseError) {
    let sayings = try self.sayings(under: view)
    var left: [SoughtRow] = []
    for (var row, saying) in zip(open, sayings) {
      if row.isAs(saying) { continue }
      guard !row.wasCompared else {
        throw altered(row, saying.map { "event \($0.event) commits to something else" } ?? "no event tells of it")
      }
      // The event may be newer than the row as it was read, so both are read once more.
      row.wasCompared = true
      left.append(row)
    }
    open = left
  }

  /// For each row what the newest event about it commits to; nil if there is none.
  private func sayings(under view: LogView) throws(DatabaseError) -> [RowTail.Saying?] {
    var sayings = try snapshot.context.rowTails.sayings(of: open.map(\.name), under: view, in: snapshot)
    let older = open.indices.filter { sayings[$0] == nil }
    guard let root = view.root, !older.isEmpty else { return sayings }
    let pages = try RowPages(to: older.map { open[$0].name }.sorted(), under: root, in: snapshot)
    for index in older {
      guard let number = pages.newest(open[index].name) else { continue }
      sayings[index] = try saying(of: number, about: open[index])
    }
    return sayings
  }

  private func saying(of number: Int64, about row: SoughtRow) throws(DatabaseError) -> RowTail.Saying {
    let known = snapshot.context.rowMaps
    if let saying = known.saying(of: number, about: row.name, snapshot.tenant) { return saying }
    guard let event = try snapshot.event(number) else {
      throw DatabaseError(.corrupt, "tenant '\(snapshot.tenant)': event \(number) is missing: it was removed")
    }
    try snapshot.verify(event)
    let change = RowChange.list(event.changes)?.last { $0.table == row.table.name && $0.key == row.key }
    guard let change else { throw snapshot.altered(event) }
    let saying = RowTail.Saying(event: number, digest: change.digest)
    known.add(saying, about: row.name, snapshot.tenant)
    return saying
  }

  private func title(_ row: SoughtRow) -> String { RowChange.title(of: row.key, in: row.table.name) }

  private func altered(_ row: SoughtRow, _ why: String) -> DatabaseError {
    DatabaseError(
      .corrupt, "tenant '\(snapshot.tenant)': \(title(row)) is not what was committed to: it was altered; \(why)")
  }
}
