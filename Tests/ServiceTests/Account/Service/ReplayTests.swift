import AccountContract
import AccountService
import Base
import RPC
import StorageTestKit
import Testing

/// A repeat under one key gets the first answer. That must be the same caller's repeat.
@Suite("Answers are repeated to their caller alone") struct ReplayTests {
  private static let key = CallOptions(idempotencyKey: .given("the-same-key"))

  @Test("a link code is used once, by whichever device was first", arguments: TestEngine.allCases)
  func linkCode(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    for device in ["phone", "kiosk"] { try await world.register(device) }
    let code = try await world.person(anna).people.createLinkCode(CreateLinkCodeRequest()).code
    let request = StartOnboardingRequest(by: .linkCode(code))
    let started = try await world.device("phone").people.startOnboarding(request, options: Self.key)
    #expect(try await world.device("phone").people.startOnboarding(request, options: Self.key) == started)
    await expectRefusal(.notFound, "unknown_code") {
      try await world.device("kiosk").people.startOnboarding(request, options: Self.key)
    }
    let finish = FinishOnboardingRequest(
      onboardingID: started.onboarding?.onboardingID ?? "", passcode: AccountWorld.passcode)
    let once = CallOptions(idempotencyKey: .given("another-key"))
    await expectRefusal(.notFound, "unknown_onboarding") {
      try await world.device("kiosk").people.finishOnboarding(finish, options: once)
    }
    _ = try await world.device("phone").people.finishOnboarding(finish, options: once)
    await expectRefusal(.notFound, "unknown_onboarding") {
      try await world.device("kiosk").people.finishOnboarding(finish, options: once)
    }
    let listed = try await world.list(device: "kiosk")
    #expect(listed.others.isEmpty && listed.current == nil)
    await world.end()
  }

  @Test("a recovery code is used once, at whichever device was first", arguments: TestEngine.allCases)
  func recoveryCode(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    try await world.open()
    let (anna, recovery) = try await world.onboard("Anna")
    try await world.register("phone")
    let link = try await world.person(anna).people.createLinkCode(CreateLinkCodeRequest()).code
    let started = try await world.device("phone").people.startOnboarding(StartOnboardingRequest(by: .linkCode(link)))
    _ = try await world.device("phone").people.finishOnboarding(
      FinishOnboardingRequest(
        onboardingID: started.onboarding?.onboardingID ?? "", passcode: AccountWorld.passcode))
    let request = RecoverPasscodeRequest(personID: anna, recoveryCode: recovery, newPasscode: "a new one 77")
    let answer = try await world.device("tablet").signIn.recoverPasscode(request, options: Self.key)
    #expect(answer.recoveryCode != recovery && !answer.recoveryCode.isEmpty)
    await expectRefusal(.unauthenticated, "wrong_recovery_code") {
      try await world.device("phone").signIn.recoverPasscode(request, options: Self.key)
    }
    // The passcode at the phone is the one from before.
    #expect(try await world.signIn(anna, device: "phone").session != nil)
    await world.end()
  }

  @Test("a lost answer comes again by either credential of a device", arguments: TestEngine.allCases, [true, false])
  func eitherCredential(engine: TestEngine, personIsFirst: Bool) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    let request = RefreshTokensRequest(refreshToken: try await world.signIn(anna).tokens?.refreshToken ?? "")
    var callers = [world.device("tablet"), world.person(anna)]
    if personIsFirst { callers.reverse() }
    let next = try await callers[0].signIn.refreshTokens(request, options: Self.key)
    #expect(try await callers[1].signIn.refreshTokens(request, options: Self.key) == next)
    #expect(try await world.person(anna).signIn.listSessions(ListSessionsRequest()).sessions.count == 1)
    await world.end()
  }

  @Test("a refresh token that another device repeats ends its session", arguments: TestEngine.allCases)
  func refreshToken(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    try await world.register("phone")
    let first = try await world.signIn(anna).tokens?.refreshToken ?? ""
    let request = RefreshTokensRequest(refreshToken: first)
    let next = try await world.device("tablet").signIn.refreshTokens(request, options: Self.key)
    #expect(try await world.device("tablet").signIn.refreshTokens(request, options: Self.key) == next)
    await expectRefusal(.unauthenticated, "refresh_token_reused") {
      try await world.device("phone").signIn.refreshTokens(request, options: Self.key)
    }
    #expect(try await world.person(anna).signIn.listSessions(ListSessionsRequest()).sessions.isEmpty)
    await world.end()
  }
}
