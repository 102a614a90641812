import AccountContract
import AccountService
import Base
import RPC
import StorageTestKit
import TestSupport
import Testing
import Wire

@Suite("Rights that are taken, whatever the clocks say") struct TakenRightTests {
  /// A token that was issued by a process whose clock is ahead, or while the revocation was under way.
  private func revocations(_ world: AccountWorld) async throws -> [Revocation] {
    let gateway = world.clients(CallerIdentity(kind: .service, subject: "gateway"))
    for try await news in gateway.admin.watchRevocations().responses where !news.revocations.isEmpty {
      return news.revocations
    }
    return []
  }

  @Test("tokens and grants that were issued a moment later are void as well", arguments: TestEngine.allCases)
  func later(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    _ = try await world.admin.admin.grantRole(GrantRoleRequest(personID: anna, role: "witness@heart"))
    world.clock.move(by: .seconds(5))
    let issued = world.clock.clock.now
    let signedIn = try await world.signIn(anna)
    world.clock.move(by: .seconds(-5))
    _ = try await world.admin.admin.revokeRole(RevokeRoleRequest(personID: anna, role: "witness@heart"))
    let person = try await revocations(world).filter { $0.revoked == .personID(anna) }
    #expect(person.allSatisfy { $0.before.map { $0.clamped >= issued } ?? false } && person.count == 1)
    _ = try await world.person(anna).signIn.endSessions(EndSessionsRequest())
    let session = signedIn.session?.sessionID ?? ""
    let ended = try await revocations(world).filter { $0.revoked == .sessionID(session) }
    #expect(ended.allSatisfy { $0.before.map { $0.clamped >= issued } ?? false } && ended.count == 1)
    let item = QueueItem(
      itemID: "a", personID: anna, method: "assent.consent.v1.RecordService/UpdateSharing", request: [1])
    let outcomes = try await world.push([item], [signedIn.uploadGrant]).outcomes
    #expect(outcomes.map(\.rule) == ["grant_revoked"] && world.peers.effects.isEmpty)
    await world.end()
  }

  @Test("two people who join a device for one at the same time: one is listed", arguments: TestEngine.allCases)
  func singleUser(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    try await world.allowSelfRegistration()
    try await world.register("solo", singleUser: true)
    let people = world.device("solo").people
    var begun: [String] = []
    for title in ["Anna", "Ben", "Carl"] {
      let started = try await people.startOnboarding(
        StartOnboardingRequest(by: .selfRegistration(SelfRegistration()), profile: PersonProfile(title: title)))
      begun.append(started.onboarding?.onboardingID ?? "")
    }
    let ids = begun
    let rules = await withTaskGroup(of: String.self) { group in
      for id in ids {
        group.addTask {
          do {
            let request = FinishOnboardingRequest(onboardingID: id, passcode: AccountWorld.passcode)
            _ = try await people.finishOnboarding(request)
            return "listed"
          } catch {
            return ((error as? Status)?.message.prefix { $0 != ":" }).map(String.init) ?? "\(error)"
          }
        }
      }
      return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    #expect(rules == ["listed": 1, "single_user": 2])
    let listed = try await world.list(device: "solo")
    #expect(listed.others.count + (listed.current == nil ? 0 : 1) == 1)
    await world.end()
  }

  @Test("an administrator of one study is told the roles of that study", arguments: TestEngine.allCases)
  func roles(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    let all = ["coordinator@lung", "witness@heart", "witness@heart/north"]
    for role in all { _ = try await world.admin.admin.grantRole(GrantRoleRequest(personID: anna, role: role)) }
    let local = world.clients(
      CallerIdentity(kind: .person, tenant: "t1", subject: "hanna", grants: ["admin@heart"])
    ).admin
    let granted = try await local.grantRole(GrantRoleRequest(personID: anna, role: "coordinator@heart")).roles
    #expect(granted == ["coordinator@heart", "witness@heart", "witness@heart/north"])
    let revoked = try await local.revokeRole(RevokeRoleRequest(personID: anna, role: "coordinator@heart")).roles
    #expect(revoked == ["witness@heart", "witness@heart/north"])
    let again = GrantRoleRequest(personID: anna, role: "witness@heart")
    #expect(try await world.admin.admin.grantRole(again).roles == all)
    await world.end()
  }

  @Test("one study takes a quarter of a person's room for roles, unless the tenant's administrator grants more")
  func shares() async throws {
    let world = try await AccountWorld()
    let people = try await world.open("Anna", "Ben")
    func admin(of study: String) -> AccountAdminServiceClient {
      world.clients(
        CallerIdentity(kind: .person, tenant: "t1", subject: "hanna", grants: ["admin@\(study)"])
      ).admin
    }
    func grant(_ role: String, to person: String, by admin: AccountAdminServiceClient) async throws -> Int {
      try await admin.grantRole(GrantRoleRequest(personID: person, role: role)).roles.count
    }
    let (heart, lung, tenant) = (admin(of: "heart"), admin(of: "lung"), world.admin.admin)
    for number in 1...16 {
      #expect(try await grant("witness@heart/s\(number)", to: people[0], by: heart) == number)
    }
    await expectRefusal(.failedPrecondition, "too_many_roles") {
      try await grant("coordinator@heart", to: people[0], by: heart)
    }
    // What the person has may be granted again, other studies have room, and the whole room is the tenant's.
    #expect(try await grant("witness@heart/s1", to: people[0], by: heart) == 16)
    #expect(try await grant("witness@lung", to: people[0], by: lung) == 1)
    #expect(try await grant("coordinator@heart", to: people[0], by: tenant) == 18)

    // Long names are held to a quarter of the bytes: seven of these roles would have 557, and 512 of 2,048 are allowed.
    let long = String(repeating: "s", count: 64)
    for role in ["witness", "inspector", "publisher", "coordinator", "investigator", "admin"] {
      _ = try await grant("\(role)@heart/\(long)", to: people[1], by: heart)
    }
    await expectRefusal(.failedPrecondition, "too_many_roles") {
      try await grant("witness@heart/t\(long.dropLast())", to: people[1], by: heart)
    }
    #expect(try await grant("witness@lung", to: people[1], by: lung) == 1)

    // Joined accounts may have more at one study than its administrators grant, who may still remove roles.
    let joined = try await tenant.mergePeople(MergePeopleRequest(personID: people[1], intoPersonID: people[0]))
    #expect(joined.account?.roles.count == 24)
    let revoked = try await heart.revokeRole(RevokeRoleRequest(personID: people[0], role: "witness@heart/s1"))
    #expect(revoked.roles.count == 22)
    await expectRefusal(.failedPrecondition, "too_many_roles") {
      try await grant("witness@heart/s1", to: people[0], by: heart)
    }
    await world.end()
  }

  @Test(
    "a title has something to see",
    arguments: ["\u{2060}", "\u{200B}\u{200D}", "\u{3164}", "\u{115F}", "...", "\u{2800}"])
  func titles(title: String) async throws {
    let world = try await AccountWorld()
    try await world.allowSelfRegistration()
    try await world.register("tablet")
    await expectRefusal(.invalidArgument, "bad_text") {
      try await world.device("tablet").people.startOnboarding(
        StartOnboardingRequest(by: .selfRegistration(SelfRegistration()), profile: PersonProfile(title: title)))
    }
    for good in ["Ä", "7", "山田", "أ", "🙂 Kim"] { _ = try await world.onboard(good) }
    await world.end()
  }

  /// What makes an offline verifier void.
  enum Loss: CaseIterable {
    case lock, reset, change, removal, wipe, signOut, merge
  }

  @Test("offline verifiers that were revoked are told to their device", arguments: TestEngine.allCases, Loss.allCases)
  func verifiers(engine: TestEngine, loss: Loss) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Anna", "Ben")
    let verifier = try #require(try await world.signIn(people[0]).offline?.verifierID)
    let other = try #require(try await world.signIn(people[1]).offline?.verifierID)
    let empty = PushQueueRequest()
    let tablet = world.device("tablet")
    #expect(try await tablet.sync.pushQueue(empty).revokedVerifiers.isEmpty)
    let admin = world.admin.admin
    switch loss {
    case .lock: _ = try await admin.setPersonLock(SetPersonLockRequest(personID: people[0], locked: true))
    case .reset: _ = try await admin.resetPasscode(ResetPasscodeRequest(personID: people[0], deviceID: "tablet"))
    case .change:
      _ = try await tablet.signIn.changePasscode(
        ChangePasscodeRequest(
          personID: people[0], passcode: AccountWorld.passcode, newPasscode: "another horse 9"))
    case .removal: _ = try await world.person(people[0]).people.removePerson(RemovePersonRequest(personID: people[0]))
    case .signOut: _ = try await world.person(people[0]).signIn.endSessions(EndSessionsRequest())
    case .merge: _ = try await admin.mergePeople(MergePeopleRequest(personID: people[0], intoPersonID: people[1]))
    case .wipe:
      _ = try await admin.wipeDevice(WipeDeviceRequest(deviceID: "tablet"))
      // It hears that it was wiped, and nothing else.
      await expectRefusal(.failedPrecondition, "device_wiped") { try await tablet.sync.pushQueue(empty) }
      return await world.end()
    }
    #expect(try await tablet.sync.pushQueue(empty).revokedVerifiers == [verifier])
    var told: [String] = []
    for try await answer in try world.person(people[1]).sync.pullChanges(PullChangesRequest()) {
      told += answer.revokedVerifiers
    }
    #expect(told == [verifier] && !told.contains(other))
    // Nobody has to hear of one that opens nothing any more.
    world.clock.move(by: .seconds(8 * 86_400))
    #expect(try await tablet.sync.pushQueue(empty).revokedVerifiers.isEmpty)
    await world.end()
  }
}
