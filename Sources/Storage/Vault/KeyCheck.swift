internal import Base

// Checks, when a database is opened, whether the given master keys open its keys.
extension Database {
  /// Throws if a wrong master key was given, so that this shows at once and not at the first use of a subject's key. If
  /// a given key fits, an unknown key's name at a single tenant counts as damage to that tenant's rows, and other
  /// tenants are served (`keysThatDoNotOpen`).
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

  /// The tenants' keys that the master keys do not open, one line each. Calls that need such a key fail; other tenants
  /// are served.
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
