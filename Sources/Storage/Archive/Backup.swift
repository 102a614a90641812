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
    let file = try ArchiveWriter(path)
    try file.write(ArchiveRecord.heading)
    try file.write(ArchiveRecord.schema(name: schema).encoded)
    for migration in migrations { try file.write(migration.record.encoded) }
    // Tables that others have added to the database are left out, since no migration would create them on restore.
    let own = DeclaredTables(migrations.map(\.sql)).names
    let tables = try Catalogue(connection: connection).tables(among: own)
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

  /// Refuses to replace a file that is neither empty nor an archive of the same service: it was named by mistake.
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
