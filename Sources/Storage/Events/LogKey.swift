internal import Base
internal import Synchronization

/// The key of a tenant's log. With it the service makes a code of every event that it writes, of the log's end and of
/// every job that it queues: who can write to the database and has no master key makes none of these.
///
/// It is random, and stored wrapped by the master key. Nothing but its wrapping is ever replaced, since events keep
/// their codes (docs/decisions/0290-events-bear-a-code.md).
struct LogKey: Sendable {
  private let key: SecretKey

  static let isGone = "the key of its log is gone"

  init(_ key: SecretKey) { self.key = key }

  func code(of message: Message) -> [UInt8] { key.hash(message.bytes) }

  func confirms(_ code: [UInt8]?, of message: Message) -> Bool {
    guard let code else { return false }
    return key.confirms(code, of: message.bytes)
  }

  /// What a code is made of.
  struct Message {
    fileprivate let bytes: [UInt8]

    private init(_ kind: String, _ values: [Value]) {
      var bytes: [UInt8] = []
      for value in [.text(kind)] + values { ValueCoding.append(value, to: &bytes) }
      self.bytes = bytes
    }

    /// The leaf is a hash of every column: of the tenant, the number and the chain, too.
    static func event(_ event: Event, of tenant: Tenant) -> Message {
      Message("assent event code 1", [event.leaf(of: tenant).storedValue])
    }

    static func end(_ end: LogEnd, of tenant: Tenant) -> Message {
      Message(
        "assent log end code 1", [.text(tenant.id), .integer(end.last), end.at.storedValue, end.chain.storedValue])
    }

    static func job(_ id: String, _ kind: String, _ payload: [UInt8], of tenant: Tenant) -> Message {
      Message("assent job code 1", [.text(tenant.id), .text(id), .text(kind), .bytes(payload)])
    }
  }
}

/// The keys that this process has opened. A tenant's log has one for good, so each is opened once.
final class LogKeys: Sendable {
  private let keys = Mutex<[String: LogKey]>([:])

  func key(of tenant: Tenant) -> LogKey? { keys.withLock { $0[tenant.id] } }

  /// Notes a key that is durable.
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
      // A change that is committed together with this one may have made it, and may come to nothing.
      change.afterCommit.logKey = opened
    } else {
      context.logKeys.note(opened, of: tenant)
    }
    return opened
  }

  /// The key of a log that has been begun.
  func logKey() throws(DatabaseError) -> LogKey {
    if let key = try logKeyIfMade() { return key }
    throw DatabaseError(.corrupt, "tenant '\(tenant)': \(LogKey.isGone)")
  }
}

extension DatabaseContext {
  /// The key of a tenant's log, unwrapped. Whatever is wrong with its row concerns this tenant alone: that the right
  /// master keys were given showed when the database was opened (`checkMasterKeys`).
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
  /// The key of the tenant's log, made when nothing was written to it yet.
  func logKeyForWriting() throws(DatabaseError) -> LogKey {
    if let key = try logKeyIfMade() { return key }
    if try first(EventStatements.headForChecking) == nil {
      let master = context.keys.current
      let wrapped = master.key.wrap(SecretKey(), at: .logKey(context.schema.name, tenant))
      try run(LogKeyStatements.add, wrapped, master.fingerprint, now)
    }
    // Another transaction may have been first: the key in the table counts.
    return try logKey()
  }
}

extension SealPlace {
  /// With the service's name: whatever else has the same master key, nothing of its log fits here.
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
