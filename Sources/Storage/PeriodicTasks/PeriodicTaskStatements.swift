/// The SQL of periodic tasks. Each task has one row, which all processes share.
enum PeriodicTaskStatements {
  static let register = Statement(
    acrossTenants: "storage.periodic-tasks.register",
    "INSERT INTO storage_periodic_tasks (name, due_ms) VALUES (?, ?) ON CONFLICT (name) DO NOTHING")
  /// Selects a task that is due and free. A task is also due if its due time lies further ahead than two intervals:
  /// then the clock was set back, or the interval made shorter. (One interval is not enough: another process may just
  /// have run the task, by a clock that is slightly ahead.) A lease that ends too far in the future counts as expired,
  /// for the same reason.
  static let due = Statement(
    acrossTenants: "storage.periodic-tasks.due",
    """
    SELECT name FROM storage_periodic_tasks WHERE name = ? AND (due_ms <= ? OR due_ms > ?)
      AND (lease IS NULL OR lease_ms <= ? OR lease_ms > ?)
    """)
  static let take = Statement(
    acrossTenants: "storage.periodic-tasks.take",
    """
    UPDATE storage_periodic_tasks SET lease = ?, lease_ms = ? WHERE name = ? AND (due_ms <= ? OR due_ms > ?)
      AND (lease IS NULL OR lease_ms <= ? OR lease_ms > ?)
    """)
  static let renew = Statement(
    acrossTenants: "storage.periodic-tasks.renew",
    "UPDATE storage_periodic_tasks SET lease_ms = ? WHERE name = ? AND lease = ?"
  )
  static let done = Statement(
    acrossTenants: "storage.periodic-tasks.done",
    "UPDATE storage_periodic_tasks SET lease = NULL, lease_ms = NULL, due_ms = ?, failure = ?, done_ms = COALESCE(?, done_ms) "
      + "WHERE name = ? AND lease = ?")
  static let report = Statement(
    acrossTenants: "storage.periodic-tasks.report",
    "SELECT name, due_ms, done_ms, failure FROM storage_periodic_tasks ORDER BY name")
}

/// The state of a periodic task.
public struct PeriodicTaskReport: Hashable, Sendable {
  public let name: String
  public let due: Int64
  /// When it last finished; nil if it never has.
  public let done: Int64?
  /// Why the last run failed; nil when it succeeded.
  public let failure: String?
}

extension Database {
  /// The state of every periodic task of this database, whichever process runs it.
  public func periodicTasks() async throws -> [PeriodicTaskReport] {
    try await readAcrossTenants { connection in
      try connection.all(PeriodicTaskStatements.report.query, []).map { row in
        PeriodicTaskReport(
          name: try row.get("name"), due: try row.get("due_ms"), done: try row.get("done_ms"),
          failure: try row.get("failure"))
      }
    }
  }
}
