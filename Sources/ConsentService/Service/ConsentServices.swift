package import Base
package import Bus
internal import ConsentContract
internal import ServicePolicy
package import Storage

/// The five services of consent on one database, with what they share: access to the database, caches, and the jobs
/// that records cause.
package struct ConsentServices: Sendable {
  package let database: Database
  let parts: ConsentParts

  package init(
    database: Database, signatures: any SignatureFields, statementKey: StatementKey, clock: Clock = .system,
    randomness: Randomness = .system
  ) {
    self.database = database
    parts = ConsentParts(
      database: database, signatures: signatures, statementKey: statementKey, clock: clock, randomness: randomness)
  }

  /// The handlers, one type for each service of the contract.
  package var handlers: [any RPCService] {
    [
      StudyHandlers(parts), DocumentHandlers(parts), FlowHandlers(parts), SessionHandlers(parts), RecordHandlers(parts),
    ]
  }

  /// Follows changes of other processes, so that cached answers stay true. Ends when cancelled.
  package func following() -> Task<Void, Never> {
    let heads = parts.heads
    return Task { await heads.follow() }
  }

  /// Runs the jobs that records cause, until its task is cancelled.
  package func jobs(slots: Int = 2) -> JobRunner {
    JobRunner(
      database, slots: slots,
      handlers: [RenderJob(signatures: parts.signatures).handler, EraseJob(signatures: parts.signatures).handler])
  }

  /// What is done again and again besides cleaning up the database.
  package func periodicTasks(every interval: Duration) -> [PeriodicTask] {
    let expiry = Expiry(parts)
    let retention = PeriodicTask("consent.retention", every: interval) { [database] in
      for tenant in try await database.tenants() {
        try await database.scope(tenant).applyRetention { transaction, subject in
          try Retention.followErasure(of: subject, by: "system", transaction)
        }
      }
    }
    return [PeriodicTask("consent.expiry", every: interval) { try await expiry.run() }, retention]
  }
}

/// The parts that the services are built from. Each takes those that it needs.
struct ConsentParts: Sendable {
  let data: ServiceDatabase
  let clock: Clock
  let randomness: Randomness
  let identifiers: IdentifierSource
  let signatures: any SignatureFields
  let statementKey: StatementKey
  let scripts: ScriptCache
  let heads: RecordHeads
  let recorder: DecisionRecorder

  init(
    database: Database, signatures: any SignatureFields, statementKey: StatementKey, clock: Clock,
    randomness: Randomness
  ) {
    data = ServiceDatabase(database)
    self.clock = clock
    self.randomness = randomness
    identifiers = IdentifierSource(clock: clock, randomness: randomness)
    self.signatures = signatures
    self.statementKey = statementKey
    scripts = ScriptCache()
    heads = RecordHeads(database: database, scripts: scripts)
    recorder = DecisionRecorder(identifiers: identifiers, salts: randomness)
  }
}
