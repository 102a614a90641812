import AccountContract
import AccountService
import Base
import CommonContract
import RPC
import StorageTestKit
import TestSupport
import Testing
import Tokens
import Wire

/// People for whom an OpenID provider vouches: a real one, in another language.
@Suite("Signing in by an outside identity", .serialized, .timeLimit(.minutes(3))) struct IdentitySignInTests {
  private static let address = "https://id.clinic.example"

  private static func trusted(
    _ provider: OpenIDIssuer, change: (inout IdentityIssuer) -> Void = { _ in }
  ) async throws -> IdentityIssuer {
    var issuer = IdentityIssuer(
      issuer: address, audiences: ["app"],
      keys: .jwks(String(decoding: try await provider.keys(), as: UTF8.self)), subjectPrefix: "clinic:",
      createsPeople: true, rolesClaim: "groups",
      roles: [
        IdentityRole(value: "nurses", role: "coordinator@heart/north"),
        IdentityRole(value: "doctors", role: "investigator@heart"),
      ])
    change(&issuer)
    return issuer
  }

  private static func set(_ issuers: [IdentityIssuer], _ world: AccountWorld) async throws {
    try await world.allowSelfRegistration { $0.identityIssuers = issuers }
  }

  private static func signIn(
    _ token: String, _ world: AccountWorld, device: String = "tablet", nonce: String = ""
  ) async throws -> SignInWithIdentityResponse {
    try await world.device(device).signIn.signInWithIdentity(
      SignInWithIdentityRequest(idToken: token, nonce: nonce))
  }

  @Test(
    "who is vouched for gets an account, a session and the roles that go with the claims",
    arguments: TestEngine.allCases)
  func signsIn(engine: TestEngine) async throws {
    let (world, provider) = (try await AccountWorld(engine), try await OpenIDIssuer())
    try await Self.set([try await Self.trusted(provider)], world)
    try await world.register("tablet")
    let token = try await provider.token(claims: ["groups": "[\"doctors\",\"admins\"]", "nonce": "\"n1\""])
    let answer = try await Self.signIn(token, world, nonce: "n1")
    let tokens = try #require(answer.tokens)
    #expect(answer.session?.personID == "clinic:ada" && tokens.refreshToken.isEmpty && tokens.refreshExpiresAt == nil)
    let keys = TokenKeys(secret: [UInt8](repeating: 7, count: 32)).published(at: world.clock.clock.now)
    let claims = try TokenVerifier(keys).claims(of: tokens.accessToken, at: world.clock.clock.now)
    #expect(claims.subject == "clinic:ada" && claims.tenant == "t1" && claims.grants == ["investigator@heart"])
    #expect(try TokenVerifier(keys).claims(of: answer.uploadGrant, at: world.clock.clock.now).use == .upload)
    let signedIn = try #require(try await world.events().last { $0.kind == .signedIn })
    #expect(signedIn.personID == "clinic:ada" && signedIn.note == "by \(Self.address), investigator@heart")
    // A role that was granted here counts beside those of the claims, which count for this session alone.
    _ = try await world.admin.admin.grantRole(GrantRoleRequest(personID: "clinic:ada", role: "coordinator@heart"))
    let later = try await Self.signIn(try await provider.token(), world)
    let second = try TokenVerifier(keys).claims(of: later.tokens?.accessToken ?? "", at: world.clock.clock.now)
    #expect(second.grants == ["coordinator@heart"])
    // The earlier session at this device has ended, and so does this one with its access token.
    let bearer = try world.bearer(later.tokens?.accessToken ?? "")
    #expect(
      try await bearer.signIn.listSessions(ListSessionsRequest()).sessions.map(\.sessionID) == [
        later.session?.sessionID
      ])
    world.clock.move(by: .seconds(301))
    #expect(try await world.person("clinic:ada").signIn.listSessions(ListSessionsRequest()).sessions.isEmpty)
    await provider.end()
    await world.end()
  }

  @Test(
    "tokens that are not good, and people who may not enter, are each refused by name", arguments: TestEngine.allCases)
  func refused(engine: TestEngine) async throws {
    let (world, provider) = (try await AccountWorld(engine), try await OpenIDIssuer())
    try await Self.set([try await Self.trusted(provider) { $0.createsPeople = false }], world)
    try await world.register("tablet")
    for (token, rule) in [
      ("", "id_token_malformed"), ("a.b.c", "id_token_malformed"),
      (try await provider.token("rsa", "none"), "id_token_algorithm"),
      (try await provider.token(claims: ["iss": "\"https://id.other.example\""]), "id_token_issuer"),
      (try await provider.token("next"), "id_token_key_unknown"),
      (try await provider.token("next", kid: "rsa"), "id_token_forged"),
      (try await provider.token(claims: ["aud": "\"other\""]), "id_token_audience"),
      (try await provider.token(claims: ["nonce": "\"n2\""]), "id_token_nonce"),
      (try await provider.token(claims: ["exp": "1772353800"]), "id_token_expired"),
      (try await provider.token(claims: ["sub": "\"ada|lovelace\""]), "id_token_claims"),
      (try await provider.token(claims: ["sub": nil]), "id_token_claims"),
      (try await provider.token(claims: ["events": "{}"]), "id_token_kind"),
    ] {
      await expectRefusal(.unauthenticated, rule) { try await Self.signIn(token, world) }
    }
    let good = try await provider.token()
    await expectRefusal(.failedPrecondition, "unknown_person") { try await Self.signIn(good, world) }
    await expectRefusal(.failedPrecondition, "no_device") { try await Self.signIn(good, world, device: "phone") }
    #expect(try await world.events().filter { $0.kind == .signedIn || $0.kind == .personAdded }.isEmpty)
    // Another tenant trusts nobody, and a person cannot take this way to be somebody else.
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await world.person("eve").signIn.signInWithIdentity(SignInWithIdentityRequest(idToken: good))
    }
    // A lock holds, whoever vouches.
    try await Self.set([try await Self.trusted(provider)], world)
    _ = try await Self.signIn(good, world)
    _ = try await world.admin.admin.setPersonLock(SetPersonLockRequest(personID: "clinic:ada", locked: true))
    await expectRefusal(.failedPrecondition, "person_locked") { try await Self.signIn(good, world) }
    // Nor does an issuer that is not trusted any more sign anybody in.
    try await Self.set([], world)
    await expectRefusal(.unauthenticated, "id_token_issuer") { try await Self.signIn(good, world) }
    await provider.end()
    await world.end()
  }

  @Test("a token whose claims give more roles than fit signs nobody in, and one that gives as many as fit does")
  func manyRoles() async throws {
    let (world, provider) = (try await AccountWorld(), try await OpenIDIssuer())
    let given = (0..<65).map { IdentityRole(value: "g\($0)", role: "witness@s\($0)") }
    try await Self.set([try await Self.trusted(provider) { $0.roles = given }], world)
    try await world.register("tablet")
    func token(_ count: Int) async throws -> String {
      let groups = given.prefix(count).map { "\"\($0.value)\"" }.joined(separator: ",")
      return try await provider.token(claims: ["groups": "[\(groups)]"])
    }
    let many = try await token(65)
    let refused = await expectRefusal(.failedPrecondition, "too_many_roles") { try await Self.signIn(many, world) }
    #expect(refused?.info?.field == "id_token")
    let answer = try await Self.signIn(try await token(64), world)
    #expect(try world.identity(of: answer.tokens?.accessToken ?? "").grants.count == 64)
    await provider.end()
    await world.end()
  }

  @Test("an issuer whose keys cannot be had is said to be the reason")
  func unreachable() async throws {
    let (world, provider) = (try await AccountWorld(), try await OpenIDIssuer())
    let nowhere = try await Self.trusted(provider) { $0.keys = .jwksURL("https://127.0.0.1:9/keys") }
    try await Self.set([nowhere], world)
    try await world.register("tablet")
    let token = try await provider.token()
    let status = await expectRefusal(.unavailable, "issuer_unreachable") { try await Self.signIn(token, world) }
    #expect(status?.info?.rule == "issuer_unreachable" && status?.info?.field == "id_token")
    await provider.end()
    await world.end()
  }

  @Test("settings that would trust too much, or nobody, are refused by field")
  func settings() async throws {
    let (world, provider) = (try await AccountWorld(), try await OpenIDIssuer())
    let good = try await Self.trusted(provider)
    func changed(_ change: (inout IdentityIssuer) -> Void) -> IdentityIssuer {
      var issuer = good
      change(&issuer)
      return issuer
    }
    let other = changed { ($0.issuer, $0.subjectPrefix) = ("https://id.other.example", "other:") }
    try await Self.set([good, other], world)
    let cases: [(issuers: [IdentityIssuer], rule: String)] = [
      ([changed { $0.issuer = "http://id.clinic.example" }], "bad_address"),
      ([changed { $0.keys = .jwksURL("http://id.clinic.example/keys") }], "bad_address"),
      ([changed { $0.keys = nil }], "missing"), ([changed { $0.audiences = [] }], "missing"),
      ([changed { $0.audiences = [""] }], "missing"),
      ([changed { $0.keys = .jwks("{\"keys\":[]}") }], "bad_keys"),
      ([changed { $0.subjectPrefix = "a b:" }], "bad_name"), ([changed { $0.subjectPrefix = "st-" }], "bad_name"),
      ([changed { $0.roles = [IdentityRole(value: "x", role: "participant@heart")] }], "bad_role"),
      ([good, good], "twice"),
      ([good, changed { ($0.issuer, $0.subjectPrefix) = ("https://b.example", "") }], "bad_name"),
      ([changed { $0.subjectPrefix = "key:" }], "prefix_reserved"),
      ([changed { $0.subjectPrefix = "device:" }], "prefix_reserved"),
      ([changed { $0.subjectPrefix = "onboarding:x:" }], "prefix_reserved"),
      ([changed { $0.subjectPrefix = "webhook:" }], "prefix_reserved"),
      ([good, changed { ($0.issuer, $0.subjectPrefix) = ("https://b.example", "clinic:a:") }], "prefixes_overlap"),
      (Array(repeating: good, count: 9), "too_many"),
    ]
    for (issuers, rule) in cases {
      await expectRefusal(.invalidArgument, rule) { try await Self.set(issuers, world) }
    }
    // Nobody is listed without the consent that the tenant asks for, nor made under a name that an issuer may give.
    await expectRefusal(.invalidArgument, "consent_needed") {
      try await world.allowSelfRegistration(flow: "onboarding") { $0.identityIssuers = [good] }
    }
    await expectRefusal(.invalidArgument, "bad_name") {
      try await world.admin.admin.createAccountInvitation(CreateAccountInvitationRequest(newPersonID: "clinic:ada"))
    }
    await provider.end()
    await world.end()
  }
}
