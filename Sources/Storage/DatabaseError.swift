/// Why a use of the database failed: a code for programs, and one line for the reader of the log.
///
/// The message may name the statement and the attempt, but never a value, since values may be personal.
public struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The time allowed passed before the operation was done; unless the message says otherwise, nothing was changed.
    case timedOut
    /// The database was closed, or is closing.
    case closed
    /// The file or server cannot be reached or opened.
    case unavailable
    /// The server answers, but not to this user, password or database.
    case refused
    /// The connection broke. Storage retries by itself, so callers see this only after their deadline.
    case connectionLost
    /// The change may have been made: the connection broke during its commit and the deadline passed before the outcome
    /// could be learned, or the disk failed during it.
    case outcomeUnknown
    /// The change was made, but is not in the list of erasures yet. A repeat under the same idempotency key that
    /// reaches the same process fails in the same way until it is.
    case unfollowed
    /// The transaction conflicted with another one. Storage runs it again by itself until the deadline.
    case serializationFailure
    case diskFull
    case readOnly
    case inputOutput
    case corrupt
    /// The file is not a database of Assent, or not the archive that was meant.
    case foreignFile
    case newerSchema
    case changedMigration
    case uniqueViolation
    case foreignKeyViolation
    case constraintViolation
    /// A row or column is not what the reader asked for.
    case unexpectedRow
    /// The statement itself is wrong: syntax, unknown tables, wrong number of parameters.
    case badStatement
    /// A page's cursor was made for another list, or is no cursor at all.
    case badCursor
    /// The master key does not open what is stored.
    case wrongKey
    /// The data of the subject in question has been erased.
    case erased
    /// A legal hold forbids the erasure.
    case held
    /// The same idempotency key was used with another request.
    case keyReused
    /// Anything else that the engine reports.
    case engine
  }

  public let code: Code
  public let message: String
  /// The engine's own code, such as `SQLITE_FULL (13)` or `40001`.
  public let engineCode: String?

  public init(_ code: Code, _ message: String, engineCode: String? = nil) {
    self.code = code
    self.message = message
    self.engineCode = engineCode
  }

  public var description: String {
    guard let engineCode else { return message }
    return "\(message) [\(engineCode)]"
  }

  /// Whether the error means that stored data are damaged or were altered. Damage to one tenant's data must not keep
  /// other tenants from being served.
  package var isDamage: Bool { [.corrupt, .wrongKey, .unexpectedRow].contains(code) }

  /// The same error, with the failed activity in front of its message.
  func during(_ activity: String) -> DatabaseError {
    DatabaseError(code, "\(activity): \(message)", engineCode: engineCode)
  }
}

/// Returns what `read` returns, or nil if it meets damaged data. For loops over tenants or subjects in which the damage
/// of one must not hold up the others.
package func unlessDamaged<Value>(_ read: () throws -> Value) throws -> Value? {
  do {
    return try read()
  } catch let error as DatabaseError where error.isDamage {
    return nil
  }
}
