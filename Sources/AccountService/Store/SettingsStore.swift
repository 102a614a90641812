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

  static let statements = [put, find]

  /// One row for each tenant.
  private static let id = "accounts"

  static func save(_ settings: AccountSettings, _ transaction: Transaction) throws {
    try transaction.run(put, id, try settings.encoded())
  }

  static func settings(_ snapshot: Snapshot) throws -> AccountSettings {
    try snapshot.verify([CommittedRow("settings", id)])
    guard let row = try snapshot.first(find, id) else { return AccountSettings() }
    return try AccountSettings(decoding: try row.get("body", as: [UInt8].self))
  }
}
