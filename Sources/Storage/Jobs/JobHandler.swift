internal import Base

/// What a failed attempt at a job means for the job.
public enum JobSetback: Hashable, Sendable {
  /// The cause passes by itself, as an outage does. The job is retried after this time at most.
  case passing(within: Duration)
  /// Somebody may have to repair something. The job is retried after the policy's longest pause at most.
  case fault
  /// No attempt will ever succeed: the job is given up.
  case pointless
}

/// The handler for jobs of one kind.
///
/// A handler may run more than once for a job: after a crash, or when a runner's lease has expired. Changes that it
/// makes in `job.finish` take effect once. A handler that does not call `job.finish` finishes its job by returning. An
/// acknowledged change relies on the jobs that it queued, so a failed job is retried until it succeeds or is pointless.
public struct JobHandler: Sendable {
  let kind: String
  let judge: @Sendable (any Error) -> JobSetback
  let work: @Sendable (Job) async throws -> Void

  /// - Parameter judge: says what an error that `work` throws means for the job.
  public init(
    _ kind: String, judging judge: @escaping @Sendable (any Error) -> JobSetback = { _ in .fault },
    work: @escaping @Sendable (Job) async throws -> Void
  ) {
    self.kind = kind
    self.judge = judge
    self.work = work
  }
}

/// How often a runner looks for jobs and retries them.
public struct JobPolicy: Sendable {
  public var firstDelay = Duration.seconds(1)
  public var longestDelay = Duration.seconds(3600)
  /// How long a job's lease lasts unless it is renewed: after a runner has died, others wait this long at most.
  public var lease = Duration.seconds(30)
  /// How often to look for due jobs while any are waiting or running.
  public var interval = Duration.seconds(5)
  /// How often to look while none are. New ones then only come with a commit, and this process may miss the
  /// notification of a commit by another one.
  public var quietInterval = Duration.seconds(15)

  public init() {}

  /// The pause before the next attempt; nil for a job that is given up. It doubles with each attempt of a passing
  /// setback, and with each fault in a row, and is reduced at random to no less than half, so that jobs that failed
  /// together are not retried together.
  func delay(after attempt: Int, faults: Int, _ setback: JobSetback, _ randomness: Randomness) -> Duration? {
    let count: Int
    let longest: Duration
    switch setback {
    case .passing(let time): (count, longest) = (attempt, min(time, longestDelay))
    case .fault: (count, longest) = (faults, longestDelay)
    case .pointless: return nil
    }
    let whole = min(firstDelay.wholeMilliseconds << Int64(min(max(count, 1) - 1, 40)), longest.wholeMilliseconds)
    let half = max(whole / 2, 1)
    return .milliseconds(half + Int64(randomness.word() % UInt64(half)))
  }
}

/// Reports a failed attempt at a job.
public struct JobReport: Sendable {
  public let tenant: Tenant
  public let id: String
  public let kind: String
  /// The number of the attempt, from 1 on.
  public let attempt: Int
  /// How many faults in a row there were, with this one. An outage sets the number back to 0.
  public let faults: Int
  public let setback: JobSetback
  public let failure: any Error
}
