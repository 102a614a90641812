import AccountContract
import AccountService
import ConsentContract
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing

@Suite("Items that build on somebody else's") struct UploadAfterTests {
  private static func item(_ id: String, of person: String, after other: ItemName? = nil) -> QueueItem {
    QueueItem(
      itemID: id, personID: person, method: "assent.consent.v1.SessionService/SignRecord", request: Array(id.utf8),
      after: other)
  }

  private func states(_ answer: PushQueueResponse) -> [String] {
    answer.outcomes.map { $0.state == .done ? "done" : "\($0.state) \($0.rule)" }
  }

  @Test(
    "both are done by one upload, one after the other, in whatever order they stand", arguments: TestEngine.allCases)
  func together(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Anna", "Ben", "Carl")
    let grants = try await world.grants(of: people)
    let items = [
      Self.item("c", of: people[2], after: ItemName(personID: people[1], itemID: "b")),
      Self.item("b", of: people[1], after: ItemName(personID: people[0], itemID: "a")),
      Self.item("a0", of: people[0]), Self.item("a", of: people[0]),
    ]
    #expect(states(try await world.push(items, grants)) == [String](repeating: "done", count: 4))
    #expect(world.peers.effects.map { String(decoding: $0.request, as: UTF8.self) } == ["a0", "a", "b", "c"])
    #expect(states(try await world.push(items, grants)) == [String](repeating: "done", count: 4))
    #expect(world.peers.effects.count == 4)
    await world.end()
  }

  @Test("until the other is done it waits, and holds up nothing else of its person's", arguments: TestEngine.allCases)
  func waiting(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Anna", "Ben")
    let grants = try await world.grants(of: people)
    let other = ItemName(personID: people[0], itemID: "a")
    let items = [
      Self.item("a", of: people[0]), Self.item("b1", of: people[1], after: other), Self.item("b2", of: people[1]),
      Self.item("b3", of: people[1], after: ItemName(personID: people[1], itemID: "b1")),
    ]
    let first = try await world.push(items, [grants[1]])
    #expect(states(first) == ["waiting grant_missing", "waiting waits_for_item", "done", "waiting waits_for_item"])
    #expect(first.blockedBy.map(\.person?.personID) == [people[0]])
    // Anna's comes up alone, and then what waited for it, in several parts of one sync.
    let parts = [[items[0]], [items[1]], [items[3]]]
    for part in parts { #expect(states(try await world.push(part, grants)) == ["done"]) }
    #expect(world.peers.effects.map { String(decoding: $0.request, as: UTF8.self) } == ["b2", "a", "b1", "b3"])
    await world.end()
  }

  @Test("once the other has failed it fails too, and is retried after the other was")
  func failing() async throws {
    let world = try await AccountWorld()
    let people = try await world.openForUpload("Anna", "Ben")
    let grants = try await world.grants(of: people)
    world.peers.fail { $0.request == Array("a".utf8) ? Status(.permissionDenied, "role_missing: not yours") : nil }
    let items = [
      Self.item("a", of: people[0]),
      Self.item("b", of: people[1], after: ItemName(personID: people[0], itemID: "a")),
      Self.item("own", of: people[1], after: ItemName(personID: people[1], itemID: "b")),
    ]
    let answer = try await world.push(items, grants)
    #expect(
      states(answer) == ["failed role_missing", "failed item_before_failed", "failed item_before_failed"])
    let ben = world.person(people[1], at: "tablet").sync
    let kept = try await ben.listFailedItems(ListFailedItemsRequest()).items
    #expect(kept.map(\.retryable) == [true, true] && kept.map(\.item?.after?.itemID) == ["a", "b"])
    world.peers.fail { _ in nil }
    let retried = try await ben.retryItem(RetryItemRequest(deviceID: "tablet", itemID: "b")).outcome
    #expect(retried?.state == .done)
    await world.end()
  }
}
