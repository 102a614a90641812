/// A change to one tenant's rows. All of it becomes durable together, or none.
///
/// The closure that gets a transaction may run more than once: when the engine asks for it, when the server went away,
/// when another change in the same round filled the disk. It must do nothing but use the transaction and return its
/// result.
///
/// A statement that fails makes the whole transaction fail, even if its error is caught. Where a conflict is expected,
/// use `ON CONFLICT` and look at the number of changed rows.
public final class Transaction: Snapshot {
  /// What is done once the change is durable.
  var afterCommit = AfterCommit()
  /// Events that are numbered and written at the end.
  var drafts: [DraftEvent] = []
  /// Changed rows that events commit to.
  private var changes = RowChanges()
  /// The subject whose personal data this change stored. A stored answer may repeat that data, and is sealed like it.
  var storedAbout: Subject?

  struct AfterCommit: Sendable {
    /// Whether the change wrote something that readers of events or runners of jobs wait for.
    var wakesWaiters = false
    /// Whether erased bytes are to be removed from the engine's files too.
    var scrubsFiles = false
    /// Whether processes may have answered from memory what this change takes back.
    var recallsAnswers = false
    /// Whether this change leads to new answers and takes none back: then only this process waits until it gives the
    /// new ones.
    var renewsAnswers = false
    /// The newest event that this change wrote.
    var logEnd: SeenEvents.Mark?
    /// The key of the log, if this change made or opened it.
    var logKey: LogKey?
    /// Erasures and holds of this change, to be repeated when an older backup is restored.
    var facts: [ErasureFact] = []
  }

  /// Runs a statement; returns the number of rows that it changed.
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

  override func note(_ rows: [Row], of tracking: TrackedQuery) {
    for row in rows { changes.note(row, of: tracking) }
  }

  /// Writes what comes last, just before the commit, so that its locks are held as briefly as possible.
  func finish() throws(DatabaseError) {
    try commitToChanges()
    try writeEvents()
  }

  /// Has events commit to the rows that changed: those that the tables ask for, the last of the transaction otherwise.
  private func commitToChanges() throws(DatabaseError) {
    let tables = changes.byTable
    for (table, entries) in tables where !table.isRowByRow {
      for index in try events(for: table) {
        for entry in entries { entry.append(to: &drafts[index].changes) }
      }
    }
    // Last, so that nothing else is committed to in their streams.
    for (table, entries) in tables where table.isRowByRow {
      for entry in entries { commit(to: entry, of: table) }
    }
  }

  /// The places of the events that commit to a table's rows. Where the table asks for a kind, it is the last one of
  /// each stream: a change about two subjects has events in the streams of both, and each row is looked for in one of
  /// them.
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

  /// Commits to a row in the stream that is its own.
  func commit(to change: RowChange, of table: TableCoverage) {
    guard let stream = table.stream(of: change.key) else { return }
    var draft = DraftEvent(stream: stream, type: RowChange.ownEvent, payload: [])
    change.append(to: &draft.changes)
    drafts.append(draft)
    afterCommit.wakesWaiters = true
  }

  override func changed(_ table: String, _ key: [UInt8]) -> RowChange? { changes[table, key] }
}
