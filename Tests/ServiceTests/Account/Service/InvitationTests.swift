import AccountContract
import AccountService
import ConsentContract
import RPC
import StorageTestKit
import TestSupport
import Testing

/// Invitations, where something comes between them and the person whom they are for.
@Suite("Invitations to onboard") struct InvitationTests {
  private let world: AccountWorld

  private func invite(_ person: String = "") async throws -> String {
    try await world.admin.admin.createAccountInvitation(CreateAccountInvitationRequest(newPersonID: person)).code
  }

  private func start(
    _ code: String, as title: String = "Bea", on device: String = "tablet"
  ) async throws -> StartOnboardingResponse {
    try await world.device(device).people.startOnboarding(
      StartOnboardingRequest(by: .invitationCode(code), profile: PersonProfile(title: title)))
  }

  private func finish(_ started: StartOnboardingResponse, on device: String = "tablet") async throws {
    _ = try await world.device(device).people.finishOnboarding(
      FinishOnboardingRequest(onboardingID: started.onboarding?.onboardingID ?? "", passcode: AccountWorld.passcode))
  }

  init() async throws {
    world = try await AccountWorld()
    for device in ["tablet", "phone"] { try await world.register(device) }
  }

  @Test("nobody new is onboarded as somebody who has an account, or is being onboarded")
  func taken() async throws {
    let codes = [try await invite("bea"), try await invite("bea"), try await invite("bea")]
    let begun = try await start(codes[0])
    await expectRefusal(.alreadyExists, "onboarding_open") { try await start(codes[1], as: "Ben", on: "phone") }
    _ = try await world.device("tablet").people.cancelOnboarding(
      CancelOnboardingRequest(onboardingID: begun.onboarding?.onboardingID ?? ""))
    // The code that was refused was not used up.
    let second = try await start(codes[1], on: "phone")
    #expect(second.onboarding?.personID == "bea")
    try await finish(second, on: "phone")
    await expectRefusal(.alreadyExists, "person_exists") { try await start(codes[2], as: "Ben") }
    await expectRefusal(.alreadyExists, "person_exists") { try await invite("bea") }
    #expect(try await world.list() == ListPeopleResponse())
    await world.end()
  }

  @Test("an onboarding that was left alone stands in nobody's way once it has expired")
  func expired() async throws {
    _ = try await start(try await invite("bea"))
    let code = try await invite("bea")
    await expectRefusal(.alreadyExists, "onboarding_open") { try await start(code) }
    world.clock.move(by: .seconds(86_401))
    #expect(try await start(code).onboarding?.personID == "bea")
    await world.end()
  }

  @Test("an onboarding whose consent flow was never started gives way to another invitation, at whatever device")
  func neverStarted() async throws {
    try await world.allowSelfRegistration(flow: "welcome")
    let codes = [try await invite("bea"), try await invite("bea"), try await invite("bea")]
    world.flows.failChanges(with: Status(.unavailable, "nobody is there"))
    await #expect(throws: Status.self) { try await start(codes[0]) }
    world.flows.failChanges(with: nil)
    let started = try await start(codes[1], on: "phone")
    #expect(started.onboarding?.personID == "bea" && started.onboarding?.state == .consent)
    // It is under way, and the one before it has ended.
    await expectRefusal(.alreadyExists, "onboarding_open") { try await start(codes[2]) }
    await expectRefusal(.notFound, "unknown_code") { try await start(codes[0]) }
    #expect(try await world.events().filter { $0.kind == .onboardingEnded }.map(\.note) == ["another invitation"])
    await world.end()
  }

  @Test("an onboarding ends with the device at which it was begun")
  func wiped() async throws {
    _ = try await start(try await invite("bea"))
    let code = try await invite("bea")
    _ = try await world.admin.admin.wipeDevice(WipeDeviceRequest(deviceID: "tablet"))
    let started = try await start(code, on: "phone")
    try await finish(started, on: "phone")
    #expect(try await world.events().filter { $0.kind == .onboardingEnded }.map(\.note) == ["device wiped"])
    await world.end()
  }

  @Test(
    "an invitation outlasts an outage of ConsentService: whoever tries again on the same device goes on",
    arguments: ["", "bea"])
  func outage(person: String) async throws {
    try await world.allowSelfRegistration(flow: "welcome")
    let code = try await invite(person)
    world.flows.failChanges(with: Status(.unavailable, "nobody is there"))
    for _ in 0..<2 {
      await #expect(throws: Status.self) { try await start(code, as: "Beatrix") }
    }
    world.flows.failChanges(with: nil)
    await expectRefusal(.notFound, "unknown_code") { try await start(code, on: "phone") }
    let started = try await start(code, as: "Beatrix Quill")
    #expect(started.onboarding?.state == .consent && started.onboarding?.consentSessionID == "session-1")
    // It is under way: the invitation is used up.
    await expectRefusal(.notFound, "unknown_code") { try await start(code) }
    world.flows.end("session-1", as: .completed)
    try await finish(started)
    #expect(try await world.list().current?.profile?.title == "Beatrix Quill")
    #expect(try await world.events().count { $0.kind == .onboardingStarted } == 1)
    await world.end()
  }
}
