internal import Base

/// What the failure of a job means.
public enum JobSetback: Hashable, Sendable {
  /// It passes by itself, as an outage does: the job is tried again, after this time at most.
  case passing(within: Duration)
  /// Somebody may have to mend something. The job is tried again, after the longest pause at most.
  case fault
  /// No attempt will ever succeed: the job is given up.
  case pointless
}

/// The handler for jobs of one kind.
///
/// It may begin more than once: after a crash, or when a runner's lease expired. Its changes take effect once, because
/// they are made in `job.finish`. A handler that does not call it finishes its job by returning. A change that was
/// acknowledged relies on its jobs, so a job that fails is tried again until it has succeeded or is pointless.
public struct JobHandler: Sendable {
  let kind: String
  let judge: @Sendable (any Error) -> JobSetback
  let work: @Sendable (Job) async throws -> Void

  /// - Parameter judge: says what a failure means.
  public init(
    _ kind: String, judging judge: @escaping @Sendable (any Error) -> JobSetback = { _ in .fault },
    work: @escaping @Sendable (Job) async throws -> Void
  ) {
    self.kind = kind
    self.judge = judge
    self.work = work
  }
}

/// How often jobs are tried.
public struct JobPolicy: Sendable {
  public var firstDelay = Duration.seconds(1)
  public var longestDelay = Duration.seconds(3600)
  /// How long a runner that stopped answering keeps a job from the others.
  public var lease = Duration.seconds(30)
  /// How often to look for jobs that became due, while any waits.
  public var interval = Duration.seconds(5)
  /// How often while none does. Then only a change of the database brings one, of which another process may not have
  /// told this one.
  public var quietInterval = Duration.seconds(15)

  public init() {}

  /// Doubled with each attempt, or with each fault of those that came one after the other, and jittered between a half
  /// and the whole, so that jobs that failed together are not tried again together; nil for a job that is given up.
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

/// An attempt at a job that failed.
public struct JobReport: Sendable {
  public let tenant: Tenant
  public let id: String
  public let kind: String
  /// 1 for the first.
  public let attempt: Int
  /// How many attempts were faults, one after the other, this one among them: after what passes it is 0.
  public let faults: Int
  public let setback: JobSetback
  public let failure: any Error
}
