internal import Base

/// A connection to an engine, used by one thread at a time.
///
/// After a statement has failed, the rest of its transaction fails on both engines: later statements throw the same
/// error, and nothing is committed. (PostgreSQL works like that; for SQLite we do the same, so that code behaves alike
/// on both.)
protocol Connection: AnyObject, Sendable {
  var dialect: Dialect { get }

  /// Runs a statement that yields no rows. Returns how many rows it changed.
  func run(_ query: Query, _ values: [Value]) throws(DatabaseError) -> Int

  /// Runs a statement that need not run before the next one or the commit: on PostgreSQL they then share a round trip.
  func runLater(_ query: Query, _ values: [Value]) throws(DatabaseError)

  func all(_ query: Query, _ values: [Value]) throws(DatabaseError) -> [Row]

  /// Passes row after row to `body`, without holding all rows in memory.
  func each(_ query: Query, _ values: [Value], _ body: (Row) throws -> Void) throws

  /// Runs SQL without parameters, which may consist of several statements.
  func execute(_ sql: String) throws(DatabaseError)

  /// Sets a new deadline, at which the transaction's statements stop waiting and computing.
  func setDeadline(_ time: MonotonicTime)
}

extension Connection {
  /// Gives a transaction that has begun a later deadline, for long work that somebody watches or has to wait for. The
  /// transaction may then be idle between statements, while a file is written or rows are compared.
  func goOn(until time: MonotonicTime = .never) throws(DatabaseError) {
    setDeadline(time)
    // The server ends transactions that are idle for a minute.
    if dialect == .postgres { try execute("SET LOCAL idle_in_transaction_session_timeout = 0") }
  }
}

/// How strictly a transaction is isolated from others that run at the same time.
public enum Isolation: Sendable {
  /// Each statement sees what was committed before it. Code that reads a row and then changes it should check the row's
  /// version.
  case standard
  /// As if transactions ran one after the other. If the engine reports a conflict, Storage runs the transaction again.
  case serializable
}

/// A database engine: it opens connections and decides when a transaction may write.
protocol Engine: Sendable {
  var dialect: Dialect { get }
  /// The threads on which statements block while the engine works. A transaction that is started on one of these
  /// threads runs right there.
  var pool: BlockingPool { get }

  /// Runs `body` on a consistent snapshot. It may run more than once.
  func read<Result: Sendable>(
    until deadline: MonotonicTime, _ body: @escaping @Sendable (any Connection) throws -> Result
  ) async throws -> Result

  /// Runs `body` in a transaction and returns when it is durable. It may run more than once.
  func write<Result: Sendable>(
    _ options: WriteOptions, _ body: @escaping @Sendable (any Connection) throws -> Result
  ) async throws -> Result

  /// Removes what an erased row left behind in files, as far as the engine can.
  ///
  /// - Parameter time: how long it may take, where the engine has to read its tables for it.
  func scrub(within time: Duration) async throws

  /// Notifies other processes on the same database, with a short delay, that something was committed.
  func announce()

  /// Calls `onCommit` whenever this or another process may have committed something.
  func listen(_ onCommit: @escaping @Sendable () -> Void)

  func close() async
}

struct WriteOptions: Sendable {
  var deadline: MonotonicTime
  var isolation: Isolation = .standard
  var lostCommit = LostCommit.isLearned

  /// What follows if the connection breaks during the commit.
  enum LostCommit {
    /// The outcome is stored with the transaction, so that the server can be asked for it.
    case isLearned
    /// The transaction runs again, and finds out by itself whether it was committed: for the time before there is a
    /// table of outcomes.
    case isRepeated
    /// The caller is told that the outcome is not known.
    case isReported
  }
}
