internal import Base

extension Database {
  /// The name of the service to which an archive belongs.
  public static func schemaName(ofArchive path: String) throws(DatabaseError) -> String {
    try Restore.schemaName(of: path)
  }

  /// Fills an empty database from an archive, on either engine. If the archive is damaged, the database stays empty.
  /// Once reading has begun there is no time-out.
  public static func restore(
    _ path: String, to location: DatabaseLocation, progress: @escaping DataProgress = { _, _ in }
  ) async throws -> ArchiveSummary {
    let name = try Restore.schemaName(of: path)
    let engine = try makeEngine(location, schema: name, connections: 1, clock: .system, randomness: .system)
    let deadline = Clock.system.monotonic + .seconds(30)
    do {
      let summary = try await engine.write(WriteOptions(deadline: deadline, lostCommit: .isReported)) { connection in
        try Restore(path: path, connection: connection, progress: progress).run()
      }
      await engine.close()
      return summary
    } catch {
      await engine.close()
      throw error
    }
  }
}

struct Restore {
  let path: String
  let connection: any Connection
  let progress: DataProgress

  static func schemaName(of path: String) throws(DatabaseError) -> String {
    let file = try ArchiveReader(path)
    guard case .schema(let name) = try firstRecord(of: file, path) else {
      throw DatabaseError(.corrupt, "'\(path)' does not say whose archive it is")
    }
    // The name is checked because it becomes part of a connection's settings and of SQL.
    guard Schema.isName(name) else { throw DatabaseError(.corrupt, "'\(path)' is damaged: it is of no service") }
    return name
  }

  private static func firstRecord(of file: ArchiveReader, _ path: String) throws(DatabaseError) -> ArchiveRecord {
    guard try file.read(ArchiveRecord.heading.count) == ArchiveRecord.heading else {
      throw DatabaseError(.foreignFile, "'\(path)' is not an archive of Assent")
    }
    return try next(in: file, path)
  }

  private static func next(in file: ArchiveReader, _ path: String) throws(DatabaseError) -> ArchiveRecord {
    let length = try file.read(4).reduce(0) { $0 << 8 | Int($1) }
    guard let record = ArchiveRecord(decoding: try file.read(length)) else {
      throw DatabaseError(.corrupt, "'\(path)' is damaged")
    }
    return record
  }

  func run() throws -> ArchiveSummary {
    let file = try ArchiveReader(path)
    guard case .schema(let schema) = try Self.firstRecord(of: file, path) else {
      throw DatabaseError(.corrupt, "'\(path)' does not say whose archive it is")
    }
    try Migrator.prepare(connection, schema: schema)
    // The deadline was only for waiting for the server and the lock.
    try connection.goOn()
    guard try connection.all(AppliedMigration.all.query, []).isEmpty else {
      throw DatabaseError(.badStatement, "the database is not empty: an archive is restored into an empty one")
    }
    var (rows, tables, what) = (0, 0, "")
    var insert: Query?
    var known: [String: [String]]?
    while true {
      let digest = file.digestSoFar
      switch try Self.next(in: file, path) {
      case .schema: throw DatabaseError(.corrupt, "'\(path)' is damaged")
      case .migration(let history, let version, let name, let sql, let checksum, let applied):
        try apply(history, Int(version), name, sql, checksum, applied)
        known = nil
      case .table(let name, let columns):
        tables += 1
        let catalogue = try known ?? knownTables()
        known = catalogue
        guard let existing = catalogue[name], Set(columns).isSubset(of: existing) else {
          throw DatabaseError(.corrupt, "'\(path)' is damaged: it has a table that its migrations do not make")
        }
        insert = try Self.insertion(into: name, columns)
        what = "rows are read, now those of table '\(name)'"
      case .row(let values):
        guard let insert else { throw DatabaseError(.corrupt, "'\(path)' is damaged") }
        rows += 1
        progress(rows, what)
        // Rows are sent in groups: only the last of each waits until the engine has stored the whole group.
        if rows.isMultiple(of: 256) {
          _ = try connection.run(insert, values)
        } else {
          try connection.runLater(insert, values)
        }
      case .end(let count, let expected):
        guard count == Int64(rows), digest == expected else {
          throw DatabaseError(.corrupt, "'\(path)' is damaged: its hash does not match what it holds")
        }
        return ArchiveSummary(schema: schema, tables: tables, rows: rows)
      }
    }
  }

  /// The tables that the migrations have created, with their columns.
  private func knownTables() throws(DatabaseError) -> [String: [String]] {
    let tables = try Catalogue(connection: connection).allTables()
    return Dictionary(tables.map { ($0.name, $0.columns) }, uniquingKeysWith: { first, _ in first })
  }

  private func apply(
    _ history: String, _ version: Int, _ name: String, _ sql: String, _ checksum: Digest, _ applied: Int64
  ) throws {
    let migration = try Migration(remembered: version, name, sql)
    guard migration.checksum == checksum else {
      throw DatabaseError(.corrupt, "migration \(version) of '\(history)' in '\(path)' was altered")
    }
    try Migrator.apply(
      migration, of: history, at: Instant(millisecondsSince1970: applied), on: connection)
  }

  private static func insertion(into table: String, _ columns: [String]) throws -> Query {
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let tokens = try SQLToken.split("INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks))")
    return Query(
      "storage.restore", Query.Form(tokens: tokens, hasTenant: false, isOwn: true, cursorColumns: []), continues: false)
  }
}
