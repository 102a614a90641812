internal import Base
internal import Storage

/// The queued deliveries: events that are to be sent to webhooks. The deliveries of one lane, which is the stream of a
/// subject or a study, are sent one after the other, so only the first of a lane has a time at which it is due.
enum DeliveryStore {
  private static let insert = Statement(
    "webhook.delivery.insert",
    "INSERT INTO webhook_deliveries (tenant, webhook_id, sequence, lane, attempts, since_ms, due_ms, parked_ms, failure) "
      + "VALUES ({tenant}, ?, ?, ?, 0, ?, ?, 0, '') ON CONFLICT (tenant, webhook_id, sequence) DO NOTHING")
  private static let first = Statement(
    "webhook.delivery.first",
    "SELECT sequence FROM webhook_deliveries WHERE tenant = {tenant} AND webhook_id = ? AND lane = ? "
      + "ORDER BY sequence LIMIT 1")
  private static let due = Statement(
    "webhook.delivery.due",
    "SELECT sequence, lane, attempts, since_ms FROM webhook_deliveries "
      + "WHERE tenant = {tenant} AND webhook_id = ? AND due_ms > ? AND due_ms <= ? ORDER BY due_ms, sequence LIMIT ?")
  private static let get = Statement(
    "webhook.delivery.get",
    "SELECT lane, parked_ms FROM webhook_deliveries WHERE tenant = {tenant} AND webhook_id = ? AND sequence = ?")
  private static let remove = Statement(
    "webhook.delivery.remove",
    "DELETE FROM webhook_deliveries WHERE tenant = {tenant} AND webhook_id = ? AND sequence = ?")
  private static let removeAll = Statement(
    "webhook.delivery.remove-all", "DELETE FROM webhook_deliveries WHERE tenant = {tenant} AND webhook_id = ?")
  private static let schedule = Statement(
    "webhook.delivery.schedule",
    "UPDATE webhook_deliveries SET since_ms = ?, due_ms = ?, attempts = 0, parked_ms = 0 "
      + "WHERE tenant = {tenant} AND webhook_id = ? AND sequence = ?")
  /// The time of the first attempt is kept, unless it lies in the future because the clock was ahead then: such a
  /// delivery is retried for the full period from now on.
  private static let fail = Statement(
    "webhook.delivery.fail",
    "UPDATE webhook_deliveries SET since_ms = CASE WHEN attempts > 0 AND since_ms <= ? THEN since_ms ELSE ? END, "
      + "attempts = attempts + 1, due_ms = ?, parked_ms = ?, failure = ? "
      + "WHERE tenant = {tenant} AND webhook_id = ? AND sequence = ?")
  private static let park = Statement(
    "webhook.delivery.park",
    "UPDATE webhook_deliveries SET due_ms = ?, parked_ms = ?, failure = ? "
      + "WHERE tenant = {tenant} AND webhook_id = ? AND parked_ms = 0 AND due_ms < ? AND since_ms < ?")
  private static let resend = Statement(
    "webhook.delivery.resend",
    "UPDATE webhook_deliveries SET since_ms = ?, due_ms = ?, attempts = 0, parked_ms = 0 "
      + "WHERE tenant = {tenant} AND webhook_id = ? AND parked_ms > 0")
  private static let hasten = Statement(
    "webhook.delivery.hasten",
    "UPDATE webhook_deliveries SET since_ms = ?, due_ms = ?, attempts = 0 "
      + "WHERE tenant = {tenant} AND webhook_id = ? AND parked_ms = 0 AND due_ms < ?")
  private static let counts = Statement(
    "webhook.delivery.counts",
    "SELECT count(*) AS everything, COALESCE(SUM(CASE WHEN parked_ms > 0 THEN 1 ELSE 0 END), 0) AS parked, "
      + "COALESCE(SUM(CASE WHEN due_ms < ? THEN 1 ELSE 0 END), 0) AS scheduled, "
      + "COALESCE(SUM(CASE WHEN due_ms < ? AND attempts > 0 THEN 1 ELSE 0 END), 0) AS refused "
      + "FROM webhook_deliveries WHERE tenant = {tenant} AND webhook_id = ?")
  private static let listed = "SELECT sequence, lane, attempts, due_ms, parked_ms, failure FROM webhook_deliveries "
  private static let list = Statement(
    "webhook.delivery.list",
    listed + "WHERE tenant = {tenant} AND webhook_id = ? AND {after sequence} ORDER BY sequence LIMIT {limit}")
  private static let listParked = Statement(
    "webhook.delivery.list-parked",
    listed + "WHERE tenant = {tenant} AND webhook_id = ? AND parked_ms > 0 AND {after sequence} "
      + "ORDER BY sequence LIMIT {limit}")

  static let statements = [
    insert, first, due, get, remove, removeAll, schedule, fail, park, resend, hasten, counts, list,
    listParked,
  ]

  /// How many parked deliveries are given up by one call that names none.
  private static let mostGivenUp = 10_000
  /// The due time of a delivery that is not sent by itself: a parked one, or one behind another of its lane.
  static let never = Instant(millisecondsSince1970: .max / 2)

  /// A delivery that is due.
  struct Due: Hashable, Sendable {
    let sequence: Int64
    let lane: String
    let attempts: Int
    /// When the first attempt was made or, before any attempt, when the delivery was queued, or last made due.
    let since: Instant
  }

  static func add(_ event: Event, to webhookID: String, _ transaction: Transaction) throws {
    let isFirst = try transaction.first(first, webhookID, event.stream) == nil
    let due = isFirst ? transaction.now : never
    try transaction.run(insert, webhookID, event.sequence, event.stream, transaction.now, due)
  }

  /// The deliveries whose due time has come, followed by those with a due time after `latest`, which a clock has set
  /// that was ahead.
  ///
  /// - Parameter latest: the latest due time that a correct clock can have set.
  static func due(for webhookID: String, limit: Int, latest: Instant, _ snapshot: Snapshot) throws -> [Due] {
    var rows = try snapshot.all(due, webhookID, -1, snapshot.now, limit)
    if rows.count < limit {
      rows += try snapshot.all(due, webhookID, latest, never.millisecondsSince1970 - 1, limit - rows.count)
    }
    return try rows.map { row in
      Due(
        sequence: try row.get("sequence"), lane: try row.get("lane"), attempts: try row.get("attempts"),
        since: try row.get("since_ms"))
    }
  }

  /// Removes a delivery, and makes the next one of its lane due.
  static func finish(_ sequence: Int64, of lane: String, for webhookID: String, _ transaction: Transaction) throws {
    try transaction.run(remove, webhookID, sequence)
    guard let next = try transaction.first(first, webhookID, lane) else { return }
    let now = transaction.now
    try transaction.run(schedule, now, now, webhookID, try next.get("sequence", as: Int64.self))
  }

  static func fail(
    _ sequence: Int64, for webhookID: String, _ failure: String, nextTry: Instant?, _ transaction: Transaction
  ) throws {
    let now = transaction.now
    let parked = nextTry == nil ? now : Instant(millisecondsSince1970: 0)
    try transaction.run(fail, now, now, nextTry ?? never, parked, failure, webhookID, sequence)
  }

  /// Parks all scheduled deliveries that have waited since before a time. Many of them may not have been attempted even
  /// once, since a receiver that fails is sent one event at a time.
  static func park(
    waitingSince limit: Instant, for webhookID: String, _ failure: String, _ transaction: Transaction
  ) throws {
    try transaction.run(park, never, transaction.now, failure, webhookID, never, limit)
  }

  /// Makes all scheduled deliveries due now, and retries them for the full period from now on, as if they were new:
  /// what made them fail may be mended.
  static func hasten(for webhookID: String, _ transaction: Transaction) throws {
    try transaction.run(hasten, transaction.now, transaction.now, webhookID, never)
  }

  /// Makes parked deliveries due again: the given ones, or all if none is given. Returns how many.
  static func resend(_ sequences: [Int64], for webhookID: String, _ transaction: Transaction) throws -> Int {
    let now = transaction.now
    if sequences.isEmpty { return try transaction.run(resend, now, now, webhookID) }
    let parked = try parked(sequences, webhookID, transaction)
    for (sequence, _) in parked { try transaction.run(schedule, now, now, webhookID, sequence) }
    return parked.count
  }

  /// Removes parked deliveries without sending them: the given ones, or all if none is given, up to a bound. Returns
  /// how many.
  static func giveUp(_ sequences: [Int64], for webhookID: String, _ transaction: Transaction) throws -> Int {
    let parked = try parked(sequences, webhookID, transaction)
    for (sequence, lane) in parked { try finish(sequence, of: lane, for: webhookID, transaction) }
    return parked.count
  }

  /// Those of the given deliveries that are parked, with their lanes; all parked ones if none is given, up to a bound.
  private static func parked(
    _ sequences: [Int64], _ webhookID: String, _ snapshot: Snapshot
  ) throws -> [(Int64, String)] {
    guard sequences.isEmpty else {
      return try Set(sequences).sorted().compactMap { sequence in
        guard let row = try snapshot.first(get, webhookID, sequence), try row.get("parked_ms", as: Int64.self) > 0
        else { return nil }
        return (sequence, try row.get("lane"))
      }
    }
    let page = try snapshot.page(listParked, webhookID, after: nil, limit: mostGivenUp)
    return try page.rows.map { (try $0.get("sequence"), try $0.get("lane")) }
  }

  static func removeAll(of webhookID: String, _ transaction: Transaction) throws {
    try transaction.run(removeAll, webhookID)
  }

  /// The numbers of a webhook's queued deliveries.
  struct Counts: Hashable, Sendable {
    let all: Int
    let parked: Int
    /// Deliveries that have a due time. All others are parked, or behind another one of their lane.
    let scheduled: Int
    /// Those of the scheduled deliveries that the receiver has failed to accept at least once.
    let refused: Int
  }

  static func counts(of webhookID: String, _ snapshot: Snapshot) throws -> Counts {
    let row = try snapshot.one(counts, never, never, webhookID)
    return Counts(
      all: try row.get("everything"), parked: try row.get("parked"), scheduled: try row.get("scheduled"),
      refused: try row.get("refused"))
  }

  /// A delivery as it is listed, without the contents of its event.
  struct Listed: Sendable {
    let sequence: Int64
    let state: Delivery.State
    let attempts: Int
    let nextTryAt: Instant?
    let failure: String
    let parkedAt: Instant?
  }

  static func list(
    of webhookID: String, parkedOnly: Bool, after cursor: PageCursor?, limit: Int, _ snapshot: Snapshot
  ) throws -> (deliveries: [Listed], next: PageCursor?) {
    let page = try snapshot.page(parkedOnly ? listParked : list, webhookID, after: cursor, limit: limit)
    let deliveries = try page.rows.map { row in
      let (due, parked): (Instant, Instant) = (try row.get("due_ms"), try row.get("parked_ms"))
      let isParked = parked.millisecondsSince1970 > 0
      return Listed(
        sequence: try row.get("sequence"), state: isParked ? .parked : due == never ? .behind : .waiting,
        attempts: try row.get("attempts"), nextTryAt: due == never ? nil : due, failure: try row.get("failure"),
        parkedAt: isParked ? parked : nil)
    }
    return (deliveries, page.next)
  }
}
