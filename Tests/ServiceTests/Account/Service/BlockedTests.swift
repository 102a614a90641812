import AccountContract
import AccountService
import Base
import RPC
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Who has to act where an item waits for somebody: what docs/sync.md says, row by row.
@Suite("Whoever must act is named, and can", .serialized, .timeLimit(.minutes(5))) struct BlockedTests {
  private struct Documented {
    let rule: String
    let step: String
    /// What the screen says to others and to the person itself.
    let others: String
    let own: String
  }

  /// The cells of the rows of the table below a heading of docs/sync.md.
  private static func rows(below heading: String) throws -> [[String]] {
    let page = String(decoding: try Files.read(Repository.path("docs/sync.md")), as: UTF8.self)
    return page.split(separator: "\n").drop { !$0.hasPrefix(heading) }.dropFirst(2).prefix { $0.hasPrefix("|") }.map {
      $0.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
        .map { cell in cell.trimmed.filter { $0 != "`" && $0 != "\"" } }
    }
  }

  /// A world in which an item of a person waits by a rule.
  private struct Case {
    let world: AccountWorld
    let person: String
    let other: String
    var grants: [String]
    var fields: [ProfileField]
  }

  private static let doctor = "clinic:ada"

  private static func make(_ rule: String, _ provider: OpenIDIssuer, _ fields: [ProfileField]) async throws -> Case {
    let world = try await AccountWorld()
    let issuer = IdentityIssuer(
      issuer: "https://id.clinic.example", audiences: ["app"],
      keys: .jwks(String(decoding: try await provider.keys(), as: UTF8.self)), subjectPrefix: "clinic:",
      createsPeople: true, rolesClaim: "groups", roles: [IdentityRole(value: "doctors", role: "investigator@heart")])
    try await world.allowSelfRegistration {
      $0.identityIssuers = [issuer]
      $0.uploadAtSwitch = rule != "waits_for_person"
      $0.visibleFields = fields
    }
    try await world.register("tablet")
    let (anna, ben) = (try await world.onboard("Anna Ek").person, try await world.onboard("Ben").person)
    _ = try await world.person(anna).people.updateProfile(
      UpdateProfileRequest(profile: PersonProfile(title: "Anna Ek", subtitle: "Nurse", revision: 1)))
    var made = Case(world: world, person: anna, other: ben, grants: [], fields: fields)
    made.grants = [try await world.signIn(anna).uploadGrant]
    let admin = world.admin.admin
    switch rule {
    case "grant_missing": made.grants = []
    case "grant_expired": world.clock.move(by: .days(31))
    case "grant_revoked":
      world.clock.move(by: .seconds(1))
      _ = try await world.person(anna).signIn.endSessions(EndSessionsRequest())
    case "grant_roles_ended":
      let token = try await provider.token(claims: ["groups": "[\"doctors\"]"])
      let entered = try await world.device("tablet").signIn.signInWithIdentity(
        SignInWithIdentityRequest(idToken: token))
      made = Case(world: world, person: doctor, other: ben, grants: [entered.uploadGrant], fields: fields)
    case "person_locked": _ = try await admin.setPersonLock(SetPersonLockRequest(personID: anna, locked: true))
    case "not_on_device":
      _ = try await world.person(anna).people.removePerson(RemovePersonRequest(personID: anna))
    case "conflict": world.peers.fail { _ in Status(.aborted, "stale_bundle: it has moved on") }
    default: break
    }
    // Somebody else comes to the device.
    _ = try await world.signIn(ben)
    return made
  }

  /// What administrators are told of the tablet, the only device; nil: that nobody's work waits there.
  private func expectWaiting(
    _ expected: (rule: String, step: BlockedStep)?, of person: String, _ world: AccountWorld
  ) async throws {
    let devices = try await world.admin.admin.listDevices(ListDevicesRequest(waiting: true)).devices
    #expect(devices.map(\.deviceID) == (expected == nil ? [] : ["tablet"]))
    guard let expected, let work = devices.first?.waiting.first else { return }
    #expect(work.personID == person && work.rule == expected.rule && work.step == expected.step && work.since != nil)
    let all = try await world.admin.admin.listDevices(ListDevicesRequest()).devices
    #expect(all.first { $0.deviceID == "tablet" }?.waiting == devices.first?.waiting)
  }

  private static func name(of person: String, _ fields: [ProfileField]) -> String {
    if person == doctor { return "" }
    return switch fields.first {
    case .title, nil: "Anna Ek"
    case .subtitle: "Nurse"
    case .picture: "AE"
    default: ""
    }
  }

  @Test(
    "every row of docs/sync.md, whoever asks and whatever is hidden",
    arguments: LongTests.areWanted ? [[], [ProfileField.title], [.subtitle], [.picture], [.items]] : [[], [.title]])
  func table(fields: [ProfileField]) async throws {
    let provider = try await OpenIDIssuer()
    let rows = try Self.rows(below: "| why an item waits").map {
      Documented(rule: $0[1], step: $0[2], others: $0[3], own: $0[4])
    }
    #expect(rows.count == 8)
    for row in rows {
      let made = try await Self.make(row.rule, provider, fields)
      let world = made.world
      let item = QueueItem(
        itemID: "a", personID: made.person, method: "assent.consent.v1.SessionService/SubmitOfflineWalk", request: [1])
      for caller in [world.device("tablet"), world.person(made.other), world.person(made.person)] {
        // Nobody waits for a person who is at the device.
        let answer = try await caller.sync.pushQueue(PushQueueRequest(items: [item], grants: made.grants))
        let blocked = try #require(answer.blockedBy.first, "\(row.rule)")
        let name = Self.name(of: made.person, fields)
        let step = try AffectedPerson(step: blocked.step).jsonText()
        #expect(step.contains("\"\(row.step)\"") && blocked.person?.personID == made.person, "\(row.rule)")
        #expect(blocked.name == name, "\(row.rule)")
        let waits = row.rule != "conflict"
        try await expectWaiting(waits ? (rule: row.rule, step: blocked.step) : nil, of: made.person, world)
        let isRuleTold = row.rule == "conflict" || answer.outcomes.map(\.rule) == [row.rule]
        #expect(isRuleTold && answer.blockedBy.count == 1, "\(row.rule)")
      }
      for (caller, words) in [
        (world.device("tablet"), row.others), (world.person(made.other), row.others),
        (world.person(made.person), row.own),
      ] {
        let answer = try await caller.sync.pushQueue(PushQueueRequest(items: [item], grants: made.grants))
        let view = try await caller.views.getAccountView(
          GetAccountViewRequest(kind: .userError, blocked: answer.blockedBy.first)
        ).view
        let name = Self.name(of: made.person, fields)
        let expected = words.filledIn(name.isEmpty ? "Somebody" : name)
        let shown = [view?.description, view?.personDescription].compactMap(\.self).filter { !$0.isEmpty }
        #expect(shown.joined(separator: " ") == expected, "\(row.rule)")
      }
      await world.end()
    }
    await provider.end()
  }

  @Test("of somebody whom the device does not know, the answer is the same whether or not there is such a person")
  func unknown() async throws {
    let world = try await AccountWorld()
    _ = try await world.openForUpload("Anna")
    try await world.register("phone")
    let ben = try await world.onboard("Ben", device: "phone").person
    var answers: [AffectedPerson] = []
    for person in [ben, "nobody"] {
      let item = QueueItem(itemID: "a", personID: person, method: "assent.consent.v1.SessionService/ActOnSession")
      var blocked = try #require(try await world.push([item], []).blockedBy.first)
      #expect(blocked.person == ListedPerson(personID: person))
      blocked.person = nil
      answers.append(blocked)
    }
    #expect(answers[0] == answers[1] && answers[0].step == .invite && answers[0].name.isEmpty)
    await world.end()
  }

  @Test("nothing waits on a device that was wiped, or for somebody who was erased; who is locked is told at once")
  func gone() async throws {
    let world = try await AccountWorld()
    let people = try await world.openForUpload("Anna", "Ben")
    let (anna, ben) = (people[0], people[1])
    let items = people.map {
      QueueItem(itemID: "a", personID: $0, method: "assent.consent.v1.SessionService/ActOnSession")
    }
    _ = try await world.push(items, [])
    let admin = world.admin.admin
    func waiting() async throws -> [WaitingWork] {
      try await admin.listDevices(ListDevicesRequest(waiting: true)).devices.flatMap(\.waiting)
    }
    #expect(try await waiting().map(\.step) == [.signIn, .signIn])
    _ = try await admin.setPersonLock(SetPersonLockRequest(personID: anna, locked: true))
    #expect(try await waiting().first { $0.personID == anna }?.step == .unlock)
    _ = try await admin.eraseAccount(EraseAccountRequest(personID: anna))
    #expect(try await waiting().map(\.personID) == [ben])
    // The device does not know of it yet.
    _ = try await world.push(items, [])
    #expect(try await waiting().map(\.personID) == [ben])
    _ = try await admin.wipeDevice(WipeDeviceRequest(deviceID: "tablet"))
    #expect(try await waiting().isEmpty)
    await world.end()
  }

  @Test("the step that is named works: unlocked, invited again, or signed in, the person's work goes up")
  func steps() async throws {
    let provider = try await OpenIDIssuer()
    for rule in ["grant_missing", "grant_revoked", "waits_for_person", "person_locked", "not_on_device"] {
      let made = try await Self.make(rule, provider, [])
      let world = made.world
      let item = QueueItem(
        itemID: "a", personID: made.person, method: "assent.consent.v1.SessionService/SubmitOfflineWalk", request: [1])
      let step = try await world.push([item], made.grants).blockedBy.first?.step
      switch step {
      case .unlock:
        _ = try await world.admin.admin.setPersonLock(SetPersonLockRequest(personID: made.person, locked: false))
      case .invite:
        let code = try await world.admin.admin.createAccountInvitation(
          CreateAccountInvitationRequest(personID: made.person)
        ).code
        let people = world.device("tablet").people
        let started = try await people.startOnboarding(StartOnboardingRequest(by: .linkCode(code)))
        _ = try await people.finishOnboarding(
          FinishOnboardingRequest(
            onboardingID: started.onboarding?.onboardingID ?? "", passcode: AccountWorld.passcode))
      default: #expect(step == .signIn)
      }
      world.clock.move(by: .seconds(1))
      let grant = try await world.signIn(made.person).uploadGrant
      #expect(try await world.push([item], [grant]).outcomes.map(\.state) == [.done], "\(rule)")
      try await expectWaiting(nil, of: made.person, world)
      await world.end()
    }
    await provider.end()
  }
}

extension Substring {
  fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }
}

extension String {
  fileprivate func filledIn(_ name: String) -> String { replacing("{name}", with: name) }
}
