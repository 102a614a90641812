public import Base
public import Storage

/// The jobs of a kind that are in a state.
public struct JobCount: Hashable, Sendable {
  public let kind: String
  public let state: JobState
  public let count: Int
  /// How often the one was tried that was tried most often.
  public let attempts: Int
}

extension Database {
  private static let countingJobs = Statement(
    acrossTenants: "test.jobs",
    "SELECT kind, state, count(*) AS jobs, max(attempts) AS attempts FROM storage_jobs "
      + "GROUP BY kind, state ORDER BY kind, state")
  private static let findingDueJobs = Statement(
    acrossTenants: "test.jobs.due",
    "SELECT kind FROM storage_jobs WHERE state = 1 OR (state = 0 AND due_ms <= ?) ORDER BY kind")

  public func jobCounts() async throws -> [JobCount] {
    try await rows(Self.countingJobs, []).compactMap { row in
      guard let state = JobState(rawValue: try row.get("state")) else { return nil }
      return JobCount(
        kind: try row.get("kind"), state: state, count: try row.get("jobs"), attempts: try row.get("attempts"))
    }
  }

  /// The kinds of the jobs that run, or would if somebody ran them.
  public func dueJobs(at now: Instant) async throws -> [String] {
    try await rows(Self.findingDueJobs, [now.storedValue]).map { try $0.get("kind") }
  }
}
