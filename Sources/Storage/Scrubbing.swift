internal import Base

extension Database {
  /// Removes erased bytes from the engine's files. Where that fails, because somebody reads an older state or the
  /// server is away, it is tried again until it is done: the erasure itself is durable, and nobody has to repeat it.
  func scrubFiles() async {
    do {
      try await engine.scrub()
    } catch {
      scrubbing.begin { [weak self] in try await self?.engine.scrub() }
    }
  }

  /// Does the same soon after a service has started, beside its work: a process that died may have tried it in vain. On
  /// SQLite it was done when the database was opened, and a role that may not vacuum leaves it to the server.
  public func scrubAfterStart() {
    guard engine.dialect == .postgres else { return }
    scrubbing.begin { [weak self] in
      guard let self, try await self.mayVacuum() else { return }
      try await self.engine.scrub()
    }
  }

  private func mayVacuum() async throws -> Bool {
    // The right to maintain tables of others came with version 17, and earlier servers refuse to be asked for it.
    let query = Query(
      uncached: "storage.may-vacuum",
      """
      SELECT CASE WHEN
        CASE WHEN current_setting('server_version_num')::int >= 170000
          THEN has_table_privilege(c.oid, 'MAINTAIN') ELSE pg_has_role(c.relowner, 'USAGE') END
        THEN 1 ELSE 0 END AS may
      FROM pg_class c
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = 'storage_vault_items'
      """)
    return try await readAcrossTenants { connection in
      try connection.all(query, []).first?.get("may", as: Bool.self) == true
    }
  }
}
