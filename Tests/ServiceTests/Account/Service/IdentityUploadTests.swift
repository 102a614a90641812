import AccountContract
import AccountService
import Base
import RPC
import StorageTestKit
import TestSupport
import Testing

/// Rights at upload, of people whose roles come with the claims of an OpenID provider.
@Suite("Uploading with roles of an outside identity", .serialized, .timeLimit(.minutes(3)))
struct IdentityUploadTests {
  private static let method = "assent.consent.v1.SessionService/SignRecord"

  private static func item(_ id: String, of person: String = "clinic:ada") -> QueueItem {
    QueueItem(itemID: id, personID: person, method: method, request: [1])
  }

  private static func open(_ world: AccountWorld, _ provider: OpenIDIssuer) async throws {
    let issuer = IdentityIssuer(
      issuer: "https://id.clinic.example", audiences: ["app"],
      keys: .jwks(String(decoding: try await provider.keys(), as: UTF8.self)), subjectPrefix: "clinic:",
      createsPeople: true, rolesClaim: "groups",
      roles: [IdentityRole(value: "doctors", role: "investigator@heart")])
    try await world.allowSelfRegistration {
      $0.identityIssuers = [issuer]
      $0.uploadAtSwitch = true
    }
    try await world.register("tablet")
  }

  private static func signIn(_ world: AccountWorld, _ provider: OpenIDIssuer, groups: String) async throws -> String {
    let token = try await provider.token(claims: ["groups": groups])
    return try await world.device("tablet").signIn.signInWithIdentity(SignInWithIdentityRequest(idToken: token))
      .uploadGrant
  }

  @Test(
    "roles of claims count while their session runs; after it the work waits for a new sign-in",
    arguments: TestEngine.allCases)
  func roles(engine: TestEngine) async throws {
    let (world, provider) = (try await AccountWorld(engine), try await OpenIDIssuer())
    try await Self.open(world, provider)
    let first = try await Self.signIn(world, provider, groups: "[\"doctors\"]")
    _ = try await world.admin.admin.grantRole(GrantRoleRequest(personID: "clinic:ada", role: "witness@heart"))
    #expect(try await world.push([Self.item("a")], [first]).outcomes.map(\.state) == [.done])
    #expect(world.peers.effects.map(\.grants) == [["witness@heart", "investigator@heart"]])
    // Somebody else comes to the device, so that the session ends: nothing is tried with fewer rights, nor with old
    // ones.
    let ben = try await world.onboard("Ben").person
    _ = try await world.signIn(ben)
    let blocked = try await world.push([Self.item("b")], [first])
    #expect(blocked.outcomes.map(\.rule) == ["grant_roles_ended"] && blocked.outcomes.map(\.state) == [.waiting])
    #expect(blocked.blockedBy.map(\.person?.personID) == ["clinic:ada"])
    #expect(blocked.blockedBy.map(\.rule) == ["grant_roles_ended"])
    world.clock.move(by: .seconds(1))
    // The provider does not give the role any more: what counts is what it says now. The later grant decides.
    let second = try await Self.signIn(world, provider, groups: "[]")
    #expect(try await world.push([Self.item("b")], [first, second]).outcomes.map(\.state) == [.done])
    #expect(world.peers.effects.map(\.grants).last == ["witness@heart"])
    // A grant without such roles outlives its session.
    world.clock.move(by: .seconds(400))
    #expect(try await world.push([Self.item("c")], [second]).outcomes.map(\.state) == [.done])
    await provider.end()
    await world.end()
  }

  @Test("after a session has expired its roles no longer count, and a retry in person counts with those of the call")
  func expired() async throws {
    let (world, provider) = (try await AccountWorld(), try await OpenIDIssuer())
    try await Self.open(world, provider)
    let grant = try await Self.signIn(world, provider, groups: "[\"doctors\"]")
    world.peers.fail { $0.grants.isEmpty ? nil : Status(.failedPrecondition, "not_due: not yet") }
    #expect(try await world.push([Self.item("a")], [grant]).outcomes.map(\.state) == [.failed])
    world.clock.move(by: .seconds(301))
    #expect(try await world.push([Self.item("b")], [grant]).outcomes.map(\.rule) == ["grant_roles_ended"])
    world.peers.fail { _ in nil }
    let identity = CallerIdentity(
      kind: .person, tenant: "t1", subject: "clinic:ada", device: "tablet", grants: ["investigator@heart"])
    let retried = try await world.clients(identity).sync.retryItem(RetryItemRequest(deviceID: "tablet", itemID: "a"))
    #expect(retried.outcome?.state == .done)
    #expect(world.peers.effects.map(\.grants) == [["investigator@heart"]])
    await provider.end()
    await world.end()
  }
}
