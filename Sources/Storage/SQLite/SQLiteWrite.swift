internal import Base

/// A change in the writer's queue, with the continuation of the task that waits for it.
struct SQLiteWrite: Sendable {
  let deadline: MonotonicTime
  /// Runs the change once. Its result is acknowledged later, when the outcome of the commit is known.
  let attempt: @Sendable (SQLiteConnection) -> Attempt
  let refuse: @Sendable (any Error) -> Void

  struct Attempt: Sendable {
    /// Whether the change's own code succeeded.
    let succeeded: Bool
    let settle: @Sendable (_ commitFailure: DatabaseError?) -> Void
  }

  /// - Parameter report: called once, with the outcome of the change.
  init<Value: Sendable>(
    deadline: MonotonicTime,
    body: @escaping @Sendable (any Connection) throws -> Value,
    report: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    self.deadline = deadline
    attempt = { connection in
      do {
        let value = try body(connection)
        // The change fails after a failed statement, even if its code has caught that error.
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
