import AccountContract
import AccountService
import Base
import Bus
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Somebody hides that an event took something back, and puts back the rows as older events committed to them: what was
/// taken stays taken, for a service that runs and for one that begins.
@Suite(.serialized) struct HiddenAccountEventTests {
  private static let tenant = Tenant.named("t1")

  private func hide(_ way: HiddenEvent, _ table: String, _ key: String, _ world: AccountWorld) async throws {
    let scope = world.test.database.scope(Self.tenant)
    let events = try await scope.read { try $0.events(after: 0, limit: 10_000) }
    let index = try #require(
      events.lastIndex { $0.committedRows.contains { $0.table == table && $0.key == key } })
    try await world.test.location.alter(
      way.sql(world.test.engine, index, of: events, Self.tenant), schema: world.test.schema.name)
  }

  private func alter(_ sql: String, _ world: AccountWorld) async throws {
    try await world.test.location.alter(sql, schema: world.test.schema.name)
  }

  /// The service once more, as another process that begins now.
  private struct Second {
    private let database: Database
    private let bus = InProcessBus()

    init(_ world: AccountWorld) async throws {
      let trusted = try #require(world.signer).verifyingKey
      database = try await world.test.reopen(trusting: [trusted], clock: world.clock.clock)
      bus.serve(AccountWorld.services(database, world.flows, world.peers, world.clock).handlers, slots: 8)
    }

    func clients(_ identity: CallerIdentity) -> AccountClients { AccountClients(bus.channel(for: identity)) }

    func end() async {
      bus.stop()
      await database.close()
    }
  }

  private static let admin = CallerIdentity(kind: .person, tenant: "t1", subject: "ops", grants: ["admin@*"])
  private static let tablet = CallerIdentity(kind: .device, tenant: "t1", subject: "tablet", device: "tablet")
  private static let gateway = CallerIdentity(kind: .service, subject: "gateway")

  @Test("a role that was taken is not in a token", arguments: TestEngine.allCases, HiddenEvent.allCases)
  func role(engine: TestEngine, way: HiddenEvent) async throws {
    let world = try await AccountWorld(engine, evidence: .example())
    let anna = try await world.open("Anna")[0]
    _ = try await world.admin.admin.grantRole(GrantRoleRequest(personID: anna, role: "admin@*"))
    try await alter("CREATE TABLE old_roles AS SELECT * FROM roles", world)
    _ = try await world.admin.admin.revokeRole(RevokeRoleRequest(personID: anna, role: "admin@*"))
    try await world.signer?.signAll()
    #expect(try await world.signIn(anna).session?.personID == anna)
    try await world.signer?.signAll()
    try await hide(way, "roles", "\(anna), admin@*", world)
    try await alter("INSERT INTO roles SELECT * FROM old_roles", world)
    let second = try await Second(world)
    let request = SignInRequest(personID: anna, passcode: AccountWorld.passcode)
    for device in [world.device("tablet"), second.clients(Self.tablet)] {
      await expectRefusal(.dataLoss, "data_corrupt") { try await device.signIn.signIn(request) }
    }
    for admin in [world.admin, second.clients(Self.admin)] {
      await expectRefusal(.dataLoss, "data_corrupt") { try await admin.admin.listAccounts(ListAccountsRequest()) }
    }
    await second.end()
    await world.end()
  }

  @Test(
    "a role that was added together with an event that fits is not in a token", arguments: TestEngine.allCases,
    ForgedCode.allCases)
  func addedRole(engine: TestEngine, code: ForgedCode) async throws {
    let world = try await AccountWorld(engine, evidence: .example())
    let anna = try await world.open("Anna")[0]
    #expect(try await world.signIn(anna).session?.personID == anna)
    try await world.signer?.signAll()
    let sql = try await world.test.forging(
      "INSERT INTO roles (tenant, person_id, role, granted_ms) VALUES ('t1', '\(anna)', 'admin@*', 1)", of: "roles",
      [.text(anna), .text("admin@*")], code: code, Self.tenant)
    try await alter(sql, world)
    let second = try await Second(world)
    let request = SignInRequest(personID: anna, passcode: AccountWorld.passcode)
    for device in [world.device("tablet"), second.clients(Self.tablet)] {
      await expectRefusal(.dataLoss, "data_corrupt") { try await device.signIn.signIn(request) }
    }
    for admin in [world.admin, second.clients(Self.admin)] {
      await expectRefusal(.dataLoss, "data_corrupt") { try await admin.admin.listAccounts(ListAccountsRequest()) }
    }
    // Gateways are told of the tenant what is safe, and of all others what is so.
    for gateway in [world.clients(Self.gateway), second.clients(Self.gateway)] { _ = try await Self.heard(gateway) }
    let error = await #expect(throws: DatabaseError.self) { try await world.signer?.signAll() }
    #expect(error?.code == .corrupt, "\(error?.message ?? "")")
    await second.end()
    await world.end()
  }

  @Test("an API key that was revoked opens nothing", arguments: TestEngine.allCases, HiddenEvent.allCases)
  func key(engine: TestEngine, way: HiddenEvent) async throws {
    let world = try await AccountWorld(engine, evidence: .example())
    let wanted = ApiKey(name: "reader", kind: .program, roles: ["inspector@*"])
    let id = try #require(
      try await world.admin.keys.createApiKey(CreateApiKeyRequest(apiKey: wanted)).apiKey?.apiKeyID)
    try await alter("CREATE TABLE old_keys AS SELECT * FROM api_keys", world)
    _ = try await world.admin.keys.revokeApiKey(RevokeApiKeyRequest(apiKeyID: id))
    try await world.signer?.signAll()
    try await hide(way, "api_keys", id, world)
    try await alter("DELETE FROM api_keys; INSERT INTO api_keys SELECT * FROM old_keys", world)
    let second = try await Second(world)
    for admin in [world.admin, second.clients(Self.admin)] {
      await expectRefusal(.dataLoss, "data_corrupt") { try await admin.keys.listApiKeys(ListApiKeysRequest()) }
    }
    for gateway in [world.clients(Self.gateway), second.clients(Self.gateway)] {
      let heard = try await Self.heard(gateway)
      #expect(heard.keys.allSatisfy { $0.apiKeyID != id })
    }
    await second.end()
    await world.end()
  }

  /// All that a gateway is told when it begins.
  private static func heard(
    _ gateway: AccountClients
  ) async throws -> (revocations: [Revocation], keys: [VerifiableApiKey]) {
    var heard: (revocations: [Revocation], keys: [VerifiableApiKey]) = ([], [])
    let stream = gateway.admin.watchRevocations(deadline: .seconds(60)).responses
    for try await answer in stream {
      heard.revocations += answer.revocations
      heard.keys += answer.apiKeySets.flatMap(\.keys)
      if answer.complete { break }
    }
    return heard
  }

  @Test(
    "gateways hear of a revocation that was removed or changed, and of none that was invented",
    arguments: TestEngine.allCases)
  func revocations(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine, evidence: .example())
    let people = try await world.open("Anna", "Bert")
    for person in people {
      _ = try await world.signIn(person)
      _ = try await world.admin.admin.setPersonLock(SetPersonLockRequest(personID: person, locked: true))
    }
    // As the rows say it before they are altered.
    let told = try await Self.heard(world.clients(Self.gateway)).revocations
    let ended = told.filter { if case .sessionID? = $0.revoked { true } else { false } }
    #expect(!ended.isEmpty, "\(told)")
    for isSigned in [false, true] {
      if isSigned { try await world.signer?.signAll() }
      for sql in [
        "SELECT 1", "DELETE FROM revocations WHERE id = '\(people[0])'", "UPDATE revocations SET before_ms = 1",
        "DELETE FROM revocations",
      ] {
        try await alter("CREATE TABLE kept AS SELECT * FROM revocations; \(sql)", world)
        let heard = try await Self.heard(world.clients(Self.gateway)).revocations
        let revoked = heard.filter { ($0.before?.clamped ?? Instant(millisecondsSince1970: 0)) > AccountWorld.start }
          .map(\.revoked)
        for person in people { #expect(revoked.contains(.personID(person)), "\(sql)") }
        // Tokens that another process issued in advance are void all the same.
        for original in told {
          let times = heard.filter { $0.revoked == original.revoked }.compactMap { $0.before?.clamped }
          #expect(times.contains { $0 >= original.before?.clamped ?? AccountWorld.start }, "\(sql): \(original)")
        }
        try await alter(
          "DELETE FROM revocations; INSERT INTO revocations SELECT * FROM kept; DROP TABLE kept", world)
      }
    }
    await world.end()
  }
}
