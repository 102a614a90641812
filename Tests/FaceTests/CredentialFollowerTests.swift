import AccountContract
import Base
import Bus
import RPC
import Synchronization
import Testing
import Tokens
import Wire

@testable import Face

@Suite("A door that follows revocations", .timeLimit(.minutes(1))) struct CredentialFollowerTests {
  /// Stands for AccountService: it says what a test tells it to, and that it is there.
  private final class Revoker: RPCService {
    static let descriptor = ServiceDescriptor(
      name: AccountAdminServiceMethods.watchRevocations.service,
      methods: [AccountAdminServiceMethods.watchRevocations], fingerprint: "1")
    let revoked = Mutex<[Revocation]>([])
    let tenants = Mutex<[TenantState]>([])
    let streams = Atomic(0)
    let questions = Atomic(0)
    /// Whether it keeps its answers back.
    let isHolding = Atomic(false)
    let jwks: String
    /// How many of its streams answer only their first question, like those of a process that stands still.
    let silentStreams: Int

    init(jwks: String, silentStreams: Int = 0) {
      self.jwks = jwks
      self.silentStreams = silentStreams
    }

    var handlers: [MethodHandler] {
      [
        .bidirectional(AccountAdminServiceMethods.watchRevocations) {
          [self] (requests: RequestStream<WatchRevocationsRequest>, _, responses) in
          let number = streams.add(1, ordering: .relaxed).newValue
          try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.push(to: responses) }
            for try await request in requests where request.question == 1 || number > self.silentStreams {
              self.questions.add(1, ordering: .relaxed)
              var answer = self.news
              answer.answered = request.question
              while self.isHolding.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(5)) }
              try await responses.send(answer)
            }
            group.cancelAll()
          }
        }
      ]
    }

    private var news: WatchRevocationsResponse {
      WatchRevocationsResponse(
        revocations: revoked.withLock { $0 }, jwks: jwks, complete: true, tenantStates: tenants.withLock { $0 })
    }

    /// Tells of tenants and devices unasked, as they change.
    private func push(to responses: ResponseWriter<WatchRevocationsResponse>) async throws {
      guard silentStreams == 0 else { return }
      var told = news
      while true {
        try await Task.sleep(for: .milliseconds(20))
        guard news != told else { continue }
        told = news
        try await responses.send(told)
      }
    }
  }

  @Test("a token opens a door, and no longer once it is revoked, also when a stream falls silent", arguments: [0, 1])
  func follows(silentStreams: Int) async throws {
    let now = Clock.system.now
    let keys = TokenKeys(secret: [UInt8](repeating: 7, count: 32))
    let revoker = Revoker(jwks: keys.published(at: now).jwks, silentStreams: silentStreams)
    let bus = InProcessBus()
    bus.serve([revoker])
    let news = RevocationNews()
    let credentials = TokenCredentials(news)
    let follower = CredentialFollower(
      bus.channel(for: CallerIdentity(kind: .service, subject: "gateway")), credentials, AccountKeys(news), news)
    let following = Task { await follower.run() }
    defer { following.cancel() }
    let token = keys.token(
      TokenClaims(
        use: .user, tenant: "t1", subject: "anna", device: "tablet", session: "s1", issuedAt: now,
        expiresAt: now + .seconds(300)))
    func until(_ isThere: (Status?) -> Bool) async throws {
      for _ in 0..<2000 {
        var status: Status?
        do throws(Status) { _ = try credentials.verify(token, at: now) } catch { status = error }
        if isThere(status) { return }
        try await Task.sleep(for: .milliseconds(10))
      }
      Issue.record("it never came")
    }
    try await until { $0 == nil }
    revoker.revoked.withLock { $0 = [Revocation(tenant: "t1", revoked: .sessionID("s1"), before: Timestamp(now))] }
    try await until { $0?.message.hasPrefix("token_revoked: ") == true }
  }

  @Test("it closes tenants and wiped devices on the bus, and opens a tenant again")
  func closes() async throws {
    let now = Clock.system.now
    let revoker = Revoker(jwks: "")
    let bus = InProcessBus()
    bus.serve([revoker])
    let told = Mutex<[KeyRing.Closures]>([])
    let closed = ClosedCallers()
    let follower = CredentialFollower(
      bus.channel(for: CallerIdentity(kind: .service, subject: "gateway")), TokenCredentials(), AccountKeys(),
      RevocationNews(), closed
    ) { closures in
      told.withLock { $0.append(closures) }
    }
    let following = Task { await follower.run() }
    defer { following.cancel() }
    func until(_ isThere: (KeyRing.Closures) -> Bool) async throws {
      for _ in 0..<2000 {
        if let last = told.withLock({ $0.last }), isThere(last) { return }
        try await Task.sleep(for: .milliseconds(10))
      }
      Issue.record("it never came")
    }
    revoker.revoked.withLock { $0 = [Revocation(tenant: "t1", revoked: .deviceID("pad"), before: Timestamp(now))] }
    try await until { $0.devices == [.init(tenant: "t1", name: "pad")] && $0.tenants.isEmpty }
    let pad = CallerIdentity(kind: .device, tenant: "t1", subject: "pad", device: "pad")
    #expect(closed.objection(to: pad)?.message.hasPrefix("device_wiped: ") == true)
    revoker.tenants.withLock { $0 = [TenantState(tenant: "t2", disabled: true)] }
    try await until { $0.tenants == ["t2"] && $0.devices.count == 1 }
    #expect(closed.all.tenants == ["t2"])
    revoker.tenants.withLock { $0 = [TenantState(tenant: "t2", disabled: false)] }
    try await until { $0.tenants.isEmpty }
    #expect(closed.all.tenants.isEmpty && closed.objection(to: pad) != nil)
    // What says nothing new is told once.
    #expect(told.withLock { $0.count } == 3)
  }

  @Test("a gateway at rest asks nothing, and the first call after a rest waits for the answer to its question")
  func rest() async throws {
    let now = Clock.system.now
    let keys = TokenKeys(secret: [UInt8](repeating: 7, count: 32))
    let revoker = Revoker(jwks: keys.published(at: now).jwks)
    let bus = InProcessBus()
    bus.serve([revoker])
    let news = RevocationNews()
    let credentials = TokenCredentials(news)
    let gatekeeper = Gatekeeper([credentials], news: news)
    let follower = CredentialFollower(
      bus.channel(for: CallerIdentity(kind: .service, subject: "gateway")), credentials, AccountKeys(news), news)
    let following = Task { await follower.run() }
    defer { following.cancel() }
    let token = PresentedCredential(
      token: keys.token(
        TokenClaims(
          use: .user, tenant: "t1", subject: "anna", device: "tablet", session: "s1", issuedAt: now,
          expiresAt: now + .seconds(300))))
    while (try? gatekeeper.identify(token)) == nil { try await Task.sleep(for: .milliseconds(10)) }
    // What the attempts have asked for is answered. The next question at rest comes five seconds after the last one.
    try await Task.sleep(for: .milliseconds(1100))
    let questions = revoker.questions.load(ordering: .relaxed)
    try await Task.sleep(for: .milliseconds(1100))
    #expect(revoker.questions.load(ordering: .relaxed) <= questions + 1)
    revoker.isHolding.store(true, ordering: .relaxed)
    while !news.wouldWait { try await Task.sleep(for: .milliseconds(10)) }
    let other = PresentedCredential(token: "ak_of_a_list")
    #expect(!gatekeeper.mustWait(for: { nil }) && !gatekeeper.mustWait(for: { other }))
    #expect(gatekeeper.mustWait(for: { token }))
    revoker.isHolding.store(false, ordering: .relaxed)
    while news.isUnderWay { try await Task.sleep(for: .milliseconds(1)) }
    #expect(throws: Never.self) { try gatekeeper.identify(token) }
  }
}
