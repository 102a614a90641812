internal import Base
internal import Synchronization

/// The one writer of a SQLite file: a thread that runs whatever changes wait, together, and makes them durable with
/// one fsync.
///
/// Each change runs under a savepoint, so that one that fails takes nobody along. All are acknowledged after the
/// commit, or, if it fails, none.
final class SQLiteWriter: Sendable {
  private let queue = BlockingQueue<SQLiteWrite>()
  private let clock: Clock
  private static let batchLimit = 64

  init(_ connection: SQLiteConnection, clock: Clock) {
    self.clock = clock
    NativeThread.start(name: "sqlite-writer", stackBytes: 8 << 20) { [queue] in
      while true {
        let batch = queue.popBatch(limit: Self.batchLimit)
        if batch.isEmpty { return }
        SQLiteBatch(connection: connection, clock: clock).run(batch)
      }
    }
  }

  deinit { queue.close() }

  func write<Result: Sendable>(
    until deadline: MonotonicTime, _ body: @escaping @Sendable (any Connection) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let write = SQLiteWrite(deadline: deadline, body: body, continuation: continuation)
      if !queue.push(write) { write.refuse(DatabaseError(.closed, "the database is closed")) }
    }
  }

  /// Work in the queue is still done; work that comes later is refused.
  func close() { queue.close() }
}

/// A change that waits for the writer, with whoever waits for the change.
struct SQLiteWrite: Sendable {
  let deadline: MonotonicTime
  /// Runs the change once. What it yields is acknowledged later, when the commit's fate is known.
  let attempt: @Sendable (SQLiteConnection) -> Attempt
  let refuse: @Sendable (any Error) -> Void

  struct Attempt: Sendable {
    /// Whether the change's own code went well.
    let succeeded: Bool
    let settle: @Sendable (_ commitFailure: DatabaseError?) -> Void
  }

  init<Result: Sendable>(
    deadline: MonotonicTime,
    body: @escaping @Sendable (any Connection) throws -> Result,
    continuation: CheckedContinuation<Result, any Error>
  ) {
    self.deadline = deadline
    attempt = { connection in
      do {
        let result = try body(connection)
        // A statement's failure that the change's code swallowed still spoils the change.
        if let failure = connection.failure { throw failure }
        return Attempt(succeeded: true) { commitFailure in
          if let commitFailure {
            continuation.resume(throwing: commitFailure)
          } else {
            continuation.resume(returning: result)
          }
        }
      } catch {
        return Attempt(succeeded: false) { _ in continuation.resume(throwing: error) }
      }
    }
    refuse = { continuation.resume(throwing: $0) }
  }
}

/// One round of the writer: from BEGIN to the acknowledgements.
struct SQLiteBatch {
  let connection: SQLiteConnection
  let clock: Clock

  func run(_ writes: [SQLiteWrite]) {
    var waiting = writes
    while !waiting.isEmpty {
      waiting = withoutExpired(waiting)
      guard let earliest = waiting.map(\.deadline).min() else { return }
      connection.setDeadline(earliest)
      do throws(DatabaseError) {
        try connection.beginWriting()
      } catch {
        connection.rollBack()
        if error.code == .timedOut { continue }
        for write in waiting { write.refuse(error) }
        return
      }
      waiting = runTogether(waiting)
    }
  }

  /// Runs the changes in the open transaction and commits; yields those that must run again in another one.
  private func runTogether(_ writes: [SQLiteWrite]) -> [SQLiteWrite] {
    var done: [(write: SQLiteWrite, attempt: SQLiteWrite.Attempt)] = []
    for (index, write) in writes.enumerated() {
      connection.setDeadline(write.deadline)
      let attempt = runAlone(write, ofMany: writes.count > 1)
      if let attempt, attempt.succeeded {
        done.append((write, attempt))
        continue
      }
      let transactionSurvives = writes.count > 1 && connection.undoToSavepoint()
      attempt?.settle(nil)
      if !transactionSurvives {
        // The engine gave up the whole transaction (a full disk, say): those before run again without this one.
        connection.rollBack()
        return done.map(\.write) + writes[(index + 1)...]
      }
    }
    commit(done.map(\.attempt))
    return []
  }

  /// nil when not even the savepoint worked, in which case the change has been refused.
  private func runAlone(_ write: SQLiteWrite, ofMany: Bool) -> SQLiteWrite.Attempt? {
    do throws(DatabaseError) {
      if ofMany { try connection.setSavepoint() }
    } catch {
      write.refuse(error)
      return nil
    }
    let attempt = write.attempt(connection)
    guard ofMany, attempt.succeeded else { return attempt }
    do throws(DatabaseError) {
      try connection.keepSavepoint()
      return attempt
    } catch {
      write.refuse(error)
      return nil
    }
  }

  private func commit(_ attempts: [SQLiteWrite.Attempt]) {
    guard !attempts.isEmpty else { return connection.rollBack() }
    // What has been written gets its fsync whatever the hour.
    connection.setDeadline(MonotonicTime(nanoseconds: .max))
    do throws(DatabaseError) {
      try connection.commit()
      for attempt in attempts { attempt.settle(nil) }
    } catch {
      connection.rollBack()
      for attempt in attempts { attempt.settle(error) }
    }
  }

  private func withoutExpired(_ writes: [SQLiteWrite]) -> [SQLiteWrite] {
    let now = clock.monotonic
    return writes.filter { write in
      guard write.deadline <= now else { return true }
      write.refuse(
        DatabaseError(.timedOut, "the change waited for the database until its deadline; nothing was changed"))
      return false
    }
  }
}
