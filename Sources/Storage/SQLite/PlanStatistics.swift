/// What SQLite's planner is told of the tables, in place of what ANALYZE would count.
///
/// Nearly every key begins with the tenant, and an installation may have one tenant only. SQLite supposes that a
/// column which is compared for equality leaves ten rows, so that it would take `tenant = ? AND sequence > ?` for
/// nearly unique and read a whole log by its primary key, where another index leads to the few rows that are asked for.
/// Counting would mend that as long as what was counted is true; these figures are about the columns and stay true.
enum PlanStatistics {
  private static let rows = 1_000_000
  /// What a tenant leaves of them: so many that any other column is better, and fewer than all.
  private static let rowsOfTenant = rows / 20
  /// What a column of an index leaves of the rows, by how many of them come before it: SQLite's own assumption.
  private static let left = [10, 9, 8, 7, 6]

  /// Tells the planner, where it does not know yet.
  static func write(on connection: any Connection) throws(DatabaseError) {
    var wanted: [String] = []
    for row in try connection.all(indexes, []) {
      let (table, index, columns): (String, String, String) = (
        try row.get("table_name"), try row.get("index_name"), try row.get("columns")
      )
      let figures = figures(columns.split(separator: ",").map(String.init), isUnique: try row.get("is_unique"))
      wanted.append("\(table) \(index) \(figures)")
    }
    // Without statistics of any kind it makes the table for them.
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
    // The planner of this connection reads them now, those of others when they open the file.
    try connection.execute("ANALYZE sqlite_schema")
  }

  /// How many rows the table has, and how many are left by the index' first column, by the first two and so on.
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

  /// The primary key of a table without row numbers bears the table's name among the statistics.
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
