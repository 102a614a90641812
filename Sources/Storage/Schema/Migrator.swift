internal import Base

/// Migrates a database's tables to the program's version, in one transaction, while other processes that start wait.
struct Migrator {
  let schema: Schema
  let now: Instant

  /// The two histories in one database: Storage's own tables first, then the service's.
  private var histories: [(name: String, migrations: [Migration])] {
    [("storage", OwnTables.migrations), (schema.name, schema.migrations)]
  }

  /// The tables that both histories declare.
  var declared: DeclaredTables { DeclaredTables(histories.flatMap(\.migrations).map(\.sql)) }

  /// - Parameters:
  ///   - deadline: when the migrations must be done, once no other process migrates.
  ///   - patience: how long a statement waits for a table that other transactions use. It is bounded because all later
  ///     transactions on that table, in all processes, wait behind the statement.
  func run(on connection: any Connection, until deadline: MonotonicTime, patience: Duration) throws {
    try Self.prepare(connection, schema: schema.name)
    try connection.goOn(until: deadline)
    // On SQLite the transaction has the only write lock, so its statements wait for nothing.
    if connection.dialect == .postgres {
      try connection.execute("SET LOCAL lock_timeout = \(max(patience.wholeMilliseconds, 1))")
    }
    for (name, migrations) in histories {
      let applied = try self.applied(name, on: connection)
      try check(applied, against: migrations, of: name)
      for migration in migrations.dropFirst(applied.count) {
        try Self.apply(migration, of: name, at: now, on: connection)
      }
    }
  }

  /// Makes other processes that want to migrate wait, and creates the table that records migrations. On SQLite the
  /// transaction has the only write lock already.
  static func prepare(_ connection: any Connection, schema: String) throws(DatabaseError) {
    if connection.dialect == .postgres { try lock(connection, schema: schema) }
    guard try !isPrepared(connection) else { return }
    for definition in OwnTables.history { try connection.execute(definition.sql(connection.dialect)) }
  }

  private static func lock(_ connection: any Connection, schema: String) throws(DatabaseError) {
    try connection.execute("SELECT pg_advisory_xact_lock(\(lockNumber))")
    if try !isPrepared(connection) {
      try connection.execute("CREATE SCHEMA IF NOT EXISTS \(schema)")
      try connection.execute(OutcomeMemory.table)
    }
    _ = try connection.run(OutcomeMemory.prune.query, [])
  }

  /// Whether PostgreSQL has the first tables already. Then nothing is created, since a role that only runs the service
  /// may not even execute CREATE TABLE IF NOT EXISTS.
  private static func isPrepared(_ connection: any Connection) throws(DatabaseError) -> Bool {
    guard connection.dialect == .postgres else { return false }
    let tables = Query(
      uncached: "storage.prepared",
      "SELECT count(*) AS tables FROM pg_class WHERE relname IN ('storage_migrations', 'storage_outcomes') "
        + "AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())")
    return try connection.all(tables, []).first?.get("tables", as: Int.self) == 2
  }

  /// The error to report for a failed migration. If another transaction kept a table locked for too long, it says so.
  static func reason(_ error: DatabaseError) -> DatabaseError {
    guard error.engineCode == "55P03" else { return error }
    return DatabaseError(
      .unavailable, "\(error.message): another transaction keeps the table, perhaps a backup's: start again after it",
      engineCode: error.engineCode)
  }

  private func applied(
    _ name: String, on connection: any Connection
  ) throws(DatabaseError) -> [(version: Int, name: String, checksum: Digest)] {
    var applied: [(version: Int, name: String, checksum: Digest)] = []
    for row in try connection.all(OwnTables.appliedMigrations.query, [.text(name)]) {
      applied.append((try row.get("version"), try row.get("name"), try row.get("checksum")))
    }
    return applied
  }

  private func check(
    _ applied: [(version: Int, name: String, checksum: Digest)], against migrations: [Migration], of name: String
  ) throws(DatabaseError) {
    if applied.count > migrations.count {
      throw DatabaseError(
        .newerSchema,
        "the database's tables of '\(name)' are at version \(applied.count), this program knows \(migrations.count): "
          + "run the newer program")
    }
    for (old, known) in zip(applied, migrations) where old.version != known.version || old.checksum != known.checksum {
      throw DatabaseError(
        .changedMigration,
        "migration \(old.version) '\(old.name)' of '\(name)' was changed after it had been applied to this database: "
          + "restore it and add another one")
    }
  }

  static func apply(
    _ migration: Migration, of name: String, at time: Instant, on connection: any Connection
  ) throws(DatabaseError) {
    do throws(DatabaseError) {
      for statement in migration.statements { try connection.execute(statement.sql(connection.dialect)) }
      _ = try connection.run(
        OwnTables.recordMigration.query,
        [
          .text(name), .integer(Int64(migration.version)), .text(migration.name), .text(migration.sql),
          migration.checksum.storedValue, time.storedValue,
        ])
    } catch {
      throw error.during("migration \(migration.version) '\(migration.name)' of '\(name)'")
    }
  }

  /// The number of the advisory lock: any number that no other program on the server locks.
  private static let lockNumber: Int64 = 0x4173_7365_6E74
}
