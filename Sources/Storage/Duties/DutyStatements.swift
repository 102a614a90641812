/// The SQL of duties: one row each, whatever the number of processes.
enum DutyStatements {
  static let register = Statement(
    acrossTenants: "storage.duties.register",
    "INSERT INTO storage_duties (name, due_ms) VALUES (?, ?) ON CONFLICT (name) DO NOTHING")
  /// A duty is due also when its time lies further ahead than two intervals: the clock was set back, or the interval
  /// made shorter. (One interval would not do: another process may just have done it.) A lease that ends impossibly late
  /// counts as run out, for the same reason.
  static let due = Statement(
    acrossTenants: "storage.duties.due",
    """
    SELECT name FROM storage_duties WHERE name = ? AND (due_ms <= ? OR due_ms > ?)
      AND (lease IS NULL OR lease_ms <= ? OR lease_ms > ?)
    """)
  static let take = Statement(
    acrossTenants: "storage.duties.take",
    """
    UPDATE storage_duties SET lease = ?, lease_ms = ? WHERE name = ? AND (due_ms <= ? OR due_ms > ?)
      AND (lease IS NULL OR lease_ms <= ? OR lease_ms > ?)
    """)
  static let renew = Statement(
    acrossTenants: "storage.duties.renew", "UPDATE storage_duties SET lease_ms = ? WHERE name = ? AND lease = ?")
  static let done = Statement(
    acrossTenants: "storage.duties.done",
    "UPDATE storage_duties SET lease = NULL, lease_ms = NULL, due_ms = ?, failure = ?, done_ms = COALESCE(?, done_ms) "
      + "WHERE name = ? AND lease = ?")
  static let report = Statement(
    acrossTenants: "storage.duties.report", "SELECT name, due_ms, done_ms, failure FROM storage_duties ORDER BY name")
}

/// How a duty stands.
public struct DutyReport: Hashable, Sendable {
  public let name: String
  public let due: Int64
  /// When it was last done to its end; nil while it never was.
  public let done: Int64?
  /// What kept it from being done the last time; nil when it was done.
  public let failure: String?
}

extension Database {
  /// How every duty of this database stands, whichever process does it.
  public func duties() async throws -> [DutyReport] {
    try await survey { connection in
      try connection.all(DutyStatements.report.query, []).map { row in
        DutyReport(
          name: try row.get("name"), due: try row.get("due_ms"), done: try row.get("done_ms"),
          failure: try row.get("failure"))
      }
    }
  }
}
