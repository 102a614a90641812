internal import Base

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

  /// - Parameter report: called once, with what came of the change.
  init<Value: Sendable>(
    deadline: MonotonicTime,
    body: @escaping @Sendable (any Connection) throws -> Value,
    report: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    self.deadline = deadline
    attempt = { connection in
      do {
        let value = try body(connection)
        // A statement's failure that the change's code swallowed still spoils the change.
        if let failure = connection.failure { throw failure }
        return Attempt(succeeded: true) { commitFailure in
          if let commitFailure { report(.failure(commitFailure)) } else { report(.success(value)) }
        }
      } catch {
        return Attempt(succeeded: false) { _ in report(.failure(error)) }
      }
    }
    refuse = { report(.failure($0)) }
  }
}
