import AccountContract
import AccountService
import Base
import CommonContract
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Tokens
import Wire

@Suite("Administration of accounts") struct AdministrationTests {
  @Test(
    "settings are checked, each with its field",
    arguments: [
      (
        AccountSettings(passcodePolicy: PasscodePolicy(shortest: 3)), "out_of_bounds",
        "settings.passcode_policy.shortest"
      ),
      (AccountSettings(autoLock: ProtobufDuration(.seconds(1))), "out_of_bounds", "settings.auto_lock"),
      (AccountSettings(offlineLifetime: ProtobufDuration(seconds: .max)), "out_of_bounds", "settings.offline_lifetime"),
      (AccountSettings(application: ApplicationDetails(logo: [1])), "bad_picture", "settings.application.logo"),
    ])
  func settings(settings: AccountSettings, rule: String, field: String) async throws {
    let world = try await AccountWorld()
    let status = await expectRefusal(.invalidArgument, rule) {
      try await world.admin.admin.setAccountSettings(SetAccountSettingsRequest(settings: settings))
    }
    #expect(status?.info?.field == field)
    #expect(try await world.admin.admin.getAccountSettings(GetAccountSettingsRequest()).settings == AccountSettings())
    await world.end()
  }

  @Test("whoever is not an administrator administers nothing")
  func denied() async throws {
    let world = try await AccountWorld()
    let anna = try await world.open("Anna")[0]
    for clients in [world.person(anna), world.device("tablet")] {
      func isDenied(_ call: () async throws -> some Any) async {
        do {
          _ = try await call()
          Issue.record("not denied")
        } catch {
          #expect((error as? Status)?.code == .permissionDenied)
        }
      }
      await isDenied { try await clients.admin.listAccounts(ListAccountsRequest()) }
      await isDenied { try await clients.admin.grantRole(GrantRoleRequest(personID: anna, role: "admin@*")) }
      await isDenied { try await clients.admin.wipeDevice(WipeDeviceRequest(deviceID: "tablet")) }
      await isDenied { try await clients.admin.eraseAccount(EraseAccountRequest(personID: anna)) }
      await isDenied { try await clients.admin.listAccountEvents(ListAccountEventsRequest()) }
    }
    // An administrator of one study grants roles there, and nowhere else.
    let heart = world.clients(CallerIdentity(kind: .person, tenant: "t1", subject: "hanna", grants: ["admin@heart"]))
    _ = try await heart.admin.grantRole(GrantRoleRequest(personID: anna, role: "witness@heart/berlin"))
    for role in ["witness@lung", "admin@*"] {
      await isRefused { try await heart.admin.grantRole(GrantRoleRequest(personID: anna, role: role)) }
    }
    await isRefused { try await heart.admin.listAccounts(ListAccountsRequest()) }
    await world.end()
  }

  private func isRefused(_ call: () async throws -> some Any) async {
    await expectRefusal(.permissionDenied, "not_admitted", call)
  }

  @Test("a locked person is out at once, and told so only with the right passcode", arguments: TestEngine.allCases)
  func locked(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    let refresh = try await world.signIn(anna).tokens?.refreshToken ?? ""
    _ = try await world.admin.admin.setPersonLock(SetPersonLockRequest(personID: anna, locked: true))
    await expectRefusal(.unauthenticated, "bad_refresh_token") {
      try await world.device("tablet").signIn.refreshTokens(RefreshTokensRequest(refreshToken: refresh))
    }
    await expectRefusal(.failedPrecondition, "person_locked") { try await world.signIn(anna) }
    await expectRefusal(.unauthenticated, "wrong_passcode") { try await world.signIn(anna, passcode: "a guess") }
    _ = try await world.admin.admin.setPersonLock(SetPersonLockRequest(personID: anna))
    #expect(try await world.signIn(anna).session != nil)
    await world.end()
  }

  @Test("a person's roles fit into a token, however they come together", arguments: TestEngine.allCases)
  func boundedRoles(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.open("Anna", "Ben")
    func grant(_ role: String, to person: String) async throws -> [String] {
      try await world.admin.admin.grantRole(GrantRoleRequest(personID: person, role: role)).roles
    }
    // As long as a role can be: fourteen of them fit, and no fifteenth.
    let long = String(repeating: "s", count: 62)
    let wide = (10..<24).map { "investigator@\($0)\(long)/\($0)\(long)" }
    for role in wide { _ = try await grant(role, to: people[0]) }
    let refused = await expectRefusal(.failedPrecondition, "too_many_roles") {
      try await grant("investigator@24\(long)/24\(long)", to: people[0])
    }
    #expect(refused?.info?.field == "role")
    // What the person has may be granted again.
    #expect(try await grant(wide[0], to: people[0]) == wide)
    for number in 10..<74 { _ = try await grant("witness@s\(number)", to: people[1]) }
    await expectRefusal(.failedPrecondition, "too_many_roles") { try await grant("witness@t", to: people[1]) }
    for person in people {
      let token = try #require(try await world.signIn(person).tokens?.accessToken)
      #expect(token.utf8.count <= TokenVerifier.longest)
      #expect(try world.identity(of: token).grants.count == (person == people[0] ? 14 : 64))
    }
    // The roles of both would be too many for one person: nothing is merged.
    await expectRefusal(.failedPrecondition, "too_many_roles") {
      try await world.admin.admin.mergePeople(MergePeopleRequest(personID: people[0], intoPersonID: people[1]))
    }
    let accounts = try await world.admin.admin.listAccounts(ListAccountsRequest()).accounts
    #expect(Set(accounts.map(\.roles.count)) == [14, 64] && accounts.allSatisfy { $0.mergedInto.isEmpty })
    await world.end()
  }

  @Test("the token of whoever has the longest names, and all roles that anybody may have, is one that doors take")
  func longestToken() {
    // Those that are granted and those of an outside identity: 64 roles with 2,048 bytes each.
    let roles = (100..<228).map { "witness@\($0)" + String(repeating: "s", count: 21) }
    #expect(roles.reduce(0) { $0 + $1.utf8.count } == 4096)
    func name(_ length: Int) -> String { String(repeating: "n", count: length) }
    let claims = TokenClaims(
      use: .user, tenant: name(64), subject: name(128), device: name(128), session: name(64), grants: roles,
      issuedAt: AccountWorld.start + .milliseconds(250), expiresAt: AccountWorld.start + .milliseconds(300_250))
    let token = TokenKeys(secret: [UInt8](repeating: 7, count: 32)).token(claims)
    #expect(token.utf8.count <= TokenVerifier.longest)
  }

  @Test("merged accounts sign in as one, and both histories stay", arguments: TestEngine.allCases)
  func merged(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.open("Anna", "Anna E.")
    try await world.register("phone")
    let (third, _) = try await world.onboard("A. E.", device: "phone", passcode: "on the phone 5")
    _ = try await world.admin.admin.grantRole(GrantRoleRequest(personID: third, role: "coordinator@heart"))
    func merge(_ id: String, _ other: String) async throws -> MergePeopleResponse {
      try await world.admin.admin.mergePeople(MergePeopleRequest(personID: id, intoPersonID: other))
    }
    let merged = try await merge(third, people[0]).account
    #expect(merged?.deviceIDs == ["phone", "tablet"] && merged?.roles == ["coordinator@heart"])
    #expect(try await world.signIn(people[0], passcode: "on the phone 5", device: "phone").session != nil)
    await expectRefusal(.unauthenticated, "wrong_passcode") {
      try await world.signIn(third, passcode: "on the phone 5", device: "phone")
    }
    await expectRefusal(.failedPrecondition, "person_gone") { try await merge(third, people[1]) }
    // A lock on what has ended would lock nobody out.
    await expectRefusal(.failedPrecondition, "person_gone") {
      try await world.admin.admin.setPersonLock(SetPersonLockRequest(personID: third, locked: true))
    }
    await expectRefusal(.invalidArgument, "same_person") { try await merge(people[0], people[0]) }
    let history = try await world.events()
    #expect(history.contains { $0.kind == .personAdded && $0.personID == third })
    #expect(history.filter { $0.kind == .peopleMerged }.map(\.note) == ["into \(people[0])", "from \(third)"])
    // Erasing the person erases what was merged into it.
    _ = try await world.admin.admin.eraseAccount(EraseAccountRequest(personID: people[0]))
    let accounts = try await world.admin.admin.listAccounts(ListAccountsRequest()).accounts
    #expect(Set(accounts.filter(\.erased).map(\.personID)) == [people[0], third])
    await world.end()
  }

  @Test("nobody merges an account of their own, by whichever of its names: another administrator does")
  func ownMerge() async throws {
    let world = try await AccountWorld()
    let people = try await world.open("Anna", "Ben", "Anna E.")
    let (anna, ben, second) = (people[0], people[1], people[2])
    func merge(_ ending: String, into staying: String, by actor: String) async throws -> MergePeopleResponse {
      let identity = CallerIdentity(kind: .person, tenant: "t1", subject: actor, grants: ["admin@*"])
      return try await world.clients(identity).admin.mergePeople(
        MergePeopleRequest(personID: ending, intoPersonID: staying))
    }
    func isRefused(_ ending: String, into staying: String, by actor: String) async {
      await expectRefusal(.permissionDenied, "own_account") { try await merge(ending, into: staying, by: actor) }
    }
    await isRefused(ben, into: anna, by: anna)
    await isRefused(anna, into: ben, by: anna)
    // Nor does she by a key that she has made.
    await expectRefusal(.failedPrecondition, "person_needed") { try await merge(ben, into: anna, by: "key:1f0c") }
    _ = try await merge(second, into: anna, by: "ops")
    // Both names are hers now, also for a repeat.
    await isRefused(ben, into: anna, by: second)
    await isRefused(second, into: anna, by: anna)
    #expect(try await world.events().contains { $0.kind == .accessDenied && $0.actor == anna })
    let accounts = try await world.admin.admin.listAccounts(ListAccountsRequest()).accounts
    #expect(accounts.filter { !$0.mergedInto.isEmpty }.map(\.personID) == [second])
    _ = try await merge(ben, into: anna, by: "ops")
    await world.end()
  }

  @Test("a hold on a merged account keeps that account alone, until it is lifted", arguments: TestEngine.allCases)
  func heldMerged(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.open("Anna", "Anna E.", "A. E.")
    for id in people.dropFirst() {
      _ = try await world.admin.admin.mergePeople(MergePeopleRequest(personID: id, intoPersonID: people[0]))
    }
    func hold(_ isHeld: Bool) async throws {
      _ = try await world.admin.admin.holdAccount(
        HoldAccountRequest(personID: people[1], held: isHeld, reason: "a dispute"))
    }
    func erased() async throws -> Set<String> {
      let accounts = try await world.admin.admin.listAccounts(ListAccountsRequest()).accounts
      return Set(accounts.filter(\.erased).map(\.personID))
    }
    let service = world.service
    try await hold(true)
    let refusal = await expectRefusal(.failedPrecondition, "legal_hold") {
      try await service.admin.eraseAccount(EraseAccountRequest(personID: people[0]))
    }
    #expect(refusal?.message.contains(people[1]) == true)
    #expect(try await erased() == [people[0], people[2]])
    try await hold(false)
    // What was said of a hold that is over is not looked at.
    try await world.test.location.alter(
      "UPDATE storage_vault_items SET sealed = substr(sealed, 2) WHERE item LIKE 'hold:%'",
      schema: world.test.schema.name)
    _ = try await service.admin.eraseAccount(EraseAccountRequest(personID: people[0]))
    #expect(try await erased() == Set(people))
    await world.end()
  }

  @Test("nobody becomes a person whose erasure came first", arguments: TestEngine.allCases)
  func erasedAhead(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    try await world.register("tablet")
    func invite(_ id: String) async throws -> String {
      try await world.admin.admin.createAccountInvitation(CreateAccountInvitationRequest(newPersonID: id)).code
    }
    func start(_ code: String) async throws -> String {
      let start = StartOnboardingRequest(
        by: .invitationCode(code), profile: PersonProfile(title: "Anna"), locale: "en")
      return try await world.device("tablet").people.startOnboarding(start).onboarding?.onboardingID ?? ""
    }
    let unused = try await invite("p-7")
    let onboarding = try await start(try await invite("p-7"))
    let erase = EraseAccountRequest(personID: "p-7")
    await expectRefusal(.notFound, "unknown_person") { try await world.admin.admin.eraseAccount(erase) }
    for _ in 0..<2 {
      let service = world.service
      _ = try await service.admin.eraseAccount(erase)
    }
    await expectRefusal(.failedPrecondition, "onboarding_ended") {
      try await world.device("tablet").people.finishOnboarding(
        FinishOnboardingRequest(onboardingID: onboarding, passcode: AccountWorld.passcode))
    }
    await expectRefusal(.notFound, "unknown_code") { try await start(unused) }
    await expectRefusal(.failedPrecondition, "subject_erased") { try await invite("p-7") }
    #expect(try await world.list() == ListPeopleResponse())
    #expect(try await world.events().count { $0.kind == .personErased } == 1)
    _ = try await start(try await invite("p-8"))
    await world.end()
  }

  @Test("a hold of ConsentService's is lifted by ConsentService alone, and may come before the account")
  func heldByConsent() async throws {
    let world = try await AccountWorld()
    func hold(_ person: String, _ isHeld: Bool, by clients: AccountClients) async throws {
      _ = try await clients.admin.holdAccount(
        HoldAccountRequest(personID: person, held: isHeld, reason: "a legal hold"))
    }
    let anna = try await world.open("Anna")[0]
    for person in [anna, "nobody-yet"] { try await hold(person, true, by: world.service) }
    await expectRefusal(.failedPrecondition, "held_elsewhere") { try await hold(anna, false, by: world.admin) }
    await expectRefusal(.failedPrecondition, "legal_hold") {
      try await world.admin.admin.eraseAccount(EraseAccountRequest(personID: anna))
    }
    try await hold(anna, false, by: world.service)
    _ = try await world.admin.admin.eraseAccount(EraseAccountRequest(personID: anna))
    await world.end()
  }

  @Test("an erased person leaves no profile, passcode or role, and a hold forbids it", arguments: TestEngine.allCases)
  func erased(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    let refresh = try await world.signIn(anna).tokens?.refreshToken ?? ""
    func hold(_ isHeld: Bool, _ reason: String = "") async throws -> HoldAccountResponse {
      try await world.admin.admin.holdAccount(HoldAccountRequest(personID: anna, held: isHeld, reason: reason))
    }
    func erase() async throws -> EraseAccountResponse {
      let service = world.service
      return try await service.admin.eraseAccount(EraseAccountRequest(personID: anna))
    }
    await expectRefusal(.invalidArgument, "reason_missing") { try await hold(true) }
    _ = try await hold(true, "a dispute")
    _ = try await hold(true, "a dispute")
    await expectRefusal(.failedPrecondition, "legal_hold") { try await erase() }
    #expect(try await world.list().current?.personID == anna)
    await expectRefusal(.invalidArgument, "reason_missing") { try await hold(false) }
    _ = try await hold(false, "it is settled")
    _ = try await erase()
    _ = try await erase()
    #expect(try await world.list() == ListPeopleResponse())
    await expectRefusal(.failedPrecondition, "subject_erased") {
      try await world.person(anna).people.getProfile(GetProfileRequest())
    }
    await expectRefusal(.unauthenticated, "bad_refresh_token") {
      try await world.device("tablet").signIn.refreshTokens(RefreshTokensRequest(refreshToken: refresh))
    }
    await expectRefusal(.unauthenticated, "wrong_passcode") { try await world.signIn(anna) }
    let account = try await world.admin.admin.listAccounts(ListAccountsRequest()).accounts
    #expect(account == [AccountEntry(personID: anna, erased: true)])
    await world.end()
  }

  @Test("a gateway hears of every revocation, and that it hears at all", arguments: TestEngine.allCases)
  func revocations(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    _ = try await world.admin.admin.grantRole(GrantRoleRequest(personID: anna, role: "witness@heart"))
    let session = try await world.signIn(anna).session?.sessionID ?? ""
    let gateway = world.clients(CallerIdentity(kind: .service, subject: "gateway"))
    var stream = gateway.admin.watchRevocations(deadline: .seconds(60)).responses
      .makeAsyncIterator()
    var heard: [Revocation] = []
    var keys = ""
    func listen(until isThere: () -> Bool) async throws {
      for _ in 0..<1000 where !isThere() {
        let answer = try #require(try await stream.next())
        heard += answer.revocations
        keys = answer.jwks.isEmpty ? keys : answer.jwks
      }
    }
    try await listen { !keys.isEmpty }
    #expect(TokenKeySet(jwks: keys)?.entries.count == 3)
    _ = try await world.admin.admin.revokeRole(RevokeRoleRequest(personID: anna, role: "witness@heart"))
    try await listen { heard.contains { $0.revoked == .personID(anna) && $0.tenant == "t1" } }
    _ = try await world.person(anna).signIn.endSessions(EndSessionsRequest(sessionID: session))
    try await listen { heard.contains { $0.revoked == .sessionID(session) } }
    _ = try await world.admin.admin.wipeDevice(WipeDeviceRequest(deviceID: "tablet"))
    try await listen { heard.contains { $0.revoked == .deviceID("tablet") } }
    // One that starts later hears all that still matters.
    stream = gateway.admin.watchRevocations(deadline: .seconds(60)).responses.makeAsyncIterator()
    heard = []
    try await listen { heard.count == 3 }
    #expect(heard.count == 3)
    await world.end()
  }
}
