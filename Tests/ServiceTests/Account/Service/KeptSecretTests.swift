import AccountContract
import AccountService
import Base
import RPC
import Storage
import StorageTestKit
import Testing
import Wire

/// A code, a token or a secret is in one answer and nowhere else: what is kept for a repeat does not have it.
@Suite("Secrets of answers are shown once") struct KeptSecretTests {
  private struct NothingKept: Error {}

  /// What is kept of a call, as whoever has the database and all of its keys can open it.
  private func kept<Request: Message>(
    _ request: Request, by caller: String, _ key: String, in world: AccountWorld
  ) async throws -> String {
    // A passcode is not in what makes two requests the same: it could be found from the hash.
    let identity = Array("\(Request.messageName)\n".utf8) + (try request.replacingSecrets(with: "").encoded())
    let answer = try await world.test.database.scope(.named("t1")).write(
      once: Idempotency(caller: caller, key: key, request: identity)
    ) { _ in throw NothingKept() }
    return String(decoding: answer.bytes, as: UTF8.self)
  }

  /// Makes a call twice under one key: the second time it is refused, and tells all but the secret.
  private func showsOnce<Request: Message, Answer: Message>(
    _ request: Request, by caller: String, in world: AccountWorld, _ secret: (Answer) -> String,
    _ call: (Request, CallOptions) async throws -> Answer
  ) async throws {
    let once = CallOptions(idempotencyKey: .given(Request.messageName))
    let answer = try await call(request, once)
    let shown = secret(answer)
    #expect(shown.count >= 10, "\(Answer.messageName)")
    let status = await expectRefusal(.alreadyExists, "secret_shown") { try await call(request, once) }
    let detail = try #require(status?.details.first { $0.typeName == Answer.messageName })
    #expect(try Answer(decoding: detail.value) == answer.replacingSecrets(with: ""))
    let kept = try await kept(request, by: caller, Request.messageName, in: world)
    #expect(!kept.contains(shown), "\(Answer.messageName)")
  }

  @Test("codes, passcodes and secrets that a call makes", arguments: TestEngine.allCases)
  func made(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    let registration = RegisterDeviceRequest(device: AccountDevice(name: "Ward 9"))
    try await showsOnce(registration, by: "ops", in: world, { (answer: RegisterDeviceResponse) in answer.secret }) {
      try await world.admin.devices.registerDevice($0, options: $1)
    }
    let invitation = CreateAccountInvitationRequest()
    try await showsOnce(
      invitation, by: "ops", in: world, { (answer: CreateAccountInvitationResponse) in answer.code }
    ) { try await world.admin.admin.createAccountInvitation($0, options: $1) }
    try await showsOnce(
      CreateLinkCodeRequest(), by: anna, in: world, { (answer: CreateLinkCodeResponse) in answer.code }
    ) { try await world.person(anna).people.createLinkCode($0, options: $1) }
    let reset = ResetPasscodeRequest(personID: anna, deviceID: "tablet")
    try await showsOnce(reset, by: "ops", in: world, { (answer: ResetPasscodeResponse) in answer.passcode }) {
      try await world.admin.admin.resetPasscode($0, options: $1)
    }
    let start = StartOnboardingRequest(
      by: .selfRegistration(SelfRegistration()), profile: PersonProfile(title: "Ben"), locale: "en")
    let begun = try await world.device("tablet").people.startOnboarding(start).onboarding
    let finish = FinishOnboardingRequest(onboardingID: begun?.onboardingID ?? "", passcode: AccountWorld.passcode)
    try await showsOnce(
      finish, by: "device/tablet", in: world, { (answer: FinishOnboardingResponse) in answer.recoveryCode }
    ) { try await world.device("tablet").people.finishOnboarding($0, options: $1) }
    // The person is there all the same.
    #expect(try await world.signIn(begun?.personID ?? "").session != nil)
    await world.end()
  }

  @Test("whoever shows the token or the code again gets its successor again, and nobody else can open it")
  func renewed() async throws {
    let world = try await AccountWorld()
    try await world.open()
    let (anna, recovery) = try await world.onboard("Anna")
    let tablet = world.device("tablet").signIn
    let once = CallOptions(idempotencyKey: .given("once"))
    let refresh = RefreshTokensRequest(refreshToken: try await world.signIn(anna).tokens?.refreshToken ?? "")
    let tokens = try await tablet.refreshTokens(refresh, options: once)
    #expect(try await tablet.refreshTokens(refresh, options: once) == tokens)
    let box = try await kept(refresh, by: "device/tablet", "once", in: world)
    let made = try #require(tokens.tokens)
    for secret in [made.refreshToken, made.accessToken] { #expect(!secret.isEmpty && !box.contains(secret)) }
    // With another token the key is taken for another call's.
    let other = RefreshTokensRequest(refreshToken: tokens.tokens?.refreshToken ?? "")
    await expectRefusal(.invalidArgument, "key_reused") { try await tablet.refreshTokens(other, options: once) }

    let again = CallOptions(idempotencyKey: .given("again"))
    let recover = RecoverPasscodeRequest(personID: anna, recoveryCode: recovery, newPasscode: "a new one 77")
    let next = try await tablet.recoverPasscode(recover, options: again)
    #expect(try await tablet.recoverPasscode(recover, options: again) == next)
    let closed = try await kept(recover, by: "device/tablet", "again", in: world)
    #expect(!closed.contains(next.recoveryCode))
    await world.end()
  }

  @Test("a repeated sign-in begins a session anew, and nothing of it is kept")
  func signIn() async throws {
    let world = try await AccountWorld()
    let anna = try await world.open("Anna")[0]
    let once = CallOptions(idempotencyKey: .given("once"))
    let request = SignInRequest(personID: anna, passcode: AccountWorld.passcode)
    let first = try await world.device("tablet").signIn.signIn(request, options: once)
    let second = try await world.device("tablet").signIn.signIn(request, options: once)
    #expect(first.session?.sessionID != second.session?.sessionID)
    let running = try await world.person(anna).signIn.listSessions(ListSessionsRequest()).sessions
    #expect(running.map(\.sessionID) == [second.session?.sessionID])
    await #expect(throws: NothingKept.self) {
      try await kept(request, by: "device/tablet", "once", in: world)
    }
    await world.end()
  }
}
