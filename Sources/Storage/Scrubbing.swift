internal import Base

extension Database {
  /// Removes erased bytes from the engine's files. If that fails, because of readers of an older state or a server that
  /// cannot be reached, it is retried until it succeeds. No caller has to repeat the erasure, which is durable already.
  func scrubFiles() async {
    do {
      try await engine.scrub()
    } catch {
      scrubbing.begin { [weak self] in try await self?.engine.scrub() }
    }
  }

  /// Does the same in the background soon after a service has started, since a process that died may not have done it.
  /// On SQLite it was done when the database was opened. A PostgreSQL role that may not vacuum leaves it to the server.
  /// It is tried once: VACUUM keeps autovacuum from these tables while it runs, and without end would keep it away.
  public func scrubAfterStart() {
    guard engine.dialect == .postgres else { return }
    scrubbing.begin { [weak self] in
      guard let self, try await self.mayVacuum() else { return }
      try? await self.engine.scrub()
    }
  }

  private func mayVacuum() async throws -> Bool {
    // The privilege to maintain other roles' tables exists since version 17; earlier servers refuse the question.
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
