internal import Base

/// Finds the outcome of a commit whose answer was lost. Each connection has a row into which it writes the number of
/// its current transaction, inside that transaction. So the row shows whether that transaction was committed.
///
/// (`pg_xact_status` exists for this, but a transaction number that never reached the disk is given out again after a
/// crash, and the function would then answer for another transaction.)
enum OutcomeMemory {
  static let table = """
    CREATE TABLE IF NOT EXISTS storage_outcomes (
      connection TEXT PRIMARY KEY, number BIGINT NOT NULL, used_at TIMESTAMPTZ NOT NULL) WITH (fillfactor = 50)
    """

  /// The command that writes the number. It is sent with BEGIN, so that it costs no round trip.
  static func note(of connection: PostgresConnection) throws(DatabaseError) -> PostgresCommand {
    connection.transactionNumber += 1
    return try connection.command(
      noteQuery, [.text(connection.identity), .integer(connection.transactionNumber)])
  }

  /// Whether the last transaction of a connection that broke was committed. Waits while that transaction is still
  /// running: its row is locked, and even a row that it has just inserted makes ours wait.
  static func wasCommitted(
    _ lost: PostgresConnection, askedOn connection: PostgresConnection, until deadline: MonotonicTime
  ) throws(DatabaseError) -> Bool {
    connection.begin([.plain("BEGIN ISOLATION LEVEL READ COMMITTED")], until: deadline)
    let rows = try connection.all(askQuery, [.text(lost.identity)])
    try connection.commit()
    return rows.first?.values.first == .integer(lost.transactionNumber)
  }

  /// Deletes a connection's row when the connection is closed in order.
  static func forget(_ connection: PostgresConnection) {
    connection.begin([], until: Clock.system.monotonic + .seconds(2))
    _ = try? connection.run(forgetQuery, [.text(connection.identity)])
  }

  /// Deletes old rows of connections that were not closed in order.
  static let prune = Statement(
    acrossTenants: "storage.outcomes.prune", "DELETE FROM storage_outcomes WHERE used_at < now() - interval '7 days'")

  private static let noteQuery = Statement(
    acrossTenants: "storage.outcomes.note",
    "INSERT INTO storage_outcomes (connection, number, used_at) VALUES (?, ?, now()) ON CONFLICT (connection) "
      + "DO UPDATE SET number = excluded.number, used_at = excluded.used_at"
  ).query

  private static let askQuery = Statement(
    acrossTenants: "storage.outcomes.ask",
    "INSERT INTO storage_outcomes (connection, number, used_at) VALUES (?, 0, now()) ON CONFLICT (connection) "
      + "DO UPDATE SET used_at = now() RETURNING number"
  ).query

  private static let forgetQuery = Statement(
    acrossTenants: "storage.outcomes.forget", "DELETE FROM storage_outcomes WHERE connection = ?"
  ).query
}
