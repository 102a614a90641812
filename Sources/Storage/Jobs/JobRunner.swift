internal import Base
internal import Synchronization

/// Takes jobs of all tenants and runs them, some at a time, until its task is cancelled. Any number of processes may
/// run one on the same database.
public struct JobRunner: Sendable {
  private let database: Database
  private let handlers: [JobHandler]
  private let policy: JobPolicy
  private let slots: Int
  /// A pause that ends before this time is slept; what is due later is found by looking.
  private static let longestSleep = Duration.seconds(60)

  public init(_ database: Database, slots: Int = 4, policy: JobPolicy = JobPolicy(), handlers: [JobHandler]) {
    self.database = database
    self.handlers = handlers
    self.policy = policy
    self.slots = slots
  }

  /// The kinds of jobs that it takes.
  public var kinds: [String] { handlers.map(\.kind) }

  /// Returns when the task is cancelled or the database closed; running jobs are cancelled and tried again later.
  ///
  /// - Parameter report: told of each attempt that failed.
  public func run(reporting report: @escaping @Sendable (JobReport) -> Void = { _ in }) async {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let running = RunningCount()
    wake.yield()
    var next: Task<Void, Never>?
    defer { next?.cancel() }
    await withTaskGroup { group in
      group.addTask { await forwardCommits(to: wake) }
      for await _ in wakes {
        var pause = policy.interval
        while case let free = slots - running.value, free > 0 {
          let (jobs, areWaiting) = await take(free)
          pause = areWaiting ? policy.interval : policy.quietInterval
          if jobs.isEmpty { break }
          running.add(jobs.count)
          for (job, handler) in jobs {
            group.addTask {
              let pause = await attempt(job, handler, report)
              running.add(-1)
              wake.yield()
              guard let pause, pause < Self.longestSleep, (try? await Task.sleep(for: pause)) != nil else { return }
              wake.yield()
            }
          }
        }
        next?.cancel()
        next = Task { [pause] in if (try? await Task.sleep(for: pause)) != nil { wake.yield() } }
      }
      group.cancelAll()
    }
  }

  private func forwardCommits(to wake: AsyncStream<Void>.Continuation) async {
    for await _ in database.commits.subscribe() { wake.yield() }
    wake.finish()
  }

  /// Takes up to `limit` jobs, and says whether any wait or run. A database that cannot be reached has none for now.
  private func take(_ limit: Int) async -> ([(Job, JobHandler)], areWaiting: Bool) {
    var taken: [(Job, JobHandler)] = []
    // This is asked after every commit of the service, and few commits bring a job. So one read of the kinds that are
    // due comes first, and only for those kinds a write that takes jobs.
    let due = await dueKinds()
    for handler in handlers where taken.count < limit && due.contains(handler.kind) {
      let now = database.context.clock.now
      let lease = database.context.identifiers.next()
      let until = now + policy.lease
      var values: [Value] = [.text(lease), until.storedValue, .text(handler.kind)]
      values += limits(at: now)
      values.append(.integer(Int64(limit - taken.count)))
      let jobs = try? await database.writeAcrossTenants { [values] connection in
        try connection.all(JobStatements.take.query, values).map { row in
          (
            try row.get("tenant", as: String.self), try row.get("id", as: String.self),
            try row.get("payload", as: [UInt8].self), try row.get("attempts", as: Int.self),
            try row.get("code", as: [UInt8]?.self)
          )
        }
      }
      for (name, id, payload, attempt, code) in jobs ?? [] {
        guard let tenant = Tenant(name) else { continue }
        let job = Job(
          scope: database.scope(tenant), id: id, kind: handler.kind, payload: payload, attempt: attempt, lease: lease,
          code: code)
        taken.append((job, handler))
      }
    }
    return (taken, areWaiting: due.contains(""))
  }

  /// The kinds of jobs that are due, and an empty one if any wait.
  private func dueKinds() async -> Set<String> {
    // Only a write tells whether changes can be made again.
    if database.writeProblem != nil { return Set(handlers.map(\.kind) + [""]) }
    let values = limits(at: database.context.clock.now)
    do {
      return Set(
        try await database.readAcrossTenants { connection in
          try connection.all(JobStatements.due.query, values).map { try $0.get("kind", as: String.self) }
        })
    } catch {
      database.health.note(error)
      // It has none for now.
      return [""]
    }
  }

  /// What tells jobs that are due from others, in the order in which the statements ask for it.
  private func limits(at now: Instant) -> [Value] {
    let impossible = (now + policy.lease * 2).storedValue
    let longestDelay = (now + policy.longestDelay + policy.lease * 2).storedValue
    return [now.storedValue, now.storedValue, impossible, impossible, impossible, longestDelay]
  }

  /// - Returns: after how long the job is to be tried again, where it failed.
  private func attempt(
    _ job: Job, _ handler: JobHandler, _ report: @Sendable (JobReport) -> Void
  ) async -> Duration? {
    do {
      try await keepingLease(of: job) {
        try await job.verify()
        try await handler.work(job)
        if !job.isFinished { try await job.finish() }
      }
    } catch {
      // A job that was lost, or that finished in spite of the error, is not put back.
      if job.isFinished || error is JobLost { return nil }
      let setback = setback(of: error, handler)
      let delay = policy.delay(after: job.attempt, setback, database.context.randomness)
      // Errors may quote personal values: only their kind is stored.
      let failure = (error as? DatabaseError)?.code.rawValue ?? String(describing: type(of: error))
      // Should this fail too, the lease expires and the job is taken again.
      guard (try? await job.fail(failure, retryAfter: delay)) == true else { return delay }
      report(
        JobReport(
          tenant: job.scope.tenant, id: job.id, kind: job.kind, attempt: job.attempt, setback: setback, failure: error))
      return delay
    }
    return nil
  }

  private func setback(of error: any Error, _ handler: JobHandler) -> JobSetback {
    if error is ForeignJob { return .pointless }
    // That a process ends says nothing of the job.
    return Task.isCancelled ? .passing(within: policy.firstDelay) : handler.judge(error)
  }

  private func keepingLease(of job: Job, _ work: @escaping @Sendable () async throws -> Void) async throws {
    let lease = policy.lease
    try await Lease.keeping(
      for: lease, renew: { try await job.renew(for: lease) }, orThrow: JobLost(id: job.id), work)
  }
}

/// How many jobs are running.
private final class RunningCount: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func add(_ change: Int) { count.withLock { $0 += change } }
}
