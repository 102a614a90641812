/// Guards of tables whose rows are added and never changed or removed: triggers that refuse, on both engines.
///
/// They stop mistakes and SQL by hand. A user who may drop the triggers can still get around them; on PostgreSQL a
/// service runs as a role that may not (`Database.grant`), and every such change shows in the log's hashes.
enum AppendOnly {
  /// The table of `{append-only} name`; nil when the statement is another one.
  static func table(_ tokens: [SQLToken]) throws(SQLProblem) -> String? {
    guard tokens.first == .brace("append-only") else { return nil }
    guard tokens.count == 2, case .word(let name) = tokens[1] else {
      throw SQLProblem("{append-only} wants the name of a table")
    }
    return name
  }

  /// Two statements on either engine; a server takes them one by one.
  static func definitions(of table: String) -> [DefinitionStatement] {
    let postgres = [
      "CREATE OR REPLACE FUNCTION storage_refuse() RETURNS trigger LANGUAGE plpgsql AS $$\(refusal)$$",
      "CREATE TRIGGER \(trigger(table, "UPDATE")) BEFORE UPDATE OR DELETE OR TRUNCATE ON \(table) "
        + "FOR EACH STATEMENT EXECUTE FUNCTION storage_refuse()",
    ]
    return zip(["UPDATE", "DELETE"].map { sqlite(table, $0) }, postgres).map {
      DefinitionStatement(sqlite: $0, postgres: $1)
    }
  }

  private static func sqlite(_ table: String, _ action: String) -> String {
    "CREATE TRIGGER \(trigger(table, action)) BEFORE \(action) ON \(table) "
      + "BEGIN SELECT RAISE(ABORT, '\(table) is append-only'); END"
  }

  /// What the function of PostgreSQL's triggers does.
  private static let refusal =
    " BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; END "

  private static func trigger(_ table: String, _ action: String) -> String { "\(table)_keeps_\(action.lowercased())" }

  /// What is wrong with the guards of a table, one line each.
  static func problems(with table: String, _ connection: any Connection) throws(DatabaseError) -> [String] {
    let actions = connection.dialect == .sqlite ? ["UPDATE", "DELETE"] : ["UPDATE"]
    var problems: [String] = []
    for action in actions {
      let name = trigger(table, action)
      let title = "the guard '\(name)' of append-only table '\(table)'"
      guard let row = try connection.all(finding(connection.dialect), [.text(name), .text(table)]).first else {
        problems.append("\(title) is missing")
        continue
      }
      if try !isMade(row, for: table, action, connection.dialect) {
        problems.append("\(title) is not the one that was made: it was altered")
      }
    }
    return problems
  }

  /// Somebody may have put another trigger, or on PostgreSQL another function, in its place under the same name.
  private static func isMade(
    _ row: Row, for table: String, _ action: String, _ dialect: Dialect
  ) throws(DatabaseError) -> Bool {
    switch dialect {
    case .sqlite: return try row.get("sql", as: String?.self) == sqlite(table, action)
    case .postgres:
      let (fits, body): (Bool, String) = (try row.get("fits"), try row.get("body"))
      return fits && body == refusal
    }
  }

  /// A trigger that is in force, by its name and table.
  private static func finding(_ dialect: Dialect) -> Query {
    switch dialect {
    case .sqlite:
      Query(
        uncached: "storage.guard", "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ? AND tbl_name = ?")
    case .postgres:
      // 58: before the statement, on UPDATE, DELETE and TRUNCATE (src/include/catalog/pg_trigger.h).
      Query(
        uncached: "storage.guard",
        "SELECT p.prosrc AS body, CASE WHEN t.tgtype = 58 AND t.tgqual IS NULL AND t.tgattr::text = '' "
          + "AND l.lanname = 'plpgsql' THEN 1 ELSE 0 END AS fits FROM pg_trigger t "
          + "JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid "
          + "JOIN pg_language l ON l.oid = p.prolang WHERE t.tgname = $1 AND c.relname = $2 "
          + "AND c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')")
    }
  }

  /// The tables that migrations guard, from their texts as the database remembers them.
  static func tables(_ migrations: some Sequence<String>) -> [String] {
    var tables: [String] = []
    for sql in migrations {
      guard let tokens = try? SQLToken.split(sql) else { continue }
      for part in tokens.split(separator: .symbol(";")) {
        if let table = (try? table(Array(part))) ?? nil { tables.append(table) }
      }
    }
    return tables
  }
}
