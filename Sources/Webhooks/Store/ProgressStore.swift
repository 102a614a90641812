internal import Base
internal import Storage

/// Stores for each webhook how far sending has got, and which process holds the lease by which it alone sends.
enum ProgressStore {
  private static let insert = Statement(
    "webhook.progress.insert",
    "INSERT INTO webhook_progress (tenant, id, position, failures, pause_ms, failure, lease, lease_ms) "
      + "VALUES ({tenant}, ?, ?, 0, 0, '', '', 0)")
  private static let remove = Statement(
    "webhook.progress.remove", "DELETE FROM webhook_progress WHERE tenant = {tenant} AND id = ?")
  private static let get = Statement(
    "webhook.progress.get",
    "SELECT position, failures, pause_ms, failing_ms, delivered_ms, failure FROM webhook_progress "
      + "WHERE tenant = {tenant} AND id = ?")
  private static let lock = Statement(
    "webhook.progress.lock", "SELECT id FROM webhook_progress WHERE tenant = {tenant} AND id = ? FOR UPDATE")
  private static let take = Statement(
    "webhook.progress.take",
    "UPDATE webhook_progress SET lease = ?, lease_ms = ? WHERE tenant = {tenant} AND id = ? "
      + "AND (lease_ms <= ? OR lease_ms > ?)")
  private static let renew = Statement(
    "webhook.progress.renew",
    "UPDATE webhook_progress SET lease_ms = ? WHERE tenant = {tenant} AND id = ? AND lease = ?")
  private static let release = Statement(
    "webhook.progress.release",
    "UPDATE webhook_progress SET lease = '', lease_ms = 0 WHERE tenant = {tenant} AND id = ? AND lease = ?")
  private static let move = Statement(
    "webhook.progress.move",
    "UPDATE webhook_progress SET position = ? WHERE tenant = {tenant} AND id = ? AND lease = ?")
  private static let succeed = Statement(
    "webhook.progress.succeed",
    "UPDATE webhook_progress SET failures = 0, pause_ms = 0, failing_ms = NULL, failure = '', delivered_ms = ? "
      + "WHERE tenant = {tenant} AND id = ?")
  /// The time since when a receiver fails is kept, unless it lies in the future because the clock has been set back
  /// since.
  private static let fail = Statement(
    "webhook.progress.fail",
    "UPDATE webhook_progress SET failures = failures + 1, pause_ms = ?, "
      + "failing_ms = CASE WHEN failing_ms <= ? THEN failing_ms ELSE ? END, failure = ? "
      + "WHERE tenant = {tenant} AND id = ?")
  private static let pause = Statement(
    "webhook.progress.pause", "UPDATE webhook_progress SET pause_ms = ? WHERE tenant = {tenant} AND id = ?")
  /// Finds the active webhooks of all tenants that have scheduled deliveries or events to queue, and whether this
  /// process can begin now: something is due, no pause is on and no process holds the lease. A lease, a pause or a due
  /// time that lies too far in the future was set by a clock that has been set back since, and counts as over.
  private static let work = Statement(
    acrossTenants: "webhook.progress.work",
    """
    SELECT w.tenant AS tenant, w.id AS id,
      CASE WHEN (p.pause_ms <= ? OR p.pause_ms > ?) AND (p.lease_ms <= ? OR p.lease_ms > ?) AND (
        p.position < h.last OR EXISTS (
          SELECT 1 FROM webhook_deliveries d WHERE d.tenant = w.tenant AND d.webhook_id = w.id AND d.due_ms <= ?)
        OR EXISTS (
          SELECT 1 FROM webhook_deliveries d WHERE d.tenant = w.tenant AND d.webhook_id = w.id
            AND d.due_ms > ? AND d.due_ms < ?))
      THEN 1 ELSE 0 END AS is_due
    FROM webhooks w
    JOIN webhook_progress p ON p.tenant = w.tenant AND p.id = w.id
    JOIN storage_event_heads h ON h.tenant = w.tenant
    WHERE w.active = 1 AND (p.position < h.last OR EXISTS (
      SELECT 1 FROM webhook_deliveries d WHERE d.tenant = w.tenant AND d.webhook_id = w.id AND d.due_ms < ?))
    ORDER BY is_due DESC, p.pause_ms, w.tenant, w.id LIMIT 1000
    """)

  static let statements = [insert, remove, get, lock, take, renew, release, move, succeed, fail, pause]

  /// A webhook that has something to send.
  struct Place: Hashable, Sendable {
    let tenant: Tenant
    let id: String
  }

  struct Work {
    /// The webhooks with something to send now.
    var due: [Place] = []
    /// Whether any webhook has something to send, now or later.
    var isWaiting = false
  }

  static func work(in database: Database, at now: Instant, _ policy: WebhookPolicy) async throws -> Work {
    let (time, never) = (now.storedValue, DeliveryStore.never.storedValue)
    let latest = policy.latestTry(at: now).storedValue
    let lease = (now + policy.lease + policy.lease).storedValue
    let rows = try await database.rows(work, [time, latest, time, lease, time, latest, never, never])
    let due = try rows.filter { try $0.get("is_due", as: Int.self) == 1 }.compactMap { row -> Place? in
      guard let tenant = Tenant(try row.get("tenant", as: String.self)) else { return nil }
      return Place(tenant: tenant, id: try row.get("id"))
    }
    return Work(due: due, isWaiting: !rows.isEmpty)
  }

  static func begin(_ id: String, at position: Int64, _ transaction: Transaction) throws {
    try transaction.run(insert, id, position)
  }

  static func remove(_ id: String, _ transaction: Transaction) throws {
    try transaction.run(remove, id)
  }

  /// Locks the webhook's row, so that until the transaction ends no other transaction queues, settles or gives up its
  /// deliveries. Whoever changes deliveries must change or lock this row first: two concurrent changes to one lane,
  /// each unaware of the other, could leave the lane without a delivery that is due.
  static func lock(_ id: String, _ transaction: Transaction) throws {
    _ = try transaction.first(lock, id)
  }

  /// Takes the webhook's lease if no other process holds it.
  ///
  /// - Returns: whether the lease was taken.
  static func take(_ id: String, _ token: String, for time: Duration, _ transaction: Transaction) throws -> Bool {
    let now = transaction.now
    return try transaction.run(take, token, now + time, id, now, now + time + time) == 1
  }

  static func renew(_ id: String, _ token: String, for time: Duration, _ transaction: Transaction) throws -> Bool {
    try transaction.run(renew, transaction.now + time, id, token) == 1
  }

  static func release(_ id: String, _ token: String, _ transaction: Transaction) throws {
    try transaction.run(release, id, token)
  }

  /// Moves the position up to which the log's events have been queued.
  ///
  /// - Returns: false if another process has taken the lease. The caller must then undo its transaction.
  static func move(_ id: String, to position: Int64, _ token: String, _ transaction: Transaction) throws -> Bool {
    try transaction.run(move, position, id, token) == 1
  }

  static func succeed(_ id: String, _ transaction: Transaction) throws {
    try transaction.run(succeed, transaction.now, id)
  }

  static func fail(_ id: String, _ failure: String, until: Instant, _ transaction: Transaction) throws {
    try transaction.run(fail, until, transaction.now, transaction.now, failure, id)
  }

  static func pause(_ id: String, until: Instant, _ transaction: Transaction) throws {
    try transaction.run(pause, until, id)
  }

  /// The progress of sending to a webhook, with the numbers of queued and parked deliveries.
  static func status(of id: String, _ snapshot: Snapshot) throws -> SendingProgress {
    var status = try progress(of: id, snapshot).status
    let counts = try DeliveryStore.counts(of: id, snapshot)
    (status.waiting, status.parked) = (counts.all, counts.parked)
    return status
  }

  /// The progress without these numbers, which take a while to count, and how often in a row sending has failed.
  static func progress(of id: String, _ snapshot: Snapshot) throws -> (status: SendingProgress, failures: Int) {
    var status = SendingProgress()
    guard let row = try snapshot.first(get, id) else { return (status, 0) }
    let failures: Int = try row.get("failures")
    status.position = try row.get("position")
    status.lastEvent = try snapshot.lastEvent()
    status.deliveredAt = try row.get("delivered_ms")
    status.failingSince = try row.get("failing_ms")
    status.failure = try row.get("failure")
    if failures > 0 { status.nextTryAt = try row.get("pause_ms", as: Instant.self) }
    return (status, failures)
  }
}
