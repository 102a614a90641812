internal import Base
internal import Synchronization

/// The key of a tenant's log. With it the service computes an authentication code for every event that it writes, for
/// the log's end and for every job that it queues. Somebody who can write to the database but has no master key cannot
/// forge these.
///
/// The key is random, and stored wrapped by the master key (docs/decisions/0027-log-keys.md). It is replaced
/// only together with all codes, and while no service runs (`Database.renewLogKeys`).
struct LogKey: Sendable {
  private let key: SecretKey

  static let isGone = "the key of its log is gone"

  init(_ key: SecretKey) { self.key = key }

  func code(of message: Message) -> [UInt8] { key.hash(message.bytes) }

  func confirms(_ code: [UInt8]?, of message: Message) -> Bool {
    guard let code else { return false }
    return key.confirms(code, of: message.bytes)
  }

  /// The bytes from which a code is computed.
  struct Message {
    fileprivate let bytes: [UInt8]

    private init(_ kind: String, _ values: [Value]) {
      var bytes: [UInt8] = []
      for value in [.text(kind)] + values { ValueCoding.append(value, to: &bytes) }
      self.bytes = bytes
    }

    /// Of the event's leaf hash, which covers all its columns, also the tenant, the number and the chain.
    static func event(_ event: Event, of tenant: Tenant) -> Message {
      Message("assent event code 1", [event.leaf(of: tenant).storedValue])
    }

    static func end(_ end: LogEnd, of tenant: Tenant) -> Message {
      Message(
        "assent log end code 1", [.text(tenant.id), .integer(end.last), end.at.storedValue, end.chain.storedValue])
    }

    static func list(_ name: String, _ end: ListEnd, of tenant: Tenant) -> Message {
      Message(
        "assent list end code 1", [.text(tenant.id), .text(name), .integer(end.count), end.chain.storedValue])
    }

    static func job(_ id: String, _ kind: String, _ payload: [UInt8], of tenant: Tenant) -> Message {
      Message("assent job code 1", [.text(tenant.id), .text(id), .text(kind), .bytes(payload)])
    }
  }
}

/// A cache of the log keys that this process has unwrapped. A log gets no other key while a service runs, so each is
/// unwrapped once.
final class LogKeys: Sendable {
  private let keys = Mutex<[String: LogKey]>([:])

  func key(of tenant: Tenant) -> LogKey? { keys.withLock { $0[tenant.id] } }

  /// Adds a key whose row is committed.
  func note(_ key: LogKey, of tenant: Tenant) { keys.withLock { $0[tenant.id] = key } }
}

extension Snapshot {
  /// The key of the tenant's log; nil before its first event or job.
  func logKeyIfMade() throws(DatabaseError) -> LogKey? {
    if let known = openedLogKey ?? context.logKeys.key(of: tenant) { return known }
    guard let row = try first(LogKeyStatements.key) else { return nil }
    let opened = LogKey(try context.logKey(in: row, of: tenant))
    openedLogKey = opened
    if let change = self as? Transaction {
      // The row may come from a change that shares this commit and may yet be rolled back, so the key is not cached
      // before the commit.
      change.afterCommit.logKey = opened
    } else {
      context.logKeys.note(opened, of: tenant)
    }
    return opened
  }

  /// The key of a log that exists. Throws if the key's row is missing.
  func logKey() throws(DatabaseError) -> LogKey {
    if let key = try logKeyIfMade() { return key }
    throw DatabaseError(.corrupt, "tenant '\(tenant)': \(LogKey.isGone)")
  }
}

extension DatabaseContext {
  /// Unwraps the key of a tenant's log. A failure is reported as damage to this tenant's row, since `checkMasterKeys`
  /// has verified the master keys when the database was opened.
  func logKey(in row: Row, of tenant: Tenant) throws(DatabaseError) -> SecretKey {
    let name: String = try row.get("master")
    let place = SealPlace.logKey(schema.name, tenant)
    if let key = keys.unwrap(try row.get("wrapped"), by: name, at: place) { return key }
    guard keys.known(name) != nil else {
      throw DatabaseError(
        .corrupt,
        "tenant '\(tenant)': the key of its log was sealed with master key \(name), which was not given: give it as "
          + "well if it was replaced; otherwise the row was altered")
    }
    throw DatabaseError(.corrupt, "tenant '\(tenant)': the key of its log does not open: its row was altered")
  }
}

extension Transaction {
  /// The key of the tenant's log. Makes it if the log has no head and no key yet.
  func logKeyForWriting() throws(DatabaseError) -> LogKey {
    if let key = try logKeyIfMade() { return key }
    if try first(EventStatements.headForChecking) == nil {
      let master = context.keys.current
      let wrapped = master.key.wrap(SecretKey(), at: .logKey(context.schema.name, tenant))
      try run(LogKeyStatements.add, wrapped, master.fingerprint, now)
    }
    // Another transaction may have stored a key first, so the key is read from the table.
    return try logKey()
  }
}

extension SealPlace {
  /// Contains the service's name, so that a log key of another service with the same master key does not open here.
  static func logKey(_ service: String, _ tenant: Tenant) -> SealPlace { SealPlace("log key", service, tenant.id) }
}

enum LogKeyStatements {
  static let key = Statement(
    own: "storage.log-keys.key", "SELECT wrapped, master FROM storage_log_keys WHERE tenant = {tenant}")
  static let add = Statement(
    own: "storage.log-keys.add",
    "INSERT INTO storage_log_keys (tenant, wrapped, master, created_ms) VALUES ({tenant}, ?, ?, ?) "
      + "ON CONFLICT (tenant) DO NOTHING")
  static let underOtherMaster = Statement(
    acrossTenants: "storage.log-keys.under-other-master",
    "SELECT wrapped, master FROM storage_log_keys WHERE tenant = ? AND master <> ?")
  static let rewrap = Statement(
    acrossTenants: "storage.log-keys.rewrap",
    "UPDATE storage_log_keys SET wrapped = ?, master = ? WHERE tenant = ? AND wrapped = ?")
}
