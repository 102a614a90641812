internal import Base

/// One step forward of a database's schema. Once released it never changes: a further step follows instead.
///
/// The SQL is written once for both engines with the types `TEXT`, `BIGINT`, `DOUBLE PRECISION` and `BYTES`.
/// `{clustered}` after a table makes SQLite store its rows in the order of the primary key, which suits small rows that
/// are read in that order. `{append-only} name;` guards a table, so that its rows are never changed or removed. Every
/// table begins with `tenant TEXT NOT NULL`, and every key with `tenant` (`SchemaRule`).
public struct Migration: Sendable {
  public let version: Int
  public let name: String
  public let sql: String
  let statements: [DefinitionStatement]

  /// Traps on SQL that breaks `SchemaRule`: that is a mistake in the program, which its first test finds.
  public init(_ version: Int, _ name: String, _ sql: String) {
    do {
      try self.init(checking: version, name, sql)
    } catch {
      preconditionFailure("migration \(version) '\(name)': \(error)")
    }
  }

  package init(checking version: Int, _ name: String, _ sql: String) throws(SQLProblem) {
    self.version = version
    self.name = name
    self.sql = sql
    statements = try DefinitionStatement.list(sql, everyTableHasTenant: true)
  }

  /// A migration of Storage's own tables, a few of which belong to no tenant.
  init(ownTables version: Int, _ name: String, _ sql: String) {
    do {
      try self.init(remembered: version, name, sql)
    } catch {
      preconditionFailure("migration \(version) '\(name)': \(error)")
    }
  }

  /// A migration that was read from a database or an archive.
  init(remembered version: Int, _ name: String, _ sql: String) throws(SQLProblem) {
    self.version = version
    self.name = name
    self.sql = sql
    statements = try DefinitionStatement.list(sql, everyTableHasTenant: false)
  }

  /// The hash that the database stores, by which an edited migration is detected.
  var checksum: Digest {
    var builder = DigestBuilder()
    builder.update("\(version)\n\(name)\n\(sql)")
    return builder.finish()
  }
}

/// One statement of a migration, for either engine.
struct DefinitionStatement: Sendable {
  let sqlite: String
  let postgres: String

  func sql(_ dialect: Dialect) -> String {
    switch dialect {
    case .sqlite: sqlite
    case .postgres: postgres
    }
  }

  static func list(_ sql: String, everyTableHasTenant: Bool) throws(SQLProblem) -> [DefinitionStatement] {
    let tokens = try SQLToken.split(sql)
    var statements: [DefinitionStatement] = []
    for part in tokens.split(separator: .symbol(";")) {
      let part = Array(part)
      if let guarded = try AppendOnly.table(part) {
        statements += AppendOnly.definitions(of: guarded)
        continue
      }
      if everyTableHasTenant { try SchemaRule.check(part) }
      statements.append(
        DefinitionStatement(sqlite: render(part, for: .sqlite), postgres: render(part, for: .postgres)))
    }
    guard !statements.isEmpty else { throw SQLProblem("a migration does something") }
    return statements
  }

  private static func render(_ tokens: [SQLToken], for dialect: Dialect) -> String {
    let isTable = tokens.count > 1 && tokens[0].isKeyword("CREATE") && tokens[1].isKeyword("TABLE")
    let isClustered = tokens.contains(.brace("clustered"))
    var parts: [String] = []
    for token in tokens {
      switch token {
      case .word(let word): parts.append(dialect.definition(of: word))
      case .quoted(let quoted): parts.append(quoted)
      case .symbol(let symbol): parts.append(String(symbol))
      case .parameter: parts.append("?")
      case .brace: continue
      }
    }
    var sql = SQLToken.join(parts.filter { !$0.isEmpty })
    // STRICT makes SQLite hold columns to their types, as PostgreSQL does anyway.
    if isTable && dialect == .sqlite { sql += isClustered ? " STRICT, WITHOUT ROWID" : " STRICT" }
    return sql
  }
}

extension Dialect {
  /// Translates a word of a table's definition into this engine's SQL.
  fileprivate func definition(of word: String) -> String {
    switch (self, word) {
    case (.sqlite, "BIGINT"): "INTEGER"
    case (.sqlite, "DOUBLE"): "REAL"
    case (.sqlite, "PRECISION"): ""
    case (.sqlite, "BYTES"): "BLOB"
    case (.postgres, "BYTES"): "BYTEA"
    // Texts are ordered by bytes, so that their order is the same on both engines and on every host, whatever the
    // locale.
    case (.postgres, "TEXT"): "TEXT COLLATE \"C\""
    default: word
    }
  }
}
