package import Storage

extension Scope {
  /// Makes a change once per key that everybody is admitted to, with an answer in bytes.
  package func write(
    once idempotency: Idempotency, within time: Duration = .seconds(10),
    _ body: @escaping @Sendable (Transaction) throws -> [UInt8]
  ) async throws -> IdempotentAnswer<[UInt8]> {
    try await write(once: idempotency, within: time, admitting: { _ in }) { transaction, _ in
      let answer = try body(transaction)
      return FirstAnswer(answer, kept: answer)
    }
  }
}

extension IdempotentAnswer<[UInt8]> {
  package var bytes: [UInt8] {
    switch self {
    case .first(let bytes), .kept(let bytes): bytes
    }
  }

  package var isRepeat: Bool {
    if case .kept = self { true } else { false }
  }
}
