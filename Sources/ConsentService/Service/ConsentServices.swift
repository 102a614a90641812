package import Base
internal import ConsentContract
package import RPC
internal import ServicePolicy
package import Storage
package import Webhooks

/// The six services of consent on one database, with what they share: access to the database, caches, and the jobs
/// that records cause.
package struct ConsentServices: Sendable {
  package let database: Database
  let parts: ConsentParts

  package init(
    database: Database, signatures: any SignatureFields, papers: any CopyPapers, accounts: any SubjectAccounts,
    statementKey: SigningKey, verificationAddress: String = "",
    evidence: EvidenceSigner? = nil, webhooks: WebhookPolicy = WebhookPolicy(), clock: Clock = .system,
    randomness: Randomness = .system, fileParts: FileParts = FileParts()
  ) {
    self.database = database
    parts = ConsentParts(
      database: database, signatures: signatures, accounts: accounts,
      copies: CopyMaker(papers: papers, clock: clock, address: verificationAddress, pages: PagePool()),
      statementKey: statementKey, evidence: evidence, webhooks: webhooks, clock: clock, randomness: randomness,
      fileParts: fileParts)
  }

  /// Repeats the parts of a subject's erasure outside of the vault, after the restore of a backup from before the
  /// erasure.
  package static func eraseAgain(_ subject: Subject, _ transaction: Transaction) throws {
    if ReservedPrefix(of: subject.id) == .webhook {
      return try WebhookRegister.deleteAgain(ownedBy: subject, of: ConsentNotices.source, by: "system", transaction)
    }
    try Retention.followErasure(of: subject, by: "system", transaction)
  }

  /// The handlers, one type for each service of the contract.
  package var handlers: [any RPCService] {
    [
      StudyHandlers(parts), DocumentHandlers(parts), FlowHandlers(parts), SessionHandlers(parts), RecordHandlers(parts),
      WebhookHandlers(parts),
    ]
  }

  /// Stores how often readings and denied attempts were repeated. Called at the end, when no calls run any more.
  package func writeCounts() async throws { try await parts.data.writeCounts() }

  /// Runs the jobs that records cause, until its task is cancelled.
  package func jobs(slots: Int = 2, policy: JobPolicy = JobPolicy()) -> JobRunner {
    JobRunner(
      database, slots: slots, policy: policy,
      handlers: [
        RenderJob(signatures: parts.signatures).handler,
        FieldCloser(database: database, signatures: parts.signatures).handler,
        SealStepJob(maker: parts.copies).handler,
      ] + SealJob(maker: parts.copies).handlers
        + EraseJob(signatures: parts.signatures, accounts: parts.accounts).handlers
        + HoldJob(signatures: parts.signatures, accounts: parts.accounts).handlers)
  }

  /// Sends events to webhooks, until its task is cancelled.
  package func webhooks(
    reporting report: @escaping @Sendable (WebhookReport) -> Void = { _ in }
  ) -> WebhookSender {
    WebhookSender(database, parts.webhooks, clock: parts.clock, report: report)
  }

  /// Copies changes of the other services that webhooks want, until its task is cancelled.
  package func follow(_ logs: any FollowedLogs, report: @escaping @Sendable (FollowedFault) -> Void) async {
    while !Task.isCancelled {
      let isWanted = await copyChanges(from: logs, report: report)
      // A webhook that wants the first such changes meanwhile gets those since it was made.
      try? await Rounds.wait(about: .seconds(isWanted ? 2 : 8))
    }
  }

  /// Copies those that have happened since the last time; returns whether any webhook wants such changes.
  @discardableResult
  package func copyChanges(
    from logs: any FollowedLogs, report: @escaping @Sendable (FollowedFault) -> Void = { _ in }
  ) async -> Bool {
    await LogFollower(database: database, logs: logs, report: report).run()
  }

  /// The service's periodic tasks, in addition to those of Storage.
  package func periodicTasks(every interval: Duration) -> [PeriodicTask] {
    let expiry = Expiry(parts)
    let retention = PeriodicTask("consent.retention", every: interval) { [database, accounts = parts.accounts] in
      try await database.forEachTenant { scope in
        try await scope.applyRetention(
          // Somebody who works here stays, for instance a member of staff who has tried out a flow.
          exempting: { try await accounts.hasRoles($0.id, tenant: scope.tenant) },
          sparing: { try Retention.isNeeded($0, $1) },
          alongside: { try Retention.followErasure(of: $1, by: "system", $0) })
      }
    }
    let guesses = PeriodicTask("consent.guesses", every: interval) { [database] in
      try await database.forEachTenant { scope in
        try await scope.write { try GuessStore.forget(before: $0.now + (.zero - GuessStore.memory), $0) }
      }
    }
    return [PeriodicTask("consent.expiry", every: interval) { try await expiry.run() }, retention, guesses]
  }
}

/// In what parts the files of records, decisions, copies and trails are written.
package struct FileParts: Sendable {
  /// How many records or events are read at once.
  let rows: Int32
  /// How many bytes one message has at most.
  let bytes: Int

  package init(rows: Int32 = 500, bytes: Int = 256 << 10) { (self.rows, self.bytes) = (rows, bytes) }
}

/// The parts that the services are built from. Each takes those that it needs.
struct ConsentParts: Sendable {
  let data: ServiceDatabase
  let clock: Clock
  let randomness: Randomness
  let identifiers: IdentifierSource
  let signatures: any SignatureFields
  let accounts: any SubjectAccounts
  let copies: CopyMaker
  let statementKey: SigningKey
  let scripts: ScriptCache
  let markup: MarkupPool
  let pages: PagePool
  let recorder: DecisionRecorder
  let webhooks: WebhookRegister
  /// Signs the evidence that is handed out; nil without a key for it.
  let evidence: EvidenceSigner?
  let fileParts: FileParts

  init(
    database: Database, signatures: any SignatureFields, accounts: any SubjectAccounts, copies: CopyMaker,
    statementKey: SigningKey, evidence: EvidenceSigner?, webhooks: WebhookPolicy, clock: Clock, randomness: Randomness,
    fileParts: FileParts
  ) {
    data = ServiceDatabase(database) { ConsentRelations(snapshot: $0) }
    self.evidence = evidence
    self.fileParts = fileParts
    self.clock = clock
    self.randomness = randomness
    identifiers = IdentifierSource(clock: clock, randomness: randomness)
    self.signatures = signatures
    self.accounts = accounts
    self.copies = copies
    self.statementKey = statementKey
    scripts = ScriptCache()
    markup = MarkupPool()
    pages = copies.pages
    self.webhooks = WebhookRegister(
      ConsentNotices.source, webhooks, identifiers: identifiers, randomness: randomness)
    recorder = DecisionRecorder(identifiers: identifiers, salts: randomness)
  }
}
