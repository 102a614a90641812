import AccountContract
import Base
import Bus
import RPC
import Synchronization
import TestSupport
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
    private let told = Mutex<(revoked: [Revocation], tenants: [TenantState])>(([], []))
    private let streams = Atomic(0)
    /// Numbers of questions, each before it is answered.
    let questions: AsyncStream<Int64>
    private let asked: AsyncStream<Int64>.Continuation
    private let changes: AsyncStream<Void>
    private let changed: AsyncStream<Void>.Continuation
    /// Where it waits before each answer but the first.
    private let permits: AsyncStream<Void>?
    let jwks: String
    /// How many of its streams answer only their first question, like those of a process that stands still.
    let silentStreams: Int

    init(jwks: String, silentStreams: Int = 0, answering permits: AsyncStream<Void>? = nil) {
      (questions, asked) = AsyncStream.makeStream(of: Int64.self)
      (changes, changed) = AsyncStream.makeStream(of: Void.self)
      self.permits = permits
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
              self.asked.yield(request.question)
              var answer = self.news
              answer.answered = request.question
              if request.question > 1 { await self.permission() }
              try await responses.send(answer)
            }
            group.cancelAll()
          }
        }
      ]
    }

    private var news: WatchRevocationsResponse {
      let (revoked, tenants) = told.withLock { $0 }
      return WatchRevocationsResponse(revocations: revoked, jwks: jwks, complete: true, tenantStates: tenants)
    }

    private func permission() async {
      guard let permits else { return }
      for await _ in permits { return }
    }

    func tell(revoked: [Revocation]? = nil, tenants: [TenantState]? = nil) {
      told.withLock { $0 = (revoked ?? $0.revoked, tenants ?? $0.tenants) }
      changed.yield()
    }

    /// Tells of tenants and devices unasked, as they change.
    private func push(to responses: ResponseWriter<WatchRevocationsResponse>) async throws {
      guard silentStreams == 0 else { return }
      for await _ in changes { try await responses.send(news) }
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
    func refusal() -> Status? {
      do throws(Status) { _ = try credentials.verify(token, at: now) } catch { return error }
      return nil
    }
    try await eventually("the token is admitted", refusal()) { $0 == nil }
    revoker.tell(revoked: [Revocation(tenant: "t1", revoked: .sessionID("s1"), before: Timestamp(now))])
    try await eventually("the token is revoked", refusal()) { $0?.message.hasPrefix("token_revoked: ") == true }
  }

  @Test("it closes tenants and wiped devices on the bus, and opens a tenant again")
  func closes() async throws {
    let now = Clock.system.now
    let revoker = Revoker(jwks: "")
    let bus = InProcessBus()
    bus.serve([revoker])
    let (closures, tell) = AsyncStream.makeStream(of: KeyRing.Closures.self)
    let closed = ClosedCallers()
    let news = RevocationNews()
    let follower = CredentialFollower(
      bus.channel(for: CallerIdentity(kind: .service, subject: "gateway")), TokenCredentials(news), AccountKeys(news),
      news, closed
    ) { closures in
      tell.yield(closures)
    }
    let following = Task { await follower.run() }
    defer { following.cancel() }
    // What says nothing new is told once: each step has one closure.
    var told = closures.makeAsyncIterator()
    revoker.tell(revoked: [Revocation(tenant: "t1", revoked: .deviceID("pad"), before: Timestamp(now))])
    let device = KeyRing.Closures.Device(tenant: "t1", name: "pad")
    #expect(await told.next().map { $0.tenants == [] && $0.devices == [device] } == true)
    let pad = CallerIdentity(kind: .device, tenant: "t1", subject: "pad", device: "pad")
    #expect(closed.objection(to: pad)?.message.hasPrefix("device_wiped: ") == true)
    revoker.tell(tenants: [TenantState(tenant: "t2", disabled: true)])
    #expect(await told.next().map { $0.tenants == ["t2"] && $0.devices == [device] } == true)
    #expect(closed.all.tenants == ["t2"])
    revoker.tell(tenants: [TenantState(tenant: "t2", disabled: false)])
    #expect(await told.next().map { $0.tenants == [] && $0.devices == [device] } == true)
    #expect(closed.all.tenants.isEmpty && closed.objection(to: pad) != nil)
  }

  @Test("a gateway at rest asks nothing, and the first call after a rest waits for the answer to its question")
  func rest() async throws {
    let now = Clock.system.now
    let keys = TokenKeys(secret: [UInt8](repeating: 7, count: 32))
    let (permits, permit) = AsyncStream.makeStream(of: Void.self)
    let revoker = Revoker(jwks: keys.published(at: now).jwks, answering: permits)
    let bus = InProcessBus()
    bus.serve([revoker])
    let time = SteppedClock()
    let news = RevocationNews(clock: time.clock)
    let credentials = TokenCredentials(news, clock: time.clock)
    let gatekeeper = Gatekeeper([credentials], news: news)
    let follower = CredentialFollower(
      bus.channel(for: CallerIdentity(kind: .service, subject: "gateway")), credentials, AccountKeys(news), news,
      clock: time.clock)
    let following = Task { await follower.run() }
    defer { following.cancel() }
    let token = PresentedCredential(
      token: keys.token(
        TokenClaims(
          use: .user, tenant: "t1", subject: "anna", device: "tablet", session: "s1", issuedAt: now,
          expiresAt: now + .seconds(300))))
    try await eventually("the token is admitted", (try? gatekeeper.identify(token)) != nil)
    time.advance(by: .seconds(4))
    news.wake()
    let other = PresentedCredential(token: "ak_of_a_list")
    #expect(!gatekeeper.mustWait(for: { nil }) && !gatekeeper.mustWait(for: { other }))
    #expect(gatekeeper.mustWait(for: { token }))
    // Neither the rest nor others' credentials have asked: the question of the token is the second one.
    var questions = revoker.questions.makeAsyncIterator()
    #expect(await questions.next() == 1)
    #expect(await questions.next() == 2)
    await withCheckedContinuation { continuation in
      news.whenHeard { continuation.resume() }
      permit.yield()
    }
    #expect(throws: Never.self) { try gatekeeper.identify(token) }
  }
}
