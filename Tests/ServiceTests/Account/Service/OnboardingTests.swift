import AccountContract
import AccountService
import Base
import ConsentContract
import RPC
import Storage
import StorageTestKit
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("Onboarding people at a device") struct OnboardingTests {
  @Test("who registers is listed, current, and found", arguments: TestEngine.allCases)
  func listed(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.open("Ada Lovelace", "José Ångström", "王小明")
    let all = try await world.list()
    #expect(all.current?.personID == people[2] && all.others.map(\.personID) == [people[0], people[1]])
    #expect(all.others.first?.profile == PersonProfile(title: "Ada Lovelace"))
    #expect(try await world.list("angstrom").others.map(\.personID) == [people[1]])
    #expect(try await world.list("nobody").others.isEmpty)
    try await world.register("other")
    #expect(try await world.list(device: "other").others.isEmpty)
    let selected = try await world.device("tablet").people.selectPerson(SelectPersonRequest(personID: people[0]))
    #expect(selected.current?.profile?.title == "Ada Lovelace")
    #expect(try await world.list().current?.personID == people[0])
    await expectRefusal(.notFound, "unknown_person") {
      try await world.device("other").people.selectPerson(SelectPersonRequest(personID: people[0]))
    }
    await world.end()
  }

  @Test("that a device was shown whom it selected is on record, and that it selected nobody is not")
  func selected() async throws {
    let world = try await AccountWorld()
    let people = try await world.open("Anna", "Ben")
    for person in [people[0], ""] {
      _ = try await world.device("tablet").people.selectPerson(SelectPersonRequest(personID: person))
    }
    let reads = try await world.events().filter { $0.note.hasPrefix("selection of a person") }
    #expect(reads.map(\.personID) == [people[0]] && reads.first?.actor == "tablet")
    #expect(reads.first?.kind == .personalDataRead)
    await world.end()
  }

  @Test("the list comes in pages", arguments: TestEngine.allCases)
  func pages(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.open("A", "B", "C", "D")
    let first = try await world.device("tablet").people.listPeople(ListPeopleRequest(pageSize: 2))
    let second = try await world.device("tablet").people.listPeople(
      ListPeopleRequest(pageSize: 2, pageToken: first.nextPageToken))
    #expect(first.others.map(\.personID) == Array(people[0...1]) && first.current?.personID == people[3])
    #expect(second.others.map(\.personID) == [people[2]] && second.nextPageToken == "" && second.current == nil)
    await world.end()
  }

  @Test(
    "a consent flow decides, early, late and twice", arguments: TestEngine.allCases,
    [SessionOutcome.completed, .denied, .quit, .declined, .expired, .underAge])
  func consent(engine: TestEngine, outcome: SessionOutcome) async throws {
    let world = try await AccountWorld(engine)
    try await world.allowSelfRegistration(flow: "welcome")
    try await world.register("tablet")
    let tablet = world.device("tablet").people
    let started = try await tablet.startOnboarding(
      StartOnboardingRequest(by: .selfRegistration(SelfRegistration()), profile: PersonProfile(title: "Anna")))
    let onboarding = try #require(started.onboarding)
    #expect(onboarding.state == .consent && onboarding.consentSessionID == "session-1")
    let finish = FinishOnboardingRequest(onboardingID: onboarding.onboardingID, passcode: AccountWorld.passcode)
    await expectRefusal(.failedPrecondition, "consent_pending") { try await tablet.finishOnboarding(finish) }
    #expect(try await world.list() == ListPeopleResponse())
    world.flows.end("session-1", as: outcome)
    if outcome == .completed {
      _ = try await tablet.finishOnboarding(finish)
      #expect(try await world.list().current?.personID == onboarding.personID)
      await expectRefusal(.failedPrecondition, "onboarding_ended") { try await tablet.finishOnboarding(finish) }
    } else {
      await expectRefusal(.failedPrecondition, "consent_not_given") { try await tablet.finishOnboarding(finish) }
      // Somebody who changes the outcome afterwards changes nothing.
      world.flows.end("session-1", as: .completed)
      await expectRefusal(.failedPrecondition, "onboarding_ended") { try await tablet.finishOnboarding(finish) }
      #expect(try await world.list() == ListPeopleResponse())
      #expect(try await world.admin.admin.listAccounts(ListAccountsRequest()).accounts.isEmpty)
    }
    await world.end()
  }

  @Test("a repeat under the same key changes nothing, and shows the recovery code no more")
  func repeated() async throws {
    let world = try await AccountWorld()
    try await world.open()
    let tablet = world.device("tablet").people
    let request = StartOnboardingRequest(
      by: .selfRegistration(SelfRegistration()), profile: PersonProfile(title: "Anna"))
    let started = try await tablet.startOnboarding(request, options: .init(idempotencyKey: .given("k1")))
    #expect(try await tablet.startOnboarding(request, options: .init(idempotencyKey: .given("k1"))) == started)
    let finish = FinishOnboardingRequest(
      onboardingID: started.onboarding?.onboardingID ?? "", passcode: AccountWorld.passcode)
    let done = try await tablet.finishOnboarding(finish, options: .init(idempotencyKey: .given("k2")))
    #expect(done.recoveryCode.count == 23)
    let again = await expectRefusal(.alreadyExists, "secret_shown") {
      try await tablet.finishOnboarding(finish, options: .init(idempotencyKey: .given("k2")))
    }
    let told = try #require(again?.details.first { $0.typeName == FinishOnboardingResponse.messageName })
    #expect(try FinishOnboardingResponse(decoding: told.value) == FinishOnboardingResponse(onboarding: done.onboarding))
    #expect(try await world.list().others.isEmpty)
    await world.end()
  }

  @Test("who gives up, or lets time pass, leaves nobody behind", arguments: TestEngine.allCases)
  func givenUp(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    try await world.open()
    let tablet = world.device("tablet").people
    var ids: [String] = []
    for _ in 0..<2 {
      let started = try await tablet.startOnboarding(
        StartOnboardingRequest(by: .selfRegistration(SelfRegistration()), profile: PersonProfile(title: "Anna")))
      ids.append(started.onboarding?.onboardingID ?? "")
    }
    let cancelled = try await tablet.cancelOnboarding(CancelOnboardingRequest(onboardingID: ids[0]))
    #expect(cancelled.onboarding?.state == .ended)
    world.clock.move(by: .seconds(86_401))
    await expectRefusal(.failedPrecondition, "onboarding_ended") {
      try await tablet.finishOnboarding(FinishOnboardingRequest(onboardingID: ids[1], passcode: AccountWorld.passcode))
    }
    let tasks = world.services.periodicTasks(every: .seconds(60))
    let runner = PeriodicTaskRunner(world.services.database, tasks) { task, error in Issue.record("\(task): \(error)") }
    await runner.runDue()
    let states = try await world.events().filter { $0.kind == .onboardingEnded }.map(\.note)
    #expect(states == ["cancelled", "expired"])
    #expect(try await world.list() == ListPeopleResponse())
    await world.end()
  }

  @Test("who gives up ends the consent session too, and is not kept by a ConsentService that cannot be reached")
  func givenUpSession() async throws {
    let world = try await AccountWorld()
    try await world.allowSelfRegistration(flow: "welcome")
    try await world.register("tablet")
    let tablet = world.device("tablet").people
    for isReached in [true, false] {
      let started = try await tablet.startOnboarding(
        StartOnboardingRequest(by: .selfRegistration(SelfRegistration()), profile: PersonProfile(title: "Anna")))
      let onboarding = try #require(started.onboarding)
      if !isReached { world.flows.failChanges(with: Status(.unavailable, "nobody is there")) }
      let cancel = CancelOnboardingRequest(onboardingID: onboarding.onboardingID)
      #expect(try await tablet.cancelOnboarding(cancel).onboarding?.state == .ended)
      let outcome = try await world.flows.outcome(of: onboarding.consentSessionID)
      #expect(outcome == (isReached ? .abandoned : .unspecified))
      world.flows.failChanges(with: nil)
      // Whoever calls once more ends what is left.
      _ = try await tablet.cancelOnboarding(cancel)
      #expect(try await world.flows.outcome(of: onboarding.consentSessionID) == .abandoned)
    }
    await world.end()
  }

  @Test("no verifier is made for an onboarding that has ended")
  func noVerifier() async throws {
    // A pool that has no room for anybody.
    let pool = PasscodePool(threads: 1, cost: Argon2Cost(passes: 1, memory: Argon2Cost.leastMemory), mostWaiting: 0)
    let world = try await AccountWorld(passcodes: pool)
    try await world.open()
    let tablet = world.device("tablet").people
    let started = try await tablet.startOnboarding(
      StartOnboardingRequest(by: .selfRegistration(SelfRegistration()), profile: PersonProfile(title: "Anna")))
    let id = try #require(started.onboarding).onboardingID
    let finish = FinishOnboardingRequest(onboardingID: id, passcode: AccountWorld.passcode)
    await expectRefusal(.resourceExhausted, "passcodes_wait") { try await tablet.finishOnboarding(finish) }
    _ = try await tablet.cancelOnboarding(CancelOnboardingRequest(onboardingID: id))
    await expectRefusal(.failedPrecondition, "onboarding_ended") { try await tablet.finishOnboarding(finish) }
    await world.end()
  }

  @Test("an onboarding that is held keeps no other from what is due")
  func separately() async throws {
    let world = try await AccountWorld()
    try await world.open()
    var ids: [String] = []
    for _ in 0..<2 {
      let started = try await world.device("tablet").people.startOnboarding(
        StartOnboardingRequest(by: .selfRegistration(SelfRegistration()), profile: PersonProfile(title: "Anna")))
      ids.append(try #require(started.onboarding).onboardingID)
      world.clock.move(by: .milliseconds(1))
    }
    // No call places such a hold; it makes one piece of work fail.
    let held = try #require(Subject("onboarding:\(ids[0])"))
    _ = try await world.test.database.scope(.named("t1")).write { transaction in
      try transaction.vault.placeHold(on: held, by: "ops", reason: "a lawsuit")
    }
    world.clock.move(by: .seconds(86_401))
    let reported = Mutex<[String]>([])
    let tasks = world.services.periodicTasks(every: .seconds(60))
    let runner = PeriodicTaskRunner(world.services.database, tasks) { task, _ in reported.withLock { $0.append(task) } }
    await runner.runDue()
    #expect(reported.withLock { $0 } == ["account.expiry"])
    #expect(try await world.events().filter { $0.kind == .onboardingEnded }.map(\.note) == ["expired"])
    await world.end()
  }

  @Test("invitations work once, and only where they are needed", arguments: TestEngine.allCases)
  func invitations(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    try await world.register("tablet")
    let tablet = world.device("tablet").people
    func start(_ by: StartOnboardingRequest.By) async throws -> StartOnboardingResponse {
      try await tablet.startOnboarding(StartOnboardingRequest(by: by, profile: PersonProfile(title: "Anna")))
    }
    await expectRefusal(.failedPrecondition, "invitation_needed") {
      try await start(.selfRegistration(SelfRegistration()))
    }
    let code = try await world.admin.admin.createAccountInvitation(
      CreateAccountInvitationRequest(newPersonID: "p-7")
    ).code
    // As a person types it.
    let started = try await start(.invitationCode(" \(code.lowercased().prefix(5))-\(code.suffix(5)) "))
    #expect(started.onboarding?.personID == "p-7")
    await expectRefusal(.notFound, "unknown_code") { try await start(.invitationCode(code)) }
    let late = try await world.admin.admin.createAccountInvitation(CreateAccountInvitationRequest()).code
    world.clock.move(by: .seconds(15 * 86_400))
    await expectRefusal(.notFound, "unknown_code") { try await start(.invitationCode(late)) }
    await world.end()
  }

  @Test("a link code brings the same person to a second device", arguments: TestEngine.allCases)
  func linked(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    try await world.register("phone")
    func link(_ code: String) async throws -> StartOnboardingResponse {
      try await world.device("phone").people.startOnboarding(StartOnboardingRequest(by: .linkCode(code)))
    }
    let late = try await world.person(anna).people.createLinkCode(CreateLinkCodeRequest()).code
    world.clock.move(by: .seconds(601))
    await expectRefusal(.notFound, "unknown_code") { try await link(late) }
    let code = try await world.person(anna).people.createLinkCode(CreateLinkCodeRequest()).code
    let started = try await link(code)
    #expect(started.onboarding?.personID == anna)
    await expectRefusal(.notFound, "unknown_code") { try await link(code) }
    let done = try await world.device("phone").people.finishOnboarding(
      FinishOnboardingRequest(onboardingID: started.onboarding?.onboardingID ?? "", passcode: "another one 8"))
    #expect(done.recoveryCode == "")
    // The passcode is local to person and device.
    #expect(try await world.signIn(anna, passcode: "another one 8", device: "phone").session?.deviceID == "phone")
    await expectRefusal(.unauthenticated, "wrong_passcode") { try await world.signIn(anna, device: "phone") }
    let accounts = try await world.admin.admin.listAccounts(ListAccountsRequest()).accounts
    #expect(accounts.map(\.deviceIDs) == [["phone", "tablet"]])
    await world.end()
  }

  @Test("codes cannot be guessed: after twenty wrong ones the device waits, and others do not")
  func guessed() async throws {
    let world = try await AccountWorld()
    let anna = try await world.open("Anna")[0]
    try await world.register("phone")
    try await world.register("honest")
    func guess(_ code: String, on device: String = "phone") async throws -> StartOnboardingResponse {
      try await world.device(device).people.startOnboarding(StartOnboardingRequest(by: .linkCode(code)))
    }
    for number in 0..<20 {
      await expectRefusal(.notFound, "unknown_code") { try await guess("ABCDEFGH\(2 + number % 8)\(2 + number / 8)") }
    }
    let code = try await world.person(anna).people.createLinkCode(CreateLinkCodeRequest()).code
    await expectRefusal(.resourceExhausted, "too_many_attempts") { try await guess(code) }
    #expect(try await guess(code, on: "honest").onboarding?.personID == anna)
    for _ in 0..<9 { _ = try await world.person(anna).people.createLinkCode(CreateLinkCodeRequest()) }
    await expectRefusal(.resourceExhausted, "too_many_codes") {
      try await world.person(anna).people.createLinkCode(CreateLinkCodeRequest())
    }
    await world.end()
  }

  @Test("a device for one person lists one")
  func singleUser() async throws {
    let world = try await AccountWorld()
    try await world.allowSelfRegistration()
    try await world.register("phone", singleUser: true)
    _ = try await world.onboard("Anna", device: "phone")
    await expectRefusal(.failedPrecondition, "single_user") { try await world.onboard("Ben", device: "phone") }
    #expect(try await world.device("phone").devices.getApplication(GetApplicationRequest(locale: "de")).singleUser)
    await world.end()
  }

  @Test("whoever is removed from a device has an account still", arguments: TestEngine.allCases)
  func removed(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.open("Anna", "Ben")
    await expectRefusal(.permissionDenied, "not_admitted") {
      try await world.person(people[0]).people.removePerson(RemovePersonRequest(personID: people[1]))
    }
    _ = try await world.person(people[1]).people.removePerson(RemovePersonRequest(personID: people[1]))
    #expect(try await world.list().current == nil)
    await expectRefusal(.unauthenticated, "wrong_passcode") { try await world.signIn(people[1]) }
    #expect(try await world.person(people[1]).people.getProfile(GetProfileRequest()).profile?.title == "Ben")
    await world.end()
  }

  @Test("a profile is changed from what was seen", arguments: TestEngine.allCases)
  func profile(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    let people = world.person(anna).people
    let changed = try await people.updateProfile(
      UpdateProfileRequest(profile: PersonProfile(title: "Anna Ek", subtitle: "Nurse", revision: 1)))
    #expect(changed.profile == PersonProfile(title: "Anna Ek", subtitle: "Nurse", initials: "AE", revision: 2))
    await expectRefusal(.aborted, "stale_revision") {
      try await people.updateProfile(UpdateProfileRequest(profile: PersonProfile(title: "Anna", revision: 1)))
    }
    #expect(try await people.getProfile(GetProfileRequest()).profile == changed.profile)
    await world.end()
  }

  @Test("nobody sees another tenant's people or devices", arguments: TestEngine.allCases)
  func tenants(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    try await world.open("Anna")
    await expectRefusal(.failedPrecondition, "no_device") {
      try await world.device("tablet", tenant: "t2").people.listPeople(ListPeopleRequest())
    }
    let other = world.clients(CallerIdentity(kind: .person, tenant: "t2", subject: "ops", grants: ["admin@*"]))
    #expect(try await other.admin.listAccounts(ListAccountsRequest()).accounts.isEmpty)
    #expect(try await other.admin.listDevices(ListDevicesRequest()).devices.isEmpty)
    await world.end()
  }
}
