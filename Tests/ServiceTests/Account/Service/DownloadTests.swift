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

@Suite("Bringing changes down") struct DownloadTests {
  @Test("changes come from a cursor on, once each, as the person sees them", arguments: TestEngine.allCases)
  func changes(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Anna", "Ben")
    for number in 0..<240 {
      world.peers.store(ConsentRecord(recordID: "r\(number)", subjectID: people[number % 2], state: .inForce))
    }
    let first = try await world.pull(people[0])
    #expect(Set(first.changes.filter { $0.kind == .record }.map(\.id)) == Set((0..<120).map { "r\($0 * 2)" }))
    #expect(first.changes.allSatisfy { !$0.removed && !$0.bodies.isEmpty } && first.changes.count == 121)
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
    #expect(page.changes.count + rest.changes.count == 121)
    #expect(Set(page.changes.map(\.id)).isDisjoint(with: rest.changes.map(\.id)))
    await world.end()
  }

  @Test("a record comes anew when its signed copy has come further", arguments: TestEngine.allCases)
  func copies(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    var record = ConsentRecord(recordID: "r1", subjectID: anna, state: .inForce)
    record.signedCopy = SignedCopy(state: .sealing)
    world.peers.store(record)
    let first = try await world.pull(anna)
    record.signedCopy = SignedCopy(state: .sealed, hash: "ab")
    world.peers.store(record, by: .signedCopyChanged)
    let next = try await world.pull(anna, after: first.cursor)
    #expect(next.changes.map(\.id) == ["r1"])
    let copy = try ConsentRecord(decoding: next.changes.first?.bodies.first?.value ?? []).signedCopy
    #expect(copy == record.signedCopy)
    await world.end()
  }

  @Test("by a cursor of somebody else's or made up everything comes", arguments: TestEngine.allCases)
  func cursors(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Anna", "Ben")
    let whole = try await world.pull(people[0])
    let cursor = whole.cursor
    var parts = cursor.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    #expect(!whole.isResync)
    parts[0] = "0"
    for bad in [
      cursor + "A", parts.joined(separator: "."), "0.\(cursor)", "0.x", "-1.x", "1", ".", ".....",
      String(repeating: "c", count: 9999),
    ] {
      let anew = try await world.pull(people[0], after: bad)
      #expect(anew.isResync && anew.changes == whole.changes, "\(bad.prefix(100))")
    }
    let other = try await world.pull(people[1], after: cursor)
    #expect(other.isResync && other.changes.map(\.id) == [people[1]])
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

  @Test(
    "a session that cannot be walked without a connection comes without a table, and stops nothing behind it",
    arguments: [
      Status(.failedPrecondition, "conditional_steps: steps[b] is shown depending on answers"),
      Status(.failedPrecondition, "client_too_old: client_schema is 2"),
      Status(.aborted, "text_changed: read it again"),
      Status(.invalidArgument, "table_too_large: the flow has more than 2000 screens"),
      Status(.failedPrecondition, "draft_changed: the session walks a draft that was changed meanwhile"),
    ])
  func sessionsWithoutTable(status: Status) async throws {
    let world = try await AccountWorld()
    let anna = try await world.openForUpload("Anna")[0]
    world.peers.store(SessionView(sessionID: "s1", version: 1), of: anna)
    let first = try await world.pull(anna)
    let types = try #require(first.changes.first { $0.kind == .session }).bodies.map(\.type)
    #expect(types == ["assent.consent.v1.SessionView", "assent.consent.v1.OfflineBundle"])
    world.peers.failReads { $0 == "GetOfflineBundle" ? status : nil }
    world.peers.store(SessionView(sessionID: "s1", version: 2), of: anna)
    world.peers.store(ConsentRecord(recordID: "r1", subjectID: anna, state: .inForce))
    let second = try await world.pull(anna, after: first.cursor)
    #expect(second.changes.map(\.id) == ["s1", "r1"] && second.changes.allSatisfy { !$0.removed })
    let bodies = try #require(second.changes.first).bodies
    #expect(bodies.map(\.type) == ["assent.consent.v1.SessionView"])
    #expect(try SessionView(decoding: bodies.first?.value ?? []).version == 2)
    #expect(try await world.pull(anna, after: second.cursor).changes.isEmpty)
    await world.end()
  }

  @Test("sessions and their tables come for the screens that the client knows")
  func schemas() async throws {
    let world = try await AccountWorld()
    let anna = try await world.openForUpload("Anna")[0]
    world.peers.store(SessionView(sessionID: "s1", version: 1), of: anna)
    for schema: Int32 in [0, 3] {
      for try await _ in try world.person(anna).sync.pullChanges(PullChangesRequest(clientSchema: schema)) {}
    }
    #expect(world.peers.schemas == [0, 0, 3, 3])
    await world.end()
  }

  @Test("a test session whose draft was changed so that nobody can show it is gone, and stops nothing behind it")
  func changedDraft() async throws {
    let world = try await AccountWorld()
    let anna = try await world.openForUpload("Anna")[0]
    world.peers.failReads { method in
      method == "GetSession" ? Status(.failedPrecondition, "draft_changed: start another one") : nil
    }
    world.peers.store(SessionView(sessionID: "s1", version: 1, test: true), of: anna)
    world.peers.store(ConsentRecord(recordID: "r1", subjectID: anna, state: .inForce))
    let changes = try await world.pull(anna).changes.filter { $0.kind != .profile }
    #expect(changes.map(\.id) == ["s1", "r1"] && changes.map(\.removed) == [true, false])
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
