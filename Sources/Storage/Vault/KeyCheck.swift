internal import Base

// Checks, when a database is opened, whether the given master keys open its keys.
extension Database {
  /// Throws if a wrong master key was given, so that this shows at once and not at the first use of a subject's key. If
  /// some tenants' keys all have known names, a name that stands in a single row counts as damage to that row, and
  /// other tenants are served (`keysThatDoNotOpen`).
  func checkMasterKeys(within time: Duration) async throws {
    let keys = context.keys
    try await readAcrossTenants(within: time) { connection in
      let masters = try connection.all(KeyCheckStatements.masters.query, []).map { row in
        (name: try row.get("master", as: String.self), tenant: try row.get("tenant", as: String.self))
      }
      let unknown = masters.filter { keys.known($0.name) == nil }
      let isAtAllTenants = Set(unknown.map(\.tenant)) == Set(masters.map(\.tenant))
      let rows = Dictionary(grouping: unknown, by: \.name)
      let missing = unknown.first { isAtAllTenants || rows[$0.name, default: []].count > 1 }
      if let missing { _ = try keys.key(missing.name) }
    }
  }

  /// The tenants' keys that the master keys do not open. Calls that need such a key fail; other tenants are served.
  func keysThatDoNotOpen() async throws -> ClosedKeys {
    let context = context
    return try await readAcrossTenants { connection in
      var closed = ClosedKeys()
      func check(
        _ statement: Statement, _ open: (Row, Tenant) throws(DatabaseError) -> SecretKey
      ) throws -> Set<Tenant> {
        var tenants: Set<Tenant> = []
        try connection.each(statement.query, []) { row in
          let name: String = try row.get("tenant")
          guard let tenant = Tenant(name) else {
            return closed.problems.append("'\(name)' has a key, and names no tenant")
          }
          do throws(DatabaseError) {
            _ = try open(row, tenant)
          } catch {
            guard error.isDamage else { throw error }
            closed.problems.append(error.message)
            tenants.insert(tenant)
          }
        }
        return tenants
      }
      _ = try check(KeyCheckStatements.vaultKeys) { row, tenant throws(DatabaseError) in
        try context.vaultKey(in: row, of: tenant)
      }
      closed.logs = try check(KeyCheckStatements.logKeys) { row, tenant throws(DatabaseError) in
        try context.logKey(in: row, of: tenant)
      }
      return closed
    }
  }
}

/// Tenants' keys that the given master keys do not open.
struct ClosedKeys: Sendable {
  /// A line for each key.
  var problems: [String] = []

  /// The tenants whose log has such a key. Nothing that a log covers is read or written for them.
  var logs: Set<Tenant> = []
}

enum KeyCheckStatements {
  static let masters = Statement(
    acrossTenants: "storage.key-check.masters",
    "SELECT tenant, master FROM storage_vault_tenants UNION ALL SELECT tenant, master FROM storage_log_keys "
      + "ORDER BY master, tenant")
  static let vaultKeys = Statement(
    acrossTenants: "storage.key-check.vault-keys",
    "SELECT tenant, version, wrapped, master FROM storage_vault_tenants ORDER BY tenant, version")
  static let logKeys = Statement(
    acrossTenants: "storage.key-check.log-keys",
    "SELECT tenant, wrapped, master FROM storage_log_keys ORDER BY tenant")
}
