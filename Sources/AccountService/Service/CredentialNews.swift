internal import AccountContract
internal import Base
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Synchronization
internal import Tokens
internal import Wire

/// The stream that tells gateways which tokens are void, and which API keys there are.
extension AdminHandlers {
  func watchRevocations(
    _ requests: RequestStream<WatchRevocationsRequest>, context: CallContext,
    responses: ResponseWriter<WatchRevocationsResponse>
  ) async throws {
    try context.admittedByKind()
    let commits = parts.data.database.watchCommits()
    let (signals, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let questions = Questions()
    wake.yield()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for await _ in commits { wake.yield() }
        wake.finish()
      }
      group.addTask {
        for try await request in requests {
          questions.add(request.question)
          wake.yield()
        }
      }
      defer { group.cancelAll() }
      try await send(signals, questions, context, responses)
    }
    throw Status(.unavailable, rule: "shutting_down", "this process ends; watch another one")
  }

  private func send(
    _ signals: AsyncStream<Void>, _ questions: Questions, _ context: CallContext,
    _ responses: ResponseWriter<WatchRevocationsResponse>
  ) async throws {
    var iterator = signals.makeAsyncIterator()
    var news = CredentialNews(parts)
    var isComplete = false
    var answered: Int64 = 0
    while true {
      context.slot.waits()
      let isRunning = await iterator.next(isolation: #isolation) != nil
      context.slot.resumes()
      try Task.checkCancellation()
      guard isRunning else { return }
      // Taken before the database is read, so that the answer covers everything that had been revoked when the gateway
      // asked.
      let question = questions.last
      let changed = try await news.changed()
      for tenant in changed {
        let answer = try await news.answer(about: tenant, context)
        if !answer.revocations.isEmpty || !answer.apiKeySets.isEmpty || !answer.tenantStates.isEmpty {
          try await responses.send(answer)
        }
      }
      guard question > answered || !isComplete || !changed.isEmpty else { continue }
      try await responses.send(news.completion(answering: question))
      (isComplete, answered) = (true, question)
    }
  }
}

/// The number of the gateway's last question. An answer to it also answers all earlier ones.
private final class Questions: Sendable {
  private let number = Atomic<Int64>(0)

  func add(_ question: Int64) { number.max(question, ordering: .releasing) }

  var last: Int64 { number.load(ordering: .acquiring) }
}

/// Remembers what one stream has sent, and finds what is new.
private struct CredentialNews {
  /// Revocations carry the time at which their transaction began. Looking back so far from the last reading also finds
  /// those of a long transaction.
  private static let overlap = Duration.seconds(40)

  private let parts: AccountParts
  private var heads: [Tenant: Int64] = [:]
  /// When each tenant's revocations were last read.
  private var read: [Tenant: Instant] = [:]
  private var revocations: [Tenant: [MessageKey<Revocation>: Instant]] = [:]
  private var keys: [Tenant: [VerifiableApiKey]] = [:]
  private var disabled: Set<Tenant> = []
  private var jwks = ""

  init(_ parts: AccountParts) {
    self.parts = parts
  }

  /// The tenants with new events, at first all tenants: whatever a gateway has to know is recorded together with an
  /// event.
  mutating func changed() async throws -> [Tenant] {
    let changed = try await parts.data.database.eventHeads().filter { heads[$0.tenant] != $0.last }
    for head in changed { heads[head.tenant] = head.last }
    return changed.map(\.tenant)
  }

  /// A message that says that everything until now was sent.
  mutating func completion(answering question: Int64) -> WatchRevocationsResponse {
    WatchRevocationsResponse(jwks: newKeys(), complete: true, answered: question)
  }

  /// The key set of access tokens; empty if the stream has sent it already.
  private mutating func newKeys() -> String {
    let published = parts.tokens.keys.published(at: parts.clock.now).jwks
    guard published != jwks else { return "" }
    jwks = published
    return published
  }

  mutating func answer(about tenant: Tenant, _ context: CallContext) async throws -> WatchRevocationsResponse {
    let now = parts.clock.now
    let isFirst = read[tenant] == nil
    let since = read[tenant].map { $0 + (.zero - Self.overlap) } ?? now + (.zero - parts.tokens.lifetimes.longest)
    let (found, inUse, isDisabled) = try await parts.data.readByKind(context, in: tenant) { snapshot in
      let found = try RevocationStore.revocations(since: since, snapshot)
      // A key of the bus names its device for as long as an operator leaves it in a list, so a new stream begins with
      // every device that was ever wiped. Those that are wiped later are among `found`.
      let wiped = isFirst ? try DeviceStore.wiped(snapshot) : []
      let told = Set(found.map(\.revoked))
      let untold = wiped.filter { !told.contains($0.revoked) }
      return (found + untold, try APIKeyStore.inUse(snapshot), try TenantStore.isDisabled(snapshot))
    }
    read[tenant] = now
    var known = revocations[tenant, default: [:]].filter { $0.value > now }
    var answer = WatchRevocationsResponse(revocations: found.filter { known[MessageKey($0)] == nil })
    for revocation in answer.revocations { known[MessageKey(revocation)] = now + Self.overlap * 2 }
    revocations[tenant] = known
    let isChanged = inUse != keys[tenant, default: []]
    if !answer.revocations.isEmpty || isChanged { answer.jwks = newKeys() }
    if isChanged {
      answer.apiKeySets = [ApiKeySet(tenant: tenant.id, keys: inUse)]
      keys[tenant] = inUse
    }
    if isDisabled != disabled.contains(tenant) {
      answer.tenantStates = [TenantState(tenant: tenant.id, disabled: isDisabled)]
      if isDisabled { disabled.insert(tenant) } else { disabled.remove(tenant) }
    }
    return answer
  }
}
