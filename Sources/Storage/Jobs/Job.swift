internal import Base
internal import Synchronization

/// Durable work that a change has queued. One runner at a time takes it, until it is finished or given up.
public final class Job: Sendable {
  public let scope: Scope
  public let id: String
  public let kind: String
  /// The job's input. It is stored unencrypted, so it must hold references only.
  public let payload: [UInt8]
  /// The number of this attempt, from 1 on.
  public let attempt: Int
  /// How many faults in a row precede this attempt.
  let faults: Int
  private let lease: String
  /// The authentication code in the job's row, which only the service can compute.
  private let code: [UInt8]?
  private let finished = Mutex(false)

  init(
    scope: Scope, id: String, kind: String, payload: [UInt8], attempt: Int, faults: Int, lease: String,
    code: [UInt8]?
  ) {
    self.scope = scope
    self.id = id
    self.kind = kind
    self.payload = payload
    self.attempt = attempt
    self.faults = faults
    self.lease = lease
    self.code = code
  }

  /// Throws for a job that this service did not queue: its changes would be recorded as the service's own.
  func verify() async throws {
    let known = scope.database.context.logKeys.key(of: scope.tenant)
    let key: LogKey = if let known { known } else { try await scope.read { try $0.logKey() } }
    guard key.confirms(code, of: .job(id, kind, payload, of: scope.tenant)) else {
      throw ForeignJob(tenant: scope.tenant, id: id)
    }
  }

  var isFinished: Bool { finished.withLock { $0 } }

  /// Finishes the job in one transaction with the changes that are its result. If several runners have worked on the
  /// job, this succeeds for one of them; for the others it throws `JobLost` and changes nothing.
  public func finish(_ body: @escaping @Sendable (Transaction) throws -> Void = { _ in }) async throws {
    let (id, lease) = (id, lease)
    do {
      try await scope.write { transaction in
        guard try transaction.run(JobStatements.finish, transaction.now, id, lease) == 1 else { throw JobLost(id: id) }
        try body(transaction)
      }
    } catch let error as DatabaseError where error.code == .unfollowed {
      // The change is committed, so the job is done, and no caller has to hear of the step that is missing. Lines that
      // the list of erasures lacks are retried and reported elsewhere.
    }
    finished.withLock { $0 = true }
  }

  /// Extends the lease. Returns false if another runner has taken the job meanwhile.
  func renew(for time: Duration) async throws -> Bool {
    let (id, lease) = (id, lease)
    return try await scope.write { try $0.run(JobStatements.renew, $0.now + time, id, lease) == 1 }
  }

  /// Queues the job again after a failure, or gives it up if there is no delay. Returns false if another runner has
  /// taken it meanwhile.
  ///
  /// - Parameter faults: the number of faults in a row by now.
  func fail(_ failure: String, faults: Int, retryAfter delay: Duration?) async throws -> Bool {
    let (id, lease, kind, attempt) = (id, lease, kind, attempt)
    return try await scope.write { transaction in
      let state = delay == nil ? JobState.dead : .waiting
      let due = transaction.now + (delay ?? .zero)
      let changed = try transaction.run(JobStatements.retry, state.rawValue, due, failure, faults, id, lease)
      guard changed == 1 else { return false }
      if state == .dead {
        transaction.append(
          "storage.job.dead",
          VaultRecord.encode([("job", id), ("kind", kind), ("attempts", String(attempt)), ("failure", failure)]),
          to: "storage.jobs")
      }
      return true
    }
  }
}

/// Thrown for a row that this service did not queue as a job. The job is given up, since no retry changes that.
struct ForeignJob: Error, CustomStringConvertible {
  let tenant: Tenant
  let id: String

  var description: String {
    "tenant '\(tenant)': job '\(id)' is not one that this service queued: it was added or altered"
  }
}

/// Thrown when another runner has taken the job. The result of this runner is discarded.
public struct JobLost: Error, CustomStringConvertible {
  let id: String

  public var description: String { "job '\(id)' has been taken by another runner" }
}

extension Transaction {
  /// Queues a job in the same transaction as the change that needs it.
  ///
  /// - Parameters:
  ///   - id: names the job. While a job of this name is stored, no second one is queued, unless the first was given up.
  ///   - delay: how long the job waits before it may start.
  @discardableResult
  public func enqueue(
    _ kind: String, _ payload: [UInt8], id: String? = nil, after delay: Duration = .zero
  ) throws(DatabaseError) -> String {
    let id = id ?? context.identifiers.next()
    let code = try logKeyForWriting().code(of: .job(id, kind, payload, of: tenant))
    try run(JobStatements.enqueue, id, kind, payload, now + delay, now, code)
    afterCommit.wakesWaiters = true
    return id
  }

  /// Makes all waiting jobs of a kind due now, when what they were waiting for may have happened.
  public func hastenJobs(_ kind: String) throws(DatabaseError) {
    try run(JobStatements.hasten, now, kind, now)
    afterCommit.wakesWaiters = true
  }
}

extension Database {
  /// Deletes jobs that were finished or given up longer than `age` ago. Until then no job can be queued under the name
  /// of a finished one.
  @discardableResult
  public func forgetEndedJobs(olderThan age: Duration) async throws -> Int {
    let limit = Instant(millisecondsSince1970: context.clock.now.millisecondsSince1970 - age.wholeMilliseconds)
    return try await writeAcrossTenants { try $0.run(JobStatements.forget.query, [limit.storedValue]) }
  }
}
