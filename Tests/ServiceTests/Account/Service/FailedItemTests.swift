import AccountContract
import AccountService
import Base
import ConsentContract
import RPC
import StorageTestKit
import TestSupport
import Testing
import Wire

/// What failed is complete, in order, and says what it was.
@Suite("Items that failed", .timeLimit(.minutes(3))) struct FailedItemTests {
  private static let sharing = "assent.consent.v1.RecordService/UpdateSharing"

  private static func item(_ id: String, of person: String, _ request: [UInt8] = [1]) -> QueueItem {
    QueueItem(
      itemID: id, personID: person, method: sharing, request: request, deviceTime: Timestamp(AccountWorld.start))
  }

  @Test(
    "the list is the model's at each page size: oldest first, of all devices and of merged accounts",
    arguments: TestEngine.allCases)
  func model(engine: TestEngine) async throws {
    var generator = SeededGenerator(seed: 46)
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Old", "New")
    try await world.register("phone")
    let grants = try await world.grants(of: people)
    world.peers.fail { $0.request == [1] ? nil : Status(.permissionDenied, "role_missing: not yours to do") }
    var model: [String] = []
    var number = 0
    for _ in 0..<12 {
      let items = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
        number += 1
        // Identifiers that are not in the order of arrival.
        let id = "i\(Int.random(in: 0..<1000, using: &generator))-\(number)"
        let request = [UInt8.random(in: 1...3, using: &generator)]
        return Self.item(id, of: people.randomElement(using: &generator) ?? "", request)
      }
      _ = try await world.push(items, grants)
      model += items.filter { $0.request != [1] }.map { "\($0.personID)/\($0.itemID)" }
      world.clock.move(by: .milliseconds(1))
    }
    _ = try await world.admin.admin.mergePeople(MergePeopleRequest(personID: people[0], intoPersonID: people[1]))
    let sync = world.person(people[1]).sync
    for size in [1, 2, 3, 7, 10, model.count - 1, model.count, model.count + 1, 1000] {
      var (listed, token, pages) = ([String](), "", 0)
      repeat {
        let page = try await sync.listFailedItems(ListFailedItemsRequest(pageSize: Int32(size), pageToken: token))
        listed += page.items.map { "\($0.personID)/\($0.itemID)" }
        (token, pages) = (page.nextPageToken, pages + 1)
      } while !token.isEmpty
      #expect(listed == model, "at \(size)")
      #expect(pages == (model.count + size - 1) / size)
    }
    await world.end()
  }

  @Test("a page of large requests ends early, and nothing is left out")
  func large() async throws {
    let world = try await AccountWorld()
    let anna = try await world.openForUpload("Anna")[0]
    let grants = try await world.grants(of: [anna])
    world.peers.fail { _ in Status(.permissionDenied, "role_missing: not yours to do") }
    let request = [UInt8](repeating: 7, count: 700 << 10)
    _ = try await world.push((0..<5).map { Self.item("i\($0)", of: anna, request) }, grants)
    var (sizes, listed, token) = ([Int](), [String](), "")
    repeat {
      let page = try await world.person(anna).sync.listFailedItems(ListFailedItemsRequest(pageToken: token))
      (sizes, listed, token) = (sizes + [page.items.count], listed + page.items.map(\.itemID), page.nextPageToken)
    } while !token.isEmpty
    #expect(sizes == [2, 2, 1] && listed == ["i0", "i1", "i2", "i3", "i4"])
    await world.end()
  }

  @Test("an outcome has the item, and its words in the person's language, wherever its person gets it")
  func whole() async throws {
    let world = try await AccountWorld()
    let people = try await world.openForUpload("Anna", "Ben")
    let grants = try await world.grants(of: people)
    world.peers.fail { _ in Status(.permissionDenied, "role_missing: not yours to do") }
    let item = Self.item("a", of: people[0], [5, 6])
    #expect(try await world.push([item], grants).outcomes.map(\.item) == [nil])
    let anna = world.person(people[0])
    let listed = try await anna.sync.listFailedItems(ListFailedItemsRequest(locale: "de")).items
    #expect(listed.map(\.item) == [item] && listed.map(\.title) == ["Eine Wahl, was geteilt wird"])
    #expect(listed.map(\.description) == ["Ihnen fehlte das Recht dazu."])
    let changes = try await world.pull(people[0]).changes.filter { $0.kind == .item }
    #expect(try changes.flatMap(\.bodies).map { try ItemOutcome(decoding: $0.value).item } == [item])
    func view(_ caller: AccountClients, _ kind: AccountViewKind) async throws -> AccountView? {
      try await caller.views.getAccountView(GetAccountViewRequest(kind: kind, locale: "de")).view
    }
    let shown = try await view(anna, .failedItems)
    #expect(shown?.items.map(\.outcome) == listed && shown?.nextPageToken == "")
    #expect(shown?.items.flatMap(\.buttons).map(\.action) == [.retryItem, .discardItem])
    #expect(try await view(anna, .syncDone)?.buttons.map(\.action) == [.decide, .done])
    // Nobody else gets them.
    #expect(try await view(world.person(people[1]), .failedItems)?.items == [])
    #expect(try await view(world.person(people[1]), .syncDone)?.buttons.map(\.action) == [.done])
    #expect(try await view(world.device("tablet"), .syncDone)?.buttons.map(\.action) == [.done])
    await expectRefusal(.permissionDenied, "no_person") { try await view(world.device("tablet"), .failedItems) }
    let again = try await anna.sync.retryItem(RetryItemRequest(deviceID: "tablet", itemID: "a")).outcome
    #expect(again?.item == item)
    await world.end()
  }

  @Test("once an item waits, its person's items in later parts of the same sync wait too, and nobody else's")
  func parts() async throws {
    let world = try await AccountWorld()
    let people = try await world.openForUpload("Anna", "Ben")
    let grants = try await world.grants(of: people)
    world.peers.fail { $0.request == [2] ? Status(.unavailable, "database_unavailable: not now") : nil }
    let first = [Self.item("a", of: people[0], [2]), Self.item("b", of: people[1])]
    let second = [Self.item("c", of: people[0]), Self.item("d", of: people[1])]
    func sync(_ parts: [[QueueItem]]) async throws -> [[String]] {
      let call = world.person(people[1]).sync.sync()
      for part in parts {
        try await call.requests.send(SyncRequest(step: .push(PushQueueRequest(items: part, grants: grants))))
      }
      call.requests.finish()
      var answers: [[String]] = []
      for try await answer in call.responses {
        if case .pushed(let pushed) = answer.step {
          answers.append(pushed.outcomes.map { $0.state == .done ? "done" : $0.rule })
        }
      }
      return answers
    }
    let waits = "waits_in_order"
    #expect(
      try await sync([first, second, second]) == [
        ["database_unavailable", "done"], [waits, "done"], [waits, "done"],
      ])
    #expect(world.peers.effects.allSatisfy { $0.person == people[1] })
    world.peers.fail { _ in nil }
    #expect(try await sync([first, second]) == [["done", "done"], ["done", "done"]])
    // Sent again with what it waited for, in the same sync, nothing waits behind it any more.
    let third = [Self.item("e", of: people[0]), Self.item("f", of: people[0])]
    let call = world.person(people[1]).sync.sync()
    for (items, own) in [(third, []), (third, grants)] {
      try await call.requests.send(SyncRequest(step: .push(PushQueueRequest(items: items, grants: own))))
    }
    call.requests.finish()
    var states: [[ItemState]] = []
    for try await answer in call.responses {
      if case .pushed(let pushed) = answer.step { states.append(pushed.outcomes.map(\.state)) }
    }
    #expect(states == [[.waiting, .waiting], [.done, .done]])
    await world.end()
  }
}
