internal import Base

/// A periodic task: work that is repeated for a whole database, by one of its processes at a time, such as erasing data
/// after its retention, deleting expired answers, or ending expired sessions.
///
/// Running it once more than needed must do no harm: when a process dies halfway, the next run does the rest.
public struct PeriodicTask: Sendable {
  let name: String
  let interval: Duration
  let work: @Sendable () async throws -> Void

  /// - Parameter name: the task's name, the same in all processes of the database.
  public init(_ name: String, every interval: Duration, work: @escaping @Sendable () async throws -> Void) {
    self.name = name
    self.interval = interval
    self.work = work
  }
}

extension PeriodicTask {
  /// The tasks that delete expired answers and jobs that ended long ago. Every service's database needs them.
  public static func cleanup(
    of database: Database, every interval: Duration, keepingJobs age: Duration
  ) -> [PeriodicTask] {
    [
      PeriodicTask("storage.idempotency", every: interval) { try await database.expireIdempotencyKeys() },
      PeriodicTask("storage.jobs", every: interval) { try await database.forgetEndedJobs(olderThan: age) },
    ]
  }

  /// The task that erases the subjects whose retention periods have ended, for a service that keeps no data of them
  /// outside the vault.
  public static func retention(in database: Database, every interval: Duration) -> PeriodicTask {
    PeriodicTask("storage.retention", every: interval) {
      try await database.forEachTenant { try await $0.applyRetention() }
    }
  }
}
