import AccountContract
import AccountService
import Base
import ConsentContract
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Tokens
import Wire

@Suite("Uploading a device's queue") struct UploadTests {
  private static func item(
    _ id: String, of person: String, _ method: String = "assent.consent.v1.RecordService/WithdrawConsent",
    _ request: [UInt8] = [1], seen: String = ""
  ) -> QueueItem {
    QueueItem(itemID: id, personID: person, method: method, request: request, seen: seen)
  }

  private static let walk = "assent.consent.v1.SessionService/SubmitOfflineWalk"

  private func rules(_ answer: PushQueueResponse) -> [String] {
    answer.outcomes.map { $0.state == .done ? "done" : "\($0.state) \($0.rule)" }
  }

  @Test("items go up as their people, in order, with their rights of now", arguments: TestEngine.allCases)
  func orderAndRights(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Anna", "Ben")
    _ = try await world.admin.admin.grantRole(GrantRoleRequest(personID: people[0], role: "witness@heart"))
    let grants = try await world.grants(of: people)
    let items = (0..<20).map { Self.item("i\($0)", of: people[$0 % 2], Self.walk, [UInt8($0)]) }
    let answer = try await world.push(items, grants)
    #expect(rules(answer) == [String](repeating: "done", count: 20) && answer.blockedBy.isEmpty)
    #expect(answer.outcomes.map(\.itemID) == items.map(\.itemID))
    for (index, person) in people.enumerated() {
      let own = world.peers.effects.filter { $0.person == person }
      #expect(own.map(\.request) == (0..<10).map { [UInt8($0 * 2 + index)] })
      #expect(own.allSatisfy { $0.device == "tablet" && $0.grants == (index == 0 ? ["witness@heart"] : []) })
    }
    // Sent again, because the answer was lost: the same answers, and no second effect.
    #expect(try await world.push(items, grants) == answer)
    #expect(world.peers.effects.count == 20)
    await world.end()
  }

  @Test("grants: missing, of another person or device, forged, revoked, expired", arguments: TestEngine.allCases)
  func grants(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Anna", "Ben")
    let grants = try await world.grants(of: people)
    let items = [Self.item("a", of: people[0])]
    #expect(rules(try await world.push(items, [])) == ["waiting grant_missing"])
    #expect(rules(try await world.push(items, [grants[1]])) == ["waiting grant_missing"])
    #expect(rules(try await world.push(items, [grants[0] + "A", "", "a.b.c"])) == ["waiting grant_missing"])
    // An access token is no grant, and a grant opens no door.
    let access = try await world.signIn(people[0]).tokens?.accessToken ?? ""
    #expect(rules(try await world.push(items, [access])) == ["waiting grant_missing"])
    try await world.register("phone")
    #expect(rules(try await world.push(items, grants, device: "phone")) == ["waiting grant_missing"])
    let foreign = TokenKeys(secret: [UInt8](repeating: 9, count: 32)).token(
      TokenClaims(
        use: .upload, tenant: "t1", subject: people[0], device: "tablet", issuedAt: world.clock.clock.now,
        expiresAt: world.clock.clock.now + .seconds(60)))
    #expect(rules(try await world.push(items, [foreign])) == ["waiting grant_missing"])
    #expect(world.peers.effects.isEmpty)
    // Signed out everywhere: the grant is void, and the person is named who has to come.
    world.clock.move(by: .seconds(1))
    _ = try await world.person(people[0]).signIn.endSessions(EndSessionsRequest())
    let blocked = try await world.push(items, grants)
    #expect(rules(blocked) == ["waiting grant_revoked"])
    #expect(blocked.blockedBy.map { $0.person?.profile?.title } == ["Anna"])
    world.clock.move(by: .seconds(1))
    let renewed = try await world.grants(of: [people[0]])
    world.clock.move(by: .seconds(31 * 86_400))
    #expect(rules(try await world.push(items, renewed)) == ["waiting grant_expired"])
    #expect(world.peers.effects.isEmpty)
    #expect(rules(try await world.push(items, try await world.grants(of: [people[0]]))) == ["done"])
    await world.end()
  }

  @Test("failures are kept, block nobody, and are answered by their owner alone", arguments: TestEngine.allCases)
  func failures(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Anna", "Ben")
    let grants = try await world.grants(of: people)
    world.peers.fail { $0.request == [7] ? Status(.permissionDenied, "role_missing: not yours to do") : nil }
    let items = [
      Self.item("a", of: people[0], Self.walk, [7]), Self.item("b", of: people[0]),
      Self.item("c", of: people[0], "assent.account.v1.AccountAdminService/WipeDevice"), Self.item("d", of: people[1]),
    ]
    let answer = try await world.push(items, grants)
    #expect(rules(answer) == ["failed role_missing", "done", "failed unknown_method", "done"])
    #expect(answer.blockedBy.isEmpty)
    let anna = world.person(people[0]).sync
    let ben = world.person(people[1]).sync
    #expect(try await anna.listFailedItems(ListFailedItemsRequest()).items.map(\.itemID) == ["a", "c"])
    #expect(try await ben.listFailedItems(ListFailedItemsRequest()).items.isEmpty)
    let retry = RetryItemRequest(deviceID: "tablet", itemID: "a")
    await expectRefusal(.notFound, "unknown_item") { try await ben.retryItem(retry) }
    #expect(try await anna.retryItem(retry).outcome?.state == .failed)
    world.peers.fail { _ in nil }
    #expect(try await anna.retryItem(retry).outcome?.state == .done)
    await expectRefusal(.failedPrecondition, "not_failed") { try await anna.retryItem(retry) }
    let discard = DiscardItemRequest(deviceID: "tablet", itemID: "c")
    await expectRefusal(.notFound, "unknown_item") { try await ben.discardItem(discard) }
    var foreign = discard
    foreign.personID = people[0]
    await expectRefusal(.permissionDenied, "not_admitted") { try await ben.discardItem(foreign) }
    await expectRefusal(.invalidArgument, "reason_missing") { try await world.admin.sync.discardItem(foreign) }
    #expect(try await anna.discardItem(discard).outcome?.state == .discarded)
    #expect(try await anna.listFailedItems(ListFailedItemsRequest()).items.isEmpty)
    #expect(try await world.events().filter { $0.kind == .itemDiscarded }.map(\.note) == ["c"])
    await world.end()
  }

  @Test("what cannot be reached is waited for, in order, and by nobody else", arguments: TestEngine.allCases)
  func unavailable(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Anna", "Ben")
    let grants = try await world.grants(of: people)
    world.peers.fail { $0.request == [7] ? Status(.unavailable, "database_unavailable: not now") : nil }
    let items = [
      Self.item("a", of: people[0], Self.walk, [7]), Self.item("b", of: people[0]), Self.item("c", of: people[1]),
    ]
    let answer = try await world.push(items, grants)
    #expect(rules(answer) == ["waiting database_unavailable", "waiting waits_in_order", "done"])
    #expect(answer.blockedBy.isEmpty)
    world.peers.fail { _ in nil }
    #expect(rules(try await world.push(items, grants)) == ["done", "done", "done"])
    #expect(world.peers.effects.map(\.request) == [[1], [7], [1]])
    await world.end()
  }

  @Test("bad items, each with its own rule", arguments: TestEngine.allCases)
  func badItems(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Anna", "Ben")
    let grants = try await world.grants(of: people)
    var late = Self.item("late", of: people[0])
    late.deviceTime = Timestamp(world.clock.clock.now + .seconds(301))
    #expect(
      rules(
        try await world.push(
          [
            Self.item("x", of: people[0]), Self.item("x", of: people[0], Self.walk), Self.item("x", of: people[1]),
            Self.item("", of: people[0]), Self.item("a b", of: people[0]), Self.item("y", of: "nobody"), late,
            Self.item("z", of: people[0], seen: "c1.4.AAAA"),
          ], grants)) == [
          "done", "refused item_reused", "done", "refused bad_name", "refused bad_name",
          "waiting grant_missing", "failed device_time_in_the_future", "failed bad_cursor",
        ])
    #expect(world.peers.effects.count == 2)
    await expectRefusal(.invalidArgument, "too_many") {
      try await world.push((0..<1001).map { Self.item("i\($0)", of: people[0]) }, grants)
    }
    // A name that no method has, and a cursor that none is as long as, are not kept, however long they are.
    let long = String(repeating: "m", count: 1 << 20)
    let (method, cursor) = (String(long.prefix(121)), String(long.prefix(97)))
    #expect(
      rules(
        try await world.push(
          [Self.item("m", of: people[0], method), Self.item("s", of: people[0], seen: cursor)], grants))
        == ["refused too_long", "refused too_long"])
    let kept = try await world.person(people[0]).sync.listFailedItems(ListFailedItemsRequest()).items
    #expect(Set(kept.map(\.itemID)) == ["late", "z"])
    await expectRefusal(.invalidArgument, "too_many") { try await world.push([Self.item("m", of: "a", long)], grants) }
    _ = try await world.admin.admin.wipeDevice(WipeDeviceRequest(deviceID: "tablet"))
    await expectRefusal(.failedPrecondition, "device_wiped") { try await world.push([late], grants) }
    await world.end()
  }

  @Test("a withdrawal beats an earlier offline yes, until the person has seen it", arguments: TestEngine.allCases)
  func withdrawal(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    let grants = try await world.grants(of: [anna])
    world.peers.happen(ConsentEvent(kind: .sessionStarted, subjectID: anna, sessionID: "s1"))
    let seen = try await world.pull(anna).cursor
    world.peers.happen(
      ConsentEvent(kind: .recordEntry, subjectID: anna, recordID: "r1", entry: .withdrawn))
    let walked = try SubmitOfflineWalkRequest(sessionID: "s1").encoded()
    let answer = try await world.push([Self.item("a", of: anna, Self.walk, walked, seen: seen)], grants)
    #expect(
      rules(answer) == ["conflict withdrawn_meanwhile"] && answer.blockedBy.map { $0.rule } == ["withdrawn_meanwhile"])
    #expect(world.peers.effects.isEmpty)
    let now = try await world.pull(anna).cursor
    #expect(rules(try await world.push([Self.item("b", of: anna, Self.walk, walked, seen: now)], grants)) == ["done"])
    world.peers.happen(ConsentEvent(kind: .sessionStarted, subjectID: anna, sessionID: "s2"))
    let anew = try SubmitOfflineWalkRequest(sessionID: "s2").encoded()
    #expect(rules(try await world.push([Self.item("c", of: anna, Self.walk, anew, seen: seen)], grants)) == ["done"])
    // The person decides: the walk counts all the same.
    let decided = try await world.person(anna).sync.retryItem(RetryItemRequest(deviceID: "tablet", itemID: "a"))
    #expect(decided.outcome?.state == .done)
    await world.end()
  }

  @Test("what a person saw before a backup was restored does not count as seen")
  func restored() async throws {
    let world = try await AccountWorld()
    let anna = try await world.openForUpload("Anna")[0]
    let grants = try await world.grants(of: [anna])
    world.peers.happen(ConsentEvent(kind: .sessionStarted, subjectID: anna, sessionID: "s1"))
    world.peers.happen(ConsentEvent(kind: .recordEntry, subjectID: anna, recordID: "r1", entry: .withdrawn))
    let seen = try await world.pull(anna).cursor
    try await world.test.location.alter("UPDATE change_heads SET last = last - 1", schema: world.test.schema.name)
    let walked = try SubmitOfflineWalkRequest(sessionID: "s1").encoded()
    let answer = try await world.push([Self.item("a", of: anna, Self.walk, walked, seen: seen)], grants)
    #expect(rules(answer) == ["conflict withdrawn_meanwhile"] && world.peers.effects.isEmpty)
    await world.end()
  }

  @Test("by the tenant's setting the work of a person before waits for that person")
  func waitsForPerson() async throws {
    let world = try await AccountWorld()
    let people = try await world.open("Anna", "Ben")
    let grants = try await world.grants(of: people)
    let items = people.map { Self.item("i-\($0)", of: $0) }
    let answer = try await world.push(items, grants)
    #expect(rules(answer) == ["waiting waits_for_person", "done"] && answer.blockedBy.isEmpty)
    await world.end()
  }

  @Test("sign-ins without a connection are on record, for people of that device alone")
  func offlineSignIns() async throws {
    let world = try await AccountWorld()
    let anna = try await world.openForUpload("Anna")[0]
    let signIns = [anna, "nobody"].map {
      OfflineSignIn(verifierID: "v", personID: $0, at: Timestamp(AccountWorld.start), failures: 2)
    }
    _ = try await world.device("tablet").sync.pushQueue(PushQueueRequest(offlineSignIns: signIns))
    let noted = try await world.events().filter { $0.kind == .signedInOffline }
    #expect(noted.map(\.personID) == [anna])
    await world.end()
  }
}

@Suite("Bringing changes down") struct DownloadTests {
  @Test("changes come from a cursor on, once each, as the person sees them", arguments: TestEngine.allCases)
  func changes(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Anna", "Ben")
    for number in 0..<120 {
      world.peers.store(ConsentRecord(recordID: "r\(number)", subjectID: people[number % 2], state: .inForce))
    }
    let first = try await world.pull(people[0])
    #expect(Set(first.changes.filter { $0.kind == .record }.map(\.id)) == Set((0..<60).map { "r\($0 * 2)" }))
    #expect(first.changes.allSatisfy { !$0.removed && !$0.bodies.isEmpty } && first.changes.count == 61)
    let again = try await world.pull(people[0], after: first.cursor)
    #expect(again.changes.isEmpty && again.cursor == first.cursor)
    _ = try await world.person(people[0]).people.updateProfile(
      UpdateProfileRequest(profile: PersonProfile(title: "Anna Ek", revision: 1)))
    let last = try await world.pull(people[0], after: first.cursor)
    #expect(last.changes.map(\.kind) == [.profile])
    #expect(try PersonProfile(decoding: last.changes.first?.bodies.first?.value ?? []).title == "Anna Ek")
    // Resumed from the middle, nothing is missing and nothing comes twice.
    var stream = try world.person(people[0]).sync.pullChanges(PullChangesRequest()).makeAsyncIterator()
    let page = try #require(try await stream.next())
    let rest = try await world.pull(people[0], after: page.cursor)
    #expect(page.changes.count + rest.changes.count == 61)
    #expect(Set(page.changes.map(\.id)).isDisjoint(with: rest.changes.map(\.id)))
    await world.end()
  }

  @Test("cursors of others, of another tenant, and made up", arguments: TestEngine.allCases)
  func cursors(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Anna", "Ben")
    let cursor = try await world.pull(people[0]).cursor
    for bad in [
      cursor + "A", "c1.0.x", "c1.-1.x", "c2.\(cursor.dropFirst(3))", "1", String(repeating: "c", count: 9999),
    ] {
      await expectRefusal(.invalidArgument, "bad_cursor") { try await world.pull(people[0], after: bad) }
    }
    await expectRefusal(.invalidArgument, "bad_cursor") { try await world.pull(people[1], after: cursor) }
    await expectRefusal(.notFound, "unknown_person") { try await world.pull("nobody") }
    await world.end()
  }

  @Test("what is gone is said to be gone, and an old cursor starts anew", arguments: TestEngine.allCases)
  func tombstones(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Anna", "Ben")
    world.peers.store(ConsentRecord(recordID: "r1", subjectID: people[0], state: .inForce))
    // An event about a record that is not this person's to see.
    world.peers.happen(ConsentEvent(kind: .recordEntry, subjectID: people[0], recordID: "other", entry: .given))
    let first = try await world.pull(people[0])
    #expect(first.changes.filter(\.removed).map(\.id) == ["other"])
    world.peers.happen(ConsentEvent(kind: .subjectErased, subjectID: people[0]))
    world.peers.store(ConsentRecord(recordID: "r2", subjectID: people[0], state: .inForce))
    world.clock.move(by: .seconds(91 * 86_400))
    _ = try await world.pull(people[0])
    world.clock.move(by: .seconds(91 * 86_400))
    let tasks = world.services.periodicTasks(every: .seconds(60))
    let runner = PeriodicTaskRunner(world.services.database, tasks) { task, error in Issue.record("\(task): \(error)") }
    await runner.runDue()
    let late = try await world.pull(people[0], after: first.cursor)
    #expect(late.isResync && late.changes.filter { $0.kind == .record }.map(\.id) == ["r2"])
    let then = try await world.pull(people[0], after: late.cursor)
    #expect(!then.isResync && then.changes.isEmpty)
    await world.end()
  }

  @Test("all that an erased subject had comes as removed, page by page and once", arguments: TestEngine.allCases)
  func erased(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    let records = (0..<120).map { ConsentRecord(recordID: "r\($0)", subjectID: anna) }
    for record in records { world.peers.store(record) }
    let first = try await world.pull(anna)
    world.peers.happen(ConsentEvent(kind: .subjectErased, subjectID: anna))
    let gone = try await world.pull(anna, after: first.cursor)
    #expect(gone.changes.map(\.id) == first.changes.map(\.id) && gone.changes.allSatisfy(\.removed))
    #expect(Set(gone.changes.map(\.id)).count == 121 && !gone.isResync)
    // It goes on after that, and another erasure finds what came since.
    world.peers.store(records[0])
    let next = try await world.pull(anna, after: gone.cursor)
    #expect(next.changes.map(\.id) == ["r0"])
    world.peers.happen(ConsentEvent(kind: .subjectErased, subjectID: anna))
    #expect(try await world.pull(anna, after: next.cursor).changes.map(\.id) == ["r0"])
    await world.end()
  }

  @Test("a cursor from before a backup was restored starts anew", arguments: TestEngine.allCases)
  func restored(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    for number in 0..<10 { world.peers.store(ConsentRecord(recordID: "r\(number)", subjectID: anna)) }
    let first = try await world.pull(anna)
    // As of a backup from before the records: they get the same numbers once more, in another order perhaps.
    try await world.test.location.alter(
      "DELETE FROM changes WHERE kind <> 1; DELETE FROM followed; UPDATE change_heads SET last = 1",
      schema: world.test.schema.name)
    let then = try await world.pull(anna, after: first.cursor)
    #expect(then.isResync && then.changes.count == first.changes.count)
    let last = try await world.pull(anna, after: then.cursor)
    #expect(!last.isResync && last.changes.isEmpty)
    await world.end()
  }

  @Test("one call does both, and its progress never falls", arguments: TestEngine.allCases)
  func both(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    let grants = try await world.grants(of: [anna])
    for number in 0..<120 { world.peers.store(ConsentRecord(recordID: "r\(number)", subjectID: anna)) }
    let call = world.person(anna).sync.sync()
    for part in 0..<4 {
      let items = (0..<25).map {
        QueueItem(
          itemID: "p\(part)-\($0)", personID: anna, method: "assent.consent.v1.RecordService/UpdateSharing",
          request: [UInt8(part)])
      }
      try await call.requests.send(
        SyncRequest(step: .push(PushQueueRequest(items: items, grants: grants)), queueLength: 100))
    }
    try await call.requests.send(SyncRequest(step: .pull(PullChangesRequest())))
    call.requests.finish()
    var fractions: [Double] = []
    var phases: [SyncPhase] = []
    var changes = 0
    for try await answer in call.responses where answer.step != nil {
      fractions.append(answer.progress?.fraction ?? -1)
      phases.append(answer.progress?.phase ?? .unspecified)
      if case .pulled(let pulled) = answer.step { changes += pulled.changes.count }
    }
    #expect(fractions == fractions.sorted() && fractions.last == 1 && fractions[3] == 0.5)
    #expect(phases.prefix(4).allSatisfy { $0 == .uploading } && phases.last == .done)
    #expect(changes == 121 && world.peers.effects.count == 100)
    await world.end()
  }

  @Test("no byte of one person's stands in another's stream")
  func apart() async throws {
    let world = try await AccountWorld()
    let people = try await world.openForUpload("Anna Secret", "Ben Hidden")
    for (person, mark) in zip(people, ["anna-mark", "ben-mark"]) {
      world.peers.store(ConsentRecord(recordID: "r-\(mark)", studyID: mark, subjectID: person))
    }
    for (person, other) in [
      (people[0], ["Hidden", "ben-mark", people[1]]), (people[1], ["Secret", "anna-mark", people[0]]),
    ] {
      let bytes = try await world.pull(person).changes.flatMap { try $0.encoded() }
      let text = String(decoding: bytes, as: UTF8.self)
      for word in other { #expect(!text.contains(word)) }
    }
    await world.end()
  }
}

extension AccountWorld {
  /// A device with people, whose pending work is uploaded whoever is signed in.
  func openForUpload(_ titles: String...) async throws -> [String] {
    try await allowSelfRegistration { $0.uploadAtSwitch = true }
    try await register("tablet")
    var people: [String] = []
    for title in titles {
      people.append(try await onboard(title).person)
      clock.move(by: .milliseconds(1))
    }
    return people
  }

  func grants(of people: [String]) async throws -> [String] {
    var grants: [String] = []
    for person in people { grants.append(try await signIn(person).uploadGrant) }
    return grants
  }

  func push(_ items: [QueueItem], _ grants: [String], device id: String = "tablet") async throws -> PushQueueResponse {
    try await device(id).sync.pushQueue(PushQueueRequest(items: items, grants: grants))
  }

  struct Pulled {
    var changes: [SyncChange] = []
    var cursor = ""
    var isResync = false
    var omitted: [SyncChangeKind] = []
  }

  func pull(_ person: String, after cursor: String = "", device: String = "tablet") async throws -> Pulled {
    var pulled = Pulled()
    for try await answer in try self.person(person, at: device).sync.pullChanges(PullChangesRequest(cursor: cursor)) {
      pulled.changes += answer.changes
      pulled.cursor = answer.cursor
      pulled.isResync = pulled.isResync || answer.resync
      pulled.omitted = answer.omitted
    }
    return pulled
  }
}
