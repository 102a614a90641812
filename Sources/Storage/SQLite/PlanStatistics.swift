/// Writes statistics about the tables for SQLite's planner, in place of those that ANALYZE would count.
///
/// Nearly every key begins with the tenant, and an installation may have one tenant only. SQLite supposes that a column
/// which is compared for equality leaves ten rows, so that it would take `tenant = ? AND sequence > ?` for nearly
/// unique and read a whole log by its primary key, where another index leads to the few wanted rows. ANALYZE would help
/// only until its counts are outdated; these figures depend on the columns alone and stay valid.
enum PlanStatistics {
  private static let rows = 1_000_000
  /// How many rows the planner expects for a tenant: so many that an index on any other column is better, but fewer
  /// than all.
  private static let rowsOfTenant = rows / 20
  /// How many rows the planner expects for the first, the second and further columns of an index besides the tenant.
  /// These are SQLite's own assumptions.
  private static let left = [10, 9, 8, 7, 6]

  /// Writes the statistics, unless the database has them already.
  static func write(on connection: any Connection) throws(DatabaseError) {
    var wanted: [String] = []
    for row in try connection.all(indexes, []) {
      let (table, index, columns): (String, String, String) = (
        try row.get("table_name"), try row.get("index_name"), try row.get("columns")
      )
      let figures = figures(columns.split(separator: ",").map(String.init), isUnique: try row.get("is_unique"))
      wanted.append("\(table) \(index) \(figures)")
    }
    // If there are no statistics yet, this creates the table for them.
    try connection.execute("ANALYZE sqlite_schema")
    let known = try connection.all(statistics, []).map { row throws(DatabaseError) in
      try row.get("line", as: String.self)
    }
    guard known.sorted() != wanted.sorted() else { return }
    try connection.execute("DELETE FROM sqlite_stat1")
    for line in wanted {
      let parts = line.split(separator: " ", maxSplits: 2).map { Value.text(String($0)) }
      _ = try connection.run(insert, parts)
    }
    // This connection's planner reads the statistics now, those of other connections when they open the file.
    try connection.execute("ANALYZE sqlite_schema")
  }

  /// The figures for an index: how many rows the table has, and how many match a value of the first column, of the
  /// first two columns, and so on.
  private static func figures(_ columns: [String], isUnique: Bool) -> String {
    var figures = [rows]
    var place = 0
    for (number, column) in columns.enumerated() {
      if column == "tenant" {
        figures.append(min(figures[number], rowsOfTenant))
      } else {
        figures.append(left[min(place, left.count - 1)])
        place += 1
      }
    }
    if isUnique { figures[columns.count] = 1 }
    return figures.map(String.init).joined(separator: " ")
  }

  /// Lists all indexes. In the statistics, the primary key of a table WITHOUT ROWID has the table's name.
  private static let indexes = Query(
    uncached: "storage.plan-indexes",
    """
    SELECT t.name AS table_name, i."unique" AS is_unique,
      CASE WHEN i.origin = 'pk' AND t.wr THEN t.name ELSE i.name END AS index_name,
      (SELECT group_concat(name) FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno)) AS columns
    FROM pragma_table_list AS t, pragma_index_list(t.name) AS i
    WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite|_%' ESCAPE '|'
    """)
  private static let statistics = Query(
    uncached: "storage.plan-statistics", "SELECT tbl || ' ' || idx || ' ' || stat AS line FROM sqlite_stat1")
  private static let insert = Query(
    uncached: "storage.plan-insert", "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)")
}
