/// Guards append-only tables, whose rows are never changed or removed, by triggers that refuse such statements.
///
/// They stop mistakes and SQL by hand. A user who may drop the triggers can still get around them; on PostgreSQL a
/// service runs as a role that may not (`Database.grant`), and every such change shows in the log's hashes.
enum AppendOnly {
  /// The table named by an `{append-only} name` statement; nil for any other statement.
  static func table(_ tokens: [SQLToken]) throws(SQLProblem) -> String? {
    guard tokens.first == .brace("append-only") else { return nil }
    guard tokens.count == 2, case .word(let name) = tokens[1] else {
      throw SQLProblem("{append-only} wants the name of a table")
    }
    return name
  }

  /// The two statements that make a table's guards. A server takes only one statement at a time.
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

  /// Does something for which rows of a guarded table are updated. The guard is back before this returns, in the same
  /// transaction; if `body` throws, the caller has to roll the transaction back. Only the table's owner may lift a
  /// guard.
  static func allowingUpdates<Result>(
    of table: String, on connection: any Connection, _ body: () throws -> Result
  ) throws -> Result {
    let name = trigger(table, "UPDATE")
    let (lifting, restoring): (String, String) =
      switch connection.dialect {
      case .sqlite: ("DROP TRIGGER \(name)", sqlite(table, "UPDATE"))
      case .postgres: ("ALTER TABLE \(table) DISABLE TRIGGER \(name)", "ALTER TABLE \(table) ENABLE TRIGGER \(name)")
      }
    try connection.execute(lifting)
    let result = try body()
    try connection.execute(restoring)
    return result
  }

  private static func sqlite(_ table: String, _ action: String) -> String {
    "CREATE TRIGGER \(trigger(table, action)) BEFORE \(action) ON \(table) "
      + "BEGIN SELECT RAISE(ABORT, '\(table) is append-only'); END"
  }

  /// The body of the function that PostgreSQL's triggers call.
  private static let refusal =
    " BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; END "

  private static func trigger(_ table: String, _ action: String) -> String { "\(table)_keeps_\(action.lowercased())" }

  /// Finds the guards of these tables that are missing or switched off, and all triggers that are no guards or were
  /// altered: one line each.
  static func inspect(
    _ tables: [String], _ connection: any Connection
  ) throws(DatabaseError) -> (missing: [String], planted: [SchemaCheck.Planted]) {
    let actions = connection.dialect == .sqlite ? ["UPDATE", "DELETE"] : ["UPDATE"]
    let guards = tables.flatMap { table in actions.map { (table: table, action: $0, name: trigger(table, $0)) } }
    var (found, planted) = (Set<String>(), [SchemaCheck.Planted]())
    for row in try connection.all(triggers(connection.dialect), []) {
      let (name, table): (String, String) = (try row.get("name"), try row.get("table_name"))
      guard let guarded = guards.first(where: { $0.name == name && $0.table == table }) else {
        let line = "trigger '\(name)' of table '\(table)' is from no migration: it may change what is stored"
        planted.append(SchemaCheck.Planted(table: table, line: line))
        continue
      }
      // A guard that is switched off counts as missing.
      guard try row.get("is_on", as: Bool.self) else { continue }
      found.insert(name)
      if try !isMade(row, for: table, guarded.action, connection.dialect) {
        let line = "\(title(name, table)) is not the one that was made: it was altered"
        planted.append(SchemaCheck.Planted(table: table, line: line))
      }
    }
    return (guards.filter { !found.contains($0.name) }.map { "\(title($0.name, $0.table)) is missing" }, planted)
  }

  private static func title(_ name: String, _ table: String) -> String {
    "the guard '\(name)' of append-only table '\(table)'"
  }

  /// Whether a guard is as a migration made it. Somebody may have replaced the trigger, or on PostgreSQL its function,
  /// by another one of the same name.
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

  /// Lists all triggers, without those by which PostgreSQL enforces foreign keys.
  private static func triggers(_ dialect: Dialect) -> Query {
    switch dialect {
    case .sqlite:
      Query(
        uncached: "storage.triggers",
        "SELECT name, tbl_name AS table_name, sql, 1 AS is_on FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid")
    case .postgres:
      // 58: before the statement, on UPDATE, DELETE and TRUNCATE (src/include/catalog/pg_trigger.h).
      Query(
        uncached: "storage.triggers",
        """
        SELECT t.tgname AS name, c.relname AS table_name, p.prosrc AS body,
          CASE WHEN t.tgenabled IN ('O', 'A') THEN 1 ELSE 0 END AS is_on,
          CASE WHEN t.tgtype = 58 AND t.tgqual IS NULL AND t.tgattr::text = '' AND l.lanname = 'plpgsql'
            THEN 1 ELSE 0 END AS fits
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
        JOIN pg_language l ON l.oid = p.prolang
        WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal ORDER BY t.oid
        """)
    }
  }
}
