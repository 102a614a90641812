internal import Base

/// Whether the keys that were given open a database's keys, as it is found when the database is opened.
extension Database {
  /// Finds at once, and not at the first subject, that a master key is not the right one. A name that no given key has
  /// and that stands at a single tenant's keys may be damage: with a right key the others are served
  /// (`keysThatDoNotOpen`).
  func checkMasterKeys(within time: Duration) async throws {
    let keys = context.keys
    try await readAcrossTenants(within: time) { connection in
      let masters = try connection.all(KeyCheckStatements.masters.query, []).map { row in
        (name: try row.get("master", as: String.self), tenants: try row.get("tenants", as: Int.self))
      }
      let unknown = masters.filter { keys.known($0.name) == nil }
      let isNoneKnown = unknown.count == masters.count
      if let first = unknown.first(where: { isNoneKnown || $0.tenants > 1 }) { _ = try keys.key(first.name) }
    }
  }

  /// Tenants' keys that the master keys do not open, one line each. Calls that need such a key end with an error, and
  /// other tenants are served.
  func keysThatDoNotOpen() async throws -> [String] {
    let context = context
    return try await readAcrossTenants { connection in
      var problems: [String] = []
      func check(_ statement: Statement, _ open: (Row, Tenant) throws(DatabaseError) -> SecretKey) throws {
        try connection.each(statement.query, []) { row in
          let name: String = try row.get("tenant")
          guard let tenant = Tenant(name) else { return problems.append("'\(name)' has a key, and names no tenant") }
          do throws(DatabaseError) {
            _ = try open(row, tenant)
          } catch {
            guard error.isDamage else { throw error }
            problems.append(error.message)
          }
        }
      }
      try check(KeyCheckStatements.vaultKeys) { row, tenant throws(DatabaseError) in
        try context.vaultKey(in: row, of: tenant)
      }
      try check(KeyCheckStatements.logKeys) { row, tenant throws(DatabaseError) in
        try context.logKey(in: row, of: tenant)
      }
      return problems
    }
  }
}

enum KeyCheckStatements {
  static let masters = Statement(
    acrossTenants: "storage.key-check.masters",
    "SELECT master, count(*) AS tenants FROM (SELECT tenant, master FROM storage_vault_tenants "
      + "UNION SELECT tenant, master FROM storage_log_keys) AS named GROUP BY master ORDER BY master")
  static let vaultKeys = Statement(
    acrossTenants: "storage.key-check.vault-keys",
    "SELECT tenant, version, wrapped, master FROM storage_vault_tenants ORDER BY tenant, version")
  static let logKeys = Statement(
    acrossTenants: "storage.key-check.log-keys",
    "SELECT tenant, wrapped, master FROM storage_log_keys ORDER BY tenant")
}
