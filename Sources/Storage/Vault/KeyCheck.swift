internal import Base

/// Whether the keys that were given open a database's keys, as it is found when the database is opened.
extension Database {
  /// Throws when a master key is missing, so that it shows at the start and not at the first subject. A key counts as
  /// missing if several rows that do not open name it, or such a row in every tenant, or if no given key opens
  /// anything. A single row that does not open may be damaged: then the others are served (`keysThatDoNotOpen`).
  func checkMasterKeys(within time: Duration) async throws {
    let context = context
    try await readAcrossTenants(within: time) { connection in
      var missing: [String: (rows: Int, tenants: Set<String>)] = [:]
      var (tenants, isOneOfUse) = (Set<String>(), false)
      try context.eachKey(on: connection) { row, name, open in
        tenants.insert(name)
        let master: String = try row.get("master")
        // Whatever is wrong with a row whose name is known, the right key was given.
        var isOfUse = context.keys.known(master) != nil
        if !isOfUse, let opened = try unlessDamaged({ try open() }) { isOfUse = opened != nil }
        if isOfUse {
          isOneOfUse = true
        } else {
          missing[master, default: (0, [])].rows += 1
          missing[master, default: (0, [])].tenants.insert(name)
        }
      }
      let first = missing.keys.sorted().first { master in
        guard let places = missing[master] else { return false }
        return !isOneOfUse || places.rows > 1 || places.tenants == tenants
      }
      if let first { _ = try context.keys.key(first) }
    }
  }

  /// What is wrong with single keys of tenants, one line each: the master keys do not open them, or their names are
  /// damaged. Calls that need a key that does not open end with an error, and other tenants are served.
  func keysThatDoNotOpen() async throws -> [String] {
    let context = context
    return try await readAcrossTenants { connection in
      var problems: [String] = []
      try context.eachKey(on: connection) { row, name, open in
        do throws(DatabaseError) {
          guard try open() != nil else { return problems.append("'\(name)' has a key, and names no tenant") }
          if let problem = try context.problemWithName(in: row) { problems.append("tenant '\(name)': \(problem)") }
        } catch {
          guard error.isDamage else { throw error }
          problems.append(error.message)
        }
      }
      return problems
    }
  }
}

extension DatabaseContext {
  /// Passes on each tenant's key of the vault, and then each key of a log: its row, the tenant's name, and what opens
  /// it, which returns nil where the name is none of a tenant.
  fileprivate func eachKey(
    on connection: any Connection,
    _ body: (_ row: Row, _ name: String, _ open: () throws(DatabaseError) -> SecretKey?) throws -> Void
  ) throws {
    try connection.each(KeyCheckStatements.vaultKeys.query, []) { row in
      let name: String = try row.get("tenant")
      try body(row, name) { () throws(DatabaseError) in
        guard let tenant = Tenant(name) else { return nil }
        return try vaultKey(in: row, of: tenant)
      }
    }
    try connection.each(KeyCheckStatements.logKeys.query, []) { row in
      let name: String = try row.get("tenant")
      try body(row, name) { () throws(DatabaseError) in
        guard let tenant = Tenant(name) else { return nil }
        return try logKey(in: row, of: tenant)
      }
    }
  }
}

enum KeyCheckStatements {
  static let vaultKeys = Statement(
    acrossTenants: "storage.key-check.vault-keys",
    "SELECT tenant, version, wrapped, master FROM storage_vault_tenants ORDER BY tenant, version")
  static let logKeys = Statement(
    acrossTenants: "storage.key-check.log-keys",
    "SELECT tenant, wrapped, master FROM storage_log_keys ORDER BY tenant")
}
