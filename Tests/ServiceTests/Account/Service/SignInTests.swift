import AccountContract
import AccountService
import Base
import ConsentContract
import RPC
import StorageTestKit
import TestSupport
import Testing
import Tokens
import Wire

@Suite("Signing in") struct SignInTests {
  @Test("the right passcode gives tokens that say who, where and with which roles", arguments: TestEngine.allCases)
  func tokens(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    let granted = try await world.admin.admin.grantRole(
      GrantRoleRequest(personID: anna, role: "coordinator@heart/berlin"))
    #expect(granted.roles == ["coordinator@heart/berlin"])
    let answer = try await world.signIn(anna)
    let keys = try #require(
      TokenKeySet(jwks: try await world.device("tablet").signIn.getTokenKeys(GetTokenKeysRequest()).jwks))
    let now = world.clock.clock.now
    let claims = try TokenVerifier(keys).claims(of: answer.tokens?.accessToken ?? "", at: now)
    #expect(
      claims
        == TokenClaims(
          use: .user, tenant: "t1", subject: anna, device: "tablet", session: answer.session?.sessionID ?? "",
          grants: ["coordinator@heart/berlin"], issuedAt: now, expiresAt: now + .seconds(300)))
    let grant = try TokenVerifier(keys).claims(of: answer.uploadGrant, at: now)
    #expect(grant.use == .upload && grant.identity == nil && grant.subject == anna && grant.device == "tablet")
    #expect(answer.autoLock?.duration == .seconds(300) && answer.offline?.salt.count == 32)
    #expect(answer.offline?.iterations == 600_000)
    // The bearer of the token is who the token says.
    let bearer = try world.bearer(answer.tokens?.accessToken ?? "")
    #expect(try await bearer.people.getProfile(GetProfileRequest()).profile?.title == "Anna")
    #expect(try await bearer.signIn.listSessions(ListSessionsRequest()).sessions.count == 1)
    await world.end()
  }

  @Test("a wrong passcode, and a person who does not exist, are answered alike", arguments: TestEngine.allCases)
  func enumeration(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    try await world.register("phone")
    var answers: Set<String> = []
    for (person, device) in [
      (anna, "tablet"), ("nobody", "tablet"), ("not a name!", "tablet"), ("", "tablet"), (anna, "phone"),
    ] {
      let status = await expectRefusal(.unauthenticated, "wrong_passcode") {
        try await world.signIn(person, passcode: "wrong passcode", device: device)
      }
      answers.insert("\(try #require(status))")
    }
    #expect(answers.count == 1)
    let failures = try await world.events().filter { $0.kind == .signInFailed }
    #expect(failures.map(\.personID) == [anna, "", "", "", ""])
    await world.end()
  }

  @Test("wrong passcodes cost growing delays, and nobody elsewhere notices", arguments: TestEngine.allCases)
  func flood(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.open("Anna", "Ben")
    try await world.register("phone")
    let code = try await world.person(people[0]).people.createLinkCode(CreateLinkCodeRequest()).code
    let started = try await world.device("phone").people.startOnboarding(StartOnboardingRequest(by: .linkCode(code)))
    _ = try await world.device("phone").people.finishOnboarding(
      FinishOnboardingRequest(onboardingID: started.onboarding?.onboardingID ?? "", passcode: AccountWorld.passcode))
    for _ in 0..<5 {
      await expectRefusal(.unauthenticated, "wrong_passcode") { try await world.signIn(people[0], passcode: "a guess") }
    }
    // Now the right one waits as well.
    let status = await expectRefusal(.resourceExhausted, "too_many_attempts") { try await world.signIn(people[0]) }
    let delay = try #require(status?.details.first { $0.typeName == SignInDelay.messageName })
    #expect(try SignInDelay(decoding: delay.value).delay?.duration == .seconds(30))
    // Another person here, and the same person on another device, are not kept waiting.
    #expect(try await world.signIn(people[1]).session?.personID == people[1])
    #expect(try await world.signIn(people[0], device: "phone").session?.personID == people[0])
    // An attempt while waiting neither counts nor prolongs.
    for _ in 0..<50 {
      await expectRefusal(.resourceExhausted, "too_many_attempts") { try await world.signIn(people[0]) }
    }
    world.clock.move(by: .seconds(30))
    await expectRefusal(.unauthenticated, "wrong_passcode") { try await world.signIn(people[0], passcode: "a guess") }
    world.clock.move(by: .seconds(59))
    await expectRefusal(.resourceExhausted, "too_many_attempts") { try await world.signIn(people[0]) }
    world.clock.move(by: .seconds(1))
    #expect(try await world.signIn(people[0]).session != nil)
    // A good sign-in forgets the wrong ones.
    await expectRefusal(.unauthenticated, "wrong_passcode") { try await world.signIn(people[0], passcode: "a guess") }
    #expect(try await world.signIn(people[0]).session != nil)
    await world.end()
  }

  @Test("attempts at the same time count each", arguments: TestEngine.allCases)
  func parallel(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    let rules = await withTaskGroup(of: String.self) { group in
      for number in 0..<40 {
        group.addTask {
          do {
            _ = try await world.signIn(anna, passcode: "guess number \(number)")
            return "in"
          } catch {
            return ((error as? Status)?.message.prefix { $0 != ":" }).map(String.init) ?? "\(error)"
          }
        }
      }
      return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    #expect(rules == ["wrong_passcode": 5, "too_many_attempts": 35])
    await world.end()
  }

  @Test("a device on which everybody is tried waits as a whole")
  func sprayed() async throws {
    let world = try await AccountWorld()
    let anna = try await world.open("Anna")[0]
    for number in 0..<20 {
      await expectRefusal(.unauthenticated, "wrong_passcode") {
        try await world.signIn("person-\(number)", passcode: "a guess")
      }
    }
    await expectRefusal(.resourceExhausted, "too_many_attempts") { try await world.signIn(anna) }
    world.clock.move(by: .seconds(30))
    #expect(try await world.signIn(anna).session != nil)
    await world.end()
  }

  @Test("a good attempt at a device forgets a wrong one of anybody's, and none of those at another person")
  func forgiven() async throws {
    let world = try await AccountWorld()
    let people = try await world.open("Anna", "Ben")
    func guess(at persons: [String]) async {
      for person in persons {
        await expectRefusal(.unauthenticated, "wrong_passcode") { try await world.signIn(person, passcode: "a guess") }
      }
    }
    await guess(at: (0..<19).map { "person-\($0)" })
    for _ in 0..<19 { _ = try await world.signIn(people[0]) }
    // All of them are forgotten: it takes twenty more until the device waits.
    await guess(at: (0..<20).map { "other-\($0)" })
    await expectRefusal(.resourceExhausted, "too_many_attempts") { try await world.signIn(people[0]) }
    world.clock.move(by: .seconds(30))
    for _ in 0..<10 { _ = try await world.signIn(people[0]) }
    // Whoever has a passcode of their own gains no guess at somebody else's.
    for _ in 0..<5 {
      _ = try await world.signIn(people[0])
      await guess(at: [people[1]])
    }
    _ = try await world.signIn(people[0])
    await expectRefusal(.resourceExhausted, "too_many_attempts") { try await world.signIn(people[1]) }
    await world.end()
  }

  @Test("refresh tokens rotate, and a second use ends the session", arguments: TestEngine.allCases)
  func rotation(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    let tablet = world.device("tablet").signIn
    let signedIn = try await world.signIn(anna)
    let first = signedIn.tokens?.refreshToken ?? ""
    let request = RefreshTokensRequest(refreshToken: first)
    let second = try await tablet.refreshTokens(request, options: .init(idempotencyKey: .given("r"))).tokens
    // The answer was lost: the same call gets it again, and nothing is taken for a theft.
    #expect(try await tablet.refreshTokens(request, options: .init(idempotencyKey: .given("r"))).tokens == second)
    let third = try await tablet.refreshTokens(RefreshTokensRequest(refreshToken: second?.refreshToken ?? "")).tokens
    await expectRefusal(.unauthenticated, "refresh_token_reused") { try await tablet.refreshTokens(request) }
    await expectRefusal(.unauthenticated, "bad_refresh_token") {
      try await tablet.refreshTokens(RefreshTokensRequest(refreshToken: third?.refreshToken ?? ""))
    }
    let reused = try await world.events().filter { $0.kind == .tokenReused }
    #expect(reused.map(\.sessionID) == [signedIn.session?.sessionID ?? ""])
    await world.end()
  }

  @Test("refresh tokens of others, altered ones and late ones", arguments: TestEngine.allCases)
  func badRefresh(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    try await world.register("phone")
    func refresh(
      _ token: String, on device: String = "tablet", tenant: String = "t1"
    ) async throws -> RefreshTokensResponse {
      try await world.device(device, tenant: tenant).signIn.refreshTokens(RefreshTokensRequest(refreshToken: token))
    }
    let signedIn = try await world.signIn(anna)
    let (good, session) = (signedIn.tokens?.refreshToken ?? "", signedIn.session?.sessionID ?? "")
    for bad in [
      "", "r1", "r1..", "r2.\(good.dropFirst(3))", "r1.none.AAAA", String(repeating: "a", count: 5000),
      "r1.\(session).", "r1.\(session).AAAA", "\(good.dropLast(4))AAAA", "\(good.dropLast(24))",
    ] {
      for device in ["tablet", "phone"] {
        await expectRefusal(.unauthenticated, "bad_refresh_token") { try await refresh(bad, on: device) }
      }
    }
    // Whoever knows the session and not its token has not ended it.
    #expect(try await world.person(anna).signIn.listSessions(ListSessionsRequest()).sessions.count == 1)
    await expectRefusal(.unauthenticated, "bad_refresh_token") { try await refresh(good, tenant: "t2") }
    // Shown by another device, it was stolen.
    await expectRefusal(.unauthenticated, "refresh_token_reused") { try await refresh(good, on: "phone") }
    await expectRefusal(.unauthenticated, "bad_refresh_token") { try await refresh(good) }
    let late = try await world.signIn(anna).tokens?.refreshToken ?? ""
    world.clock.move(by: .seconds(31 * 86_400))
    await expectRefusal(.unauthenticated, "bad_refresh_token") { try await refresh(late) }
    await world.end()
  }

  @Test("sessions end one by one, at a switch, and all at once", arguments: TestEngine.allCases)
  func sessions(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.open("Anna", "Ben")
    let anna = world.person(people[0]).signIn
    let first = try await world.signIn(people[0])
    await expectRefusal(.notFound, "unknown_session") {
      try await world.person(people[1]).signIn.endSessions(
        EndSessionsRequest(sessionID: first.session?.sessionID ?? ""))
    }
    #expect(try await anna.endSessions(EndSessionsRequest(sessionID: first.session?.sessionID ?? "")).ended == 1)
    #expect(try await anna.endSessions(EndSessionsRequest(sessionID: first.session?.sessionID ?? "")).ended == 0)
    _ = try await world.signIn(people[0])
    _ = try await world.device("tablet").people.selectPerson(SelectPersonRequest(personID: people[1]))
    #expect(try await anna.listSessions(ListSessionsRequest()).sessions.isEmpty)
    _ = try await world.signIn(people[0])
    #expect(try await anna.endSessions(EndSessionsRequest()).ended == 1)
    await world.end()
  }

  @Test("a passcode is changed by whoever knows it", arguments: TestEngine.allCases)
  func change(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    _ = try await world.signIn(anna)
    func change(_ old: String, _ new: String) async throws -> ChangePasscodeResponse {
      try await world.device("tablet").signIn.changePasscode(
        ChangePasscodeRequest(personID: anna, passcode: old, newPasscode: new))
    }
    await expectRefusal(.invalidArgument, "passcode_too_short") { try await change(AccountWorld.passcode, "short") }
    await expectRefusal(.invalidArgument, "passcode_unchanged") {
      try await change(AccountWorld.passcode, AccountWorld.passcode)
    }
    await expectRefusal(.unauthenticated, "wrong_passcode") { try await change("wrong passcode", "a new one 77") }
    _ = try await change(AccountWorld.passcode, "a new one 77")
    #expect(try await world.person(anna).signIn.listSessions(ListSessionsRequest()).sessions.isEmpty)
    await expectRefusal(.unauthenticated, "wrong_passcode") { try await world.signIn(anna) }
    #expect(try await world.signIn(anna, passcode: "a new one 77").session != nil)
    await world.end()
  }

  @Test("a forgotten passcode is recovered once by each code", arguments: TestEngine.allCases)
  func recover(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    try await world.open()
    let (anna, code) = try await world.onboard("Anna")
    func recover(_ code: String, _ person: String) async throws -> RecoverPasscodeResponse {
      try await world.device("tablet").signIn.recoverPasscode(
        RecoverPasscodeRequest(personID: person, recoveryCode: code, newPasscode: "a new one 77"))
    }
    var answers: Set<String> = []
    for (wrong, person) in [("ABCDE-FGHJK-ABCDE-FGHJK", anna), (code, "nobody"), ("", anna)] {
      let status = await expectRefusal(.unauthenticated, "wrong_recovery_code") { try await recover(wrong, person) }
      answers.insert("\(try #require(status))")
    }
    #expect(answers.count == 1)
    let next = try await recover(code.lowercased(), anna).recoveryCode
    #expect(try await world.signIn(anna, passcode: "a new one 77").session != nil)
    await expectRefusal(.unauthenticated, "wrong_recovery_code") { try await recover(code, anna) }
    #expect(try await recover(next, anna).recoveryCode != next)
    await world.end()
  }

  @Test("an administrator's passcode has to be changed", arguments: TestEngine.allCases)
  func reset(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    for _ in 0..<5 {
      await expectRefusal(.unauthenticated, "wrong_passcode") { try await world.signIn(anna, passcode: "a guess") }
    }
    let given = try await world.admin.admin.resetPasscode(ResetPasscodeRequest(personID: anna, deviceID: "tablet"))
      .passcode
    await expectRefusal(.failedPrecondition, "passcode_must_change") { try await world.signIn(anna, passcode: given) }
    // Nor does it vouch for the person: the administrator knows it as well.
    await expectRefusal(.failedPrecondition, "passcode_must_change") {
      try await world.person(anna).signIn.reauthenticate(
        ReauthenticateRequest(passcode: given, challenge: Digest(of: [1]).bytes))
    }
    _ = try await world.device("tablet").signIn.changePasscode(
      ChangePasscodeRequest(personID: anna, passcode: given, newPasscode: "a new one 77"))
    #expect(try await world.signIn(anna, passcode: "a new one 77").session != nil)
    await world.end()
  }

  @Test("a fresh authentication is an assertion that the tenant's key signed", arguments: TestEngine.allCases)
  func stepUp(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    let challenge = Digest(of: [1]).bytes
    let person = world.person(anna).signIn
    await expectRefusal(.unauthenticated, "wrong_passcode") {
      try await person.reauthenticate(ReauthenticateRequest(passcode: "a guess", challenge: challenge))
    }
    await expectRefusal(.invalidArgument, "bad_challenge") {
      try await person.reauthenticate(ReauthenticateRequest(passcode: AccountWorld.passcode, challenge: [1]))
    }
    let answer = try await person.reauthenticate(
      ReauthenticateRequest(passcode: AccountWorld.passcode, challenge: challenge))
    let assertion = try AuthenticationAssertion(decoding: answer.assertion)
    #expect(
      assertion
        == AuthenticationAssertion(
          challenge: challenge, verifierID: "account", signer: anna, method: "passcode",
          authenticatedAt: Timestamp(world.clock.clock.now)))
    let key = try await person.getTokenKeys(GetTokenKeysRequest()).verifierKey
    let signed = Array("assent-authentication-1\n".utf8) + answer.assertion
    #expect(VerifyingKey(bytes: key)?.verifies(answer.signature, of: signed) == true)
    let other = try await world.device("tablet", tenant: "t2").signIn.getTokenKeys(GetTokenKeysRequest())
    #expect(other.verifierKey != key)
    await world.end()
  }

  @Test("no passcode, secret or code stands in the events")
  func quietEvents() async throws {
    let world = try await AccountWorld()
    let anna = try await world.open("Anna Example")[0]
    _ = try? await world.signIn(anna, passcode: "wrong passcode")
    let answer = try await world.signIn(anna)
    let text = String(decoding: try await world.events().flatMap { try $0.json() }, as: UTF8.self)
    for secret in ["Anna", "wrong passcode", AccountWorld.passcode, answer.tokens?.refreshToken ?? "-"] {
      #expect(!text.contains(secret))
    }
    await world.end()
  }
}
