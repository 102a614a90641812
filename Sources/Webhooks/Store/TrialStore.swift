internal import Base
internal import Storage

/// So many test messages may be sent at once, and one more after each interval.
struct TrialBound: Hashable, Sendable {
  let count: Int64
  let interval: Duration

  /// Few, since the receiver may be anybody's.
  static let ofWebhook = TrialBound(count: 5, interval: .seconds(12))
  /// For all webhooks together, so that another one with the same address is no way round.
  static let ofTenant = TrialBound(count: 20, interval: .seconds(3))
}

/// Counts test messages, of a webhook and of a tenant. A row says until when its place counts as busy: each message
/// makes that an interval later.
enum TrialStore {
  /// The place of a whole tenant.
  static let tenant = ""

  private static let insert = Statement(
    "webhook.trial.insert",
    "INSERT INTO webhook_trials (tenant, place, until_ms) VALUES ({tenant}, ?, 0) "
      + "ON CONFLICT (tenant, place) DO NOTHING")
  /// A time that is impossibly late was written by a clock that has been set back since.
  private static let take = Statement(
    "webhook.trial.take",
    "UPDATE webhook_trials SET until_ms = (CASE WHEN until_ms BETWEEN ? AND ? THEN until_ms ELSE ? END) + ? "
      + "WHERE tenant = {tenant} AND place = ? AND NOT (until_ms > ? AND until_ms <= ?)")
  private static let get = Statement(
    "webhook.trial.get", "SELECT until_ms FROM webhook_trials WHERE tenant = {tenant} AND place = ?")
  private static let remove = Statement(
    "webhook.trial.remove", "DELETE FROM webhook_trials WHERE tenant = {tenant} AND place = ?")

  static let statements = [insert, take, get, remove]

  /// Counts one message.
  ///
  /// - Returns: nil, or how long to wait for the next one, and then nothing is counted.
  static func take(_ place: String, _ bound: TrialBound, _ transaction: Transaction) throws -> Duration? {
    let (now, interval) = (transaction.now.millisecondsSince1970, bound.interval.milliseconds)
    let (last, full) = (now + (bound.count - 1) * interval, now + bound.count * interval)
    try transaction.run(insert, place)
    if try transaction.run(take, now, full, now, interval, place, last, full) == 1 { return nil }
    let until: Int64 = try transaction.one(get, place).get("until_ms")
    return .milliseconds(max(1, until - last))
  }

  static func remove(_ place: String, _ transaction: Transaction) throws {
    try transaction.run(remove, place)
  }
}
