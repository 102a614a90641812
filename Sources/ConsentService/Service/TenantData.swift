internal import Base
internal import Bus
internal import Storage
internal import Wire

/// Gives calls access to the data of their caller's tenant.
struct TenantData: Sendable {
  let database: Database

  /// Reads one consistent snapshot.
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

  /// Changes rows, once per idempotency key: the change, its events, its jobs and the answer are durable together
  /// before this returns.
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

  /// Reads data that may be personal. When staff reads, that is recorded before the answer is sent; other callers only
  /// read.
  func disclose<Answer: Sendable>(
    _ context: CallContext, _ body: @escaping @Sendable (Snapshot, Caller, inout Readings) throws -> Answer
  ) async throws -> Answer {
    do {
      let caller = try Caller(context.identity)
      let scope = database.scope(caller.tenant)
      let (answer, readings) = try await scope.read(within: context.remaining) { snapshot in
        var readings = Readings()
        return (try body(snapshot, caller, &readings), readings)
      }
      if !readings.events.isEmpty {
        try await scope.write(within: context.remaining) { transaction in
          for event in readings.events { try transaction.note(event, by: caller) }
        }
      }
      return answer
    } catch {
      throw Failure.status(error)
    }
  }
}

/// The page of a list that a caller asked for.
struct PageRequest {
  let cursor: PageCursor?
  let limit: Int

  init(_ token: String, _ size: Int32) throws(Refusal) {
    guard (0...1000).contains(size) else {
      throw Refusal(
        .invalid, "page_size_out_of_bounds", field: "page_size", "page_size is \(size); it must be 0 to 1000")
    }
    cursor = token.isEmpty ? nil : PageCursor(text: token)
    limit = size == 0 ? 100 : Int(size)
  }
}
