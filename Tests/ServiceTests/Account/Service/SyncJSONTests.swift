import AccountContract
import AccountService
import ConsentContract
import RPC
import StorageTestKit
import TestSupport
import Testing
import Wire

@Suite("Syncing in JSON") struct SyncJSONTests {
  private static let withdraws = "assent.consent.v1.RecordService/WithdrawConsent"

  private static func item(_ id: String, of person: String, _ json: String) -> QueueItem {
    QueueItem(itemID: id, personID: person, method: withdraws, requestJSON: json)
  }

  @Test("an item whose request is JSON is that of the same request in binary, and its answer is JSON")
  func up() async throws {
    let world = try await AccountWorld()
    let anna = try await world.openForUpload("Anna")[0]
    let grants = try await world.grants(of: [anna])
    // One byte more makes the answer of these services a message that is read.
    world.peers.pad(1)
    let request = WithdrawConsentRequest(recordID: "r1", reason: "moved away")
    let json = #"{"recordId": "r1", "reason": "moved away"}"#
    let answer = try await world.push([Self.item("a", of: anna, json)], grants)
    #expect(answer.outcomes.map(\.state) == [.done])
    #expect(answer.outcomes[0].responseJSON == "{}" && answer.outcomes[0].response.isEmpty)
    #expect(world.peers.effects.map(\.request) == [try request.encoded()])
    let repeated = QueueItem(itemID: "a", personID: anna, method: Self.withdraws, request: try request.encoded())
    #expect(try await world.push([repeated], grants).outcomes.map(\.state) == [.done])
    #expect(world.peers.effects.count == 1)
    await world.end()
  }

  @Test("JSON that is no request of the item's method is refused and not kept")
  func refused() async throws {
    let world = try await AccountWorld()
    let anna = try await world.openForUpload("Anna")[0]
    var both = Self.item("c", of: anna, "{}")
    both.request = [1]
    let items = [
      Self.item("a", of: anna, "{"), Self.item("b", of: anna, #"{"recordNumber": 3}"#), both,
    ]
    let outcomes = try await world.push(items, world.grants(of: [anna])).outcomes
    #expect(outcomes.map(\.state) == [.refused, .refused, .refused])
    #expect(outcomes.allSatisfy { $0.rule == "bad_json" }, "\(outcomes.map(\.rule))")
    #expect(outcomes[1].message.contains("recordNumber") && world.peers.effects.isEmpty)
    #expect(try await world.person(anna).sync.listFailedItems(ListFailedItemsRequest()).items.isEmpty)
    await world.end()
  }

  @Test("a list of what failed, and changes, come as JSON where that is asked for")
  func down() async throws {
    let world = try await AccountWorld()
    let anna = try await world.openForUpload("Anna")[0]
    world.peers.fail { _ in Status(.failedPrecondition, "over: this is over") }
    let json = #"{"recordId":"r1"}"#
    _ = try await world.push([Self.item("a", of: anna, json)], world.grants(of: [anna]))
    let client = world.person(anna).sync
    let listed = try await client.listFailedItems(ListFailedItemsRequest(asJSON: true)).items
    #expect(listed.map { $0.item?.requestJSON } == [json] && listed.allSatisfy { $0.item?.request == [] })
    let binary = try await client.listFailedItems(ListFailedItemsRequest()).items
    #expect(binary.map { $0.item?.request } == [try WithdrawConsentRequest(recordID: "r1").encoded()])
    var bodies: [ChangeBody] = []
    for try await answer in try client.pullChanges(PullChangesRequest(asJSON: true)) {
      bodies += answer.changes.flatMap(\.bodies)
    }
    #expect(!bodies.isEmpty && bodies.allSatisfy { $0.value.isEmpty && $0.json.hasPrefix("{") }, "\(bodies)")
    let outcome = try #require(bodies.first { $0.type == ItemOutcome.messageName })
    #expect(try ItemOutcome(json: outcome.json).item?.requestJSON == json)
    await world.end()
  }
}
