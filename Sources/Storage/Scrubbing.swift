internal import Base

extension Database {
  /// Removes erased bytes from the engine's files. Where that fails, because somebody reads an older state, the server
  /// is away or its tables are large, it is tried again until it is done: the erasure itself is durable, and nobody has
  /// to repeat it.
  func scrubFiles() async {
    do {
      try await engine.scrub(within: .seconds(30))
    } catch {
      scrubbing.begin { [weak self] in try await self?.engine.scrub(within: Self.scrubPatience) }
    }
  }

  /// Soon after a service has started, and beside its work, vacuums what dead rows are left in: a process that died may
  /// have tried it in vain. On SQLite that was done when the database was opened. What somebody else vacuums at that
  /// moment is left to them.
  public func scrubAfterStart() {
    guard engine is PostgresEngine else { return }
    startScrubbing.begin { [weak self] in
      guard let self, let engine = self.engine as? PostgresEngine else { return }
      for table in try await self.tablesToVacuum() {
        try await engine.vacuum(table, skipsLocked: true, until: self.context.clock.monotonic + Self.scrubPatience)
      }
    }
  }

  /// Longer than it takes to vacuum a table of any size: what is cut short begins anew, and would never end.
  private static let scrubPatience = Duration.seconds(6 * 3600)

  /// The tables on PostgreSQL that may have dead rows, as far as the server knows, and that this role may vacuum. Of a
  /// table that was never vacuumed, perhaps because the server lost its statistics, nothing is known.
  package func tablesToVacuum() async throws -> [String] {
    let names = PostgresEngine.tablesToScrub.map { "'\($0)'" }.joined(separator: ", ")
    // The right to maintain tables of others came with version 17, and earlier servers refuse to be asked for it.
    let query = Query(
      uncached: "storage.tables-to-vacuum",
      """
      SELECT c.relname AS name FROM pg_class c LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relname IN (\(names))
        AND CASE WHEN current_setting('server_version_num')::int >= 170000
          THEN has_table_privilege(c.oid, 'MAINTAIN') ELSE pg_has_role(c.relowner, 'USAGE') END
        AND (s.n_dead_tup > 0 OR (s.last_vacuum IS NULL AND s.last_autovacuum IS NULL))
      ORDER BY c.relname
      """)
    return try await readAcrossTenants { connection in
      try connection.all(query, []).map { try $0.get("name", as: String.self) }
    }
  }
}
