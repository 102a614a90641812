internal import Base
internal import Synchronization

/// Work that a change caused, taken by one runner at a time until it is finished.
public final class Job: Sendable {
  public let scope: Scope
  public let id: String
  public let kind: String
  /// References only: it is stored unencrypted.
  public let payload: [UInt8]
  /// 1 for the first.
  public let attempt: Int
  /// How many of the attempts before this one were faults, one after the other.
  let faults: Int
  private let lease: String
  /// What the row says that the service made of it when it queued the job.
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

  /// Refuses a job that this service did not queue: what it does would be on record as the service's own.
  func verify() async throws {
    let known = scope.database.context.logKeys.key(of: scope.tenant)
    let key: LogKey = if let known { known } else { try await scope.read { try $0.logKey() } }
    guard key.confirms(code, of: .job(id, kind, payload, of: scope.tenant)) else {
      throw ForeignJob(tenant: scope.tenant, id: id)
    }
  }

  var isFinished: Bool { finished.withLock { $0 } }

  /// Finishes the job together with the changes that are its result. However many runners worked on it, this succeeds
  /// once: for the others it throws `JobLost` and changes nothing.
  public func finish(_ body: @escaping @Sendable (Transaction) throws -> Void = { _ in }) async throws {
    let (id, lease) = (id, lease)
    do {
      try await scope.write { transaction in
        guard try transaction.run(JobStatements.finish, transaction.now, id, lease) == 1 else { throw JobLost(id: id) }
        try body(transaction)
      }
    } catch let error as DatabaseError where error.code == .unfollowed {
      // The job is done, and nobody waits for its answer. What is missing in the list of erasures is added, and
      // reported, by whoever keeps that.
    }
    finished.withLock { $0 = true }
  }

  /// Extends the lease; false when another runner has taken the job meanwhile.
  func renew(for time: Duration) async throws -> Bool {
    let (id, lease) = (id, lease)
    return try await scope.write { try $0.run(JobStatements.renew, $0.now + time, id, lease) == 1 }
  }

  /// Queues the job again after a failure, or gives it up; false when another runner has taken it meanwhile.
  ///
  /// - Parameter faults: how many attempts were faults by now, one after the other.
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

/// A row that is no job of this service: no attempt will make it one.
struct ForeignJob: Error, CustomStringConvertible {
  let tenant: Tenant
  let id: String

  var description: String {
    "tenant '\(tenant)': job '\(id)' is not one that this service queued: it was added or altered"
  }
}

/// Another runner has taken the job: the result of this one is discarded.
public struct JobLost: Error, CustomStringConvertible {
  let id: String

  public var description: String { "job '\(id)' has been taken by another runner" }
}

extension Transaction {
  /// Queues a job with the change that causes it.
  ///
  /// - Parameters:
  ///   - id: names the job; a second one of the same name is not queued, unless the first was given up.
  ///   - delay: the job does not start before this time has passed.
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

  /// Lets all waiting jobs of a kind begin now: what they waited for may have come.
  public func hastenJobs(_ kind: String) throws(DatabaseError) {
    try run(JobStatements.hasten, now, kind, now)
    afterCommit.wakesWaiters = true
  }
}

extension Database {
  /// Deletes jobs that were finished or given up longer ago than `age`; until then the name of a finished one cannot be
  /// used again.
  @discardableResult
  public func forgetEndedJobs(olderThan age: Duration) async throws -> Int {
    let limit = Instant(millisecondsSince1970: context.clock.now.millisecondsSince1970 - age.wholeMilliseconds)
    return try await writeAcrossTenants { try $0.run(JobStatements.forget.query, [limit.storedValue]) }
  }
}
