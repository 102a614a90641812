internal import Base

/// How much was written to an archive or read from one.
public struct ArchiveSummary: Hashable, Sendable {
  public let schema: String
  public let tables: Int
  public let rows: Int
}

extension Database {
  /// Writes one snapshot of all tables of the service to a file, while others go on reading and writing. There is no
  /// time-out.
  ///
  /// - Parameter path: the file, which must not exist yet, be empty, or be an archive of the same service.
  public func backup(
    to path: String, progress: @escaping DataProgress = { _, _ in }
  ) async throws -> ArchiveSummary {
    try await readAcrossTenants { connection in
      try connection.goOn()
      return try Backup(connection: connection, progress: progress).write(to: path)
    }
  }
}

struct Backup {
  let connection: any Connection
  let progress: DataProgress

  func write(to path: String) throws -> ArchiveSummary {
    let migrations = try connection.all(AppliedMigration.all.query, []).map(AppliedMigration.init(row:))
    let schema = migrations.first { $0.history != "storage" }?.history ?? "storage"
    try Self.check(path, for: schema)
    let tables = try Catalogue(connection: connection).tables(among: ownTables(by: migrations))
    let file = try ArchiveWriter(path)
    try file.write(ArchiveRecord.heading)
    try file.write(ArchiveRecord.schema(name: schema).encoded)
    for migration in migrations { try file.write(migration.record.encoded) }
    var rows = 0
    for table in tables {
      try file.write(ArchiveRecord.table(name: table.name, columns: table.columns).encoded)
      let query = Query(
        uncached: "storage.backup", "SELECT \(table.columns.joined(separator: ", ")) FROM \(table.name)")
      let what = "rows are written, now those of table '\(table.name)'"
      try connection.each(query, []) { row in
        try file.write(ArchiveRecord.row(row.values).encoded)
        rows += 1
        progress(rows, what)
      }
    }
    try file.write(ArchiveRecord.end(rows: Int64(rows), digest: file.digestSoFar).encoded)
    try file.finish()
    return ArchiveSummary(schema: schema, tables: tables.count, rows: rows)
  }

  /// The names of the tables that the migrations make. What others have put beside them is not restored: no migration
  /// makes it. Throws where that cannot be told for certain, since a table that is left out would be missed only after
  /// a restore.
  private func ownTables(by migrations: [AppliedMigration]) throws(DatabaseError) -> Set<String> {
    for applied in migrations {
      let title = "migration \(applied.version) '\(applied.name)' of '\(applied.history)'"
      let migration: Migration
      do throws(SQLProblem) {
        migration = try Migration(remembered: Int(applied.version), applied.name, applied.sql)
      } catch {
        throw DatabaseError(
          .newerSchema,
          "\(title) cannot be read (\(error)): use the program of the service's version; assent data check tells more")
      }
      guard migration.checksum == applied.checksum else {
        throw DatabaseError(.changedMigration, "\(title) does not match its checksum: it was altered in the database")
      }
    }
    let names = DeclaredTables(migrations.map(\.sql)).names
    let there = Set(try Catalogue(connection: connection).allTables().map(\.name))
    if let missing = names.subtracting(there).min() {
      throw DatabaseError(.corrupt, "table '\(missing)' is not there, and a migration has made it")
    }
    return names
  }

  /// Anything but an earlier backup of the same service, or a file that holds nothing, was named by mistake.
  private static func check(_ path: String, for schema: String) throws(DatabaseError) {
    guard Files.exists(path), !ArchiveWriter.isEmptyFile(path) else { return }
    if (try? Restore.schemaName(of: path)) == schema { return }
    throw DatabaseError(.foreignFile, "'\(path)' is there, and is no archive of '\(schema)': it is not replaced")
  }
}

/// A migration as the database records it.
struct AppliedMigration {
  let history: String
  let version: Int64
  let name: String
  let sql: String
  let checksum: Digest
  let appliedMilliseconds: Int64

  static let all = Statement(
    acrossTenants: "storage.migrations.all",
    "SELECT history, version, name, sql, checksum, applied_ms FROM storage_migrations "
      + "ORDER BY CASE history WHEN 'storage' THEN 0 ELSE 1 END, version")

  init(row: Row) throws(DatabaseError) {
    history = try row.get("history")
    version = try row.get("version")
    name = try row.get("name")
    sql = try row.get("sql")
    checksum = try row.get("checksum")
    appliedMilliseconds = try row.get("applied_ms")
  }

  var record: ArchiveRecord {
    .migration(
      history: history, version: version, name: name, sql: sql, checksum: checksum,
      appliedMilliseconds: appliedMilliseconds)
  }
}
