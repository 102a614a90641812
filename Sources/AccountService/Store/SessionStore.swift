internal import AccountContract
internal import Base
internal import Storage
internal import Wire

/// A session as it is stored.
struct StoredSession: Sendable {
  let id: String
  let personID: String
  let deviceID: String
  /// The digest of the one refresh token that is valid.
  let refresh: [UInt8]
  let startedAt: Instant
  let usedAt: Instant
  let expiresAt: Instant
  let endedAt: Instant?

  init(_ row: Row) throws {
    id = try row.get("id")
    personID = try row.get("person_id")
    deviceID = try row.get("device_id")
    refresh = try row.get("refresh")
    startedAt = try row.get("started_ms")
    usedAt = try row.get("used_ms")
    expiresAt = try row.get("expires_ms")
    endedAt = try row.get("ended_ms")
  }

  var message: SignInSession {
    SignInSession(
      sessionID: id, personID: personID, deviceID: deviceID, startedAt: Timestamp(startedAt),
      lastUsedAt: Timestamp(usedAt))
  }
}

enum SessionStore {
  private static let columns = "id, person_id, device_id, refresh, started_ms, used_ms, expires_ms, ended_ms"
  private static let insert = Statement(
    "session.insert", "INSERT INTO sessions (tenant, \(columns)) VALUES ({tenant}, ?, ?, ?, ?, ?, ?, ?, NULL)")
  private static let find = Statement(
    "session.find", "SELECT \(columns) FROM sessions WHERE tenant = {tenant} AND id = ?")
  private static let lock = Statement(
    "session.lock", "SELECT \(columns) FROM sessions WHERE tenant = {tenant} AND id = ? FOR UPDATE")
  private static let newest = Statement(
    "session.newest", "SELECT MAX(used_ms) AS newest FROM sessions WHERE tenant = {tenant} AND person_id = ?")
  // The plus keeps SQLite from the index of expiries, which leads to all sessions that run.
  private static let running = Statement(
    "session.running",
    "SELECT \(columns) FROM sessions WHERE tenant = {tenant} AND person_id = ? AND ended_ms IS NULL "
      + "AND +expires_ms > ? ORDER BY started_ms DESC, id DESC")
  private static let runningAt = Statement(
    "session.running-at",
    "SELECT \(columns) FROM sessions WHERE tenant = {tenant} AND device_id = ? AND ended_ms IS NULL "
      + "AND +expires_ms > ?")
  private static let renew = Statement(
    "session.renew",
    "UPDATE sessions SET refresh = ?, used_ms = ?, expires_ms = ? WHERE tenant = {tenant} AND id = ? AND refresh = ?")
  private static let end = Statement(
    "session.end", "UPDATE sessions SET ended_ms = ? WHERE tenant = {tenant} AND id = ? AND ended_ms IS NULL")
  private static let forget = Statement(
    "session.forget", "DELETE FROM sessions WHERE tenant = {tenant} AND expires_ms < ?")

  static let statements = [insert, find, lock, newest, running, runningAt, renew, end, forget]

  static func insert(_ session: SignInSession, refresh: Digest, until end: Instant, _ transaction: Transaction) throws {
    try transaction.run(
      insert, session.sessionID, session.personID, session.deviceID, refresh, transaction.now, transaction.now, end)
  }

  /// The session, locked until the transaction ends.
  static func locked(_ id: String, _ transaction: Transaction) throws -> StoredSession? {
    try transaction.first(lock, id).map { try StoredSession($0) }
  }

  /// A session as it is; whoever changes it locks it.
  static func session(_ id: String, _ snapshot: Snapshot) throws -> StoredSession? {
    try snapshot.first(find, id).map { try StoredSession($0) }
  }

  /// The person of a session. Whoever acts on it reads the session again.
  static func person(of id: String, _ snapshot: Snapshot) throws -> String? {
    try snapshot.first(find, id)?.get("person_id")
  }

  /// Whether a session has neither ended nor expired.
  static func isRunning(_ id: String, _ snapshot: Snapshot) throws -> Bool {
    guard let session = try session(id, snapshot) else { return false }
    return session.endedAt == nil && snapshot.now < session.expiresAt
  }

  static func running(of personID: String, _ snapshot: Snapshot) throws -> [StoredSession] {
    try snapshot.all(running, personID, snapshot.now).map { try StoredSession($0) }
  }

  /// When the newest token of the person's sessions was issued. Sessions that ended count, too, because upload grants
  /// outlive them.
  static func newestToken(of personID: String, _ snapshot: Snapshot) throws -> Instant? {
    try snapshot.one(newest, personID).get("newest")
  }

  static func running(on deviceID: String, _ snapshot: Snapshot) throws -> [StoredSession] {
    try snapshot.all(runningAt, deviceID, snapshot.now).map { try StoredSession($0) }
  }

  /// Replaces the refresh token; false when it was replaced meanwhile.
  static func renew(
    _ session: StoredSession, refresh: Digest, until end: Instant, _ transaction: Transaction
  ) throws -> Bool {
    try transaction.run(renew, refresh, transaction.now, end, session.id, session.refresh) == 1
  }

  /// Ends a session; false when it had ended before.
  static func end(_ id: String, _ transaction: Transaction) throws -> Bool {
    try transaction.run(end, transaction.now, id) == 1
  }

  static func forget(before time: Instant, _ transaction: Transaction) throws { try transaction.run(forget, time) }
}
