import AccountContract
import AccountService
import Base
import ConsentContract
import RPC
import ServicePolicy
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Floods and bad input: each is answered by its own rule, and changes nothing.
@Suite("Attacks on accounts", .timeLimit(.minutes(10))) struct AttackTests {
  private static func delay(_ status: Status?) throws -> Duration {
    let detail = try #require(status?.details.first { $0.typeName == SignInDelay.messageName })
    return try #require(try SignInDelay(decoding: detail.value).delay?.duration)
  }

  @Test("who waits out every delay pays all of it: ten thousand guesses take longer than a life")
  func patience() async throws {
    let world = try await AccountWorld()
    let anna = try await world.open("Anna")[0]
    var attempts = Guesses()
    var now = world.clock.clock.now
    var spent = Duration.zero
    for number in 0..<40 {
      // The rules say how long, and the service keeps to it.
      let wait = GuessRules.person.wait(attempts, at: now)
      if wait > .zero {
        world.clock.move(by: wait - .milliseconds(1))
        let early = await expectRefusal(.resourceExhausted, "too_many_attempts") { try await world.signIn(anna) }
        #expect(try Self.delay(early) <= max(.seconds(1), GuessRules.device.longestDelay))
        world.clock.move(by: .milliseconds(1))
      }
      spent += wait
      now = world.clock.clock.now
      // The device counts as well, and may wait longer.
      for _ in 0..<2 {
        do {
          _ = try await world.signIn(anna, passcode: "guess number \(number)")
          Issue.record("a guess was right")
        } catch let status as Status where status.message.hasPrefix("too_many_attempts: ") {
          let more = try Self.delay(status)
          world.clock.move(by: more)
          spent += more
          now = world.clock.clock.now
          continue
        } catch let status as Status {
          #expect(status.message.hasPrefix("wrong_passcode: "))
        }
        break
      }
      attempts = GuessRules.person.attempted(attempts, at: now)
    }
    #expect(spent > .seconds(24 * 86_400), "forty guesses took \(spent)")
    for _ in 40..<10_000 {
      let wait = GuessRules.person.wait(attempts, at: now)
      spent += wait
      now = now + wait
      attempts = GuessRules.person.attempted(attempts, at: now)
    }
    #expect(spent > .seconds(9_980 * 86_400), "ten thousand guesses take \(spent)")
    await world.end()
  }

  @Test("a huge queue in parts, with bad items among the good: each has its rule, and the good ones their effect once")
  func hugeQueue() async throws {
    let world = try await AccountWorld()
    let people = try await world.openForUpload("Anna", "Ben")
    let grants = [try await world.grants(of: people)[0]]
    world.peers.fail { effect in
      effect.method == "SignRecord" ? Status(.permissionDenied, "not_admitted: 'anna' may not call SignRecord") : nil
    }
    let parts = LongTests.areWanted ? 100 : 10
    func item(_ id: String, _ method: String = "RecordService/UpdateSharing", of person: String? = nil) -> QueueItem {
      QueueItem(
        itemID: id, personID: person ?? people[0], method: "assent.consent.v1.\(method)", request: Array(id.utf8),
        deviceTime: Timestamp(world.clock.clock.now + .seconds(-7200)))
    }
    var good: [[UInt8]] = []
    for part in 0..<parts {
      var items = (0..<995).map { item("i\(part)-\($0)") }
      good += items.map(\.request)
      // A first item whose identifier comes again, with something else in it.
      var reused = item("i\(part)-0")
      reused.request = [1, 2, 3]
      let bad: [(item: QueueItem, outcome: String)] = [
        (reused, "refused item_reused"), (item("other\(part)", of: people[1]), "waiting grant_missing"),
        (item("unknown\(part)", "RecordService/EraseSubject"), "failed unknown_method"),
        (item("above\(part)", "SessionService/SignRecord"), "failed not_admitted"),
      ]
      for (place, one) in bad.enumerated() { items.insert(one.item, at: 100 + 200 * place) }
      let answer = try await world.push(items, grants)
      #expect(answer.outcomes.map(\.itemID) == items.map(\.itemID))
      for (place, one) in bad.enumerated() {
        let told = answer.outcomes[100 + 200 * place]
        #expect("\(told.state) \(told.rule)" == one.outcome)
      }
      #expect(answer.outcomes.count { $0.state == .done } == 995)
      // A part that is sent again changes nothing.
      if part == parts / 2 { #expect(try await world.push(items, grants) == answer) }
    }
    #expect(world.peers.effects.map(\.request) == good && world.peers.effects.allSatisfy { $0.person == people[0] })
    var kept = 0
    var token = ""
    repeat {
      let page = try await world.person(people[0]).sync.listFailedItems(
        ListFailedItemsRequest(pageSize: 1000, pageToken: token))
      kept += page.items.count
      token = page.nextPageToken
    } while !token.isEmpty
    #expect(kept == 2 * parts)
    await world.end()
  }

  @Test("a cursor of a person of the same name in another tenant opens nothing", arguments: TestEngine.allCases)
  func foreignCursor(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    let admin = world.clients(CallerIdentity(kind: .person, tenant: "t2", subject: "ops", grants: ["admin@*"]))
    _ = try await admin.devices.registerDevice(RegisterDeviceRequest(device: AccountDevice(deviceID: "tablet")))
    let code = try await admin.admin.createAccountInvitation(CreateAccountInvitationRequest(newPersonID: anna)).code
    let tablet = world.device("tablet", tenant: "t2")
    let started = try await tablet.people.startOnboarding(
      StartOnboardingRequest(by: .invitationCode(code), profile: PersonProfile(title: "Another Anna")))
    _ = try await tablet.people.finishOnboarding(
      FinishOnboardingRequest(onboardingID: started.onboarding?.onboardingID ?? "", passcode: AccountWorld.passcode))
    let other = world.clients(CallerIdentity(kind: .person, tenant: "t2", subject: anna, device: "tablet"))
    func pull(_ cursor: String) async throws -> (cursor: String, changes: [SyncChange], isResync: Bool) {
      var pulled = (cursor: cursor, changes: [SyncChange](), isResync: false)
      for try await answer in try other.sync.pullChanges(PullChangesRequest(cursor: cursor)) {
        pulled = (answer.cursor, pulled.changes + answer.changes, pulled.isResync || answer.resync)
      }
      return pulled
    }
    world.peers.happen(ConsentEvent(kind: .sessionStarted, subjectID: anna, sessionID: "s1"))
    world.peers.happen(ConsentEvent(kind: .recordEntry, subjectID: anna, recordID: "r1", entry: .withdrawn))
    let own = try await pull("")
    let foreign = try await world.pull(anna).cursor
    let again = try await pull(own.cursor)
    #expect(again.cursor == own.cursor && again.changes.isEmpty && !again.isResync)
    // What comes is what comes from the beginning: the person's own.
    let anew = try await pull(foreign)
    #expect(anew.changes == own.changes && anew.isResync)
    // Nor does it say what an item's person had seen.
    let grant = try await tablet.signIn.signIn(SignInRequest(personID: anna, passcode: AccountWorld.passcode))
      .uploadGrant
    let walk = try SubmitOfflineWalkRequest(sessionID: "s1").encoded()
    let items = [foreign, own.cursor].enumerated().map { index, seen in
      QueueItem(
        itemID: "i\(index)", personID: anna, method: "assent.consent.v1.SessionService/SubmitOfflineWalk",
        request: walk, seen: seen)
    }
    let pushed = try await tablet.sync.pushQueue(PushQueueRequest(items: items, grants: [grant]))
    #expect(pushed.outcomes.map(\.state) == [.done, .done])
    #expect(world.peers.effects.map(\.isOvertaken) == [true, false])
    await world.end()
  }

  @Test("image bombs as pictures and logos are refused, and nothing is changed")
  func bombs() async throws {
    let world = try await AccountWorld()
    let anna = try await world.open("Anna")[0]
    let people = world.person(anna).people
    let before = try await people.getProfile(GetProfileRequest()).profile
    for (picture, rule) in [
      (PictureRuleTests.png(60_000, 60_000), "picture_too_large"),
      (PictureRuleTests.jpeg(65_535, 65_535), "picture_too_large"), (Array("<svg/>".utf8), "bad_picture"),
      ([UInt8](repeating: 0, count: 300 << 10), "too_long"),
    ] {
      var profile = PersonProfile(title: "Anna", picture: picture)
      profile.revision = before?.revision ?? 0
      await expectRefusal(.invalidArgument, rule) {
        try await people.updateProfile(UpdateProfileRequest(profile: profile))
      }
      await expectRefusal(.invalidArgument, rule) {
        try await world.device("tablet").people.startOnboarding(
          StartOnboardingRequest(by: .selfRegistration(SelfRegistration()), profile: profile))
      }
      await expectRefusal(.invalidArgument, rule) {
        try await world.allowSelfRegistration { $0.application = ApplicationDetails(logo: picture) }
      }
    }
    #expect(try await people.getProfile(GetProfileRequest()).profile == before)
    #expect(try await world.list().current?.personID == anna)
    #expect(try await world.list().others.isEmpty)
    await world.end()
  }
}
