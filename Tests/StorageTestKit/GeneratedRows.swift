import Base

@testable import Storage

/// Rows for the tables of a service and for its log, made up from the tables' columns alone: the same ones for each
/// engine.
///
/// A column has few values, one of them in every other row, so that rows tie in an order and several meet a condition.
/// The last column of a key has as many values as there are rows.
struct GeneratedRows: Sendable {
  static let tenants = ["a", "b"]
  /// In bytes, and so in both engines, "B" comes before "a", and "ä" after both.
  private static let texts = ["a", "", "B", "ä"]

  let tables: [String: [[String: Value]]]

  /// - Parameter database: a database of the service on SQLite.
  init(for database: TestDatabase, count: Int) async throws {
    let columns = try await Self.columns(in: database)
    var generator = SeededGenerator(seed: 1)
    var tables: [String: [[String: Value]]] = [:]
    for (table, columns) in columns.sorted(by: { $0.key < $1.key }) {
      let unique = (0..<count).shuffled(using: &generator)
      tables[table] = unique.map { number in
        var row: [String: Value] = [:]
        for column in columns { row[column.name] = column.value(number, &generator) }
        return row
      }
    }
    self.tables = tables
  }

  /// Inserts the rows, except those whose key another row has, has the engine count them, and opens the database again.
  func fill(_ test: TestDatabase) async throws -> Database {
    try await test.database.writeAcrossTenants(within: .seconds(60)) { connection in
      // By name, so that fields are there before the signatures that refer to them.
      for (table, rows) in tables.sorted(by: { $0.key < $1.key }) {
        let names = (rows.first ?? [:]).keys.sorted()
        let places = repeatElement("?", count: names.count).joined(separator: ", ")
        let sql = "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(places)) ON CONFLICT DO NOTHING"
        let form = Query.Form(tokens: try SQLToken.split(sql), hasTenant: false, isOwn: false, cursorColumns: [])
        let insert = Query("generated.\(table)", form, continues: false)
        for row in rows { try connection.runLater(insert, names.map { row[$0] ?? .null }) }
      }
      try connection.execute("ANALYZE")
    }
    return try await test.reopen()
  }

  private struct Column: Sendable {
    let name: String
    let type: String
    let isOptional: Bool
    let endsKey: Bool

    func value(_ number: Int, _ generator: inout some RandomNumberGenerator) -> Value {
      if name == "tenant" { return .text(GeneratedRows.tenants[number % 2]) }
      if isOptional, Int.random(in: 0..<4, using: &generator) == 0 { return .null }
      let texts = GeneratedRows.texts
      let isUsual = Bool.random(using: &generator)
      let any = Int.random(in: 0..<32, using: &generator)
      switch type {
      case "REAL": return .real(Double(any))
      case "INTEGER" where endsKey: return .integer(Int64(number))
      case "INTEGER" where name.hasSuffix("_ms"): return .integer(Int64(any))
      case "INTEGER": return .integer(isUsual ? 3 : Int64(any % 8))
      case "TEXT" where endsKey:
        let text = texts[number / 2 % texts.count]
        // Some are among the values of other columns too, by which tables are joined.
        return .text(number < 2 * texts.count ? text : "\(text)\(number)")
      case "TEXT": return .text(texts[isUsual ? 0 : any % texts.count])
      default:
        return .bytes([UInt8(endsKey ? number % 256 : isUsual ? 1 : any % 4), UInt8(endsKey ? number / 256 : 0)])
      }
    }
  }

  private static func columns(in database: TestDatabase) async throws -> [String: [Column]] {
    let query = Query(
      uncached: "columns",
      """
      SELECT t.name AS table_name, c.name AS name, c.type AS type, c."notnull" = 0 AS is_optional,
        EXISTS (
          SELECT 1 FROM pragma_index_list(t.name) AS i WHERE i."unique" AND c.name = (
            SELECT name FROM pragma_index_info(i.name) ORDER BY seqno DESC LIMIT 1)) AS ends_key
      FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table'
      """)
    let rows = try await database.database.readAcrossTenants { try $0.all(query, []) }
    var columns: [String: [Column]] = [:]
    for row in rows {
      let table: String = try row.get("table_name")
      guard !table.hasPrefix("storage_") || table == "storage_events" else { continue }
      columns[table, default: []].append(
        Column(
          name: try row.get("name"), type: try row.get("type"), isOptional: try row.get("is_optional"),
          endsKey: try row.get("ends_key")))
    }
    return columns
  }
}
