internal import AccountContract
internal import Storage
internal import Wire

/// What an operator has on record about a tenant: a row of its own beside the tenant's settings, which nobody else
/// reads or writes.
enum TenantStore {
  static func save(_ tenant: AccountTenant, _ transaction: Transaction) throws {
    try SettingsStore.save(try tenant.encoded(), as: .tenant, transaction)
  }

  /// The tenant whose rows the snapshot shows; nil when nobody has created it.
  static func created(_ snapshot: Snapshot) throws -> AccountTenant? {
    try SettingsStore.bytes(of: .tenant, snapshot).map { try AccountTenant(decoding: $0) }
  }

  static func tenant(_ snapshot: Snapshot) throws -> AccountTenant {
    try created(snapshot) ?? AccountTenant(tenantID: snapshot.tenant.id)
  }

  /// Whether all calls of the tenant are refused.
  static func isDisabled(_ snapshot: Snapshot) throws -> Bool { try tenant(snapshot).disabled }
}
