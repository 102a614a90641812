internal import Base

/// The database as one tenant sees it.
public struct Scope: Sendable {
  public let tenant: Tenant
  let database: Database

  /// Reads from one consistent snapshot.
  ///
  /// - Parameter time: how long to wait for a connection and for the answer.
  public func read<Result: Sendable>(
    within time: Duration = .seconds(10), _ body: @escaping @Sendable (Snapshot) throws -> Result
  ) async throws -> Result {
    let (tenant, context) = (tenant, database.context)
    return try await database.read(within: time) { connection in
      try body(Snapshot(tenant: tenant, connection: connection, context: context))
    }
  }

  /// Changes rows, and returns when the change is durable. If it throws, nothing was changed, except for the codes
  /// `DatabaseError.Code.outcomeUnknown` and `.unfollowed`.
  ///
  /// `body` may run more than once: see `Transaction`.
  @discardableResult
  public func write<Result: Sendable>(
    _ isolation: Isolation = .standard, within time: Duration = .seconds(10),
    _ body: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result {
    let (tenant, context) = (tenant, database.context)
    let options = WriteOptions(deadline: context.clock.monotonic + time, isolation: isolation)
    let (result, afterCommit) = try await database.write(options) { connection in
      let transaction = Transaction(tenant: tenant, connection: connection, context: context)
      let result = try body(transaction)
      try transaction.finish()
      return (result, transaction.afterCommit)
    }
    if let key = afterCommit.logKey { context.logKeys.note(key, of: tenant) }
    if let end = afterCommit.logEnd { context.seenEvents.note(end, of: tenant.id) }
    if afterCommit.wakesWaiters { database.announceCommit() }
    do {
      try await follow(afterCommit)
    } catch {
      // The files are scrubbed even if a step after the commit has failed.
      if afterCommit.scrubsFiles { await database.scrubFiles() }
      throw error
    }
    // Last, since scrubbing may occupy SQLite's only writer, which is needed to sign a head.
    if afterCommit.scrubsFiles { await database.scrubFiles() }
    return result
  }

  /// The steps after a commit that must be done before the change's caller continues: the list of erasures is extended,
  /// and a head is signed.
  private func follow(_ afterCommit: Transaction.AfterCommit) async throws {
    var unlisted: (any Error)?
    if !afterCommit.facts.isEmpty {
      do { try await database.writeDown(afterCommit.facts) } catch { unlisted = error }
    }
    if afterCommit.signsHead { await database.signPromptly(tenant) }
    if let unlisted { throw unlisted }
  }
}
