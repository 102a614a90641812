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

  /// Bytes as a literal.
  public func literal(_ bytes: [UInt8]) -> String {
    switch self {
    case .sqlite: "x'\(Hex.encode(bytes))'"
    case .postgres: "'\\x\(Hex.encode(bytes))'::bytea"
    }
  }
}
