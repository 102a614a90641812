/// The tables that every service's database has beside its own.
enum OwnTables {
  /// Made before any migration, since it remembers them.
  static let history = list(
    """
    CREATE TABLE IF NOT EXISTS storage_migrations (
      history TEXT NOT NULL, version BIGINT NOT NULL, name TEXT NOT NULL, sql TEXT NOT NULL,
      checksum BYTES NOT NULL, applied_ms BIGINT NOT NULL, PRIMARY KEY (history, version))
    """)

  static let migrations: [Migration] = []

  static let appliedMigrations = Statement(
    acrossTenants: "storage.migrations.applied",
    "SELECT version, name, checksum, sql FROM storage_migrations WHERE history = ? ORDER BY version")

  static let recordMigration = Statement(
    acrossTenants: "storage.migrations.record",
    "INSERT INTO storage_migrations (history, version, name, sql, checksum, applied_ms) VALUES (?, ?, ?, ?, ?, ?)")

  private static func list(_ sql: String) -> [DefinitionStatement] {
    do {
      return try DefinitionStatement.list(sql, everyTableHasTenant: false)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
