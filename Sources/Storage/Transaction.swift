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
  /// The subject whose personal data this change stored. A stored answer may repeat that data, and is sealed like it.
  var storedAbout: Subject?

  struct AfterCommit: Sendable {
    /// Whether the change wrote something that readers of events or runners of jobs wait for.
    var wakesWaiters = false
    /// Whether erased bytes are to be removed from the engine's files too.
    var scrubsFiles = false
    /// What must stay so when a backup is restored.
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
    try connection.run(admit(statement.query), values)
  }

  /// Writes what comes last, just before the commit, so that its locks are held as briefly as possible.
  func finish() throws(DatabaseError) { try writeEvents() }
}
