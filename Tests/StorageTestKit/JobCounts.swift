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

  public func jobCounts() async throws -> [JobCount] {
    try await rows(Self.countingJobs, []).compactMap { row in
      guard let state = JobState(rawValue: try row.get("state")) else { return nil }
      return JobCount(
        kind: try row.get("kind"), state: state, count: try row.get("jobs"), attempts: try row.get("attempts"))
    }
  }
}
