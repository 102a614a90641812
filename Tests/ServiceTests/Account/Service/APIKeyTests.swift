import AccountContract
import AccountService
import Base
internal import Bus
import CommonContract
import Face
import RPC
import ServicePolicy
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

@Suite("API keys that AccountService keeps", .timeLimit(.minutes(3))) struct AccountAPIKeyTests {
  private static let wanted = ApiKey(
    name: "backend", kind: .program, roles: ["coordinator@heart"],
    scopes: ["assent.consent.v1.RecordService/*"])

  /// A gateway's keys that follow the world's stream.
  private struct Door {
    let keys: AccountKeys
    let following: Task<Void, Never>

    init(_ world: AccountWorld) {
      let news = RevocationNews(clock: world.clock.clock)
      let keys = AccountKeys(news)
      let gateway = world.bus.channel(for: CallerIdentity(kind: .service, subject: "gateway"))
      let follower = CredentialFollower(
        gateway, TokenCredentials(news), keys, news, reportingUsesEvery: .milliseconds(20), clock: world.clock.clock)
      self.keys = keys
      following = Task { await follower.run() }
    }

    func status(of key: String, at now: Instant) -> Status? {
      do throws(Status) {
        _ = try keys.verify(key, at: now)
        return nil
      } catch {
        return error
      }
    }

    /// Waits until a key gets this answer; nil: it is admitted.
    func waits(
      for rule: String?, of key: String, in world: AccountWorld, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      try await eventually(
        "the key is answered \(rule ?? "with admission")", status(of: key, at: world.clock.clock.now),
        sourceLocation: sourceLocation
      ) { status in
        rule.map { status?.message.hasPrefix("\($0): ") == true } ?? (status == nil)
      }
    }
  }

  @Test("a key opens doors with its rights until it is revoked, and is shown once", arguments: TestEngine.allCases)
  func lifetime(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let door = Door(world)
    let made = try await world.admin.keys.createApiKey(CreateApiKeyRequest(apiKey: Self.wanted))
    let id = try #require(made.apiKey?.apiKeyID)
    #expect(made.key.hasPrefix("\(id)_") && door.keys.recognises(made.key))
    try await door.waits(for: nil, of: made.key, in: world)
    let caller = try door.keys.verify(made.key, at: world.clock.clock.now)
    #expect(caller.identity.kind == .person && caller.identity.tenant == "t1")
    #expect(caller.identity.subject == "key:\(id.dropFirst(3))" && caller.identity.device.isEmpty)
    #expect(caller.identity.grants == ["coordinator@heart"] && caller.scopes == Self.wanted.scopes)
    // Its last use is known after the gateway's next report.
    func used() async throws -> [ApiKey] {
      _ = door.status(of: made.key, at: world.clock.clock.now)
      return try await world.admin.keys.listApiKeys(ListApiKeysRequest()).apiKeys
    }
    let listed = try await eventually("its use is known", await used()) { $0.first?.usedAt != nil }
    #expect(listed.count == 1)
    #expect("\(listed)".contains(made.key) == false)
    let other = "\(id)_\(String(repeating: "0", count: 48))"
    #expect(door.status(of: other, at: world.clock.clock.now)?.code == .unauthenticated)
    var open = caller
    open.credential = PresentedCredential(token: made.key)
    #expect(door.keys.objection(to: open, at: world.clock.clock.now) == nil)
    let revoked = try await world.admin.keys.revokeApiKey(RevokeApiKeyRequest(apiKeyID: id))
    #expect(revoked.apiKey?.revokedAt != nil)
    try await door.waits(for: "credential_unknown", of: made.key, in: world)
    #expect(door.keys.objection(to: open, at: world.clock.clock.now)?.code == .unauthenticated)
    // Again is the same, and a revoked key is not rotated.
    _ = try await world.admin.keys.revokeApiKey(RevokeApiKeyRequest(apiKeyID: id))
    await expectRefusal(.notFound, "unknown_api_key") {
      try await world.admin.keys.rotateApiKey(RotateApiKeyRequest(apiKeyID: id))
    }
    let events = try await world.admin.admin.listAccountEvents(ListAccountEventsRequest()).events
    #expect(events.filter { $0.apiKeyID == id }.map(\.kind) == [.apiKeyCreated, .apiKeyRevoked])
    door.following.cancel()
    await world.end()
  }

  @Test("after a rotation both secrets are good until the overlap is over")
  func rotation() async throws {
    let world = try await AccountWorld()
    let door = Door(world)
    let first = try await world.admin.keys.createApiKey(CreateApiKeyRequest(apiKey: Self.wanted)).key
    let id = String(first.dropLast(49))
    let second = try await world.admin.keys.rotateApiKey(
      RotateApiKeyRequest(apiKeyID: id, overlap: ProtobufDuration(seconds: 60))
    ).key
    #expect(second.hasPrefix("\(id)_") && second != first)
    try await door.waits(for: nil, of: second, in: world)
    #expect(door.status(of: first, at: world.clock.clock.now) == nil)
    world.clock.move(by: .seconds(61))
    try await door.waits(for: "credential_expired", of: first, in: world)
    try await door.waits(for: nil, of: second, in: world)
    // Without an overlap the former secret ends at once.
    let third = try await world.admin.keys.rotateApiKey(
      RotateApiKeyRequest(apiKeyID: id, overlap: ProtobufDuration(seconds: 0))
    ).key
    try await door.waits(for: nil, of: third, in: world)
    #expect(door.status(of: second, at: world.clock.clock.now)?.code == .unauthenticated)
    door.following.cancel()
    await world.end()
  }

  @Test("a device's key is bound to the places of its role")
  func devices() async throws {
    let world = try await AccountWorld()
    let door = Door(world)
    let wanted = ApiKey(name: "ward", kind: .device, roles: ["device@heart/north", "device@lung"])
    let made = try await world.admin.keys.createApiKey(CreateApiKeyRequest(apiKey: wanted))
    try await door.waits(for: nil, of: made.key, in: world)
    let identity = try door.keys.verify(made.key, at: world.clock.clock.now).identity
    #expect(identity.kind == .device && identity.grants == wanted.roles)
    door.following.cancel()
    await world.end()
  }

  @Test(
    "the text of a key is in one answer only: a repeat of the call names the key, and nothing kept opens anything",
    arguments: TestEngine.allCases)
  func shownOnce(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let (create, rotate) = (CallOptions(idempotencyKey: .given("one")), CallOptions(idempotencyKey: .given("two")))
    let made = try await world.admin.keys.createApiKey(CreateApiKeyRequest(apiKey: Self.wanted), options: create)
    let id = try #require(made.apiKey?.apiKeyID)
    #expect(made.key.hasPrefix("\(id)_"))
    let again = await expectRefusal(.alreadyExists, "secret_shown") {
      try await world.admin.keys.createApiKey(CreateApiKeyRequest(apiKey: Self.wanted), options: create)
    }
    let told = try #require(again?.details.first { $0.typeName == CreateApiKeyResponse.messageName })
    #expect(try CreateApiKeyResponse(decoding: told.value) == CreateApiKeyResponse(apiKey: made.apiKey))
    let request = RotateApiKeyRequest(apiKeyID: id)
    let rotated = try await world.admin.keys.rotateApiKey(request, options: rotate)
    #expect(rotated.key.hasPrefix("\(id)_") && rotated.key != made.key)
    await expectRefusal(.alreadyExists, "secret_shown") {
      try await world.admin.keys.rotateApiKey(request, options: rotate)
    }
    #expect(try await world.admin.keys.listApiKeys(ListApiKeysRequest()).apiKeys.count == 1, "nothing was made twice")
    // What is kept for a repeat, as Storage would give it, does not have the key.
    let asked = CreateApiKeyRequest(apiKey: Self.wanted)
    let repeated = Idempotency(
      caller: "ops", key: "one", request: Array("\(CreateApiKeyRequest.messageName)\n".utf8) + (try asked.encoded()))
    let kept = try await world.test.database.scope(.named("t1")).write(
      once: repeated, admitting: { _ in }, { _, _ in FirstAnswer([]) })
    let answer = try CreateApiKeyResponse(decoding: kept.bytes)
    #expect(kept.isRepeat && answer.apiKey?.apiKeyID == id && answer.key == "*")
    await world.end()
  }

  @Test("without news for a second no key opens anything, and none is refused as unknown")
  func silence() async throws {
    let world = try await AccountWorld()
    let door = Door(world)
    let key = try await world.admin.keys.createApiKey(CreateApiKeyRequest(apiKey: Self.wanted)).key
    try await door.waits(for: nil, of: key, in: world)
    door.following.cancel()
    try await door.waits(for: "revocations_unknown", of: key, in: world)
    #expect(door.status(of: key, at: world.clock.clock.now)?.code == .unavailable)
    await world.end()
  }

  @Test(
    "a key that cannot be read opens nothing, and neither that nor an altered log keeps other keys from opening",
    arguments: TestEngine.allCases)
  func damaged(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let damaged = try await world.admin.keys.createApiKey(CreateApiKeyRequest(apiKey: Self.wanted)).key
    let other = ApiKey(name: "other", kind: .program)
    let honest = try await world.admin.keys.createApiKey(CreateApiKeyRequest(apiKey: other)).key
    let neighbour = world.clients(CallerIdentity(kind: .person, tenant: "t2", subject: "ops", grants: ["admin@*"]))
    let theirs = try await neighbour.keys.createApiKey(CreateApiKeyRequest(apiKey: other)).key
    let place = world.test.schema.name
    try await world.test.location.alter(
      "UPDATE api_keys SET body = \(engine.literal([0xFF])) WHERE name = 'backend'", schema: place)
    var door = Door(world)
    for key in [honest, theirs] { try await door.waits(for: nil, of: key, in: world) }
    #expect(door.status(of: damaged, at: world.clock.clock.now) != nil)
    await expectRefusal(.dataLoss, "data_corrupt") { try await world.admin.keys.listApiKeys(ListApiKeysRequest()) }
    door.following.cancel()
    try await world.test.location.alter(
      "UPDATE storage_event_heads SET last = -1 WHERE tenant = 't1'", schema: place)
    door = Door(world)
    try await door.waits(for: nil, of: theirs, in: world)
    door.following.cancel()
    await world.end()
  }

  @Test(
    "what is asked of a key is checked, each with its field",
    arguments: [
      (ApiKey(name: "", kind: .program), "bad_name", "api_key.name"),
      (ApiKey(name: "a b", kind: .program), "bad_name", "api_key.name"),
      (ApiKey(name: "a"), "kind_missing", "api_key.kind"),
      (ApiKey(name: "a", kind: .program, roles: ["participant@*"]), "bad_role", "api_key.roles[0]"),
      (ApiKey(name: "a", kind: .program, roles: ["admin@*", "king@*"]), "bad_role", "api_key.roles[1]"),
      (ApiKey(name: "a", kind: .program, roles: ["device@heart"]), "bad_role", "api_key.roles[0]"),
      (ApiKey(name: "a", kind: .device, roles: ["device@heart", "admin@*"]), "bad_role", "api_key.roles[1]"),
      (ApiKey(name: "a", kind: .device, roles: ["device@"]), "bad_role", "api_key.roles[0]"),
      (ApiKey(name: "a", kind: .program, scopes: ["everything"]), "bad_scope", "api_key.scopes[0]"),
      (
        ApiKey(name: "a", kind: .program, scopes: Array(repeating: "a/b", count: 65)), "too_many", "api_key.roles"
      ),
      (
        ApiKey(name: "a", kind: .program, expiresAt: Timestamp(AccountWorld.start)), "expired_already",
        "api_key.expires_at"
      ),
    ])
  func checks(key: ApiKey, rule: String, field: String) async throws {
    let world = try await AccountWorld()
    let status = await expectRefusal(.invalidArgument, rule) {
      try await world.admin.keys.createApiKey(CreateApiKeyRequest(apiKey: key))
    }
    #expect(status?.info?.field == field)
    #expect(try await world.admin.keys.listApiKeys(ListApiKeysRequest()).apiKeys.isEmpty)
    await world.end()
  }

  @Test("a name is used once at a time, a key that has expired opens nothing, and the number of keys is bounded")
  func bounds() async throws {
    let world = try await AccountWorld()
    let door = Door(world)
    let key = try await world.admin.keys.createApiKey(
      CreateApiKeyRequest(
        apiKey: ApiKey(name: "brief", kind: .program, expiresAt: Timestamp(AccountWorld.start + .seconds(60)))))
    await expectRefusal(.alreadyExists, "name_in_use") {
      try await world.admin.keys.createApiKey(CreateApiKeyRequest(apiKey: ApiKey(name: "brief", kind: .program)))
    }
    try await door.waits(for: nil, of: key.key, in: world)
    world.clock.move(by: .seconds(61))
    try await door.waits(for: "credential_expired", of: key.key, in: world)
    for index in 1..<APIKeyRules.mostKeys {
      _ = try await world.admin.keys.createApiKey(
        CreateApiKeyRequest(apiKey: ApiKey(name: "key-\(index)", kind: .program)))
    }
    await expectRefusal(.failedPrecondition, "too_many_keys") {
      try await world.admin.keys.createApiKey(CreateApiKeyRequest(apiKey: ApiKey(name: "more", kind: .program)))
    }
    // Other tenants are not concerned, and a revoked key makes room and frees its name.
    let other = world.clients(CallerIdentity(kind: .person, tenant: "t2", subject: "ops", grants: ["admin@*"]))
    _ = try await other.keys.createApiKey(CreateApiKeyRequest(apiKey: ApiKey(name: "brief", kind: .program)))
    #expect(try await other.keys.listApiKeys(ListApiKeysRequest()).apiKeys.count == 1)
    _ = try await world.admin.keys.revokeApiKey(RevokeApiKeyRequest(apiKeyID: key.apiKey?.apiKeyID ?? ""))
    _ = try await world.admin.keys.createApiKey(CreateApiKeyRequest(apiKey: ApiKey(name: "brief", kind: .program)))
    await expectRefusal(.notFound, "unknown_api_key") {
      try await other.keys.revokeApiKey(RevokeApiKeyRequest(apiKeyID: key.apiKey?.apiKeyID ?? ""))
    }
    door.following.cancel()
    await world.end()
  }

  @Test("a made-up use is not believed: the key must exist, and no time lies in the future")
  func madeUpUses() async throws {
    let world = try await AccountWorld()
    let made = try await world.admin.keys.createApiKey(CreateApiKeyRequest(apiKey: Self.wanted))
    let id = try #require(made.apiKey?.apiKeyID)
    let later = Timestamp(AccountWorld.start + .seconds(9999))
    _ = try await world.service.keys.reportApiKeyUses(
      ReportApiKeyUsesRequest(uses: [
        ApiKeyUse(tenant: "t1", apiKeyID: id, usedAt: later), ApiKeyUse(tenant: "t1", apiKeyID: "none", usedAt: later),
        ApiKeyUse(tenant: "t9", apiKeyID: id, usedAt: later), ApiKeyUse(tenant: "", apiKeyID: id, usedAt: later),
      ]))
    let keys = try await world.admin.keys.listApiKeys(ListApiKeysRequest()).apiKeys
    #expect(keys.map(\.usedAt) == [Timestamp(AccountWorld.start)])
    await expectRefusal(.invalidArgument, "too_many") {
      try await world.service.keys.reportApiKeyUses(
        ReportApiKeyUsesRequest(uses: Array(repeating: ApiKeyUse(), count: 1001)))
    }
    await world.end()
  }
}
