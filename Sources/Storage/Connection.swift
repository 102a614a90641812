internal import Base

/// One conversation with an engine, used by one thread at a time.
///
/// A statement that fails spoils its transaction on both engines: what follows is refused with the same error, and
/// nothing is committed. (PostgreSQL works like that; SQLite is held to it, so that code behaves the same on both.)
protocol Connection: AnyObject, Sendable {
  var dialect: Dialect { get }

  /// Runs a statement that yields no rows; the number of rows it changed.
  func run(_ query: Query, _ values: [Value]) throws(DatabaseError) -> Int

  /// Runs a statement at the latest with the next one or the commit: on PostgreSQL it saves a round trip.
  func runLater(_ query: Query, _ values: [Value]) throws(DatabaseError)

  func all(_ query: Query, _ values: [Value]) throws(DatabaseError) -> [Row]

  /// Hands over row after row without holding them all.
  func each(_ query: Query, _ values: [Value], _ body: (Row) throws -> Void) throws

  /// Runs SQL that takes no parameters, several statements if need be.
  func execute(_ sql: String) throws(DatabaseError)
}

/// How strictly a transaction is kept apart from others that run at the same time.
public enum Isolation: Sendable {
  /// Each statement sees what was committed before it. Guard a read-then-change with the row's version.
  case standard
  /// As if transactions ran one after the other; the engine may ask to run one again, and Storage does.
  case serializable
}

/// An engine: where connections come from, and who may write when.
protocol Engine: Sendable {
  var dialect: Dialect { get }
  /// The threads on which statements wait for the engine. What is asked for on one of them is done there and then.
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
  func scrub() async throws

  /// Tells other processes on the same database, soon, that something was committed.
  func announce()

  /// Calls `onCommit` whenever this or another process may have committed something.
  func listen(_ onCommit: @escaping @Sendable () -> Void)

  func close() async
}

struct WriteOptions: Sendable {
  var deadline: MonotonicTime
  var isolation: Isolation = .standard
  /// False only while the tables that remember outcomes do not exist yet.
  var remembersOutcome = true
}
