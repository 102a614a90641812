internal import AccountContract
internal import Base
internal import Storage
internal import Wire

/// Revocations of access tokens that have not expired; kept for as long as a token may live.
enum RevocationStore {
  private static let put = Statement(
    "revocation.put",
    "INSERT INTO revocations (tenant, kind, id, before_ms) VALUES ({tenant}, ?, ?, ?) "
      + "ON CONFLICT (tenant, kind, id) DO UPDATE SET before_ms = "
      + "CASE WHEN excluded.before_ms > revocations.before_ms THEN excluded.before_ms ELSE revocations.before_ms END")
  private static let since = Statement(
    "revocation.since",
    "SELECT kind, id, before_ms FROM revocations WHERE tenant = {tenant} AND before_ms >= ? "
      + "ORDER BY before_ms, kind, id")
  private static let forget = Statement(
    "revocation.forget", "DELETE FROM revocations WHERE tenant = {tenant} AND before_ms < ?")

  static let statements = [put, since, forget]

  /// How far ahead the clock of another process that issues tokens may be.
  private static let skew = Duration.seconds(60)

  /// Makes tokens void.
  ///
  /// A transaction's time is that of its beginning, so one that began later may have issued a token before this one
  /// revokes it. A session that ended and a device that was wiped never get a token again, so theirs are made void
  /// until some time after now. A person's are made void up to the newest that was issued, since later ones must be
  /// valid.
  ///
  /// - Parameter newest: when the person's newest token was issued, as read while the person's row is locked.
  static func put(_ revoked: Revocation.Revoked, newest: Instant? = nil, _ transaction: Transaction) throws {
    let now = transaction.now
    switch revoked {
    case .sessionID(let id): try transaction.run(put, 1, id, now + skew)
    case .personID(let id): try transaction.run(put, 2, id, max(now, newest ?? now))
    case .deviceID(let id): try transaction.run(put, 3, id, now + skew)
    }
  }

  /// The revocations of tokens since a time.
  static func revocations(since time: Instant, _ snapshot: Snapshot) throws -> [Revocation] {
    try snapshot.all(since, time).map { row in
      let id: String = try row.get("id")
      let revoked: Revocation.Revoked =
        switch try row.get("kind", as: Int64.self) {
        case 1: .sessionID(id)
        case 2: .personID(id)
        default: .deviceID(id)
        }
      let before: Instant = try row.get("before_ms")
      return Revocation(tenant: snapshot.tenant.id, revoked: revoked, before: Timestamp(before))
    }
  }

  static func forget(before time: Instant, _ transaction: Transaction) throws { try transaction.run(forget, time) }
}
