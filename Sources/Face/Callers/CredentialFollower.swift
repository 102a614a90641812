internal import AccountContract
package import Base
package import Bus
internal import RPC
internal import Tokens
internal import Wire

/// Keeps a door's access tokens and API keys up to date from AccountService's stream, and tells AccountService when
/// keys were used.
package struct CredentialFollower: Sendable {
  private let channel: BusChannel
  private let tokens: TokenCredentials
  private let keys: AccountKeys
  private let news: RevocationNews
  private let clock: Clock
  private let closed: ClosedCallers
  private let onClosing: @Sendable (KeyRing.Closures) -> Void
  private let reportInterval: Duration
  /// The first pause is short, because no token is accepted meanwhile. Pauses grow when streams end again and again.
  private static let shortestPause = Duration.milliseconds(200)
  private static let longestPause = Duration.seconds(2)
  /// A stream that has lasted this long cannot have ended for a reason that will end the next one at once as well.
  private static let lasting = Duration.seconds(2)
  private static let lifetime = Duration.seconds(3600)
  private static let mostUses = 1000

  /// - Parameters:
  ///   - channel: one whose calls AccountService trusts, such as a gateway's own.
  ///   - news: the same as that of `tokens`, `keys` and the gatekeeper.
  ///   - onClosing: called with all closed tenants and devices when they change, so that keys of the bus end too.
  package init(
    _ channel: BusChannel, _ tokens: TokenCredentials, _ keys: AccountKeys, _ news: RevocationNews,
    _ closed: ClosedCallers = ClosedCallers(), reportingUsesEvery reportInterval: Duration = .seconds(60),
    clock: Clock = .system,
    onClosing: @escaping @Sendable (KeyRing.Closures) -> Void = { _ in }
  ) {
    self.news = news
    self.clock = clock
    self.closed = closed
    self.onClosing = onClosing
    self.channel = channel.acting(for: CallerIdentity(kind: .service, subject: "gateway"))
    self.tokens = tokens
    self.keys = keys
    self.reportInterval = reportInterval
  }

  /// Follows until the task is cancelled.
  package func run() async {
    await withTaskGroup { group in
      group.addTask { await follow() }
      group.addTask { await report() }
    }
  }

  /// Opens a new stream, at any process that serves it, whenever one ends or falls silent. While no process does, the
  /// call waits.
  private func follow() async {
    var pause = Self.shortestPause
    while !Task.isCancelled {
      let begun = clock.elapsed
      let stream = AccountAdminServiceClient(channel).watchRevocations(
        deadline: Self.lifetime, options: CallOptions(waitsForReady: true))
      let wakeUps = news.open()
      let hasHeard = await learn(from: stream, asking: wakeUps)
      news.close(isLast: Task.isCancelled)
      if hasHeard { pause = Self.shortestPause }
      // After a stream that has lasted, the next one is opened without a pause: calls may be waiting for its answer.
      if hasHeard, clock.elapsed - begun > Self.lasting { continue }
      try? await Task.sleep(for: pause)
      pause = min(pause * 2, Self.longestPause)
    }
  }

  private typealias Stream = BidirectionalCall<WatchRevocationsRequest, WatchRevocationsResponse>

  /// Learns from a stream until it ends; returns whether it brought any message.
  private func learn(from stream: Stream, asking wakeUps: AsyncStream<Void>) async -> Bool {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await ask(on: stream, whenever: wakeUps) }
      defer {
        group.cancelAll()
        stream.cancel()
      }
      var followed = FollowedStream(self)
      do {
        for try await answer in stream.responses { followed.learn(answer) }
      } catch {
        // No process serves the stream now. The verifiers notice the silence by themselves.
      }
      return followed.hasHeard
    }
  }

  /// Sends the questions that are due, and cancels the stream when it falls silent.
  private func ask(on stream: Stream, whenever wakeUps: AsyncStream<Void>) async {
    var alarm: (time: MonotonicTime, task: Task<Void, any Error>)?
    defer { alarm?.task.cancel() }
    do {
      for await _ in wakeUps {
        var step = news.step()
        while case .ask(let number) = step {
          try await stream.requests.send(WatchRevocationsRequest(question: number))
          step = news.step()
        }
        switch step {
        case .wait(let time):
          // An earlier alarm stays, and sets the next one when it goes off: otherwise uses would set several in each
          // second.
          let now = clock.elapsed
          if let alarm, alarm.time > now, alarm.time <= time { continue }
          alarm?.task.cancel()
          alarm = (
            time,
            Task { [news] in
              try await Rounds.wait(exactly: max(.zero, time - now))
              news.wake()
            }
          )
        case .giveUp: return stream.cancel()
        case .ask, .waitForStream: break
        }
      }
    } catch {
      // The stream has ended. Whoever reads its answers notices that as well.
    }
  }

  /// What one stream has told so far.
  private struct FollowedStream {
    private let follower: CredentialFollower
    private(set) var hasHeard = false
    private var tenants: Set<String> = []
    private var disabled: Set<String> = []
    private var isFirstLookOver = false

    init(_ follower: CredentialFollower) {
      self.follower = follower
    }

    mutating func learn(_ answer: WatchRevocationsResponse) {
      hasHeard = true
      follower.news.noteMessage()
      let (tokens, keys, closed) = (follower.tokens, follower.keys, follower.closed)
      let revoked = answer.revocations.compactMap(CredentialFollower.revoked)
      tokens.learn(jwks: answer.jwks, revoked)
      for set in answer.apiKeySets {
        tenants.insert(set.tenant)
        keys.replace(set.keys.compactMap { CredentialFollower.entry($0, of: set.tenant) }, of: set.tenant)
      }
      var isChanged = false
      for state in answer.tenantStates {
        if state.disabled { disabled.insert(state.tenant) }
        if closed.set(state.disabled, state.tenant) { isChanged = true }
      }
      for case (.device(let name), let tenant, _) in revoked where closed.wipe(name, of: tenant) {
        isChanged = true
      }
      if answer.complete, !isFirstLookOver {
        keys.keep(only: tenants)
        if closed.keep(only: disabled) { isChanged = true }
        isFirstLookOver = true
      }
      if isChanged { follower.onClosing(closed.all) }
      // Last, because the verifiers trust what they have from here on.
      follower.news.noteLearned(answering: answer.answered)
    }
  }

  private func report() async {
    while !Task.isCancelled {
      try? await Rounds.wait(about: reportInterval)
      var uses = keys.takeUses()[...]
      while !uses.isEmpty {
        let some = uses.prefix(Self.mostUses).map {
          ApiKeyUse(tenant: $0.tenant, apiKeyID: $0.id, usedAt: Timestamp($0.time))
        }
        uses = uses.dropFirst(some.count)
        // A report that is lost is made up for by the report of the key's next use.
        _ = try? await ApiKeyServiceClient(channel).reportApiKeyUses(ReportApiKeyUsesRequest(uses: some))
      }
    }
  }

  private static func revoked(
    _ revocation: Revocation
  ) -> (revoked: RevocationList.Revoked, tenant: String, before: Instant)? {
    guard let before = revocation.before?.clamped else { return nil }
    switch revocation.revoked {
    case .sessionID(let id): return (.session(id), revocation.tenant, before)
    case .personID(let id): return (.person(id), revocation.tenant, before)
    case .deviceID(let id): return (.device(id), revocation.tenant, before)
    case nil: return nil
    }
  }

  /// A key as its verifier needs it. Its holder's name has a colon, which names of people never have, so that no key
  /// can pass for a person.
  private static func entry(_ key: VerifiableApiKey, of tenant: String) -> AccountKeys.Entry? {
    guard let hash = Digest(bytes: key.hash) else { return nil }
    let kind: CallerKind
    switch key.kind {
    case .program: kind = .person
    case .device: kind = .device
    default: return nil
    }
    return AccountKeys.Entry(
      key: APIKey(
        id: key.apiKeyID, hash: hash, name: key.name, tenant: tenant, kind: kind, roles: key.roles, scopes: key.scopes,
        expires: key.expiresAt?.clamped, holder: "key:\(key.apiKeyID.dropFirst(APIKey.prefix.count))"),
      previousHash: Digest(bytes: key.previousHash), overlapEnd: key.overlapEndsAt?.clamped)
  }
}
