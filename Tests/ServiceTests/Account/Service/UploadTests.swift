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
    #expect(try await world.events().filter { $0.kind == .itemDiscarded }.map(\.itemID) == ["c"])
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
    #expect(
      rules(
        try await world.push(
          [
            Self.item("x", of: people[0]), Self.item("x", of: people[0], Self.walk), Self.item("x", of: people[1]),
            Self.item("", of: people[0]), Self.item("a b", of: people[0]), Self.item("y", of: "nobody"),
          ], grants)) == [
          "done", "refused item_reused", "done", "refused bad_name", "refused bad_name", "waiting grant_missing",
        ])
    #expect(world.peers.effects.count == 2)
    await expectRefusal(.invalidArgument, "too_many") {
      try await world.push((0..<1001).map { Self.item("i\($0)", of: people[0]) }, grants)
    }
    // A name that no method has is not kept, however long it is.
    let long = String(repeating: "m", count: 1 << 20)
    let unknown = Self.item("m", of: people[0], String(long.prefix(121)))
    #expect(rules(try await world.push([unknown], grants)) == ["refused too_long"])
    #expect(try await world.person(people[0]).sync.listFailedItems(ListFailedItemsRequest()).items.isEmpty)
    await expectRefusal(.invalidArgument, "too_many") { try await world.push([Self.item("m", of: "a", long)], grants) }
    _ = try await world.admin.admin.wipeDevice(WipeDeviceRequest(deviceID: "tablet"))
    await expectRefusal(.failedPrecondition, "device_wiped") { try await world.push([unknown], grants) }
    await world.end()
  }

  @Test(
    "a withdrawal is carried out whatever its device's clock says, and whatever its person had seen",
    arguments: TestEngine.allCases)
  func alwaysWithdraws(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    let grants = try await world.grants(of: [anna])
    var ahead = Self.item("ahead", of: anna)
    ahead.deviceTime = Timestamp(world.clock.clock.now + .days(400))
    let seen = ["c1.4.AAAA", "c3.....", String(repeating: "c", count: 5000)].enumerated().map { index, cursor in
      Self.item("seen\(index)", of: anna, seen: cursor)
    }
    #expect(rules(try await world.push([ahead] + seen, grants)) == [String](repeating: "done", count: 4))
    #expect(world.peers.effects.map(\.method) == [String](repeating: "WithdrawConsent", count: 4))
    await world.end()
  }

  @Test("by a cursor that cannot be read a yes has seen no withdrawal", arguments: ["c1.4.AAAA", "made up"])
  func unreadableSeen(cursor: String) async throws {
    let world = try await AccountWorld()
    let anna = try await world.openForUpload("Anna")[0]
    let grants = try await world.grants(of: [anna])
    world.peers.happen(ConsentEvent(kind: .sessionStarted, subjectID: anna, sessionID: "s1"))
    world.peers.happen(ConsentEvent(kind: .recordEntry, subjectID: anna, recordID: "r1", entry: .withdrawn))
    _ = try await world.pull(anna)
    let walked = try SubmitOfflineWalkRequest(sessionID: "s1").encoded()
    let answer = try await world.push([Self.item("a", of: anna, Self.walk, walked, seen: cursor)], grants)
    #expect(rules(answer) == ["done"] && world.peers.effects.map(\.isOvertaken) == [true])
    await world.end()
  }

  @Test(
    "a withdrawal, or a denial elsewhere, overtakes an earlier offline yes, until the person has seen it",
    arguments: TestEngine.allCases, [EntryKind.withdrawn, .declined])
  func withdrawal(engine: TestEngine, no: EntryKind) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    let grants = try await world.grants(of: [anna])
    world.peers.happen(ConsentEvent(kind: .sessionStarted, subjectID: anna, sessionID: "s1"))
    let seen = try await world.pull(anna).cursor
    world.peers.happen(ConsentEvent(kind: .recordEntry, subjectID: anna, recordID: "r1", entry: no))
    let walked = try SubmitOfflineWalkRequest(sessionID: "s1").encoded()
    let answer = try await world.push([Self.item("a", of: anna, Self.walk, walked, seen: seen)], grants)
    #expect(rules(answer) == ["done"] && answer.blockedBy.isEmpty)
    let now = try await world.pull(anna).cursor
    #expect(rules(try await world.push([Self.item("b", of: anna, Self.walk, walked, seen: now)], grants)) == ["done"])
    world.peers.happen(ConsentEvent(kind: .sessionStarted, subjectID: anna, sessionID: "s2"))
    let anew = try SubmitOfflineWalkRequest(sessionID: "s2").encoded()
    #expect(rules(try await world.push([Self.item("c", of: anna, Self.walk, anew, seen: seen)], grants)) == ["done"])
    #expect(world.peers.effects.map(\.isOvertaken) == [true, false, false])
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
    #expect(rules(answer) == ["done"] && world.peers.effects.map(\.isOvertaken) == [true])
    await world.end()
  }

  @Test("by the tenant's setting the work of a person before waits for that person")
  func waitsForPerson() async throws {
    let world = try await AccountWorld()
    let people = try await world.open("Anna", "Ben")
    let grants = try await world.grants(of: people)
    let items = people.map { Self.item("i-\($0)", of: $0) }
    let answer = try await world.push(items, grants)
    #expect(rules(answer) == ["waiting waits_for_person", "done"])
    #expect(answer.blockedBy.map(\.name) == ["Anna"] && answer.blockedBy.map(\.step) == [.signIn])
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
