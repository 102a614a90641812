public import Bus
public import Storage
public import Wire

/// A service's database for its handlers: in the caller's tenant, and for as long as the caller waits.
///
/// What a body throws becomes the call's status; a handler catches nothing.
public struct ServiceDatabase: Sendable {
  public let database: Database

  public init(_ database: Database) {
    self.database = database
  }

  /// Reads one consistent moment.
  public func read<Answer: Sendable>(
    _ context: CallContext, _ body: @escaping @Sendable (Snapshot, Caller) throws -> Answer
  ) async throws -> Answer {
    let caller = try Caller(context.identity)
    return try await database.scope(caller.tenant).read(within: context.patience) { try body($0, caller) }
  }

  /// Changes rows once per idempotency key: the change, its events, its jobs and the answer are durable together before
  /// this returns, and a repeat gets the first answer. Without a key the change is made each time.
  ///
  /// - Parameters:
  ///   - subject: the subject of the answer, so that erasing the subject erases it too; nil for the subject that the
  ///     change stores data about, or names by `Transaction.concern`.
  ///   - body: may run more than once and does nothing but use its transaction.
  public func once<Request: Message, Answer: Message>(
    _ request: Request, _ context: CallContext, about subject: Subject? = nil,
    _ body: @escaping @Sendable (Transaction, Caller) throws -> Answer
  ) async throws -> Answer {
    guard !context.idempotencyKey.isEmpty else { return try await change(context, body) }
    let caller = try Caller(context.identity)
    let idempotency = Idempotency(
      caller: caller.actor, key: context.idempotencyKey,
      request: Array("\(Request.messageName)\n".utf8) + (try request.encoded()), subject: subject)
    let kept = try await database.scope(caller.tenant).write(once: idempotency, within: context.patience) {
      try body($0, caller).encoded()
    }
    return try Answer(decoding: kept.bytes)
  }

  /// Changes rows each time that it is called: for parts of a stream, which recognise a repeat by versions of their
  /// own.
  public func change<Answer: Sendable>(
    _ context: CallContext, _ body: @escaping @Sendable (Transaction, Caller) throws -> Answer
  ) async throws -> Answer {
    let caller = try Caller(context.identity)
    return try await database.scope(caller.tenant).write(within: context.patience) { try body($0, caller) }
  }
}

extension CallContext {
  /// How long the database may take: after that the caller waits no longer.
  public var patience: Duration { min(remaining, .seconds(30)) }
}
