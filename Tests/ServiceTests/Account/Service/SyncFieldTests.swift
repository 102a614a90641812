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

@Suite("Fields and signing tasks among the changes") struct SyncFieldTests {
  private static func field(_ id: String, of person: String, version: Int64 = 1) -> FieldView {
    FieldView(fieldID: id, version: version, reference: FieldReference(subjectID: person), header: "Sign \(id)")
  }

  private static func task(_ record: String, _ signature: String, of subject: String, in study: String) -> SigningTask {
    SigningTask(recordID: record, signatureID: signature, role: .witness, studyID: study, subjectID: subject)
  }

  @Test(
    "fields come to whoever signs in them, as they are now, and go when they are gone", arguments: TestEngine.allCases)
  func fields(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Anna", "Ben")
    for number in 0..<120 { world.peers.store(Self.field("f\(number)", of: people[number % 2])) }
    let first = try await world.pull(people[0])
    let fields = first.changes.filter { $0.kind == .field }
    #expect(Set(fields.map(\.id)) == Set((0..<60).map { "f\($0 * 2)" }) && fields.allSatisfy { !$0.removed })
    // Changed twice, it comes once, as it is.
    for version in 2...3 { world.peers.store(Self.field("f0", of: people[0], version: Int64(version))) }
    let second = try await world.pull(people[0], after: first.cursor)
    #expect(second.changes.map(\.id) == ["f0"])
    let body = try #require(second.changes.first?.bodies.first)
    #expect(body.type == "assent.signature.v1.FieldView")
    #expect(try FieldView(decoding: body.value).version == 3)
    world.peers.hide(Self.field("f2", of: people[0]))
    let third = try await world.pull(people[0], after: second.cursor)
    #expect(third.changes.map(\.id) == ["f2"] && third.changes.allSatisfy(\.removed))
    let other = try await world.pull(people[1]).changes.filter { $0.kind == .field }
    #expect(Set(other.map(\.id)) == Set((0..<60).map { "f\($0 * 2 + 1)" }))
    await world.end()
  }

  @Test(
    "what SignatureService erases is removed from the devices, also of who has the account now",
    arguments: TestEngine.allCases)
  func erased(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Old", "New")
    let (old, new) = (people[0], people[1])
    _ = try await world.admin.admin.mergePeople(MergePeopleRequest(personID: old, intoPersonID: new))
    try await world.tellOfMerges()
    world.peers.store(Self.field("f1", of: old))
    world.peers.store(Self.field("f2", of: new))
    world.peers.store(ConsentRecord(recordID: "r1", subjectID: old, state: .inForce))
    let before = try await world.pull(new)
    #expect(Set(before.changes.filter { !$0.removed }.map(\.id)).isSuperset(of: ["f1", "f2", "r1"]))
    // Of one page of news the erasure is the last, in whatever order fields are noted.
    world.peers.store(Self.field("f1", of: old, version: 2))
    world.peers.erase(Self.field("f1", of: old))
    world.peers.failReads { $0 == "GetField" ? Status(.unavailable, "too busy to say what is left") : nil }
    let after = try await world.pull(new, after: before.cursor)
    #expect(after.changes.map(\.id) == ["f1"] && after.changes.allSatisfy(\.removed))
    await world.end()
  }

  @Test(
    "without SignatureService the rest comes, and the fields come later, each once",
    arguments: [StatusCode.unavailable, .unimplemented])
  func away(code: StatusCode) async throws {
    let world = try await AccountWorld()
    let anna = try await world.openForUpload("Anna")[0]
    for number in 0..<3 { world.peers.store(Self.field("f\(number)", of: anna)) }
    let first = try await world.pull(anna)
    #expect(first.changes.count { $0.kind == .field } == 3 && first.omitted.isEmpty)
    // Noted while the service was there, and not fetched before it went.
    for number in 2..<5 { world.peers.store(Self.field("f\(number)", of: anna, version: 2)) }
    let other = try await world.pull(anna)
    #expect(other.changes.count == first.changes.count + 2)
    world.peers.takeFieldsAway(Status(code, "gone"))
    world.peers.store(Self.field("f5", of: anna))
    world.peers.store(ConsentRecord(recordID: "r1", subjectID: anna, state: .inForce))
    let without = try await world.pull(anna, after: first.cursor)
    #expect(without.changes.map(\.id) == ["r1"] && without.omitted == [.field])
    // Again without it, nothing comes twice, and nothing owed is forgotten.
    world.peers.store(ConsentRecord(recordID: "r2", subjectID: anna, state: .inForce))
    let still = try await world.pull(anna, after: without.cursor)
    #expect(still.changes.map(\.id) == ["r2"] && still.omitted == [.field])
    world.peers.takeFieldsAway(nil)
    let rest = try await world.pull(anna, after: still.cursor)
    #expect(rest.changes.map(\.id).sorted() == ["f2", "f3", "f4", "f5"] && rest.omitted.isEmpty)
    #expect(rest.changes.allSatisfy { !$0.removed && !$0.bodies.isEmpty })
    #expect(try await world.pull(anna, after: rest.cursor).changes.isEmpty)
    // A cursor that owes something is one person's like any other.
    var parts = without.cursor.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    #expect(Int64(parts[1]) != nil)
    parts[1] = "0"
    for bad in [without.cursor + "A", parts.joined(separator: ".")] {
      #expect(try await world.pull(anna, after: bad).isResync)
    }
    await world.end()
  }

  @Test(
    "tasks come to the participant, to guardians and to staff with the role, and go once they are theirs no more",
    arguments: TestEngine.allCases)
  func tasks(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Anna", "Greta", "Wim")
    let (anna, greta, wim) = (people[0], people[1], people[2])
    world.peers.happen(
      ConsentEvent(
        kind: .recordEntry, subjectID: anna, recordID: "r1", entry: .given, state: .awaitingSignatures))
    world.peers.happen(ConsentEvent(kind: .guardianChanged, subjectID: anna, guardianID: greta))
    world.peers.set([
      .init(task: Self.task("r1", "participant", of: anna, in: "heart"), person: anna),
      .init(task: Self.task("r1", "guardian", of: anna, in: "heart"), person: greta),
      .init(task: Self.task("r2", "witness", of: "bea", in: "heart"), role: "witness@heart"),
      .init(task: Self.task("r3", "witness", of: "carl", in: "lung"), role: "witness@lung"),
    ])
    func tasks(_ person: String, _ roles: [String] = [], after cursor: String) async throws -> AccountWorld.Pulled {
      let identity = CallerIdentity(kind: .person, tenant: "t1", subject: person, device: "tablet", grants: roles)
      var pulled = AccountWorld.Pulled()
      for try await answer in try world.clients(identity).sync.pullChanges(PullChangesRequest(cursor: cursor)) {
        pulled.changes += answer.changes.filter { $0.kind == .task }
        pulled.cursor = answer.cursor
      }
      return pulled
    }
    let own = try await tasks(anna, after: "")
    #expect(own.changes.map(\.id) == ["r1/participant"])
    let body = try #require(own.changes.first?.bodies.first)
    #expect(try SigningTask(decoding: body.value).studyID == "heart")
    #expect(try await tasks(greta, after: "").changes.map(\.id) == ["r1/guardian"])
    #expect(try await tasks(wim, after: "").changes.isEmpty)
    let staff = try await tasks(wim, ["witness@heart/north", "witness@heart"], after: "")
    #expect(staff.changes.map(\.id) == ["r2/witness"])
    #expect(try await tasks(wim, ["witness@heart"], after: staff.cursor).changes.isEmpty, "nothing is new")
    // A role for the whole tenant asks for the tasks of all studies.
    let wide = try await tasks(wim, ["witness@*", "witness@heart", "witness@lung"], after: staff.cursor)
    #expect(wide.changes.map(\.id) == ["r3/witness"])
    let without = try await tasks(wim, after: wide.cursor)
    #expect(Set(without.changes.map(\.id)) == ["r2/witness", "r3/witness"] && without.changes.allSatisfy(\.removed))
    // Anna signs: the record waits no more, and nobody has a task of it.
    world.peers.set([])
    world.peers.happen(
      ConsentEvent(kind: .recordEntry, subjectID: anna, recordID: "r1", entry: .signed, state: .inForce))
    let signed = try await tasks(anna, after: own.cursor)
    #expect(signed.changes.map(\.id) == ["r1/participant"] && signed.changes.allSatisfy(\.removed))
    await world.end()
  }

  @Test("once somebody is a ward's guardian in no study any more, the ward's tasks are asked for no more")
  func formerGuardian() async throws {
    let world = try await AccountWorld()
    let people = try await world.openForUpload("Anna", "Greta")
    let (anna, greta) = (people[0], people[1])
    world.peers.happen(
      ConsentEvent(
        kind: .recordEntry, subjectID: anna, recordID: "r1", entry: .given, state: .awaitingSignatures))
    let asked = Mutex(0)
    world.peers.meanwhile { effect in
      if effect.method == "ListSigningTasks", effect.person == greta { asked.withLock { $0 += 1 } }
    }
    func asks(after change: String, in study: String) async throws -> Bool {
      world.peers.happen(
        ConsentEvent(kind: .guardianChanged, studyID: study, subjectID: anna, note: change, guardianID: greta))
      asked.withLock { $0 = 0 }
      _ = try await world.pull(greta)
      return asked.withLock { $0 } > 0
    }
    #expect(try await asks(after: "set", in: "heart"))
    #expect(try await asks(after: "set", in: "lung"))
    #expect(try await asks(after: "removed", in: "heart"))
    #expect(try await !asks(after: "removed", in: "lung"))
    #expect(try await asks(after: "set", in: "heart"))
    await world.end()
  }

  @Test("who is signed in is not shown what services have answered to others")
  func answersOfOthers() async throws {
    let world = try await AccountWorld()
    let people = try await world.openForUpload("Anna", "Ben")
    let grants = try await world.grants(of: people)
    world.peers.fail { $0.request == [7] ? Status(.permissionDenied, "role_missing: Anna Ek may not") : nil }
    let items = [[7], [1]].flatMap { request in
      people.map {
        QueueItem(
          itemID: "i\(request[0])-\($0)", personID: $0, method: "assent.consent.v1.RecordService/UpdateSharing",
          request: request)
      }
    }
    let push = PushQueueRequest(items: items, grants: grants)
    let shown = try await world.person(people[1]).sync.pushQueue(push).outcomes
    for outcome in shown where outcome.personID == people[0] {
      #expect(outcome.response.isEmpty && outcome.message.isEmpty && !outcome.itemID.isEmpty)
      #expect(outcome.rule.isEmpty && outcome.code == 0)
    }
    #expect(shown.filter { $0.personID == people[1] && $0.state == .done }.allSatisfy { !$0.response.isEmpty })
    // The device itself, and Anna, hear everything.
    for caller in [world.device("tablet"), world.person(people[0])] {
      let outcomes = try await caller.sync.pushQueue(push).outcomes.filter { $0.personID == people[0] }
      #expect(outcomes.map(\.message) == ["role_missing: Anna Ek may not", ""])
      #expect(outcomes.last?.response.isEmpty == false)
    }
    // Why somebody else has discarded Anna's item is for her as well. Who does so is not told why it had failed.
    let discarded = try await world.admin.sync.discardItem(
      DiscardItemRequest(deviceID: "tablet", itemID: "i7-\(people[0])", personID: people[0], reason: "made twice")
    ).outcome
    #expect(discarded?.state == .discarded && discarded?.reason == "made twice")
    #expect(discarded?.message == "" && discarded?.rule == "" && discarded?.code == 0)
    func reasons(_ caller: AccountClients) async throws -> [String] {
      try await caller.sync.pushQueue(push).outcomes.filter { $0.personID == people[0] }.map(\.reason)
    }
    #expect(try await reasons(world.person(people[1])) == ["", ""])
    #expect(try await reasons(world.device("tablet")) == ["made twice", ""])
    await world.end()
  }

  @Test("who is signed in is told that somebody else has to decide, and what their items wait for, and not why")
  func conflictsOfOthers() async throws {
    let world = try await AccountWorld()
    let people = try await world.openForUpload("Anna", "Ben")
    let grants = try await world.grants(of: people)
    world.peers.fail { _ in Status(.aborted, "sharing_changed_meanwhile: choose again") }
    let item = QueueItem(
      itemID: "a", personID: people[0], method: "assent.consent.v1.SessionService/SubmitOfflineWalk", request: [1])
    func push(_ caller: AccountClients, _ grants: [String]) async throws -> (rule: [String], needs: [String]) {
      let answer = try await caller.sync.pushQueue(PushQueueRequest(items: [item], grants: grants))
      return (answer.outcomes.map(\.rule), answer.blockedBy.map(\.rule))
    }
    let waiting = try await push(world.person(people[1]), [])
    #expect(waiting.rule == ["grant_missing"] && waiting.needs == ["grant_missing"])
    let told = try await push(world.person(people[1]), grants)
    #expect(told.rule == [""] && told.needs == ["conflict"])
    let whole = try await push(world.device("tablet"), grants)
    #expect(whole.rule == ["sharing_changed_meanwhile"] && whole.needs == ["sharing_changed_meanwhile"])
    await world.end()
  }
}
