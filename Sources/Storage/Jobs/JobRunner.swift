internal import Base
internal import Synchronization

/// Takes due jobs of all tenants and runs a bounded number of them at a time, until its task is cancelled. Any number
/// of processes may run a runner on the same database.
public struct JobRunner: Sendable {
  private let database: Database
  private let handlers: [JobHandler]
  private let policy: JobPolicy
  private let slots: Int
  /// A job with a shorter pause than this wakes the runner exactly on time. Others are found by the regular queries.
  private static let longestSleep = Duration.seconds(60)

  public init(_ database: Database, slots: Int = 4, policy: JobPolicy = JobPolicy(), handlers: [JobHandler]) {
    self.database = database
    self.handlers = handlers
    self.policy = policy
    self.slots = slots
  }

  /// The kinds of jobs that the runner takes.
  public var kinds: [String] { handlers.map(\.kind) }

  /// Runs jobs until the task is cancelled or the database is closed. Jobs that are running then are cancelled, and
  /// retried later.
  ///
  /// - Parameter report: called for each failed attempt.
  public func run(reporting report: @escaping @Sendable (JobReport) -> Void = { _ in }) async {
    let running = RunningCount()
    var lookedThrough: MonotonicTime?
    await WorkSearch(database).run { begin in
      var pause = policy.interval
      while case let free = slots - running.value, free > 0 {
        // Jobs that a wrong clock has dated are searched only once in an interval: the search is slow, every commit
        // begins one, and clocks are seldom set back.
        let now = database.context.clock.monotonic
        let looksThrough = lookedThrough.map { now - $0 >= policy.interval } ?? true
        if looksThrough { lookedThrough = now }
        let (jobs, areWaiting) = await take(free, besides: running.byKind, looksThrough: looksThrough)
        pause = areWaiting ? policy.interval : policy.quietInterval
        if jobs.isEmpty { break }
        for (job, handler) in jobs {
          running.add(1, of: handler.kind)
          begin {
            let pause = await attempt(job, handler, report)
            running.add(-1, of: handler.kind)
            return pause.flatMap { $0 < Self.longestSleep ? $0 : nil }
          }
        }
      }
      return pause
    }
  }

  /// Takes up to `limit` due jobs, and says whether any are waiting or running. If the database cannot be reached,
  /// takes none.
  ///
  /// Each kind gets its share, and kinds with the fewest running jobs come first, so that long or endless jobs do not
  /// keep other kinds from starting.
  private func take(
    _ limit: Int, besides running: [String: Int], looksThrough: Bool
  ) async -> ([(Job, JobHandler)], areWaiting: Bool) {
    var taken: [(Job, JobHandler)] = []
    // This runs after every commit of the service, but few commits queue a job. So a read finds the kinds that are due,
    // and jobs are taken, by a write, only of those kinds.
    let search = JobSearch(at: database.context.clock.now, policy, looksThrough: looksThrough)
    let (found, areWaiting) = await find(search)
    let wanted = handlers.filter { found[$0.kind] != nil }
      .sorted { running[$0.kind, default: 0] < running[$1.kind, default: 0] }
    let share = max(1, limit / max(wanted.count, 1))
    // The last slot is reserved for another kind.
    let most = handlers.count > 1 ? max(1, slots - 1) : slots
    for handler in wanted where taken.count < limit {
      let room = min(share, limit - taken.count, most - running[handler.kind, default: 0])
      guard room > 0 else { continue }
      taken += await take(room, of: handler, found[handler.kind] ?? [], search).map { ($0, handler) }
    }
    return (taken, areWaiting)
  }

  private func take(
    _ room: Int, of handler: JobHandler, _ reasons: [JobSearch.Reason], _ search: JobSearch
  ) async -> [Job] {
    let lease = database.context.identifiers.next()
    let until = database.context.clock.now + policy.lease
    let rows = try? await database.writeAcrossTenants { connection in
      var rows: [Row] = []
      for reason in reasons where rows.count < room {
        let values: [Value] = [.text(lease), until.storedValue, .text(handler.kind)] + search.limits(of: reason)
        rows += try connection.all(reason.taking.query, values + [.integer(Int64(room - rows.count))])
      }
      return try rows.map { row in
        (
          try row.get("tenant", as: String.self), try row.get("id", as: String.self),
          try row.get("payload", as: [UInt8].self), try row.get("attempts", as: Int.self),
          try row.get("faults", as: Int.self), try row.get("code", as: [UInt8]?.self)
        )
      }
    }
    return (rows ?? []).compactMap { name, id, payload, attempt, faults, code in
      guard let tenant = Tenant(name) else { return nil }
      return Job(
        scope: database.scope(tenant), id: id, kind: handler.kind, payload: payload, attempt: attempt, faults: faults,
        lease: lease, code: code)
    }
  }

  /// The kinds of which there are jobs to take, with the reasons, and whether any job is waiting or running.
  private func find(_ search: JobSearch) async -> ([String: [JobSearch.Reason]], areWaiting: Bool) {
    // While changes fail, all kinds count as due: only an attempted write shows whether they work again.
    if database.writeProblem != nil {
      return (Dictionary(handlers.map { ($0.kind, search.reasons) }) { one, _ in one }, true)
    }
    do {
      return try await database.readAcrossTenants { connection in
        var found: [String: [JobSearch.Reason]] = [:]
        var areWaiting = false
        for row in try connection.all(search.kinds.query, search.limitsOfAll) {
          let reasons = try search.reasons.filter { try row.get($0.rawValue, as: Int.self) == 1 }
          if !reasons.isEmpty { found[try row.get("kind")] = reasons }
          if try row.get("unfinished", as: Int.self) == 1 { areWaiting = true }
        }
        return (found, areWaiting)
      }
    } catch {
      database.health.note(error)
      // No jobs can be taken now, but some may be waiting.
      return ([:], true)
    }
  }

  /// Runs a job once.
  ///
  /// - Returns: the pause before the job's next attempt; nil if there is none.
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
      // A job that another runner has taken, or that is finished in spite of the error, is not queued again.
      if job.isFinished || error is JobLost { return nil }
      let setback = setback(of: error, handler)
      let faults = faults(of: job, after: setback)
      let delay = policy.delay(after: job.attempt, faults: faults, setback, database.context.randomness)
      // An error's text may quote personal values, so only its kind is stored.
      let failure = (error as? DatabaseError)?.code.rawValue ?? String(describing: type(of: error))
      // If this fails too, the lease expires and the job is taken again.
      guard (try? await job.fail(failure, faults: faults, retryAfter: delay)) == true else { return delay }
      report(
        JobReport(
          tenant: job.scope.tenant, id: job.id, kind: job.kind, attempt: job.attempt, faults: faults, setback: setback,
          failure: error))
      return delay
    }
    return nil
  }

  private func setback(of error: any Error, _ handler: JobHandler) -> JobSetback {
    if error is ForeignJob { return .pointless }
    // A cancellation, as when the process ends, says nothing about the job.
    return Task.isCancelled ? .passing(within: policy.firstDelay) : handler.judge(error)
  }

  /// The number of faults in a row after an attempt with this setback.
  private func faults(of job: Job, after setback: JobSetback) -> Int {
    switch setback {
    case .fault: job.faults + 1
    case .passing: Task.isCancelled ? job.faults : 0
    case .pointless: job.faults
    }
  }

  private func keepingLease(of job: Job, _ work: @escaping @Sendable () async throws -> Void) async throws {
    let lease = policy.lease
    try await Lease.keeping(
      for: lease, renew: { try await job.renew(for: lease) }, orThrow: JobLost(id: job.id), work)
  }
}

/// Counts the running jobs of each kind.
private final class RunningCount: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  var byKind: [String: Int] { counts.withLock { $0 } }

  var value: Int { byKind.values.reduce(0, +) }

  func add(_ change: Int, of kind: String) { counts.withLock { $0[kind, default: 0] += change } }
}
