/// A change to one tenant's rows. All of it becomes durable together, or none.
///
/// The closure that gets a transaction may run more than once: after a conflict with another transaction, after a lost
/// connection, or after another change in the same commit has failed. It must do nothing but use the transaction and
/// return its result.
///
/// A failed statement makes the whole transaction fail, even if its error is caught. Where a conflict is expected, use
/// `ON CONFLICT` and check the number of changed rows.
public final class Transaction: Snapshot {
  /// The steps to take once the change is durable.
  var afterCommit = AfterCommit()
  /// Events that are numbered and written at the end.
  var drafts: [DraftEvent] = []
  /// The changed rows to which events have to commit.
  private var changes = RowChanges()
  /// The subject whose personal data this change has stored. A stored answer may repeat them, so it is sealed with the
  /// same key.
  var storedAbout: Subject?

  struct AfterCommit: Sendable {
    /// Whether watchers of commits are woken, since the change has appended events or queued jobs, or asked for it.
    var wakesWaiters = false
    /// Whether the engine's files are scrubbed, since the change has erased bytes.
    var scrubsFiles = false
    /// Whether a head of the log is signed that covers this change (`signsHead`).
    var signsHead = false
    /// The newest event that this change has appended; nil if it has appended none.
    var logEnd: SeenEvents.Mark?
    /// The key of the log, if this change has made or opened it.
    var logKey: LogKey?
    /// The erasures and holds of this change, for the list of erasures.
    var facts: [ErasureFact] = []
  }

  /// Runs a statement. Returns the number of rows that it changed.
  @discardableResult @inlinable
  public func run<each Parameter: Storable>(
    _ statement: Statement, _ parameters: repeat each Parameter
  ) throws(DatabaseError) -> Int {
    try change(by: statement, arguments(repeat each parameters))
  }

  @usableFromInline func change(by statement: Statement, _ values: [Value]) throws(DatabaseError) -> Int {
    let query = try admit(statement.query)
    guard context.schema.tracking(query) != nil else { return try connection.run(query, values) }
    return try rows(of: statement, values).count
  }

  /// Declares that somebody might want to undo this change unnoticed, such as a withdrawal or an erasure. The write
  /// then returns only after an attempt to sign and hand out a head of the log that covers the change.
  public func signsHead() { afterCommit.signsHead = true }

  override func note(_ change: TrackedQuery.Change, in table: TableCoverage) { changes.note(change, in: table) }

  /// Writes the events, just before the commit, so that the log's head is locked as briefly as possible.
  func finish() throws(DatabaseError) {
    try commitToChanges()
    try writeEvents()
  }

  /// Adds the hashes of the changed rows to events: to those of the type that a table declares, otherwise to the last
  /// event of the transaction.
  private func commitToChanges() throws(DatabaseError) {
    for (table, entries) in changes.byTable {
      for (place, index) in try events(for: table).enumerated() {
        // One event tells of the change, and the others what the row is since.
        for entry in entries { (place == 0 ? entry : entry.restated).append(to: &drafts[index].changes) }
      }
    }
  }

  /// The indices of the events that have to commit to a table's rows. If the table declares a type, these are the last
  /// event of this type in each stream: a change about two subjects has events in both subjects' streams, and each row
  /// is searched in one of these.
  private func events(for table: TableCoverage) throws(DatabaseError) -> [Int] {
    if let kind = table.kind {
      var last: [String: Int] = [:]
      for (index, draft) in drafts.enumerated() where draft.type == kind { last[draft.stream] = index }
      guard !last.isEmpty else {
        throw DatabaseError(.badStatement, "table '\(table.name)' was changed without an event of kind '\(kind)'")
      }
      return last.values.sorted()
    }
    if drafts.isEmpty { append(RowChange.ownEvent, [], to: RowChange.ownEvent) }
    return [drafts.count - 1]
  }

  override func changed(_ table: String, _ key: [UInt8]) -> RowChange? { changes[table, key] }
}
