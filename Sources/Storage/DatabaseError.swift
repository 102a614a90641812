/// Why the database refused: a code for programs, and one line for the reader of the log.
///
/// The message names the statement and what was tried, never a value: values may be personal.
public struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The time allowed passed before the outcome was known; unless the message says otherwise, nothing was changed.
    case timedOut
    /// The database was closed, or is closing.
    case closed
    /// The file or server cannot be reached or opened.
    case unavailable
    /// The server answers, but not to this user, password or database.
    case refused
    /// The connection broke. Storage tries again by itself, so callers see it only past their deadline.
    case connectionLost
    /// The change may have been made: the connection broke during its commit and the deadline passed before the outcome
    /// could be learned, or the disk failed during it.
    case outcomeUnknown
    /// The change was made. What has to follow it outside of its transaction is not done yet: it is not in the list of
    /// erasures, or some process may still answer as if it had not been made. A repeat tells when that is so no longer,
    /// for the list of erasures if it comes to the same process.
    case unfollowed
    /// The database was not heard of for longer than answers from memory count.
    case leaseExpired
    /// The engine asks to run the transaction again. Storage does that by itself, within the deadline.
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
    /// The same idempotency key came with another request.
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

  /// Whether stored data are not what was stored. Where they are one tenant's, others are served all the same.
  package var isDamage: Bool { [.corrupt, .wrongKey, .unexpectedRow].contains(code) }

  /// The same error, with the activity that failed in front.
  func during(_ activity: String) -> DatabaseError {
    DatabaseError(code, "\(activity): \(message)", engineCode: engineCode)
  }
}

/// What was read; nil where what is stored is damaged, and others are not to wait for that.
package func unlessDamaged<Value>(_ read: () throws -> Value) throws -> Value? {
  do {
    return try read()
  } catch let error as DatabaseError where error.isDamage {
    return nil
  }
}
