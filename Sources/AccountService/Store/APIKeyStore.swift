internal import AccountContract
internal import Base
internal import ServicePolicy
internal import Storage
internal import Wire

/// An API key as it is stored: what is said about it, and the hashes of its secrets.
struct StoredAPIKey: Sendable {
  /// Without the time of its last use.
  var key: ApiKey
  var hash: [UInt8]
  /// The hash before the last rotation; empty: there is none.
  var previousHash: [UInt8]

  init(_ key: ApiKey, hash: Digest) {
    (self.key, self.hash, previousHash) = (key, hash.bytes, [])
  }

  init(_ row: Row) throws {
    do {
      key = try ApiKey(decoding: try row.get("body", as: [UInt8].self))
    } catch is CodecError {
      throw DatabaseError(.corrupt, "API key '\(try row.get("id", as: String.self))' is none: it was damaged")
    }
    hash = try row.get("hash")
    previousHash = try row.get("previous_hash")
  }

  /// The stream of the events about a key.
  static func stream(_ id: String) -> String { "api-key:\(id)" }

  /// What gateways need to verify the key.
  var verifiable: VerifiableApiKey {
    VerifiableApiKey(
      apiKeyID: key.apiKeyID, name: key.name, kind: key.kind, roles: key.roles, scopes: key.scopes,
      expiresAt: key.expiresAt, hash: hash, previousHash: previousHash, overlapEndsAt: key.overlapEndsAt)
  }
}

enum APIKeyStore {
  private static let columns = "id, name, body, hash, previous_hash, revoked_ms"
  private static let insert = Statement(
    "apikey.insert",
    "INSERT INTO api_keys (tenant, \(columns)) VALUES ({tenant}, ?, ?, ?, ?, ?, NULL)")
  private static let update = Statement(
    "apikey.update",
    "UPDATE api_keys SET body = ?, hash = ?, previous_hash = ? WHERE tenant = {tenant} AND id = ?")
  private static let revoke = Statement(
    "apikey.revoke",
    "UPDATE api_keys SET body = ?, hash = ?, previous_hash = ?, revoked_ms = ? WHERE tenant = {tenant} AND id = ?")
  private static let lock = Statement(
    "apikey.lock", "SELECT \(columns) FROM api_keys WHERE tenant = {tenant} AND id = ? FOR UPDATE")
  private static let named = Statement(
    "apikey.named",
    "SELECT COUNT(*) AS found FROM api_keys WHERE tenant = {tenant} AND name = ? AND revoked_ms IS NULL")
  private static let count = Statement(
    "apikey.count", "SELECT COUNT(*) AS found FROM api_keys WHERE tenant = {tenant} AND revoked_ms IS NULL")
  private static let inUse = Statement(
    "apikey.inuse", "SELECT \(columns) FROM api_keys WHERE tenant = {tenant} AND revoked_ms IS NULL ORDER BY id")
  private static let list = Statement(
    "apikey.list",
    "SELECT \(columns) FROM api_keys WHERE tenant = {tenant} AND {after id} ORDER BY id LIMIT {limit}")
  private static let forget = Statement(
    "apikey.forget", "DELETE FROM api_keys WHERE tenant = {tenant} AND revoked_ms < ?")
  private static let use = Statement(
    "apikey.use",
    "INSERT INTO api_key_uses (tenant, id, used_ms) SELECT {tenant}, id, CAST(? AS BIGINT) FROM api_keys "
      + "WHERE tenant = {tenant} AND id = ? "
      + "ON CONFLICT (tenant, id) DO UPDATE SET used_ms = excluded.used_ms "
      + "WHERE excluded.used_ms > api_key_uses.used_ms")
  private static let used = Statement(
    "apikey.used", "SELECT used_ms FROM api_key_uses WHERE tenant = {tenant} AND id = ?")
  private static let forgetUses = Statement(
    "apikey.forgetuses",
    "DELETE FROM api_key_uses WHERE tenant = {tenant} AND id NOT IN (SELECT id FROM api_keys WHERE tenant = {tenant})")

  static let statements = [
    insert, update, revoke, lock, named, count, inUse, list, forget, use, used, forgetUses,
  ]

  static func insert(_ stored: StoredAPIKey, _ transaction: Transaction) throws {
    try transaction.run(
      insert, stored.key.apiKeyID, stored.key.name, try stored.key.encoded(), stored.hash, stored.previousHash)
  }

  static func update(_ stored: StoredAPIKey, _ transaction: Transaction) throws {
    try transaction.run(
      update, try stored.key.encoded(), stored.hash, stored.previousHash, stored.key.apiKeyID)
  }

  /// Stores a key as revoked, and deletes the hashes of its secrets.
  static func revoke(_ stored: StoredAPIKey, _ transaction: Transaction) throws {
    let nothing: [UInt8] = []
    try transaction.run(revoke, try stored.key.encoded(), nothing, nothing, transaction.now, stored.key.apiKeyID)
  }

  /// Reads a key and locks it until the transaction ends.
  static func locked(_ id: String, _ transaction: Transaction) throws -> StoredAPIKey {
    guard let stored = try lockedIfThere(id, transaction) else { throw Refusal.notFound("api key", id) }
    return stored
  }

  /// The same; nil if there is no such key.
  static func lockedIfThere(_ id: String, _ transaction: Transaction) throws -> StoredAPIKey? {
    try transaction.first(lock, id).map { try StoredAPIKey($0) }
  }

  static func isNameInUse(_ name: String, _ snapshot: Snapshot) throws -> Bool {
    try snapshot.one(named, name).get("found", as: Int64.self) > 0
  }

  static func countInUse(_ snapshot: Snapshot) throws -> Int { try snapshot.one(count).get("found") }

  /// The keys in use, for gateways. One that cannot be read is left out, so that it does not stop the others.
  static func inUse(_ snapshot: Snapshot) throws -> [VerifiableApiKey] {
    try snapshot.all(inUse).compactMap { row in try unlessDamaged { try StoredAPIKey(row).verifiable } }
  }

  /// Keys for administrators, each with its last use.
  static func list(_ page: PageRequest, _ snapshot: Snapshot) throws -> ([ApiKey], String) {
    let page = try snapshot.page(list, at: page)
    let keys = try page.rows.map { row in
      var key = try StoredAPIKey(row).key
      key.usedAt = try snapshot.first(used, key.apiKeyID).map { Timestamp(try $0.get("used_ms", as: Instant.self)) }
      return key
    }
    return (keys, page.nextToken)
  }

  /// Notes a use, unless a later one is known or there is no such key.
  static func note(_ use: ApiKeyUse, _ transaction: Transaction) throws {
    guard let time = use.usedAt?.clamped else { return }
    try transaction.run(self.use, min(time, transaction.now), use.apiKeyID)
  }

  /// Deletes keys that were revoked before a time, and what is known of the uses of keys that do not exist any more.
  static func forget(before time: Instant, _ transaction: Transaction) throws {
    try transaction.run(forget, time)
    try transaction.run(forgetUses)
  }
}
