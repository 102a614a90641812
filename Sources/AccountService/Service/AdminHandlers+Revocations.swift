internal import AccountContract
internal import Base
internal import Bus
internal import ServicePolicy
internal import Storage
internal import Tokens

/// The stream that tells gateways which tokens are void.
extension AdminHandlers {
  /// How often a message is sent although nothing was revoked: several times within the second for which a gateway
  /// trusts the last message.
  private static let heartbeat = Duration.milliseconds(250)
  /// Revocations carry the time at which their transaction began. Looking back this far also finds those of a long
  /// transaction.
  private static let overlap = Duration.seconds(40)

  func watchRevocations(
    _ request: WatchRevocationsRequest, context: CallContext, responses: ResponseWriter<WatchRevocationsResponse>
  ) async throws {
    try context.admittedByKind()
    let (signals, sender) = AsyncStream.makeStream(of: Signal.self, bufferingPolicy: .bufferingNewest(1024))
    let database = parts.data.database
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        // Every tenant first, then each with a new event: a revocation always comes with one.
        for try await head in database.watchEventHeads() { sender.yield(.tenant(head.tenant)) }
        sender.finish()
      }
      group.addTask {
        while !Task.isCancelled {
          sender.yield(.beat)
          try await Task.sleep(for: Self.heartbeat)
        }
      }
      defer { group.cancelAll() }
      try await send(signals, context, responses)
    }
    throw Status(.unavailable, "shutting_down: this process ends; watch another one")
  }

  private enum Signal: Sendable {
    case beat
    case tenant(Tenant)
  }

  private func send(
    _ signals: AsyncStream<Signal>, _ context: CallContext, _ responses: ResponseWriter<WatchRevocationsResponse>
  ) async throws {
    var iterator = signals.makeAsyncIterator()
    var sent: [String: [Revocation: Instant]] = [:]
    var knownKeys = ""
    while true {
      context.slot.waits()
      let signal = await iterator.next(isolation: #isolation)
      context.slot.resumes()
      try Task.checkCancellation()
      guard let signal else { return }
      var answer = WatchRevocationsResponse()
      let now = parts.clock.now
      if case .tenant(let tenant) = signal {
        let isFirst = sent[tenant.id] == nil
        let back = isFirst ? parts.tokens.lifetimes.longest : Self.overlap
        let found = try await parts.data.database.scope(tenant).read { snapshot in
          try RevocationStore.revocations(since: now + (.zero - back), snapshot)
        }
        var known = sent[tenant.id, default: [:]].filter { $0.value > now }
        answer.revocations = found.filter { known[$0] == nil }
        for revocation in answer.revocations { known[revocation] = now + Self.overlap * 2 }
        sent[tenant.id] = known
      }
      let keys = parts.tokens.keys.published(at: now).jwks
      if keys != knownKeys {
        answer.jwks = keys
        knownKeys = keys
      }
      if case .tenant = signal, answer.revocations.isEmpty, answer.jwks.isEmpty { continue }
      try await responses.send(answer)
    }
  }
}
