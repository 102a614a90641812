/// The SQL of durable jobs. `state` is one of `JobState`.
enum JobStatements {
  static let enqueue = Statement(
    own: "storage.jobs.enqueue",
    "INSERT INTO storage_jobs (tenant, id, kind, payload, state, due_ms, attempts, created_ms, code) "
      + "VALUES ({tenant}, ?, ?, ?, 0, ?, 0, ?, ?) ON CONFLICT (tenant, id) DO UPDATE SET kind = excluded.kind, "
      + "payload = excluded.payload, state = 0, due_ms = excluded.due_ms, attempts = 0, faults = 0, failure = NULL, "
      + "created_ms = excluded.created_ms, code = excluded.code WHERE storage_jobs.state = 2")
  /// A job is due if it waits and its time has come, or if it runs and its lease has expired. A lease that ends too far
  /// in the future was given by a clock that has been set back since, and counts as expired.
  private static let isDue = "(state = 0 AND due_ms <= ?) OR (state = 1 AND (lease_ms <= ? OR lease_ms > ?))"
  /// A waiting job is misdated if a clock that has been set back since queued it, or postponed it after a failure. Its
  /// due time lies further ahead than clocks differ; besides, it was created in the future or, if it has failed, it is
  /// postponed for longer than any failure does. After a failure under the right clock it is dated correctly again. The
  /// search reads all waiting jobs.
  private static let isMisdated =
    "(state = 0 AND due_ms > ? AND ((failure IS NULL AND created_ms > ?) OR (failure IS NOT NULL AND due_ms > ?)))"
  /// The kinds of the jobs that `take` would take, and an empty name if any job is waiting or running.
  static let due = Statement(acrossTenants: "storage.jobs.due", kinds(where: isDue))
  static let dueOrMisdated = Statement(
    acrossTenants: "storage.jobs.due-or-misdated", kinds(where: "\(isDue) OR \(isMisdated)"))
  static let take = Statement(acrossTenants: "storage.jobs.take", taking(where: isDue))
  static let takeOrMisdated = Statement(
    acrossTenants: "storage.jobs.take-or-misdated", taking(where: "\(isDue) OR \(isMisdated)"))

  private static func kinds(where condition: String) -> String {
    "SELECT DISTINCT kind FROM storage_jobs WHERE \(condition) "
      + "UNION ALL SELECT '' WHERE EXISTS (SELECT 1 FROM storage_jobs WHERE state IN (0, 1))"
  }

  private static func taking(where condition: String) -> String {
    """
    UPDATE storage_jobs SET state = 1, lease = ?, lease_ms = ?, attempts = attempts + 1
    WHERE (tenant, id) IN (
      SELECT tenant, id FROM storage_jobs WHERE kind = ? AND (\(condition))
      ORDER BY due_ms LIMIT ? FOR UPDATE SKIP LOCKED)
    RETURNING tenant, id, payload, attempts, faults, code
    """
  }

  static let renew = Statement(
    own: "storage.jobs.renew",
    "UPDATE storage_jobs SET lease_ms = ? WHERE tenant = {tenant} AND id = ? AND lease = ? AND state = 1")
  static let finish = Statement(
    own: "storage.jobs.finish",
    "UPDATE storage_jobs SET state = 3, lease = NULL, lease_ms = NULL, failure = NULL, due_ms = ? "
      + "WHERE tenant = {tenant} AND id = ? AND lease = ? AND state = 1")
  static let retry = Statement(
    own: "storage.jobs.retry",
    "UPDATE storage_jobs SET state = ?, lease = NULL, lease_ms = NULL, due_ms = ?, failure = ?, faults = ? "
      + "WHERE tenant = {tenant} AND id = ? AND lease = ? AND state = 1")
  static let hasten = Statement(
    own: "storage.jobs.hasten",
    "UPDATE storage_jobs SET due_ms = ? WHERE tenant = {tenant} AND kind = ? AND state = 0 AND due_ms > ?")
  static let forget = Statement(
    acrossTenants: "storage.jobs.forget", "DELETE FROM storage_jobs WHERE state IN (2, 3) AND due_ms <= ?")
}

/// The state of a job.
public enum JobState: Int, Sendable {
  case waiting = 0
  case running = 1
  /// Given up, since no attempt would succeed.
  case dead = 2
  case finished = 3
}
