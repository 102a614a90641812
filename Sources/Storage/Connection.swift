internal import Base

/// A connection to an engine, used by one thread at a time.
///
/// A statement that fails makes the rest of its transaction fail on both engines: later statements are refused with the
/// same error, and nothing is committed. (PostgreSQL works like that; for SQLite we do the same, so that code behaves
/// alike on both.)
protocol Connection: AnyObject, Sendable {
  var dialect: Dialect { get }

  /// Runs a statement that yields no rows; the number of rows it changed.
  func run(_ query: Query, _ values: [Value]) throws(DatabaseError) -> Int

  /// Runs a statement together with the next one or the commit, at the latest: on PostgreSQL that saves a round trip.
  func runLater(_ query: Query, _ values: [Value]) throws(DatabaseError)

  func all(_ query: Query, _ values: [Value]) throws(DatabaseError) -> [Row]

  /// Passes on row after row without holding them all.
  func each(_ query: Query, _ values: [Value], _ body: (Row) throws -> Void) throws

  /// Runs SQL that takes no parameters, several statements if need be.
  func execute(_ sql: String) throws(DatabaseError)

  /// Says when statements stop waiting and computing, from now on.
  func setDeadline(_ time: MonotonicTime)
}

extension Connection {
  /// Lets a transaction that has begun go on until another time: somebody watches it, or has to wait for it. It may
  /// pause between its statements, while a file is written or rows are compared.
  func goOn(until time: MonotonicTime = .never) throws(DatabaseError) {
    setDeadline(time)
    // The server ends others that pause for a minute.
    if dialect == .postgres { try execute("SET LOCAL idle_in_transaction_session_timeout = 0") }
  }
}

/// How strictly a transaction is isolated from others that run at the same time.
public enum Isolation: Sendable {
  /// Each statement sees what was committed before it. Guard a read-then-change with the row's version.
  case standard
  /// As if transactions ran one after the other; the engine may ask to run one again, and Storage does.
  case serializable
}

/// An engine: it makes connections and decides when a transaction may write.
protocol Engine: Sendable {
  var dialect: Dialect { get }
  /// The threads on which statements wait for the engine. A transaction that is started on one of them runs there at
  /// once.
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

  /// Tells other processes on the same database, soon, that something was committed.
  func announce()

  /// Calls `onCommit` whenever this or another process may have committed something.
  func listen(_ onCommit: @escaping @Sendable () -> Void)

  func close() async
}

struct WriteOptions: Sendable {
  var deadline: MonotonicTime
  var isolation: Isolation = .standard
  /// False only until the tables that hold outcomes exist.
  var remembersOutcome = true
}
