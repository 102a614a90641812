internal import AccountContract
internal import Storage
internal import Wire

/// A tenant's settings, and other rows of which each tenant has one.
enum SettingsStore {
  private static let put = Statement(
    "settings.put",
    "INSERT INTO settings (tenant, id, body) VALUES ({tenant}, ?, ?) "
      + "ON CONFLICT (tenant, id) DO UPDATE SET body = excluded.body")
  private static let find = Statement("settings.find", "SELECT body FROM settings WHERE tenant = {tenant} AND id = ?")

  private static let open = Statement(
    "settings.open",
    "INSERT INTO settings (tenant, id, body) VALUES ({tenant}, ?, ?) ON CONFLICT (tenant, id) DO NOTHING")
  private static let lock = Statement(
    "settings.lock", "SELECT id FROM settings WHERE tenant = {tenant} AND id = ? FOR UPDATE")

  static let statements = [put, find, open, lock]

  /// The rows that a tenant may have.
  enum Name: String {
    case accounts, tenant
    /// A row without content, which is locked while an API key is made.
    case keys
  }

  /// Locks a row until the transaction ends. Inserts it, without content, if it does not exist.
  static func lock(_ row: Name, _ transaction: Transaction) throws {
    try transaction.run(open, row.rawValue, [UInt8]())
    _ = try transaction.one(lock, row.rawValue)
  }

  static func save(_ bytes: [UInt8], as row: Name, _ transaction: Transaction) throws {
    try transaction.run(put, row.rawValue, bytes)
  }

  static func bytes(of row: Name, _ snapshot: Snapshot) throws -> [UInt8]? {
    try snapshot.first(find, row.rawValue)?.get("body", as: [UInt8].self)
  }

  static func save(_ settings: AccountSettings, _ transaction: Transaction) throws {
    try save(try settings.encoded(), as: .accounts, transaction)
  }

  static func settings(_ snapshot: Snapshot) throws -> AccountSettings {
    try bytes(of: .accounts, snapshot).map { try AccountSettings(decoding: $0) } ?? AccountSettings()
  }
}
