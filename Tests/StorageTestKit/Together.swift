internal import Storage

extension TestDatabase {
  /// Makes changes of a PostgreSQL database at the same time, each begun once those before it wait: none of them
  /// commits before all have done what they can. What they wait for is the log, where a change writes its events last,
  /// or what one of them has locked.
  public func together(_ changes: [@Sendable () async throws -> Void]) async throws {
    let log = "storage_event_heads"
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await sql("BEGIN; LOCK TABLE \(log) IN EXCLUSIVE MODE; \(untilWaiting(changes.count)) COMMIT")
      }
      let held = "relation = '\(log)'::regclass AND mode = 'ExclusiveLock' AND granted"
      try await sql(until("EXISTS (SELECT 1 FROM pg_locks WHERE \(held))"))
      for (index, change) in changes.enumerated() {
        group.addTask { try await change() }
        try await sql(untilWaiting(index + 1))
      }
      try await group.waitForAll()
    }
  }

  private func sql(_ statements: String) async throws { try await location.alter(statements, schema: schema.name) }

  /// Waits until so many of this database's connections wait for another one.
  private func untilWaiting(_ count: Int) -> String {
    let waiting = "application_name = 'assent-\(schema.name)' AND wait_event_type = 'Lock'"
    return until("(SELECT count(*) FROM pg_stat_activity WHERE \(waiting)) >= \(count)")
  }

  /// Waits until something is so, five seconds at most.
  private func until(_ condition: String) -> String {
    "DO $$ BEGIN FOR i IN 1..500 LOOP PERFORM pg_stat_clear_snapshot(); EXIT WHEN \(condition); "
      + "PERFORM pg_sleep(0.01); END LOOP; END $$;"
  }
}
