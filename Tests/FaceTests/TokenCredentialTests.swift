import AccountContract
import Base
import Bus
import Face
import RPC
import Synchronization
import Testing
import Tokens
import Wire

@Suite("Access tokens at a door") struct TokenCredentialTests {
  private static let now = Instant(millisecondsSince1970: 1_772_353_800_000)
  private let keys = TokenKeys(secret: [UInt8](repeating: 7, count: 32))

  private func token(_ use: TokenClaims.Use = .user, tenant: String = "t1") -> String {
    keys.token(
      TokenClaims(
        use: use, tenant: tenant, subject: "anna", device: "tablet", session: "s1", grants: ["witness@heart"],
        issuedAt: Self.now, expiresAt: Self.now + .seconds(300)))
  }

  private func refusal(_ credentials: TokenCredentials, _ token: String, after time: Duration = .zero) -> Status? {
    do throws(Status) {
      _ = try credentials.verify(token, at: Self.now + time)
      return nil
    } catch {
      return error
    }
  }

  @Test("a door takes nobody before it has heard of revocations, and a second after it heard last")
  func silence() throws {
    let elapsed = Mutex<Int64>(0)
    let clock = Clock(
      wall: { Self.now }, monotonic: { MonotonicTime(nanoseconds: elapsed.withLock { $0 }) })
    let credentials = TokenCredentials(clock: clock)
    #expect(refusal(credentials, token())?.code == .unavailable)
    credentials.learn(jwks: keys.published(at: Self.now).jwks, [])
    let caller = try credentials.verify(token(), at: Self.now)
    #expect(
      caller.identity
        == CallerIdentity(kind: .person, tenant: "t1", subject: "anna", device: "tablet", grants: ["witness@heart"]))
    elapsed.withLock { $0 = 1_000_000_001 }
    #expect(refusal(credentials, token())?.code == .unavailable)
    credentials.learn(jwks: "", [])
    #expect(refusal(credentials, token()) == nil)
  }

  @Test("revoked, expired, forged tokens, and grants for something else are refused")
  func refused() {
    let credentials = TokenCredentials(clock: Clock(wall: { Self.now }, monotonic: { MonotonicTime(nanoseconds: 1) }))
    credentials.learn(jwks: keys.published(at: Self.now).jwks, [])
    #expect(refusal(credentials, token(.device)) == nil)
    #expect(refusal(credentials, token(), after: .seconds(300))?.message.hasPrefix("token_expired: ") == true)
    #expect(refusal(credentials, token() + "A")?.code == .unauthenticated)
    #expect(refusal(credentials, token(.upload))?.message.hasPrefix("token_use: ") == true)
    credentials.learn(jwks: "", [(.person("anna"), "t1", Self.now)])
    #expect(refusal(credentials, token())?.message.hasPrefix("token_revoked: ") == true)
    #expect(refusal(credentials, token(tenant: "t2")) == nil)
  }

  @Test("at a device that was wiped every token says so, so that a client deletes what it has")
  func wiped() throws {
    let credentials = TokenCredentials(clock: Clock(wall: { Self.now }, monotonic: { MonotonicTime(nanoseconds: 1) }))
    credentials.learn(jwks: keys.published(at: Self.now).jwks, [])
    let caller = try credentials.verify(token(), at: Self.now)
    credentials.learn(jwks: "", [(.device("tablet"), "t1", Self.now), (.session("s1"), "t1", Self.now)])
    for use in [TokenClaims.Use.user, .device] {
      let status = refusal(credentials, token(use))
      #expect(status?.code == .unauthenticated && status?.message.hasPrefix("device_wiped: ") == true)
    }
    // A stream that is open ends with the same.
    #expect(credentials.objection(to: caller, at: Self.now)?.message.hasPrefix("device_wiped: ") == true)
    #expect(refusal(credentials, token(tenant: "t2")) == nil)
  }

  @Test("nobody is admitted for a tenant that is disabled, and open calls of its callers end")
  func disabledTenant() throws {
    let credentials = TokenCredentials(clock: Clock(wall: { Self.now }, monotonic: { MonotonicTime(nanoseconds: 1) }))
    credentials.learn(jwks: keys.published(at: Self.now).jwks, [])
    let closed = ClosedCallers()
    let gatekeeper = Gatekeeper(
      [credentials], closed: closed, clock: Clock(wall: { Self.now }, monotonic: { MonotonicTime(nanoseconds: 1) }))
    func identify(_ tenant: String) -> Status? {
      do throws(Status) {
        _ = try gatekeeper.identify(PresentedCredential(token: token(tenant: tenant)))
        return nil
      } catch {
        return error
      }
    }
    let caller = try gatekeeper.identify(PresentedCredential(token: token()))
    #expect(gatekeeper.objection(to: caller) == nil)
    #expect(closed.set(true, "t1") && !closed.set(true, "t1"))
    let refusal = identify("t1")
    #expect(refusal?.code == .permissionDenied && refusal?.message.hasPrefix("tenant_disabled: ") == true)
    #expect(gatekeeper.objection(to: caller)?.message.hasPrefix("tenant_disabled: ") == true)
    #expect(identify("t2") == nil)
    #expect(closed.keep(only: []) && identify("t1") == nil)
  }

  @Test("a token is told from other credentials by its form")
  func form() {
    let credentials = TokenCredentials()
    #expect(credentials.recognises(token()) && !credentials.recognises("ak1.abc.def") && !credentials.recognises(""))
  }
}

@Suite("A door that follows revocations", .timeLimit(.minutes(1))) struct CredentialFollowerTests {
  /// Stands for AccountService: it says what a test tells it to, and that it is there.
  private final class Revoker: RPCService {
    static let descriptor = ServiceDescriptor(
      name: AccountAdminServiceMethods.watchRevocations.service,
      methods: [AccountAdminServiceMethods.watchRevocations], fingerprint: "1")
    let revoked = Mutex<[Revocation]>([])
    let tenants = Mutex<[TenantState]>([])
    let streams = Atomic(0)
    let jwks: String
    /// How many of its streams say nothing after their first message, like those of a process that stands still.
    let silentStreams: Int

    init(jwks: String, silentStreams: Int = 0) {
      self.jwks = jwks
      self.silentStreams = silentStreams
    }

    var handlers: [MethodHandler] {
      [
        .serverStreaming(AccountAdminServiceMethods.watchRevocations) {
          [self] (_: WatchRevocationsRequest, _, responses: ResponseWriter<WatchRevocationsResponse>) in
          let number = streams.add(1, ordering: .relaxed).newValue
          while true {
            let news = revoked.withLock { $0 }
            try await responses.send(
              WatchRevocationsResponse(
                revocations: news, jwks: jwks, complete: true, tenantStates: tenants.withLock { $0 }))
            try await Task.sleep(for: number <= silentStreams ? .seconds(600) : .milliseconds(20))
          }
        }
      ]
    }
  }

  @Test("a token opens a door, and no longer once it is revoked, also when a stream falls silent", arguments: [0, 1])
  func follows(silentStreams: Int) async throws {
    let now = Clock.system.now
    let keys = TokenKeys(secret: [UInt8](repeating: 7, count: 32))
    let revoker = Revoker(jwks: keys.published(at: now).jwks, silentStreams: silentStreams)
    let bus = InProcessBus()
    bus.serve([revoker])
    let credentials = TokenCredentials()
    let follower = CredentialFollower(
      bus.channel(for: CallerIdentity(kind: .service, subject: "gateway")), credentials, AccountKeys())
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
      bus.channel(for: CallerIdentity(kind: .service, subject: "gateway")), TokenCredentials(), AccountKeys(), closed
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
}
