public import Bus
public import Storage

/// The personal data that a call has read, and whose reading is recorded.
public struct Disclosure: Sendable {
  public let caller: Caller
  private(set) var records: [@Sendable (Transaction) throws -> Void] = []

  /// Records, in the vault's own stream, that an item of a subject was read, and why.
  public mutating func note(_ item: String, of subject: Subject, for purpose: String) {
    let reader = caller.actor
    note(reading: subject.id) { transaction in
      transaction.vault.recordDisclosure(of: item, of: subject, to: reader, purpose: purpose)
    }
  }

  /// The same with an event of the service.
  public mutating func note(reading subject: String, _ record: @escaping @Sendable (Transaction) throws -> Void) {
    if caller.isOnRecord(reading: subject) { records.append(record) }
  }
}

extension ServiceDatabase {
  /// Reads data that may be personal. If the reading is recorded, the record is durable before the answer is sent; a
  /// reading that is not recorded, such as the subject's own, writes nothing.
  public func disclose<Thing: Touching, Answer: Sendable>(
    _ context: CallContext, of find: @escaping Finding<Thing>,
    _ body: @escaping @Sendable (Snapshot, Thing, inout Disclosure) throws -> Answer
  ) async throws -> Answer {
    let (answer, disclosure) = try await read(context, of: find) { snapshot, caller, thing in
      var disclosure = Disclosure(caller: caller)
      return (try body(snapshot, thing, &disclosure), disclosure)
    }
    if !disclosure.records.isEmpty {
      try await database.scope(disclosure.caller.tenant).write(within: context.patience) { transaction in
        for record in disclosure.records { try record(transaction) }
      }
    }
    return answer
  }
}
