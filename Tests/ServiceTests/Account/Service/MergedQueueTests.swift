import AccountContract
import AccountService
import Base
import ConsentContract
import RPC
import SignatureContract
import StorageTestKit
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("Queues of accounts that were merged") struct MergedQueueTests {
  private static func item(
    _ id: String, of person: String, _ request: [UInt8] = [1], method: String = "UpdateSharing"
  ) -> QueueItem {
    QueueItem(itemID: id, personID: person, method: "assent.consent.v1.RecordService/\(method)", request: request)
  }

  private static func merge(_ world: AccountWorld, _ ending: String, into staying: String) async throws {
    _ = try await world.admin.admin.mergePeople(MergePeopleRequest(personID: ending, intoPersonID: staying))
  }

  @Test("what had failed is the staying person's to list, retry and discard", arguments: TestEngine.allCases)
  func kept(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Old", "New")
    let grants = try await world.grants(of: people)
    world.peers.fail { _ in Status(.permissionDenied, "role_missing: not yours to do") }
    _ = try await world.push(
      (0..<3).map { Self.item("i\($0)", of: people[0]) } + [Self.item("i0", of: people[1])], grants)
    world.peers.fail { _ in nil }
    try await Self.merge(world, people[0], into: people[1])
    let sync = world.person(people[1]).sync
    var listed: [ItemOutcome] = []
    var token = ""
    repeat {
      let page = try await sync.listFailedItems(ListFailedItemsRequest(pageSize: 2, pageToken: token))
      listed += page.items
      token = page.nextPageToken
    } while !token.isEmpty
    #expect(listed.map(\.itemID) == ["i0", "i1", "i2", "i0"])
    #expect(listed.map(\.personID) == [people[0], people[0], people[0], people[1]])
    for bad in ["9.", "x.", "-1.", "1.AAAA"] {
      await expectRefusal(.invalidArgument, "bad_page_token") {
        try await sync.listFailedItems(ListFailedItemsRequest(pageToken: bad))
      }
    }
    // Both of one name, one after the other, and each as the person who stays.
    for _ in 0..<2 {
      let retried = try await sync.retryItem(RetryItemRequest(deviceID: "tablet", itemID: "i0"))
      #expect(retried.outcome?.state == .done)
    }
    #expect(world.peers.effects.map(\.person) == [people[1], people[1]])
    let discarded = try await sync.discardItem(DiscardItemRequest(deviceID: "tablet", itemID: "i1"))
    #expect(discarded.outcome?.state == .discarded)
    #expect(try await sync.listFailedItems(ListFailedItemsRequest()).items.map(\.itemID) == ["i2"])
    // Also by the name that the list gives; and nobody else's.
    let named = DiscardItemRequest(deviceID: "tablet", itemID: "i2", personID: people[0])
    let other = try await world.onboard("Ben").person
    await expectRefusal(.permissionDenied, "not_admitted") { try await world.person(other).sync.discardItem(named) }
    #expect(try await sync.discardItem(named).outcome?.state == .discarded)
    let denied = try await world.events().filter { $0.kind == .accessDenied }
    #expect(Set(denied.map(\.actor)) == [other])
    await world.end()
  }

  @Test("names that are too long for an idempotency key together have one effect all the same")
  func longNames() async throws {
    let world = try await AccountWorld()
    try await world.allowSelfRegistration { $0.uploadAtSwitch = true }
    let (device, ended) = (String(repeating: "d", count: 64), String(repeating: "p", count: 128))
    try await world.register(device)
    let staying = try await world.onboard("New", device: device).person
    let code = try await world.admin.admin.createAccountInvitation(CreateAccountInvitationRequest(newPersonID: ended))
      .code
    let people = world.device(device).people
    let started = try await people.startOnboarding(
      StartOnboardingRequest(by: .invitationCode(code), profile: PersonProfile(title: "Old")))
    _ = try await people.finishOnboarding(
      FinishOnboardingRequest(
        onboardingID: started.onboarding?.onboardingID ?? "", passcode: AccountWorld.passcode))
    try await Self.merge(world, ended, into: staying)
    try await world.tellOfMerges()
    world.clock.move(by: .seconds(1))
    let grant = try await world.signIn(staying, device: device).uploadGrant
    let item = Self.item(String(repeating: "i", count: 64), of: ended)
    for own in [Self.item("a", of: staying), item, item] {
      #expect(try await world.push([own], [grant], device: device).outcomes.map(\.state) == [.done])
    }
    #expect(world.peers.effects.count == 2 && world.peers.keys.count == 2)
    #expect(world.peers.keys.first == "sync/\(device)/a")
    #expect(world.peers.keys.allSatisfy { $0.utf8.count <= 256 })
    await world.end()
  }

  @Test("what comes later goes up as the staying person, by that person's grant", arguments: TestEngine.allCases)
  func later(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Old", "New")
    let old = try await world.grants(of: [people[0]])
    #expect(try await world.push([Self.item("a", of: people[0])], old).outcomes.map(\.state) == [.done])
    try await Self.merge(world, people[0], into: people[1])
    let items = [Self.item("b", of: people[0], [2]), Self.item("b", of: people[1], [3])]
    let blocked = try await world.push(items, old)
    #expect(blocked.outcomes.map(\.rule) == ["grant_missing", "grant_missing"])
    #expect(blocked.blockedBy.map { $0.person?.personID } == [people[1]])
    world.clock.move(by: .seconds(1))
    let grants = try await world.grants(of: [people[1]])
    // Services that have not heard of it would deny them: those of the ended account wait, and for nobody.
    let unheard = try await world.push(items, grants)
    #expect(unheard.outcomes.map(\.state) == [.waiting, .done] && unheard.outcomes[0].rule == "merge_unheard")
    #expect(unheard.blockedBy.isEmpty)
    try await world.tellOfMerges()
    // One that was done before the merge is recognised.
    let answer = try await world.push([Self.item("a", of: people[0])] + items, grants)
    #expect(answer.outcomes.map(\.state) == [.done, .done, .done])
    #expect(Set(world.peers.effects.dropFirst().map(\.request)) == [[2], [3]])
    #expect(world.peers.effects.dropFirst().allSatisfy { $0.person == people[1] })
    // The person who stays is told what the services have answered.
    let told = try await world.person(people[1]).sync.pushQueue(PushQueueRequest(items: items, grants: grants))
    #expect(told.outcomes.allSatisfy { !$0.response.isEmpty })
    await world.end()
  }

  @Test("a profile of the account that ended replaces the other one's only if the person says so")
  func profile() async throws {
    let world = try await AccountWorld()
    let people = try await world.openForUpload("Old", "New")
    try await Self.merge(world, people[0], into: people[1])
    world.clock.move(by: .seconds(1))
    let grants = try await world.grants(of: [people[1]])
    let update = UpdateProfileRequest(profile: PersonProfile(title: "Older", revision: 1))
    let item = QueueItem(
      itemID: "a", personID: people[0], method: "assent.account.v1.PeopleService/UpdateProfile",
      request: try update.encoded())
    let outcome = try #require(try await world.push([item], grants).outcomes.first)
    #expect(outcome.state == .conflict && outcome.rule == "stale_revision" && outcome.retryable)
    #expect(world.peers.effects.isEmpty)
    let retry = RetryItemRequest(deviceID: "tablet", itemID: "a")
    #expect(try await world.person(people[1]).sync.retryItem(retry).outcome?.state == .done)
    #expect(world.peers.effects.map(\.person) == [people[1]])
    await world.end()
  }

  @Test(
    "what was begun as the account that ended, and lost, has no second effect as the one that stays",
    arguments: TestEngine.allCases)
  func begunBefore(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Old", "New")
    let items = [Self.item("a", of: people[0], [1]), Self.item("b", of: people[0], [2])]
    // Whether it was done is not known: the connection broke.
    world.peers.fail { _ in Status(.unavailable, "outcome_unknown: the connection broke") }
    let first = try await world.push([items[0]], try await world.grants(of: people))
    #expect(first.outcomes.map(\.state) == [.waiting])
    try await Self.merge(world, people[0], into: people[1])
    try await world.tellOfMerges()
    world.clock.move(by: .seconds(2))
    let grants = try await world.grants(of: [people[1]])
    let second = try await world.push(items, grants)
    #expect(second.outcomes.map(\.rule) == ["outcome_unknown", "outcome_unknown"])
    #expect(second.outcomes.map(\.state) == [.conflict, .waiting])
    // What was begun after the merge is repeated under its key, as ever.
    world.peers.fail { _ in nil }
    #expect(try await world.push(items, grants).outcomes.map(\.state) == [.conflict, .done])
    #expect(world.peers.effects.map(\.request) == [[2]])
    await world.end()
  }

  @Test("a withdrawal that was begun before a merge, or long ago, and lost, is carried out all the same")
  func withdrawalBegunBefore() async throws {
    let world = try await AccountWorld()
    let people = try await world.openForUpload("Old", "New")
    let items = people.map { Self.item("w", of: $0, method: "WithdrawConsent") }
    world.peers.fail { _ in Status(.unavailable, "outcome_unknown: the connection broke") }
    let first = try await world.push(items, try await world.grants(of: people))
    #expect(first.outcomes.map(\.state) == [.waiting, .waiting])
    try await Self.merge(world, people[0], into: people[1])
    try await world.tellOfMerges()
    world.clock.move(by: .seconds(7 * 86_400))
    world.peers.fail { _ in nil }
    let second = try await world.push(items, try await world.grants(of: [people[1]]))
    #expect(second.outcomes.map(\.state) == [.done, .done])
    #expect(world.peers.effects.map(\.person) == [people[1], people[1]])
    #expect(Set(world.peers.effects.map(\.method)) == ["WithdrawConsent"])
    await world.end()
  }

  @Test(
    "what is left of an account that was merged, and erased alone, is refused and not carried out",
    arguments: TestEngine.allCases)
  func erasedAlone(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Old", "New")
    try await Self.merge(world, people[0], into: people[1])
    _ = try await world.admin.admin.eraseAccount(EraseAccountRequest(personID: people[0]))
    world.clock.move(by: .seconds(1))
    let items = [Self.item("a", of: people[0]), Self.item("a", of: people[1])]
    let answer = try await world.push(items, try await world.grants(of: [people[1]]))
    #expect(answer.outcomes.map(\.state) == [.refused, .done])
    #expect(answer.outcomes.map(\.rule) == ["unknown_person", ""])
    #expect(world.peers.effects.map(\.person) == [people[1]] && world.peers.calls == 1)
    // Without a grant nobody learns of it.
    let blind = try await world.push([items[0]], [])
    #expect(blind.outcomes.map(\.rule) == ["grant_missing"])
    await world.end()
  }

  @Test(
    "changes and roles of the account that ended reach the devices of the one that stays",
    arguments: TestEngine.allCases)
  func changes(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Old", "New")
    _ = try await world.admin.admin.grantRole(GrantRoleRequest(personID: people[0], role: "witness@heart"))
    let grants = try await world.grants(of: people)
    world.peers.fail { _ in Status(.permissionDenied, "role_missing: not yours to do") }
    _ = try await world.push([Self.item("a", of: people[0])], grants)
    world.peers.happen(ConsentEvent(kind: .recordEntry, subjectID: people[0], recordID: "r1", entry: .given))
    let before = try await world.pull(people[1]).cursor
    try await Self.merge(world, people[0], into: people[1])
    try await world.tellOfMerges()
    world.peers.happen(ConsentEvent(kind: .recordEntry, subjectID: people[0], recordID: "r2", entry: .given))
    let changes = try await world.pull(people[1], after: before).changes
    let roles = try #require(changes.first { $0.kind == .roles }?.bodies.first)
    #expect(try AccountEntry(decoding: roles.value).roles == ["witness@heart"])
    let item = try #require(changes.first { $0.kind == .item })
    #expect(item.id == "tablet/a" && !item.bodies.isEmpty)
    #expect(Set(changes.filter { $0.kind == .record }.map(\.id)).isSuperset(of: ["r2"]))
    await world.end()
  }

  @Test(
    "what services have under the ended identifier is asked for once they have heard of the merge, and not before",
    arguments: TestEngine.allCases)
  func notBefore(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Old", "New", "Ward")
    let (old, new, ward) = (people[0], people[1], people[2])
    for (subject, id) in [(old, "r1"), (ward, "r9")] {
      world.peers.store(ConsentRecord(recordID: id, subjectID: subject))
      world.peers.happen(
        ConsentEvent(kind: .recordEntry, subjectID: subject, recordID: id, state: .awaitingSignatures))
    }
    world.peers.happen(ConsentEvent(kind: .guardianChanged, subjectID: ward, note: "set", guardianID: old))
    world.peers.store(FieldView(fieldID: "f1", version: 1, reference: FieldReference(subjectID: old)))
    _ = try await world.pull(old)
    try await Self.merge(world, old, into: new)
    let reads = Mutex<Set<String>>([])
    world.peers.meanwhile { effect in reads.withLock { _ = $0.insert(effect.method) } }
    world.peers.store(SessionView(sessionID: "s1", version: 1), of: old)
    let before = try await world.pull(new)
    #expect(reads.withLock { $0 } == [] && before.changes.allSatisfy { [.profile, .roles].contains($0.kind) })
    try await world.tellOfMerges()
    let after = try await world.pull(new, after: before.cursor)
    #expect(Set(after.changes.map(\.id)) == ["r1", "f1", "s1"] && after.changes.allSatisfy { !$0.removed })
    #expect(reads.withLock { $0 }.isSuperset(of: ["GetRecord", "GetField", "GetSession", "ListSigningTasks"]))
    await world.end()
  }

  @Test(
    "an erasure of the account that ended, and of it alone, reaches the devices of the one that stays",
    arguments: TestEngine.allCases, [true, false])
  func erased(engine: TestEngine, accountFirst: Bool) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Old", "New")
    let (old, new) = (people[0], people[1])
    let grants = try await world.grants(of: people)
    world.peers.fail { _ in Status(.permissionDenied, "role_missing: not yours to do") }
    _ = try await world.push([Self.item("a", of: old), Self.item("b", of: new)], grants)
    world.peers.store(ConsentRecord(recordID: "r1", subjectID: old, state: .inForce))
    world.peers.store(ConsentRecord(recordID: "own", subjectID: new, state: .inForce))
    _ = try await world.pull(new)
    try await Self.merge(world, old, into: new)
    try await world.tellOfMerges()
    // What comes under the ended identifier later is noted for who stays.
    world.peers.store(ConsentRecord(recordID: "r2", subjectID: old, state: .inForce))
    world.peers.store(FieldView(fieldID: "f1", version: 1, reference: FieldReference(subjectID: old)))
    let before = try await world.pull(new)
    let there = Set(before.changes.filter { !$0.removed }.map(\.id))
    #expect(there.isSuperset(of: ["r1", "r2", "own", "f1", "tablet/a", "tablet/b"]))
    if accountFirst { _ = try await world.admin.admin.eraseAccount(EraseAccountRequest(personID: old)) }
    world.peers.happen(ConsentEvent(kind: .subjectErased, subjectID: old))
    var after = try await world.pull(new, after: before.cursor)
    var gone = Set(after.changes.filter(\.removed).map(\.id))
    #expect(gone.isSuperset(of: ["r1", "r2", "f1"]))
    if !accountFirst {
      _ = try await world.admin.admin.eraseAccount(EraseAccountRequest(personID: old))
      after = try await world.pull(new, after: after.cursor)
      gone.formUnion(after.changes.filter(\.removed).map(\.id))
    }
    #expect(gone == ["r1", "r2", "f1", "tablet/a"])
    // The person's own is still there.
    let anew = Set(try await world.pull(new).changes.filter { !$0.removed }.map(\.id))
    #expect(anew.isSuperset(of: ["own", "tablet/b"]) && anew.isDisjoint(with: gone))
    await world.end()
  }

  @Test("what ends under the identifier that stays leaves what came with the account that was merged into it")
  func stayingErased() async throws {
    let world = try await AccountWorld(.sqlite)
    let people = try await world.openForUpload("Old", "New")
    let (old, new) = (people[0], people[1])
    world.peers.store(ConsentRecord(recordID: "r1", subjectID: old, state: .inForce))
    world.peers.store(ConsentRecord(recordID: "own", subjectID: new, state: .inForce))
    for person in people { _ = try await world.pull(person) }
    try await Self.merge(world, old, into: new)
    try await world.tellOfMerges()
    let before = try await world.pull(new)
    world.peers.happen(ConsentEvent(kind: .subjectErased, subjectID: new))
    let after = try await world.pull(new, after: before.cursor)
    #expect(after.changes.filter(\.removed).map(\.id) == ["own"])
    let left = Set(try await world.pull(new).changes.filter { !$0.removed }.map(\.id))
    #expect(left.contains("r1"))
    await world.end()
  }
  @Test("in a chain of accounts, what is erased under one leaves what came with those that were merged into it before")
  func chain() async throws {
    let world = try await AccountWorld(.sqlite)
    let people = try await world.openForUpload("First", "Middle", "New")
    let (first, middle, new) = (people[0], people[1], people[2])
    for (id, person) in zip(["r1", "r2", "own"], people) {
      world.peers.store(ConsentRecord(recordID: id, subjectID: person, state: .inForce))
    }
    for person in people { _ = try await world.pull(person) }
    try await Self.merge(world, first, into: middle)
    try await Self.merge(world, middle, into: new)
    try await world.tellOfMerges()
    let before = try await world.pull(new)
    #expect(Set(before.changes.filter { !$0.removed }.map(\.id)).isSuperset(of: ["r1", "r2", "own"]))
    world.peers.happen(ConsentEvent(kind: .subjectErased, subjectID: middle))
    let after = try await world.pull(new, after: before.cursor)
    #expect(after.changes.filter(\.removed).map(\.id) == ["r2"])
    world.peers.happen(ConsentEvent(kind: .subjectErased, subjectID: first))
    let last = try await world.pull(new, after: after.cursor)
    #expect(last.changes.filter(\.removed).map(\.id) == ["r1"])
    await world.end()
  }
}
