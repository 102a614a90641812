/// Reads the tables of a database from the engine's catalogue, so that tools need not know the service to which the
/// database belongs.
struct Catalogue {
  let connection: any Connection

  /// The tables with these names, each after the tables that it refers to, and otherwise in the order of their
  /// creation. The order of creation alone is not enough, since a database that was copied by other means has its
  /// tables in any order. Tables that concern only this copy of the data are left out.
  func tables(among names: Set<String>) throws(DatabaseError) -> [(name: String, columns: [String])] {
    let tables = try allTables().filter { names.contains($0.name) && !Self.ofThisCopy.contains($0.name) }
    let parents = try parents(of: tables.map(\.name))
    var sorted: [(name: String, columns: [String])] = []
    var (begun, placed) = (Set<String>(), Set<String>())
    func place(_ table: (name: String, columns: [String])) throws(DatabaseError) {
      if placed.contains(table.name) { return }
      guard begun.insert(table.name).inserted else {
        throw DatabaseError(
          .badStatement, "table '\(table.name)' refers to itself through others: no order of them can be restored")
      }
      for parent in tables where parent.name != table.name && parents[table.name]?.contains(parent.name) == true {
        try place(parent)
      }
      placed.insert(table.name)
      sorted.append(table)
    }
    for table in tables { try place(table) }
    return sorted
  }

  /// For each table the tables to which its foreign keys refer.
  private func parents(of tables: [String]) throws(DatabaseError) -> [String: Set<String>] {
    var rows: [Row] = []
    switch connection.dialect {
    case .sqlite:
      for table in tables {
        let sql = "SELECT '\(table)' AS child, \"table\" AS parent FROM pragma_foreign_key_list('\(table)')"
        rows += try connection.all(Query(uncached: "storage.catalogue", sql), [])
      }
    case .postgres:
      let sql =
        "SELECT c.relname AS child, p.relname AS parent FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid "
        + "JOIN pg_class p ON p.oid = k.confrelid "
        + "WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace"
      rows = try connection.all(Query(uncached: "storage.catalogue", sql), [])
    }
    var parents: [String: Set<String>] = [:]
    for row in rows {
      let (child, parent): (String, String) = (try row.get("child"), try row.get("parent"))
      parents[child, default: []].insert(parent)
    }
    return parents
  }

  private static let ofThisCopy: Set = [
    "storage_migrations", "storage_outcomes", "storage_periodic_tasks",
  ]

  func allTables() throws(DatabaseError) -> [(name: String, columns: [String])] {
    let sql =
      switch connection.dialect {
      case .sqlite:
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite|_%' ESCAPE '|' ORDER BY rowid"
      case .postgres:
        "SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace "
          + "AND c.relkind = 'r' ORDER BY c.oid"
      }
    var tables: [(name: String, columns: [String])] = []
    for row in try connection.all(Query(uncached: "storage.catalogue", sql), []) {
      let name: String = try row.get("name")
      tables.append((name, try columns(of: name)))
    }
    return tables
  }

  private func columns(of table: String) throws(DatabaseError) -> [String] {
    let sql =
      switch connection.dialect {
      case .sqlite: "SELECT name FROM pragma_table_info('\(table)') ORDER BY cid"
      case .postgres:
        "SELECT attname AS name FROM pg_attribute WHERE attrelid = '\(table)'::regclass AND attnum > 0 "
          + "AND NOT attisdropped ORDER BY attnum"
      }
    var names: [String] = []
    for row in try connection.all(Query(uncached: "storage.catalogue", sql), []) { names.append(try row.get("name")) }
    return names
  }

  /// Finds rows with foreign keys to rows that do not exist: one line for each such key, with their number.
  func brokenReferences() throws(DatabaseError) -> [String] {
    switch connection.dialect {
    case .sqlite:
      var broken: [String: Int] = [:]
      for row in try connection.all(Query(uncached: "storage.references", "PRAGMA foreign_key_check"), []) {
        let (table, parent): (String, String) = (try row.get("table"), try row.get("parent"))
        broken["rows of '\(table)' refer to rows of '\(parent)' that are not there", default: 0] += 1
      }
      return broken.map { "\($0.value) \($0.key)" }.sorted()
    case .postgres: return try brokenReferencesOnPostgres()
    }
  }

  /// PostgreSQL has no command for this check, so the definition of each foreign key is turned into a query.
  private func brokenReferencesOnPostgres() throws(DatabaseError) -> [String] {
    let sql =
      "SELECT conrelid::regclass::text AS child, pg_get_constraintdef(oid) AS definition FROM pg_constraint "
      + "WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY conname"
    var broken: [String] = []
    for row in try connection.all(Query(uncached: "storage.references", sql), []) {
      let (child, definition): (String, String) = (try row.get("child"), try row.get("definition"))
      // FOREIGN KEY (a, b) REFERENCES parent(c, d)
      let parts = definition.split { $0 == "(" || $0 == ")" }
      guard parts.count >= 4 else { continue }
      let parent = parts[2].split(separator: " ").last.map(String.init) ?? ""
      let pairs = zip(parts[1].split(separator: ","), parts[3].split(separator: ",")).map { own, theirs in
        (own.trimmingSpaces, theirs.trimmingSpaces)
      }
      let filled = pairs.map { "c.\($0.0) IS NOT NULL" }.joined(separator: " AND ")
      let matches = pairs.map { "p.\($0.1) = c.\($0.0)" }.joined(separator: " AND ")
      let count = try connection.all(
        Query(
          uncached: "storage.references",
          "SELECT count(*) AS rows FROM \(child) c WHERE \(filled) "
            + "AND NOT EXISTS (SELECT 1 FROM \(parent) p WHERE \(matches))"), [])
      let rows: Int = try count.first?.get("rows") ?? 0
      if rows > 0 { broken.append("\(rows) rows of '\(child)' refer to rows of '\(parent)' that are not there") }
    }
    return broken
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String { filter { $0 != " " } }
}
