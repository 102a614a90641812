import AccountContract
import AccountService
import ConsentContract
import StorageTestKit
import Testing
import Wire

/// ConsentService goes on from a backup, and gives numbers to events that others had before.
@Suite("After another service's database was restored", .timeLimit(.minutes(5))) struct RestoredServiceTests {
  @Test("what has happened since comes down, and what is lost stays at no device", arguments: TestEngine.allCases)
  func changes(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    for number in 0..<100 { world.peers.store(ConsentRecord(recordID: "r\(number)", subjectID: anna)) }
    let first = try await world.pull(anna)
    world.peers.restoreEvents(upTo: 60)
    for number in 200..<280 { world.peers.store(ConsentRecord(recordID: "r\(number)", subjectID: anna)) }
    let then = try await world.pull(anna, after: first.cursor)
    let present = then.changes.filter { $0.kind == .record && !$0.removed }.map(\.id)
    #expect(then.isResync && Set(present) == Set((Array(0..<60) + Array(200..<280)).map { "r\($0)" }))
    world.peers.store(ConsentRecord(recordID: "r300", subjectID: anna))
    let last = try await world.pull(anna, after: then.cursor)
    #expect(!last.isResync && last.changes.map(\.id) == ["r300"])
    await world.end()
  }

  @Test("a withdrawal that was lost and made again is unseen", arguments: TestEngine.allCases, [false, true])
  func withdrawal(engine: TestEngine, isFollowed: Bool) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    let grants = try await world.grants(of: [anna])
    world.peers.happen(ConsentEvent(kind: .sessionStarted, subjectID: anna, sessionID: "s1"))
    let withdrawn = ConsentEvent(kind: .recordEntry, subjectID: anna, recordID: "r1", entry: .withdrawn)
    world.peers.happen(withdrawn)
    var item = QueueItem(
      itemID: "a", personID: anna, method: "assent.consent.v1.SessionService/SubmitOfflineWalk",
      request: try SubmitOfflineWalkRequest(sessionID: "s1").encoded())
    item.seen = try await world.pull(anna).cursor
    world.peers.restoreEvents(upTo: 1)
    world.peers.happen(withdrawn)
    if isFollowed { _ = try await world.pull(anna) }
    let answer = try await world.push([item], grants)
    #expect(answer.outcomes.map(\.state) == [.done] && world.peers.effects.map(\.isOvertaken) == [true])
    await world.end()
  }
}
