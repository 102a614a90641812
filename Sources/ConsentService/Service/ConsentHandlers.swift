package import Base
internal import Bus
internal import ConsentContract
package import Storage
internal import Wire

/// Answers ConsentService's calls. The methods stand in extensions, by what they are about.
package struct ConsentHandlers: ConsentServiceProtocol {
  package let database: Database
  let clock: Clock
  let randomness: Randomness
  let identifiers: IdentifierSource
  let signatures: any SignatureFields
  let statementKey: StatementKey
  let heads: RecordHeads
  let scripts: ScriptCache

  package init(
    database: Database, signatures: any SignatureFields, statementKey: StatementKey, clock: Clock = .system,
    randomness: Randomness = .system
  ) {
    self.database = database
    self.clock = clock
    self.randomness = randomness
    identifiers = IdentifierSource(clock: clock, randomness: randomness)
    self.signatures = signatures
    self.statementKey = statementKey
    scripts = ScriptCache()
    heads = RecordHeads(database: database, scripts: scripts)
  }

  /// Reads one consistent snapshot of the caller's tenant.
  func read<Answer: Sendable>(
    _ context: CallContext, _ body: @escaping @Sendable (Snapshot, Caller) throws -> Answer
  ) async throws -> Answer {
    do {
      let caller = try Caller(context.identity)
      return try await database.scope(caller.tenant).read(within: context.remaining) { try body($0, caller) }
    } catch {
      throw Failure.status(error)
    }
  }

  /// Changes rows of the caller's tenant, once per idempotency key: the change, its events, its jobs and the answer are
  /// durable together before this returns.
  func write<Request: Message, Answer: Message>(
    _ request: Request, _ context: CallContext, of subjectID: String = "",
    _ body: @escaping @Sendable (Transaction, Caller) throws -> Answer
  ) async throws -> Answer {
    do {
      let caller = try Caller(context.identity)
      let scope = database.scope(caller.tenant)
      guard !context.idempotencyKey.isEmpty else {
        return try await scope.write(within: context.remaining) { try body($0, caller) }
      }
      let once = Idempotency(
        caller: caller.actor, key: context.idempotencyKey,
        request: Array("\(Request.messageName)\n".utf8) + (try request.encoded()), subject: Subject(subjectID))
      let answer = try await scope.write(once: once, within: context.remaining) { try body($0, caller).encoded() }
      return try Answer(decoding: answer.bytes)
    } catch {
      throw Failure.status(error)
    }
  }

  /// The page asked for: a cursor that a list gave out, and how many at most.
  func page(_ token: String, _ size: Int32) throws(Refusal) -> (cursor: PageCursor?, limit: Int) {
    guard (0...1000).contains(size) else {
      throw Refusal(
        .invalid, "page_size_out_of_bounds", field: "page_size", "page_size is \(size); it must be 0 to 1000")
    }
    return (token.isEmpty ? nil : PageCursor(text: token), size == 0 ? 100 : Int(size))
  }

  /// An identifier that the caller chose, or a new one.
  func name(_ wanted: String, _ field: String) throws(Refusal) -> String {
    if wanted.isEmpty { return identifiers.next() }
    guard ProblemList.isName(wanted) else {
      let message = "\(field) is '\(wanted.prefix(80))'; it must be 1 to 64 letters a-z, digits, '_' or '-'"
      throw Refusal(.invalid, "bad_name", field: field, message)
    }
    return wanted
  }
}

extension ConsentHandlers {
  /// Follows what other processes change, so that answers from memory stay true. Ends when cancelled.
  package func following() -> Task<Void, Never> {
    let heads = heads
    return Task { await heads.follow() }
  }

  /// Runs the jobs that records cause, until its task is cancelled.
  package func jobs(slots: Int = 2) -> JobRunner {
    JobRunner(
      database, slots: slots,
      handlers: [RenderJob(signatures: signatures).handler, EraseJob(signatures: signatures).handler])
  }
}
