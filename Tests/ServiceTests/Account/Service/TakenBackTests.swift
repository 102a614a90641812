import AccountContract
import AccountService
import Base
import ConsentContract
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing

/// What an administrator or a person takes back does not return by something that began before.
@Suite("What was taken back stays taken back", .timeLimit(.minutes(2))) struct TakenBackTests {
  @Test("a passcode that was proved before a reset changes nothing after it", arguments: TestEngine.allCases)
  func reset(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    var known = AccountWorld.passcode
    for round in 0..<12 {
      let (old, own) = (known, "of the thief, no. \(round)")
      let changing = Task {
        try await world.device("tablet").signIn.changePasscode(
          ChangePasscodeRequest(personID: anna, passcode: old, newPasscode: own))
      }
      // The change is under way at another place each time.
      try await Task.sleep(for: .milliseconds(2 * round))
      let given = try await world.admin.admin.resetPasscode(
        ResetPasscodeRequest(personID: anna, deviceID: "tablet")
      ).passcode
      let changed = await changing.result
      if case .failure(let error) = changed {
        #expect((error as? Status)?.message.hasPrefix("wrong_passcode") == true, "\(error)")
      }
      // Whichever was first, the administrator's passcode counts from then on.
      await expectRefusal(.unauthenticated, "wrong_passcode") { try await world.signIn(anna, passcode: own) }
      known = "chosen after reset \(round)"
      _ = try await world.device("tablet").signIn.changePasscode(
        ChangePasscodeRequest(personID: anna, passcode: given, newPasscode: known))
      _ = try await world.signIn(anna, passcode: known)
    }
    await world.end()
  }

  @Test(
    "link codes, and what they began, end with the person's sessions and with a lock", arguments: TestEngine.allCases)
  func links(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    try await world.register("phone")
    let phone = world.device("phone").people
    func code() async throws -> StartOnboardingRequest {
      let made = try await world.person(anna).people.createLinkCode(CreateLinkCodeRequest())
      return StartOnboardingRequest(by: .linkCode(made.code))
    }
    func finish(_ started: StartOnboardingResponse) -> FinishOnboardingRequest {
      FinishOnboardingRequest(
        onboardingID: started.onboarding?.onboardingID ?? "", passcode: "a passcode of a thief 3")
    }
    let begun = try await phone.startOnboarding(code())
    let unused = try await code()
    _ = try await world.person(anna).signIn.endSessions(EndSessionsRequest())
    await expectRefusal(.failedPrecondition, "onboarding_ended") { try await phone.finishOnboarding(finish(begun)) }
    await expectRefusal(.notFound, "unknown_code") { try await phone.startOnboarding(unused) }

    let later = try await phone.startOnboarding(code())
    _ = try await world.admin.admin.setPersonLock(SetPersonLockRequest(personID: anna, locked: true))
    await expectRefusal(.failedPrecondition, "person_locked") { try await code() }
    await expectRefusal(.failedPrecondition, "onboarding_ended") { try await phone.finishOnboarding(finish(later)) }
    _ = try await world.admin.admin.setPersonLock(SetPersonLockRequest(personID: anna, locked: false))
    await expectRefusal(.failedPrecondition, "onboarding_ended") { try await phone.finishOnboarding(finish(later)) }
    let accounts = try await world.admin.admin.listAccounts(ListAccountsRequest()).accounts
    #expect(accounts.map(\.deviceIDs) == [["tablet"]])
    await world.end()
  }

  @Test("what is taken while a queue goes up is gone for the rest of the queue", arguments: TestEngine.allCases)
  func queue(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let person = try await world.openForUpload("Anna")[0]
    _ = try await world.admin.admin.grantRole(GrantRoleRequest(personID: person, role: "coordinator@heart"))
    let grants = try await world.grants(of: [person])
    let admin = world.admin.admin
    func push(_ name: String, last method: String = "RecordService/WithdrawConsent") async throws -> [String] {
      let items = (1...3).map { number in
        QueueItem(
          itemID: "\(name)-\(number)", personID: person,
          method: "assent.consent.v1.\(number == 3 ? method : "RecordService/WithdrawConsent")",
          request: [UInt8(number)])
      }
      let outcomes = try await world.push(items, grants).outcomes
      return outcomes.map { $0.state == .done ? "done" : "\($0.state) \($0.rule)" }
    }
    /// Each time it happens while the first item is under way, longer than what was known of the person is used.
    @Sendable func whileFirst(_ effect: KnownPeers.Effect, _ change: () async throws -> some Any) async {
      guard effect.request == [1] else { return }
      _ = try? await change()
      try? await Task.sleep(for: .milliseconds(600))
    }
    world.peers.meanwhile { effect in
      await whileFirst(effect) {
        try await admin.revokeRole(RevokeRoleRequest(personID: person, role: "coordinator@heart"))
      }
    }
    #expect(try await push("role") == ["done", "done", "done"])
    #expect(world.peers.effects.map(\.grants) == [["coordinator@heart"], [], []])

    world.peers.meanwhile { [peers = world.peers] effect in
      guard effect.request == [1] else { return }
      peers.happen(ConsentEvent(kind: .recordEntry, subjectID: person, recordID: "r1", entry: .withdrawn))
    }
    let walk = "SessionService/SubmitOfflineWalk"
    #expect(try await push("withdrawal", last: walk) == ["done", "done", "done"])
    #expect(world.peers.effects.last?.isOvertaken == true)

    world.peers.meanwhile { effect in
      await whileFirst(effect) { try await admin.setPersonLock(SetPersonLockRequest(personID: person, locked: true)) }
    }
    #expect(try await push("lock") == ["done", "waiting person_locked", "waiting person_locked"])
    await world.end()
  }

  @Test("a locked account is merged with no other", arguments: [true, false])
  func merge(endingIsLocked: Bool) async throws {
    let world = try await AccountWorld()
    let people = try await world.open("Anna", "Ben")
    let locked = people[endingIsLocked ? 0 : 1]
    _ = try await world.admin.admin.setPersonLock(SetPersonLockRequest(personID: locked, locked: true))
    await expectRefusal(.failedPrecondition, "person_locked") {
      try await world.admin.admin.mergePeople(MergePeopleRequest(personID: people[0], intoPersonID: people[1]))
    }
    await world.end()
  }

  @Test("a key that is bound to places registers devices for these places only", arguments: TestEngine.allCases)
  func places(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    var bound = CallerIdentity(kind: .device, tenant: "t1", subject: "kiosk", device: "kiosk")
    bound.grants = ["device@heart/north"]
    let registrar = world.clients(bound).devices
    // Another device, and then the key's own.
    for wanted in [AccountDevice(name: "Ward 3"), AccountDevice(deviceID: "kiosk")] {
      let made = try await registrar.registerDevice(RegisterDeviceRequest(device: wanted))
      let proof = AuthenticateDeviceRequest(deviceID: made.device?.deviceID ?? "", proof: .secret(made.secret))
      let token = try await registrar.authenticateDevice(proof).accessToken
      #expect(try world.identity(of: token).grants == bound.grants)
      // The device renews its token by itself, with the same places.
      let renewed = try await world.bearer(token).devices.authenticateDevice(proof).accessToken
      #expect(try world.identity(of: renewed).grants == bound.grants)
    }
    await world.end()
  }

  @Test("an account that was erased after a backup is erased again with all that belongs to it")
  func restored() async throws {
    let world = try await AccountWorld()
    let anna = try await world.open("Anna")[0]
    _ = try await world.admin.admin.grantRole(GrantRoleRequest(personID: anna, role: "coordinator@heart"))
    let refresh = try #require(try await world.signIn(anna).tokens?.refreshToken)
    let subject = try #require(Subject(anna))
    // The state after a restore: what is sealed is gone by the list of erasures, and the rest is there.
    try await world.test.database.scope(.named("t1")).write { transaction in
      try transaction.vault.erase(subject, by: "storage", reason: "restored")
      try AccountServices.eraseAgain(subject, transaction)
    }
    let account = try #require(try await world.admin.admin.listAccounts(ListAccountsRequest()).accounts.first)
    #expect(account.erased && account.roles.isEmpty && account.deviceIDs.isEmpty)
    #expect(try await world.list().others.isEmpty)
    await expectRefusal(.unauthenticated, "bad_refresh_token") {
      try await world.device("tablet").signIn.refreshTokens(RefreshTokensRequest(refreshToken: refresh))
    }
    await world.end()
  }

  @Test("an answer that shows a person's profile is not repeated after the erasure", arguments: TestEngine.allCases)
  func repeated(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.open("Anna", "Ben")
    let options = CallOptions(idempotencyKey: .given("select-1"))
    func select() async throws -> SelectPersonResponse {
      try await world.device("tablet").people.selectPerson(
        SelectPersonRequest(personID: people[0]), options: options)
    }
    #expect(try await select().current?.profile?.title == "Anna")
    _ = try await world.admin.admin.eraseAccount(EraseAccountRequest(personID: people[0]))
    do {
      let again = try await select()
      Issue.record("the profile came back: \(again)")
    } catch {}
    await world.end()
  }

  @Test("nor is the answer to a merge that was asked for twice", arguments: TestEngine.allCases)
  func mergedAgain(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.open("Anna", "Ben")
    func merge(_ key: String) async throws -> AccountEntry? {
      try await world.admin.admin.mergePeople(
        MergePeopleRequest(personID: people[0], intoPersonID: people[1]),
        options: CallOptions(idempotencyKey: .given(key))
      ).account
    }
    for key in ["merge-1", "merge-2"] { #expect(try await merge(key)?.title == "Ben") }
    _ = try await world.admin.admin.eraseAccount(EraseAccountRequest(personID: people[1]))
    let again = try #require(try await merge("merge-2"))
    #expect(again.title.isEmpty && again.erased)
    // Each time that the title was shown is on record.
    let reads = try await world.events().filter { $0.note.hasPrefix("merge of accounts") }
    #expect(reads.map(\.personID) == [people[1], people[1]] && reads.allSatisfy { $0.kind == .personalDataRead })
    await world.end()
  }

  @Test("what is sealed for a device is held by nobody: a device is wiped", arguments: TestEngine.allCases)
  func deviceName(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    let digest = Digest(of: Array("tablet".utf8)).hex
    for name in ["device:\(digest)", "onboarding:1", "webhook:1", "key:0123456789abcdef"] {
      let hold = HoldAccountRequest(personID: name, held: true, reason: "a lawsuit")
      await expectRefusal(.invalidArgument, "prefix_reserved") { try await world.service.admin.holdAccount(hold) }
      await expectRefusal(.invalidArgument, "prefix_reserved") {
        try await world.service.admin.eraseAccount(EraseAccountRequest(personID: name))
      }
      await expectRefusal(.notFound, "unknown_person") { try await world.admin.admin.holdAccount(hold) }
      await expectRefusal(.notFound, "unknown_person") {
        try await world.admin.admin.eraseAccount(EraseAccountRequest(personID: name))
      }
      let sealed = try #require(Subject(name))
      let (isErased, isHeld) = try await world.test.database.scope(.named("t1")).read { snapshot in
        (try snapshot.vault.isErased(sealed), try !snapshot.vault.holds(on: sealed).isEmpty)
      }
      #expect(!isErased && !isHeld)
      await expectRefusal(.invalidArgument, "prefix_reserved") {
        try await world.admin.admin.createAccountInvitation(CreateAccountInvitationRequest(newPersonID: name))
      }
    }
    _ = try await world.admin.admin.wipeDevice(WipeDeviceRequest(deviceID: "tablet"))
    _ = try await world.admin.admin.eraseAccount(EraseAccountRequest(personID: anna))
    await world.end()
  }
}
