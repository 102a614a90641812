internal import Base
internal import Synchronization

/// The only writer of a SQLite file. The thread that holds its connection is the leader: it runs all waiting changes
/// together and makes them durable with one fsync.
///
/// If there is no leader, a change that is made on a thread that may block runs right there, without waking another
/// thread. Changes that arrive meanwhile wait in a queue for the writer's own thread, which is the leader until the
/// queue is empty.
final class SQLiteWriter: Sendable {
  private let line: Mutex<Line>
  /// Hands the connection to the writer's thread, each time that it is to be the leader.
  private let calls = BlockingQueue<SQLiteConnection>()
  private let clock: Clock
  private static let batchLimit = 64

  private struct Line {
    /// The connection while there is no leader; nil while a thread has it, and once the writer is closed.
    var connection: SQLiteConnection?
    /// The queued changes. Empty while there is no leader.
    var waiting: [SQLiteWrite] = []
    var isClosed = false
  }

  init(_ connection: SQLiteConnection, clock: Clock) {
    line = Mutex(Line(connection: connection))
    self.clock = clock
    NativeThread.start(name: "sqlite-writer", stackBytes: 8 << 20) { [calls, weak self] in
      while let connection = calls.pop() { self?.lead(with: connection) }
    }
  }

  deinit { calls.close() }

  /// - Parameter mayBlock: whether this thread may wait for the disk.
  func write<Result: Sendable>(
    until deadline: MonotonicTime, mayBlock: Bool, _ body: @escaping @Sendable (any Connection) throws -> Result
  ) async throws -> Result {
    if mayBlock, let connection = line.withLock({ $0.connection.take() }) {
      let outcome = Outcome<Result>()
      run([SQLiteWrite(deadline: deadline, body: body) { outcome.set($0) }], on: connection)
      release(connection)
      return try outcome.get()
    }
    return try await withCheckedThrowingContinuation { continuation in
      add(SQLiteWrite(deadline: deadline, body: body) { continuation.resume(with: $0) })
    }
  }

  /// Closes the writer. Waiting changes are still made, later ones are refused.
  func close() {
    let connection = line.withLock { line in
      line.isClosed = true
      calls.close()
      return line.connection.take()
    }
    _ = consume connection
  }

  private func add(_ write: SQLiteWrite) {
    let isAccepted = line.withLock { line in
      if line.isClosed { return false }
      line.waiting.append(write)
      if let connection = line.connection.take() { _ = calls.push(connection) }
      return true
    }
    if !isAccepted { write.refuse(DatabaseError(.closed, "the database is closed")) }
  }

  /// Runs waiting changes as the leader until the queue is empty.
  private func lead(with connection: SQLiteConnection) {
    while let batch = nextBatch(on: connection) { run(batch, on: connection) }
  }

  private func nextBatch(on connection: SQLiteConnection) -> [SQLiteWrite]? {
    line.withLock { line in
      if line.waiting.isEmpty {
        if !line.isClosed { line.connection = connection }
        return nil
      }
      let batch = Array(line.waiting.prefix(Self.batchLimit))
      line.waiting.removeFirst(batch.count)
      return batch
    }
  }

  /// Gives up the lead. If changes have arrived meanwhile, the writer's thread gets the connection.
  private func release(_ connection: SQLiteConnection) {
    let isDone = line.withLock { line in
      if line.waiting.isEmpty {
        if !line.isClosed { line.connection = connection }
        return true
      }
      return calls.push(connection)
    }
    // The writer is closed and its thread has ended, so this thread runs the waiting changes.
    if !isDone { lead(with: connection) }
  }

  private func run(_ batch: [SQLiteWrite], on connection: SQLiteConnection) {
    SQLiteBatch(connection: connection, clock: clock).run(batch)
  }
}

/// Holds the outcome of a change that runs on the calling thread.
private final class Outcome<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)

  func set(_ result: Result<Value, any Error>) { self.result.withLock { $0 = result } }

  func get() throws -> Value {
    guard let result = result.withLock({ $0 }) else { preconditionFailure("a change ended without an outcome") }
    return try result.get()
  }
}
