internal import Base
public import Storage

extension DatabaseLocation {
  /// Changes a database by other means than Storage, as somebody would who has the file or the server's password.
  public func alter(_ sql: String, schema: String) async throws {
    switch self {
    case .sqlite(let path):
      let exit = try await ChildProcess.start(
        ChildCommand("sqlite3", ["-bail", "-cmd", ".timeout 5000", path, sql])
      ).wait()
      guard exit.isSuccess else { throw AlterationFailed(sql: sql) }
    case .postgres(let url): try await PostgresServer.run("SET search_path = \(schema); \(sql)", url: url)
    }
  }
}

private struct AlterationFailed: Error {
  let sql: String
}

extension TestEngine {
  /// SQL that takes an append-only table's guards away.
  public func unguarding(_ table: String) -> String {
    switch self {
    case .sqlite: "DROP TRIGGER \(table)_keeps_update; DROP TRIGGER \(table)_keeps_delete;"
    case .postgres: "ALTER TABLE \(table) DISABLE TRIGGER USER;"
    }
  }

  /// SQL that puts a guard that refuses nothing in the place of an append-only table's.
  public func exchangingGuard(of table: String) -> String {
    switch self {
    case .sqlite:
      "DROP TRIGGER \(table)_keeps_update; "
        + "CREATE TRIGGER \(table)_keeps_update BEFORE UPDATE ON \(table) BEGIN SELECT 1; END;"
    case .postgres:
      "CREATE OR REPLACE FUNCTION storage_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;"
    }
  }

  /// SQL that gives another table the guard of an append-only one.
  public func movingGuard(of table: String, to other: String) -> String {
    switch self {
    case .sqlite:
      "DROP TRIGGER \(table)_keeps_update; CREATE TRIGGER \(table)_keeps_update BEFORE UPDATE ON \(other) "
        + "BEGIN SELECT RAISE(ABORT, '\(table) is append-only'); END;"
    case .postgres:
      "DROP TRIGGER \(table)_keeps_update ON \(table); CREATE TRIGGER \(table)_keeps_update BEFORE UPDATE OR DELETE "
        + "OR TRUNCATE ON \(other) FOR EACH STATEMENT EXECUTE FUNCTION storage_refuse();"
    }
  }

  /// SQL that takes a table's own key away, so that several rows may have the same.
  public func droppingKey(of table: String) -> String {
    switch self {
    case .sqlite:
      "CREATE TABLE keyless AS SELECT * FROM \(table); DROP TABLE \(table); ALTER TABLE keyless RENAME TO \(table);"
    case .postgres: "ALTER TABLE \(table) DROP CONSTRAINT \(table)_pkey;"
    }
  }

  /// Bytes as a literal.
  public func literal(_ bytes: [UInt8]) -> String {
    switch self {
    case .sqlite: "x'\(Hex.encode(bytes))'"
    case .postgres: "'\\x\(Hex.encode(bytes))'::bytea"
    }
  }
}
