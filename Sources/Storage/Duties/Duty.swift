internal import Base

/// Something that is done again and again for a whole database, by one of its processes at a time: erasing what has
/// been kept long enough, forgetting what nobody asks for any more, ending what has run out.
///
/// Doing it once more than needed must do no harm: a process that dies in the middle leaves the rest to the next turn.
public struct Duty: Sendable {
  let name: String
  let interval: Duration
  let work: @Sendable () async throws -> Void

  /// - Parameter name: under which all processes of the database know it.
  public init(_ name: String, every interval: Duration, work: @escaping @Sendable () async throws -> Void) {
    self.name = name
    self.interval = interval
    self.work = work
  }
}

extension Duty {
  /// What every service's database needs: kept answers whose time is over and jobs that were finished long ago go.
  public static func upkeep(of database: Database, every interval: Duration, keepingJobs age: Duration) -> [Duty] {
    [
      Duty("storage.idempotency", every: interval) { try await database.expireIdempotencyKeys() },
      Duty("storage.jobs", every: interval) { try await database.forgetFinishedJobs(olderThan: age) },
    ]
  }

  /// Erases the subjects whose retention periods have passed, for a service that keeps nothing of them elsewhere.
  public static func retention(in database: Database, every interval: Duration) -> Duty {
    Duty("storage.retention", every: interval) {
      for tenant in try await database.tenants() { try await database.scope(tenant).applyRetention() }
    }
  }
}
