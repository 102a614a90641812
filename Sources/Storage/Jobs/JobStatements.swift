/// The SQL of durable jobs. `state` is one of `JobState`.
enum JobStatements {
  static let enqueue = Statement(
    own: "storage.jobs.enqueue",
    "INSERT INTO storage_jobs (tenant, id, kind, payload, state, due_ms, attempts, created_ms, code) "
      + "VALUES ({tenant}, ?, ?, ?, 0, ?, 0, ?, ?) ON CONFLICT (tenant, id) DO NOTHING")
  /// A waiting job that was queued, or put off after a failure, by a clock that has been set back since: its time lies
  /// further ahead than clocks differ, and it was created impossibly late, or no failure puts off for as long. Once it
  /// has failed under the right clock, the pauses between its attempts hold again.
  private static let misdated =
    "(state = 0 AND due_ms > ? AND ((failure IS NULL AND created_ms > ?) OR (failure IS NOT NULL AND due_ms > ?)))"
  /// The kinds of the jobs that `take` would take; and an empty one if any job waits or runs.
  static let due = Statement(
    acrossTenants: "storage.jobs.due",
    "SELECT DISTINCT kind FROM storage_jobs "
      + "WHERE (state = 0 AND due_ms <= ?) OR (state = 1 AND (lease_ms <= ? OR lease_ms > ?)) OR \(misdated) "
      + "UNION ALL SELECT '' WHERE EXISTS (SELECT 1 FROM storage_jobs WHERE state IN (0, 1))")
  /// Takes jobs that are due, and those whose lease has expired. A lease that ends impossibly late was given by a clock
  /// that has been set back since, and counts as expired.
  static let take = Statement(
    acrossTenants: "storage.jobs.take",
    """
    UPDATE storage_jobs SET state = 1, lease = ?, lease_ms = ?, attempts = attempts + 1
    WHERE (tenant, id) IN (
      SELECT tenant, id FROM storage_jobs
      WHERE kind = ? AND ((state = 0 AND due_ms <= ?) OR (state = 1 AND (lease_ms <= ? OR lease_ms > ?))
        OR \(misdated))
      ORDER BY due_ms LIMIT ? FOR UPDATE SKIP LOCKED)
    RETURNING tenant, id, payload, attempts, code
    """)
  static let renew = Statement(
    own: "storage.jobs.renew",
    "UPDATE storage_jobs SET lease_ms = ? WHERE tenant = {tenant} AND id = ? AND lease = ? AND state = 1")
  static let finish = Statement(
    own: "storage.jobs.finish",
    "UPDATE storage_jobs SET state = 3, lease = NULL, lease_ms = NULL, failure = NULL, due_ms = ? "
      + "WHERE tenant = {tenant} AND id = ? AND lease = ? AND state = 1")
  static let retry = Statement(
    own: "storage.jobs.retry",
    "UPDATE storage_jobs SET state = ?, lease = NULL, lease_ms = NULL, due_ms = ?, failure = ? "
      + "WHERE tenant = {tenant} AND id = ? AND lease = ? AND state = 1")
  static let hasten = Statement(
    own: "storage.jobs.hasten",
    "UPDATE storage_jobs SET due_ms = ? WHERE tenant = {tenant} AND kind = ? AND state = 0 AND due_ms > ?")
  static let forget = Statement(
    acrossTenants: "storage.jobs.forget", "DELETE FROM storage_jobs WHERE state = 3 AND due_ms <= ?")
}

/// The state of a job.
public enum JobState: Int, Sendable {
  case waiting = 0
  case running = 1
  /// Given up, since no attempt would succeed.
  case dead = 2
  case finished = 3
}
