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
    let sqlite = ["UPDATE", "DELETE"].map { action in
      "CREATE TRIGGER \(trigger(table, action)) BEFORE \(action) ON \(table) "
        + "BEGIN SELECT RAISE(ABORT, '\(table) is append-only'); END"
    }
    let postgres = [
      "CREATE OR REPLACE FUNCTION storage_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        + "RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; END $$",
      "CREATE TRIGGER \(trigger(table, "UPDATE")) BEFORE UPDATE OR DELETE OR TRUNCATE ON \(table) "
        + "FOR EACH STATEMENT EXECUTE FUNCTION storage_refuse()",
    ]
    return zip(sqlite, postgres).map { DefinitionStatement(sqlite: $0, postgres: $1) }
  }

  /// The triggers that guard a table on this engine.
  static func guards(of table: String, on dialect: Dialect) -> [String] {
    (dialect == .sqlite ? ["UPDATE", "DELETE"] : ["UPDATE"]).map { trigger(table, $0) }
  }

  static func trigger(_ table: String, _ action: String) -> String { "\(table)_keeps_\(action.lowercased())" }

  /// The names of the triggers that are in force.
  static func triggers(_ connection: any Connection) throws(DatabaseError) -> Set<String> {
    let sql =
      switch connection.dialect {
      case .sqlite: "SELECT name FROM sqlite_schema WHERE type = 'trigger'"
      case .postgres:
        "SELECT tgname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
          + "WHERE c.relnamespace = current_schema()::regnamespace AND NOT tgisinternal AND tgenabled IN ('O', 'A')"
      }
    var names: Set<String> = []
    for row in try connection.all(Query(uncached: "storage.triggers", sql), []) { names.insert(try row.get("name")) }
    return names
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
