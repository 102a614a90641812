import AccountContract
import AccountService
import Base
import ConsentContract
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// What goes wrong while a queue goes up.
@Suite("Faults while a queue goes up", .timeLimit(.minutes(5))) struct UploadFaultTests {
  private static let walk = "assent.consent.v1.SessionService/SubmitOfflineWalk"
  private static let sharing = "assent.consent.v1.RecordService/UpdateSharing"

  private static func item(
    _ id: String, of person: String, _ method: String = sharing, _ request: [UInt8] = [1]
  ) -> QueueItem {
    QueueItem(itemID: id, personID: person, method: method, request: request)
  }

  private func rules(_ answer: PushQueueResponse) -> [String] {
    answer.outcomes.map { $0.state == .done ? "done" : "\($0.state) \($0.rule)" }
  }

  @Test(
    "a yes of somebody who acts for the subject is held to the subject's withdrawals", arguments: TestEngine.allCases)
  func guardians(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Ward", "Greta")
    let grants = try await world.grants(of: people)
    world.peers.happen(ConsentEvent(kind: .sessionStarted, subjectID: people[0], sessionID: "s1"))
    world.peers.happen(ConsentEvent(kind: .recordEntry, subjectID: people[0], recordID: "r1", entry: .withdrawn))
    let seen = try await world.pull(people[1]).cursor
    let request = try SubmitOfflineWalkRequest(sessionID: "s1").encoded()
    var item = Self.item("a", of: people[1], Self.walk, request)
    item.seen = seen
    let answer = try await world.push([item], grants)
    #expect(rules(answer) == ["done"] && world.peers.effects.map(\.isOvertaken) == [true])
    await world.end()
  }

  @Test("a withdrawal that comes while the call is under way is seen by the service that decides")
  func meanwhile() async throws {
    let world = try await AccountWorld()
    let anna = try await world.openForUpload("Anna")[0]
    let grants = try await world.grants(of: [anna])
    world.peers.meanwhile { [peers = world.peers] effect in
      guard effect.method == "SubmitOfflineWalk" else { return }
      peers.happen(ConsentEvent(kind: .recordEntry, subjectID: anna, recordID: "r1", entry: .withdrawn))
    }
    let answer = try await world.push([Self.item("a", of: anna, Self.walk)], grants)
    #expect(rules(answer) == ["done"] && world.peers.effects.map(\.isOvertaken) == [true])
    await world.end()
  }

  @Test(
    "a damaged row of one person holds up that person's items, and nobody else's",
    arguments: ["UPDATE placements SET must_change = 7 WHERE person_id", "UPDATE people SET locked = 7 WHERE id"])
  func damaged(alteration: String) async throws {
    let world = try await AccountWorld()
    let people = try await world.openForUpload("Anna", "Ben")
    let grants = try await world.grants(of: [people[1]])
    try await world.test.location.alter("\(alteration) = '\(people[0])'", schema: world.test.schema.name)
    let answer = try await world.push(people.map { Self.item("a", of: $0) }, grants)
    #expect(answer.outcomes.map(\.state) == [.waiting, .done])
    #expect(answer.blockedBy.allSatisfy { $0.person == ListedPerson(personID: people[0]) })
    await world.end()
  }

  @Test("what was made for something as it was cannot be retried, and says so", arguments: TestEngine.allCases)
  func stale(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    let grants = try await world.grants(of: [anna])
    world.peers.fail { _ in Status(.aborted, "stale_bundle: it has moved on") }
    let answer = try await world.push([Self.item("a", of: anna, Self.walk)], grants)
    #expect(rules(answer) == ["conflict stale_bundle"] && answer.outcomes.map(\.retryable) == [false])
    let sync = world.person(anna).sync
    #expect(try await sync.listFailedItems(ListFailedItemsRequest()).items.map(\.retryable) == [false])
    let calls = world.peers.calls
    await expectRefusal(.failedPrecondition, "not_retryable") {
      try await sync.retryItem(RetryItemRequest(deviceID: "tablet", itemID: "a"))
    }
    #expect(world.peers.calls == calls)
    let discard = DiscardItemRequest(deviceID: "tablet", itemID: "a")
    #expect(try await sync.discardItem(discard).outcome?.state == .discarded)
    await world.end()
  }

  @Test(
    "a profile that was changed twice is replaced by the one that its person chooses", arguments: TestEngine.allCases)
  func profile(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    let grants = try await world.grants(of: [anna])
    let method = "assent.account.v1.PeopleService/UpdateProfile"
    let offline = UpdateProfileRequest(profile: PersonProfile(title: "Anna Offline", revision: 1))
    world.peers.fail { _ in Status(.aborted, "stale_revision: it has moved on") }
    let answer = try await world.push([Self.item("a", of: anna, method, try offline.encoded())], grants)
    #expect(rules(answer) == ["conflict stale_revision"] && answer.outcomes.map(\.retryable) == [true])
    _ = try await world.person(anna).people.updateProfile(
      UpdateProfileRequest(profile: PersonProfile(title: "Anna Online", revision: 1)))
    world.peers.fail { _ in nil }
    let retry = RetryItemRequest(deviceID: "tablet", itemID: "a")
    #expect(try await world.person(anna).sync.retryItem(retry).outcome?.state == .done)
    let sent = try UpdateProfileRequest(decoding: try #require(world.peers.effects.last).request)
    #expect(sent.profile?.revision == 2 && sent.profile?.title == "Anna Offline")
    await world.end()
  }

  @Test(
    "changes that interfere leave the item waiting, and nobody has to decide anything", arguments: TestEngine.allCases)
  func interference(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    let grants = try await world.grants(of: [anna])
    world.peers.fail { _ in Status(.aborted, "changed_meanwhile: nothing was changed") }
    #expect(rules(try await world.push([Self.item("a", of: anna)], grants)) == ["waiting changed_meanwhile"])
    world.peers.fail { _ in nil }
    #expect(rules(try await world.push([Self.item("a", of: anna)], grants)) == ["done"])
    await world.end()
  }

  @Test("who is erased while the queue goes up fails nobody else's items", arguments: TestEngine.allCases)
  func erased(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Anna", "Ben")
    let grants = try await world.grants(of: people)
    let admin = world.admin.admin
    world.peers.meanwhile { effect in
      guard effect.person == people[0] else { return }
      _ = try? await admin.eraseAccount(EraseAccountRequest(personID: people[0]))
    }
    let items = people.map { Self.item("i", of: $0) }
    let answer = try await world.push(items, grants)
    #expect(rules(answer) == ["waiting subject_erased", "done"])
    // A grant that was hers tells the device that she is gone.
    #expect(rules(try await world.push(items, grants)) == ["refused unknown_person", "done"])
    await world.end()
  }

  @Test("without a grant nobody learns who has an account")
  func strangers() async throws {
    let world = try await AccountWorld()
    let people = try await world.openForUpload("Anna", "Ben")
    try await world.register("phone")
    let grants = try await world.grants(of: [people[1]])
    let answer = try await world.push([Self.item("a", of: people[0]), Self.item("a", of: "nobody")], grants)
    #expect(rules(answer) == ["waiting grant_missing", "waiting grant_missing"])
    #expect(Set(answer.outcomes.map(\.message)).count == 1)
    await world.end()
  }

  @Test(
    "an item whose outcome was lost is not carried out again once its answer is forgotten",
    arguments: TestEngine.allCases)
  func lost(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    let grants = try await world.grants(of: [anna])
    let items = [Self.item("a", of: anna, Self.sharing, [1]), Self.item("b", of: anna, Self.sharing, [2])]
    // The second one takes longer than its caller waits, so that what came of the first one is stored by nobody.
    let never = Signal()
    world.peers.meanwhile { effect in
      if effect.request == [2] { await never.wait() }
    }
    let push = PushQueueRequest(items: items, grants: grants)
    await #expect(throws: Status.self) {
      try await world.device("tablet").sync.pushQueue(push, options: CallOptions(deadline: .seconds(6)))
    }
    #expect(world.peers.effects.filter { $0.request == [1] }.count == 1)
    world.peers.meanwhile { _ in }
    // As long as its answer is known, it is sent again like any other.
    world.clock.move(by: .seconds(5 * 86_400))
    #expect(rules(try await world.push([items[1]], grants)) == ["done"])
    world.clock.move(by: .seconds(3 * 86_400))
    world.peers.forgetAnswers()
    #expect(rules(try await world.push([items[0]], grants)) == ["conflict outcome_unknown"])
    #expect(world.peers.effects.filter { $0.request == [1] }.count == 1)
    // The person looks, and decides.
    let retry = RetryItemRequest(deviceID: "tablet", itemID: "a")
    #expect(try await world.person(anna).sync.retryItem(retry).outcome?.state == .done)
    await world.end()
  }

  @Test("what was not tried may wait for as long as it takes", arguments: TestEngine.allCases)
  func untried(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    let grants = try await world.grants(of: [anna])
    let items = [Self.item("a", of: anna), Self.item("b", of: anna)]
    var full = Status(.resourceExhausted, "9 calls wait before this one")
    full.isNotStarted = true
    let served = Status(.resourceExhausted, "caller_waits: 64 pictures of this caller wait to be drawn already")
    for busy in [full, served] {
      world.peers.fail { _ in busy }
      #expect(try await world.push(items, grants).outcomes.map(\.state) == [.waiting, .waiting])
      world.clock.move(by: .seconds(10 * 86_400))
    }
    world.peers.fail { _ in nil }
    #expect(rules(try await world.push(items, grants)) == ["done", "done"])
    await world.end()
  }

  @Test("what ended for want of room may have been done, and is not done a second time later")
  func noRoom() async throws {
    let world = try await AccountWorld()
    let anna = try await world.openForUpload("Anna")[0]
    let grants = try await world.grants(of: [anna])
    world.peers.fail { _ in Status(.resourceExhausted, "a message has 40000000 bytes; at most 33554432 are taken") }
    #expect(try await world.push([Self.item("a", of: anna)], grants).outcomes.map(\.state) == [.waiting])
    world.clock.move(by: .seconds(7 * 86_400))
    world.peers.fail { _ in nil }
    #expect(rules(try await world.push([Self.item("a", of: anna)], grants)) == ["conflict outcome_unknown"])
    #expect(world.peers.effects.isEmpty)
    await world.end()
  }

  @Test("an item is recognised for as long as a grant can bring it", arguments: TestEngine.allCases)
  func old(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    try await world.allowSelfRegistration {
      $0.uploadAtSwitch = true
      $0.uploadLifetime = ProtobufDuration(.seconds(365 * 86_400))
    }
    try await world.register("tablet")
    let anna = try await world.onboard("Anna").person
    let grants = try await world.grants(of: [anna])
    #expect(rules(try await world.push([Self.item("a", of: anna)], grants)) == ["done"])
    world.clock.move(by: .seconds(300 * 86_400))
    world.peers.forgetAnswers()
    await world.tidy()
    #expect(rules(try await world.push([Self.item("a", of: anna)], grants)) == ["done"])
    #expect(world.peers.effects.count == 1)
    await world.end()
  }

  @Test("a part whose answers are too large for one message is finished all the same")
  func large() async throws {
    let world = try await AccountWorld()
    let anna = try await world.openForUpload("Anna")[0]
    let grants = try await world.grants(of: [anna])
    world.peers.pad(3 << 20)
    let items = (0..<14).map { Self.item("i\($0)", of: anna) }
    let answer = try await world.push(items, grants)
    #expect(answer.outcomes.map(\.state) == [ItemState](repeating: .done, count: items.count))
    #expect(answer.outcomes.map(\.responseOmitted) == [false] + [Bool](repeating: true, count: items.count - 1))
    #expect(answer.outcomes.allSatisfy { $0.responseOmitted == $0.response.isEmpty })
    await world.end()
  }

  @Test(
    "a sign-in without a connection is on record once, also of somebody who was removed",
    arguments: TestEngine.allCases)
  func offlineSignIns(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Anna", "Ben")
    let verifier = try #require(try await world.signIn(people[0]).offline?.verifierID)
    _ = try await world.person(people[0]).people.removePerson(RemovePersonRequest(personID: people[0]))
    let at = Timestamp(world.clock.clock.now)
    let signIns = [
      OfflineSignIn(verifierID: verifier, personID: people[0], at: at, failures: 2),
      OfflineSignIn(verifierID: "made-up", personID: people[0], at: at),
      OfflineSignIn(verifierID: "v", personID: people[1], at: at),
      OfflineSignIn(verifierID: "v", personID: "nobody", at: at),
    ]
    for _ in 0..<3 {
      _ = try await world.device("tablet").sync.pushQueue(PushQueueRequest(offlineSignIns: signIns))
    }
    #expect(try await world.events().filter { $0.kind == .signedInOffline }.map(\.personID) == people)
    await world.end()
  }

  @Test("that people were named for whom a queue waits is on record, unless it is the person who uploads")
  func namesOnRecord() async throws {
    let world = try await AccountWorld()
    let people = try await world.openForUpload("Anna", "Ben")
    let anna = Self.item("a", of: people[0])
    func looks() async throws -> [String] {
      try await world.events().filter { $0.kind == .personalDataRead && $0.note.hasPrefix("people whom a queue") }
        .map(\.actor)
    }
    _ = try await world.person(people[0]).sync.pushQueue(PushQueueRequest(items: [anna]))
    #expect(try await looks().isEmpty)
    for caller in [world.person(people[1]), world.device("tablet")] {
      let blocked = try await caller.sync.pushQueue(PushQueueRequest(items: [anna])).blockedBy
      #expect(blocked.map { $0.person?.profile?.title } == ["Anna"])
    }
    #expect(Set(try await looks()) == [people[1], "tablet"])
    await world.end()
  }

  @Test(
    "what is discarded during a retry stays discarded, unless the retry has done it", arguments: TestEngine.allCases,
    [false, true])
  func discardedMeanwhile(engine: TestEngine, isDone: Bool) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    let refusing: @Sendable (KnownPeers.Effect) -> Status? = { _ in
      Status(.permissionDenied, "role_missing: not yours to do")
    }
    world.peers.fail(refusing)
    _ = try await world.push([Self.item("a", of: anna)], try await world.grants(of: [anna]))
    let admin = world.admin.sync
    world.peers.meanwhile { effect in
      guard effect.method == "UpdateSharing" else { return }
      _ = try? await admin.discardItem(
        DiscardItemRequest(deviceID: "tablet", itemID: "a", personID: anna, reason: "done on paper"))
    }
    if isDone { world.peers.fail { _ in nil } }
    let sync = world.person(anna).sync
    let retried = try await sync.retryItem(RetryItemRequest(deviceID: "tablet", itemID: "a")).outcome
    #expect(retried?.state == (isDone ? .done : .discarded))
    #expect(retried?.reason == (isDone ? "" : "done on paper"))
    #expect(try await sync.listFailedItems(ListFailedItemsRequest()).items.isEmpty)
    let discards = try await world.events().filter { $0.kind == .itemDiscarded }
    #expect(discards.map(\.itemID) == ["a"])
    await world.end()
  }

  @Test(
    "the reason for which others' work is discarded is kept, and its person hears it", arguments: TestEngine.allCases)
  func reasons(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    let grants = try await world.grants(of: [anna])
    world.peers.fail { _ in Status(.permissionDenied, "role_missing: not yours to do") }
    let items = [Self.item("a", of: anna), Self.item("b", of: anna)]
    _ = try await world.push(items, grants)
    let before = try await world.pull(anna).cursor
    var discard = DiscardItemRequest(deviceID: "tablet", itemID: "a", personID: anna, reason: "done on paper")
    #expect(try await world.admin.sync.discardItem(discard).outcome?.reason == "done on paper")
    _ = try await world.person(anna).sync.discardItem(DiscardItemRequest(deviceID: "tablet", itemID: "b"))
    let changes = try await world.pull(anna, after: before).changes
    #expect(changes.map(\.id) == ["tablet/a", "tablet/b"] && changes.map(\.removed) == [false, true])
    let told = try ItemOutcome(decoding: try #require(changes.first?.bodies.first).value)
    #expect(told.state == .discarded && told.reason == "done on paper" && !told.retryable)
    // On record for as long as the item: sent again, it is answered with it. No event has what staff wrote.
    #expect(try await world.push([items[0]], grants).outcomes.map(\.reason) == ["done on paper"])
    #expect(try await world.events().allSatisfy { !$0.note.contains("paper") })
    discard.reason = String(repeating: "x", count: 501)
    await expectRefusal(.invalidArgument, "too_long") { try await world.admin.sync.discardItem(discard) }
    await world.end()
  }
}
