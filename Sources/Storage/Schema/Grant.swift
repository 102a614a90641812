extension Database {
  /// Lets another role of a PostgreSQL server run the service: it reads and writes rows, adds to append-only tables,
  /// and can change neither their rows nor their guards, because it owns nothing. Run it as the owner, again after each
  /// update.
  ///
  /// The owner's password is then needed only for migrations, and the service need not have it.
  public func grant(to role: String) async throws {
    guard engine.dialect == .postgres else {
      throw DatabaseError(.badStatement, "SQLite has no roles: whoever may write the file may write all of it")
    }
    guard role.isPlainName else { throw DatabaseError(.badStatement, "'\(role)' is no plain name of a role") }
    // The server takes the name `public`, even in quotes, for all roles.
    guard role != "public" else { throw DatabaseError(.badStatement, "'public' is every role of the server: name one") }
    let schema = context.schema.name
    // In quotes, so that no word of SQL is taken for a role, such as `current_user` for the owner.
    let role = "\"\(role)\""
    try await writeAcrossTenants { connection in
      let migrations = try connection.all(AppliedMigration.all.query, []).map { try AppliedMigration(row: $0).sql }
      let guarded = DeclaredTables(migrations).appendOnly + ["storage_migrations"]
      try connection.execute("GRANT USAGE ON SCHEMA \(schema) TO \(role)")
      for table in try Catalogue(connection: connection).allTables().map(\.name) {
        try connection.execute("REVOKE ALL ON \(table) FROM \(role)")
        let rights = guarded.contains(table) ? "SELECT, INSERT" : "SELECT, INSERT, UPDATE, DELETE"
        try connection.execute("GRANT \(rights) ON \(table) TO \(role)")
      }
      // The role cannot migrate the tables, so it must not record migrations as applied.
      try connection.execute("REVOKE INSERT ON storage_migrations FROM \(role)")
    }
  }
}
