internal import Base
internal import ServicePolicy
internal import Storage
internal import Webhooks

/// How far the logs of other services are copied, of those that some webhook of a tenant wants.
enum FollowedStore {
  static let table = """
    CREATE TABLE followed_logs (
      tenant TEXT NOT NULL, service TEXT NOT NULL, token TEXT NOT NULL, until_ms BIGINT NOT NULL,
      skips BIGINT NOT NULL, PRIMARY KEY (tenant, service));
    """
  static let coverage = TableCoverage("followed_logs", exempt: "how far copying is; what was copied are events")

  private static let begin = Statement(
    "followed.begin",
    "INSERT INTO followed_logs (tenant, service, token, until_ms, skips) VALUES ({tenant}, ?, '', ?, 1) "
      + "ON CONFLICT (tenant, service) DO NOTHING")
  private static let end = Statement(
    "followed.end", "DELETE FROM followed_logs WHERE tenant = {tenant} AND service = ?")
  private static let get = Statement(
    "followed.get", "SELECT token, until_ms, skips FROM followed_logs WHERE tenant = {tenant} AND service = ?")
  private static let move = Statement(
    "followed.move",
    "UPDATE followed_logs SET token = ?, until_ms = ?, skips = ? WHERE tenant = {tenant} AND service = ? AND token = ?")
  private static let all = Statement(
    acrossTenants: "followed.all", "SELECT tenant, service FROM followed_logs ORDER BY tenant, service")

  static let statements = [begin, end, get, move]

  /// How far a log is read.
  struct Position: Hashable, Sendable {
    var token: String
    /// The time of the last event that was copied, or before that of when copying was asked for.
    var until: Instant
    /// Whether a log is read from its beginning, and events until then are not copied.
    var skips: Bool
  }

  /// A log that is followed.
  struct Place: Hashable, Sendable {
    let tenant: Tenant
    let service: FollowedService
  }

  static func places(in database: Database) async throws -> [Place] {
    try await database.rows(all, []).compactMap { row in
      guard let tenant = Tenant(try row.get("tenant", as: String.self)),
        let service = FollowedService(rawValue: try row.get("service"))
      else { return nil }
      return Place(tenant: tenant, service: service)
    }
  }

  /// Follows the logs of which a webhook wants events from now on, and no others.
  static func followWhatIsWanted(_ transaction: Transaction) throws {
    let webhooks = try WebhookRegister.stored(transaction)
    for service in FollowedService.allCases {
      if webhooks.contains(where: service.isWanted) {
        try transaction.run(begin, service.rawValue, transaction.now + .milliseconds(-1))
      } else {
        try transaction.run(end, service.rawValue)
      }
    }
  }

  /// nil: the log is not followed any more.
  static func position(in service: FollowedService, _ snapshot: Snapshot) throws -> Position? {
    try snapshot.first(get, service.rawValue).map { row in
      Position(
        token: try row.get("token"), until: try row.get("until_ms"), skips: try row.get("skips", as: Int.self) == 1)
    }
  }

  /// - Returns: false if another process has moved the position meanwhile.
  static func move(
    in service: FollowedService, from old: Position, to new: Position, _ transaction: Transaction
  ) throws -> Bool {
    try transaction.run(move, new.token, new.until, new.skips ? 1 : 0, service.rawValue, old.token) == 1
  }
}
