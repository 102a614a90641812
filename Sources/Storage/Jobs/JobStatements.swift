/// The SQL of durable jobs. `state` is one of `JobState`.
enum JobStatements {
  static let enqueue = Statement(
    own: "storage.jobs.enqueue",
    "INSERT INTO storage_jobs (tenant, id, kind, payload, state, due_ms, attempts, created_ms, code) "
      + "VALUES ({tenant}, ?, ?, ?, 0, ?, 0, ?, ?) ON CONFLICT (tenant, id) DO UPDATE SET kind = excluded.kind, "
      + "payload = excluded.payload, state = 0, due_ms = excluded.due_ms, attempts = 0, faults = 0, failure = NULL, "
      + "created_ms = excluded.created_ms, code = excluded.code WHERE storage_jobs.state = 2")
  /// What is known of each kind: whether any job of it is due, was left by its runner, or is misdated, and whether any
  /// waits or runs. With many jobs that are due, no more than one of each kind is read.
  static let kinds = Statement(acrossTenants: "storage.jobs.kinds", kinds(misdated: false))
  /// The same, with those that are misdated. Of them all that are put off are read.
  static let kindsLookedThrough = Statement(acrossTenants: "storage.jobs.kinds-looked-through", kinds(misdated: true))
  static let takeDue = Statement(acrossTenants: "storage.jobs.take-due", taking(where: isDue))
  static let takeLeft = Statement(acrossTenants: "storage.jobs.take-left", taking(where: isLeft))
  static let takeMisdated = Statement(acrossTenants: "storage.jobs.take-misdated", taking(where: isMisdated))

  /// It waits, and its time has come.
  private static let isDue = "state = 0 AND due_ms <= ?"
  /// It runs, and its lease has expired. A lease that ends too far in the future was given by a clock that has been set
  /// back since, and counts as expired.
  private static let isLeft = "state = 1 AND (lease_ms <= ? OR lease_ms > ?)"
  /// It waits, and a clock that has been set back since queued it, or postponed it after a failure. Its due time lies
  /// further ahead than clocks differ; besides, it was created in the future or, if it has failed, it is postponed for
  /// longer than any failure does. After a failure under the right clock it is dated correctly again.
  private static let isMisdated =
    "state = 0 AND due_ms > ? AND ((failure IS NULL AND created_ms > ?) OR (failure IS NOT NULL AND due_ms > ?))"

  private static func kinds(misdated: Bool) -> String {
    let isThere = { (condition: String) in
      "CASE WHEN EXISTS (SELECT 1 FROM storage_jobs jobs WHERE jobs.kind = kinds.kind AND \(condition)) THEN 1 ELSE 0 END"
    }
    return """
      \(ofEachKind)
      SELECT kind, \(isThere(isDue)) AS due, \(isThere(isLeft)) AS left_behind,
        \(misdated ? isThere(isMisdated) : "0") AS misdated, \(isThere("state IN (0, 1)")) AS unfinished
      FROM kinds WHERE kind IS NOT NULL
      """
  }

  /// The kinds, each found in the index after the one before it: there are few of them, and many jobs.
  private static let ofEachKind = """
    WITH RECURSIVE kinds (kind) AS (
      SELECT MIN(kind) FROM storage_jobs
      UNION ALL SELECT (SELECT MIN(kind) FROM storage_jobs WHERE kind > kinds.kind) FROM kinds
        WHERE kinds.kind IS NOT NULL)
    """

  private static func taking(where condition: String) -> String {
    """
    UPDATE storage_jobs SET state = 1, lease = ?, lease_ms = ?, attempts = attempts + 1
    WHERE (tenant, id) IN (
      SELECT tenant, id FROM storage_jobs WHERE kind = ? AND \(condition)
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
    acrossTenants: "storage.jobs.forget",
    "\(ofEachKind) DELETE FROM storage_jobs WHERE kind IN (SELECT kind FROM kinds) AND state IN (2, 3) AND due_ms <= ?")
}

/// The state of a job.
public enum JobState: Int, Sendable {
  case waiting = 0
  case running = 1
  /// Given up, since no attempt would succeed.
  case dead = 2
  case finished = 3
}
