internal import Base
internal import Storage

/// Limits test messages: `count` may be sent at once, and one more after each interval.
struct TrialBound: Hashable, Sendable {
  let count: Int64
  let interval: Duration

  /// A low bound, since the address may be a server of somebody who did not ask for messages.
  static let ofWebhook = TrialBound(count: 5, interval: .seconds(12))
  /// For all webhooks of a tenant together, so that further webhooks with the same address do not evade the bound.
  static let ofTenant = TrialBound(count: 20, interval: .seconds(3))
}

/// Counts the test messages of each webhook and of the whole tenant. A row holds a time that each message moves an
/// interval further; while it is more than `count - 1` intervals ahead of the clock, messages are refused.
enum TrialStore {
  /// The place of the row that counts a whole tenant's messages; a webhook's row has its identifier.
  static let tenant = ""

  private static let insert = Statement(
    "webhook.trial.insert",
    "INSERT INTO webhook_trials (tenant, place, until_ms) VALUES ({tenant}, ?, 0) "
      + "ON CONFLICT (tenant, place) DO NOTHING")
  /// A time further ahead than the bound allows was written by a clock that has been set back since, and is replaced by
  /// the present.
  private static let take = Statement(
    "webhook.trial.take",
    "UPDATE webhook_trials SET until_ms = (CASE WHEN until_ms BETWEEN ? AND ? THEN until_ms ELSE ? END) + ? "
      + "WHERE tenant = {tenant} AND place = ? AND NOT (until_ms > ? AND until_ms <= ?)")
  private static let get = Statement(
    "webhook.trial.get", "SELECT until_ms FROM webhook_trials WHERE tenant = {tenant} AND place = ?")
  private static let remove = Statement(
    "webhook.trial.remove", "DELETE FROM webhook_trials WHERE tenant = {tenant} AND place = ?")

  static let statements = [insert, take, get, remove]

  /// Counts one message, if the bound allows it.
  ///
  /// - Returns: nil if it was counted, otherwise how long to wait until the next one is allowed.
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
