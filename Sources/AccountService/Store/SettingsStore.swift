internal import AccountContract
internal import Storage
internal import Wire

/// How a tenant keeps accounts.
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
    /// There is nothing in it: whoever makes an API key locks it.
    case keys
  }

  /// Until the transaction ends, nobody else gets past here. A row that there is not yet is made, with nothing in it.
  static func lock(_ row: Name, _ transaction: Transaction) throws {
    // One that somebody removed by hand is not made anew.
    try transaction.verify([CommittedRow("settings", row.rawValue)])
    try transaction.run(open, row.rawValue, [UInt8]())
    _ = try transaction.one(lock, row.rawValue)
  }

  static func save(_ bytes: [UInt8], as row: Name, _ transaction: Transaction) throws {
    try transaction.run(put, row.rawValue, bytes)
  }

  static func bytes(of row: Name, _ snapshot: Snapshot) throws -> [UInt8]? {
    try snapshot.verify([CommittedRow("settings", row.rawValue)])
    return try snapshot.first(find, row.rawValue)?.get("body", as: [UInt8].self)
  }

  static func save(_ settings: AccountSettings, _ transaction: Transaction) throws {
    try save(try settings.encoded(), as: .accounts, transaction)
  }

  static func settings(_ snapshot: Snapshot) throws -> AccountSettings {
    try bytes(of: .accounts, snapshot).map { try AccountSettings(decoding: $0) } ?? AccountSettings()
  }
}
