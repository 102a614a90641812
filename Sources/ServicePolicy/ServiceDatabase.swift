public import RPC
public import Storage
public import Wire

/// A service's database for its handlers: in the caller's tenant, for as long as the caller waits, and only for callers
/// whom the method's permissions admit to what the call touches.
///
/// Every method here first checks whether the caller may reach what the call touches: before the handler's body runs,
/// and before a stored answer is repeated. What a body throws becomes the call's status; a handler catches nothing.
public struct ServiceDatabase: Sendable {
  public let database: Database
  let relations: @Sendable (Snapshot) -> any Relations
  let access: AccessLog

  /// - Parameters:
  ///   - repeats: how long repeats of a denied attempt or a look are counted before their number is written as an
  ///     event.
  ///   - relations: looks up the relations between people that the service has on record.
  public init(
    _ database: Database, countingRepeatsFor repeats: Duration = .seconds(60),
    relations: @escaping @Sendable (Snapshot) -> any Relations = { _ in NoRelations() }
  ) {
    self.database = database
    self.relations = relations
    access = AccessLog(database, length: repeats)
  }

  /// Finds what a call touches, in the snapshot in which the handler's body then runs.
  public typealias Lookup<Thing> = @Sendable (Snapshot, Gate) throws -> Thing

  /// Reads from one snapshot.
  public func read<Thing: AccessTargeted, Answer: Sendable>(
    _ context: CallContext, of find: @escaping Lookup<Thing>,
    _ body: @escaping @Sendable (Snapshot, Caller, Thing) throws -> Answer
  ) async throws -> Answer {
    let gate = try Gate(context, relations)
    return try await recordingDenials(gate, context) {
      try await database.scope(gate.tenant).read(within: context.patience) { snapshot in
        let thing = try gate.opened(find, snapshot)
        return try body(snapshot, try gate.caller(of: thing, snapshot), thing)
      }
    }
  }

  /// Changes rows once per idempotency key: the change, its events, its jobs and the answer are durable together before
  /// this returns, and a repeat gets the first answer, as long as its caller is still admitted. Without a key the
  /// change is made each time.
  ///
  /// Secrets in the answer are not stored. So a repeat of a call whose answer had some is refused, and the refusal's
  /// detail holds the rest of the answer.
  ///
  /// - Parameters:
  ///   - subject: the subject of the answer, so that erasing the subject erases it too; nil for the subject that the
  ///     change stores data about, or names by `Transaction.concern`.
  ///   - owner: who owns the idempotency key.
  ///   - credential: a secret of the request that cannot be guessed and is not stored. With it the answer is stored
  ///     whole, sealed so that only this secret opens it.
  ///   - body: may run more than once, so it must do nothing but use its transaction.
  public func once<Request: Message, Answer: Message, Thing: AccessTargeted>(
    _ request: Request, _ context: CallContext, about subject: Subject? = nil, keyOf owner: KeyOwner = .caller,
    repeatableBy credential: [UInt8]? = nil, of find: @escaping Lookup<Thing>,
    _ body: @escaping @Sendable (Transaction, Caller, Thing) throws -> Answer
  ) async throws -> Answer {
    guard !context.idempotencyKey.isEmpty else {
      return try await change(context, of: find) { try KeptAnswer.unkept(body($0, $1, $2)) }
    }
    let gate = try Gate(context, relations)
    let idempotency = Idempotency(
      caller: gate.caller.keyHolder(of: owner), key: context.idempotencyKey,
      request: try KeptAnswer.identity(of: request), subject: subject, credential: credential)
    let answer = try await recordingDenials(gate, context) {
      try await database.scope(gate.tenant).write(
        once: idempotency, within: context.patience, admitting: { try gate.opened(find, $0) },
        { try KeptAnswer.first(body($0, gate.caller(of: $1, $0), $1), isClosed: credential != nil) })
    }
    return try KeptAnswer.opened(answer, of: gate.method.name, isClosed: credential != nil)
  }

  /// Changes rows without an idempotency key: a repeated call makes the change again. For parts of a stream, whose
  /// repeats the handler recognises by their versions.
  public func change<Thing: AccessTargeted, Answer: Sendable>(
    _ context: CallContext, of find: @escaping Lookup<Thing>,
    _ body: @escaping @Sendable (Transaction, Caller, Thing) throws -> Answer
  ) async throws -> Answer {
    let gate = try Gate(context, relations)
    return try await recordingDenials(gate, context) {
      try await database.scope(gate.tenant).write(within: context.patience) { transaction in
        let thing = try gate.opened(find, transaction)
        return try body(transaction, try gate.caller(of: thing, transaction), thing)
      }
    }
  }

  /// Checks whether the caller is admitted, before work outside a transaction, so that nothing is read or computed for
  /// a caller who would be refused anyway. `once` and `read` check again.
  public func admit<Thing: AccessTargeted>(_ context: CallContext, to find: @escaping Lookup<Thing>) async throws {
    _ = try await read(context, of: find) { _, _, _ in true }
  }

  /// Reads from one snapshot, where the request alone says what the call touches.
  public func read<Answer: Sendable>(
    _ context: CallContext, of thing: AccessTarget,
    _ body: @escaping @Sendable (Snapshot, Caller, AccessTarget) throws -> Answer
  ) async throws -> Answer {
    try await read(context, of: { _, _ in thing }, body)
  }

  /// Changes rows once per idempotency key, where the request alone says what the call touches.
  public func once<Request: Message, Answer: Message>(
    _ request: Request, _ context: CallContext, about subject: Subject? = nil, of thing: AccessTarget,
    _ body: @escaping @Sendable (Transaction, Caller, AccessTarget) throws -> Answer
  ) async throws -> Answer {
    try await once(request, context, about: subject, of: { _, _ in thing }, body)
  }

  /// Writes the counts of repeated looks and denied attempts, also of windows that are still open. Called when the
  /// process ends and no calls run any more.
  public func writeCounts() async throws {
    try await access.writeCounts()
  }
}

extension CallContext {
  /// The caller's tenant. This checks no permission.
  public func tenant() throws(Refusal) -> Tenant { try Caller(identity).tenant }

  /// How long the database may take: until the call's deadline, but at most 30 seconds.
  public var patience: Duration { min(remaining, .seconds(30)) }
}
