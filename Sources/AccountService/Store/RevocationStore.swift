internal import AccountContract
internal import Base
internal import Storage
internal import Wire

/// What makes unexpired access tokens void; kept for as long as a token may live.
enum RevocationStore {
  private static let put = Statement(
    "revocation.put",
    "INSERT INTO revocations (tenant, kind, id, before_ms) VALUES ({tenant}, ?, ?, ?) "
      + "ON CONFLICT (tenant, kind, id) DO UPDATE SET before_ms = excluded.before_ms")
  private static let since = Statement(
    "revocation.since",
    "SELECT kind, id, before_ms FROM revocations WHERE tenant = {tenant} AND before_ms >= ? "
      + "ORDER BY before_ms, kind, id")
  private static let forget = Statement(
    "revocation.forget", "DELETE FROM revocations WHERE tenant = {tenant} AND before_ms < ?")

  static let statements = [put, since, forget]

  static func put(_ revoked: Revocation.Revoked, _ transaction: Transaction) throws {
    switch revoked {
    case .sessionID(let id): try transaction.run(put, 1, id, transaction.now)
    case .personID(let id): try transaction.run(put, 2, id, transaction.now)
    case .deviceID(let id): try transaction.run(put, 3, id, transaction.now)
    }
  }

  static func revocations(since time: Instant, _ snapshot: Snapshot) throws -> [Revocation] {
    try snapshot.all(since, time).map { row in
      let id: String = try row.get("id")
      let revoked: Revocation.Revoked =
        switch try row.get("kind", as: Int64.self) {
        case 1: .sessionID(id)
        case 2: .personID(id)
        default: .deviceID(id)
        }
      return Revocation(
        tenant: snapshot.tenant.id, revoked: revoked, before: Timestamp(try row.get("before_ms", as: Instant.self)))
    }
  }

  static func forget(before time: Instant, _ transaction: Transaction) throws { try transaction.run(forget, time) }
}
