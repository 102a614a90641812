internal import RPC
internal import Storage

/// The status that a caller gets for an error of the database: one row for each of Storage's codes, the same in every
/// service.
///
/// docs/services.md has the same table, and a test compares the two.
struct DatabaseOutcome: Sendable {
  let error: DatabaseError.Code
  let status: StatusCode
  /// The stable name of the row, for programs.
  let rule: String
  /// The request's field that is wrong; empty if none is.
  let field: String
  /// The message for people; nil if Storage's own message is meant for callers.
  let words: String?
  /// True for faults of the service and not of the call: they are logged.
  let isFault: Bool

  static func of(_ code: DatabaseError.Code) -> DatabaseOutcome {
    byCode[code] ?? fault(code, .internal, "internal_error", "the database failed [\(code.rawValue)]")
  }

  private static let byCode = Dictionary(uniqueKeysWithValues: table.map { ($0.error, $0) })

  static let table: [DatabaseOutcome] = [
    // Errors of the call.
    answer(.badCursor, .invalidArgument, "bad_page_token", "page_token was not issued by this list", "page_token"),
    answer(.keyReused, .invalidArgument, "key_reused", nil),
    answer(.erased, .failedPrecondition, "subject_erased", "the data of this subject were erased"),
    answer(.held, .failedPrecondition, "legal_hold", nil),
    // Conflicts with other callers.
    answer(
      .timedOut, .deadlineExceeded, "database_timed_out",
      "the database did not answer in time; repeat the call under the same idempotency key"),
    answer(
      .serializationFailure, .aborted, "changed_meanwhile",
      "other changes interfered until the deadline; nothing was changed"),
    answer(
      .uniqueViolation, .aborted, "changed_meanwhile", "another caller made the same at the same time; read it again"),
    answer(
      .foreignKeyViolation, .aborted, "changed_meanwhile",
      "another caller removed what this refers to at the same time; read again"),
    // Errors that an operator corrects and a caller may wait for.
    answer(.closed, .unavailable, "shutting_down", "this process ends; nothing was changed"),
    fault(.unavailable, .unavailable, "database_unavailable", "the database cannot be reached; nothing was changed"),
    fault(.refused, .unavailable, "database_unavailable", "the database cannot be reached; nothing was changed"),
    fault(
      .connectionLost, .unavailable, "database_unavailable", "the connection to the database broke; nothing was changed"
    ),
    fault(
      .outcomeUnknown, .unavailable, "outcome_unknown",
      "the database failed while it made the change; repeat the call under the same idempotency key"),
    fault(
      .unfollowed, .unavailable, "change_made",
      "the change was made, but what has to follow it is not done yet; repeat the call under the same idempotency key"),
    fault(.diskFull, .unavailable, "disk_full", "the database's disk is full; nothing was changed"),
    fault(.readOnly, .unavailable, "database_read_only", "the database cannot be written to; nothing was changed"),
    fault(.inputOutput, .unavailable, "disk_failed", "the database's disk failed; nothing was changed"),
    // Damaged data.
    fault(.corrupt, .dataLoss, "data_corrupt", "stored data were altered or damaged"),
    fault(.wrongKey, .dataLoss, "data_corrupt", "stored data cannot be unsealed with this service's master key"),
    broken(.foreignFile), broken(.newerSchema), broken(.changedMigration), broken(.constraintViolation),
    broken(.unexpectedRow), broken(.badStatement), broken(.engine),
  ]

  private static func answer(
    _ error: DatabaseError.Code, _ status: StatusCode, _ rule: String, _ words: String?, _ field: String = ""
  ) -> DatabaseOutcome {
    DatabaseOutcome(error: error, status: status, rule: rule, field: field, words: words, isFault: false)
  }

  private static func fault(
    _ error: DatabaseError.Code, _ status: StatusCode, _ rule: String, _ words: String
  ) -> DatabaseOutcome {
    DatabaseOutcome(error: error, status: status, rule: rule, field: "", words: words, isFault: true)
  }

  private static func broken(_ error: DatabaseError.Code) -> DatabaseOutcome {
    fault(error, .internal, "internal_error", "the database failed [\(error.rawValue)]")
  }
}
