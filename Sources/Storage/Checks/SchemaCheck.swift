/// Compares the tables in the engine's catalogue with those that migrations made.
///
/// A trigger, rule or default value that no migration made would change a row before Storage learns what was stored,
/// and an event would then commit to the changed row.
struct SchemaCheck {
  private let connection: any Connection
  private let declared: DeclaredTables
  private let guards: (missing: [String], planted: [Planted])

  /// Something that changes, adds or hides rows of a table and is not from a migration.
  struct Planted {
    let table: String
    let line: String
  }

  init(connection: any Connection, declared: DeclaredTables) throws(DatabaseError) {
    (self.connection, self.declared) = (connection, declared)
    guards = try AppendOnly.inspect(declared.appendOnly, connection)
  }

  /// Finds triggers, rules, policies and default values that no migration made.
  func planted() throws(DatabaseError) -> [Planted] { try guards.planted + rulesAndPolicies() + defaults() }

  /// Refuses to open a database in which something planted would change or hide the service's rows. Other tables in the
  /// same database, such as an operator's for reports, may have triggers and rules.
  ///
  /// - Parameter tables: the service's tables.
  func refusePlanted(in tables: Set<String>) throws(DatabaseError) {
    let planted = try planted()
    if planted.isEmpty { return }
    let own = try tables.union(heirs())
    // SQLite keeps a trigger's table as somebody has spelled it.
    let lines = planted.filter { own.contains($0.table.lowercased()) }.map(\.line)
    guard let first = lines.first else { return }
    let more = lines.count > 1 ? ", and there are \(lines.count - 1) more like it" : ""
    throw DatabaseError(.corrupt, "\(first)\(more): see what 'assent data check' says, and remove it")
  }

  /// The guards of append-only tables and the keys that migrations made and that no longer exist, one line each.
  func missing() throws(DatabaseError) -> [String] { try guards.missing + missingKeys() }

  /// The tables that inherit from others: PostgreSQL shows their rows among those of the parent table.
  private func heirs() throws(DatabaseError) -> [String] {
    guard connection.dialect == .postgres else { return [] }
    let heirs = Query(
      uncached: "storage.heirs",
      "SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid "
        + "WHERE c.relnamespace = current_schema()::regnamespace")
    var names: [String] = []
    for row in try connection.all(heirs, []) { names.append(try row.get("name", as: String.self).lowercased()) }
    return names
  }

  private func rulesAndPolicies() throws(DatabaseError) -> [Planted] {
    guard connection.dialect == .postgres else { return [] }
    var problems: [Planted] = []
    for row in try connection.all(Self.findingRules, []) {
      let (kind, name, table): (String, String, String) = (
        try row.get("kind"), try row.get("name"), try row.get("table_name")
      )
      let line =
        kind == "security"
        ? "table '\(table)' has row-level security, which no migration made: it hides rows"
        : "\(kind) '\(name)' of table '\(table)' is from no migration: it may change what is stored, or hide it"
      problems.append(Planted(table: table, line: line))
    }
    return problems
  }

  private func defaults() throws(DatabaseError) -> [Planted] {
    var problems: [Planted] = []
    for row in try connection.all(Query(uncached: "storage.defaults", Self.listOfDefaults(connection.dialect)), []) {
      let column = DeclaredTables.Column(table: try row.get("table_name"), name: try row.get("column_name"))
      let expected = declared.defaults[column].map { connection.dialect.catalogued($0) }
      if try row.get("value", as: String?.self) == expected { continue }
      let line = "column '\(column.name)' of table '\(column.table)' has a value by itself that no migration gave it"
      problems.append(Planted(table: column.table, line: line))
    }
    return problems
  }

  private func missingKeys() throws(DatabaseError) -> [String] {
    var found: Set<DeclaredTables.Key> = []
    for row in try connection.all(Query(uncached: "storage.keys", Self.listOfKeys(connection.dialect)), []) {
      let (table, names): (String, String) = (try row.get("table_name"), try row.get("columns"))
      // An expression in a key has an empty name.
      let columns = names.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      found.insert(DeclaredTables.Key(table: table, columns: columns))
    }
    return declared.keys.filter { !found.contains($0) }
      .map { "the key (\($0.columns.joined(separator: ", "))) of table '\($0.table)' is missing" }
  }

  /// Excludes the `_RETURN` rule of each view, since a view consists of that rule.
  private static let findingRules = Query(
    uncached: "storage.rules",
    """
    SELECT 'rule' AS kind, r.rulename AS name, c.relname AS table_name
    FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
    WHERE c.relnamespace = current_schema()::regnamespace
      AND NOT (c.relkind IN ('v', 'm') AND r.rulename = '_RETURN')
    UNION ALL
    SELECT 'policy', p.polname, c.relname FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
    WHERE c.relnamespace = current_schema()::regnamespace
    UNION ALL
    SELECT 'security', '', c.relname FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relrowsecurity
    ORDER BY 3, 1, 2
    """)

  /// Lists columns with default values, and computed columns.
  private static func listOfDefaults(_ dialect: Dialect) -> String {
    switch dialect {
    case .sqlite:
      """
      SELECT t.name AS table_name, c.name AS column_name,
        CASE c.hidden WHEN 0 THEN c.dflt_value ELSE 'computed' END AS value
      FROM pragma_table_list AS t, pragma_table_xinfo(t.name) AS c
      WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite|_%' ESCAPE '|'
        AND (c.dflt_value IS NOT NULL OR c.hidden <> 0)
      ORDER BY t.name, c.cid
      """
    case .postgres:
      """
      SELECT c.relname AS table_name, a.attname AS column_name, pg_get_expr(d.adbin, d.adrelid) AS value
      FROM pg_attrdef d JOIN pg_class c ON c.oid = d.adrelid
      JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
      ORDER BY c.relname, a.attnum
      """
    }
  }

  /// Lists the columns of each unique key, without keys that cover only some rows.
  private static func listOfKeys(_ dialect: Dialect) -> String {
    switch dialect {
    case .sqlite:
      """
      SELECT t.name AS table_name,
        (SELECT group_concat(coalesce(name, '')) FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno))
          AS columns
      FROM pragma_table_list AS t, pragma_index_list(t.name) AS i
      WHERE t.schema = 'main' AND t.type = 'table' AND i."unique" AND NOT i.partial
      """
    case .postgres:
      """
      SELECT c.relname AS table_name, string_agg(a.attname, ',' ORDER BY k.place) AS columns
      FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (number, place)
      JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
      WHERE c.relnamespace = current_schema()::regnamespace AND i.indisunique AND i.indisvalid
        AND i.indpred IS NULL AND i.indexprs IS NULL AND k.place <= i.indnkeyatts
      GROUP BY i.indexrelid, c.relname
      """
    }
  }
}

extension Dialect {
  /// The text by which the catalogue shows a default value that a migration declares.
  fileprivate func catalogued(_ value: SQLToken) -> String {
    switch (self, value) {
    case (.postgres, .quoted(let text)): "\(text)::text"
    case (_, .quoted(let text)), (_, .word(let text)): text
    case (_, .symbol), (_, .parameter), (_, .brace): ""
    }
  }
}
