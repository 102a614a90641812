/// A change to one tenant's rows. All of it becomes durable together, or none.
///
/// The closure that is handed a transaction may run more than once: when the engine asks for it, when the server
/// went away, when another change in the same round filled the disk. It must do nothing but use the transaction, and
/// return what it found out.
///
/// A statement that fails spoils the transaction; catching its error does not save it. Where a conflict is expected,
/// ask with `ON CONFLICT` and look at the number of changed rows.
public final class Transaction: Snapshot {
  /// What is to be done when the change is durable.
  var aftermath = Aftermath()
  /// Events that are numbered and written at the end.
  var drafts: [DraftEvent] = []
  /// Whose personal data this change stored: an answer that is kept may repeat them, and is sealed like them.
  var storedAbout: Subject?

  struct Aftermath: Sendable {
    /// Readers of events and runners of jobs are waiting for what this change wrote.
    var wakesWaiters = false
    /// Erased bytes are to be removed from the engine's files too.
    var scrubsFiles = false
  }

  /// Runs a statement; the number of rows it changed.
  @discardableResult @inlinable
  public func run<each Parameter: Storable>(
    _ statement: Statement, _ parameters: repeat each Parameter
  ) throws(DatabaseError) -> Int {
    try change(by: statement, arguments(repeat each parameters))
  }

  @usableFromInline func change(by statement: Statement, _ values: [Value]) throws(DatabaseError) -> Int {
    try connection.run(admit(statement.query), values)
  }

  /// What is written last, shortly before the commit, so that its locks are held for as short as can be.
  func finish() throws(DatabaseError) { try writeEvents() }
}
