import AccountContract
import AccountService
import ConsentContract
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing

@Suite("Telling devices that there is something to fetch", .timeLimit(.minutes(2))) struct DeviceWatchTests {
  @Test("a person hears of what is new after their cursor, wherever it happened", arguments: TestEngine.allCases)
  func changes(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let people = try await world.openForUpload("Anna", "Ben")
    let cursor = try await world.pull(people[0]).cursor
    let stream = try world.person(people[0]).sync.watchDevice(WatchDeviceRequest(cursor: cursor))
    defer { stream.cancel() }
    var answers = stream.makeAsyncIterator()
    let first = try #require(try await answers.next())
    #expect(Set(first.people?.personIDs ?? []) == Set(people) && !first.changes)
    // At ConsentService, whose log this service reads while somebody watches.
    world.peers.store(ConsentRecord(recordID: "r1", subjectID: people[0]))
    let second = try #require(try await answers.next())
    #expect(second.changes && second.people == nil)
    let changes = try await world.pull(people[0], after: cursor).changes
    #expect(changes.map(\.id) == ["r1"])
    // Here.
    _ = try await world.admin.admin.grantRole(GrantRoleRequest(personID: people[0], role: "witness@heart"))
    #expect(try await answers.next()?.changes == true)
    await world.end()
  }

  @Test("everything is still to fetch for a cursor that cannot be read, and for none", arguments: ["", "made up"])
  func cursors(cursor: String) async throws {
    let world = try await AccountWorld()
    let anna = try await world.openForUpload("Anna")[0]
    let stream = try world.person(anna).sync.watchDevice(WatchDeviceRequest(cursor: cursor))
    defer { stream.cancel() }
    for try await answer in stream {
      #expect(answer.changes)
      break
    }
    await world.end()
  }

  @Test("a device without anybody hears who is on its list, and the stream ends when it is wiped")
  func device() async throws {
    let world = try await AccountWorld()
    let people = try await world.openForUpload("Anna", "Ben")
    let stream = try world.device("tablet").sync.watchDevice(WatchDeviceRequest())
    defer { stream.cancel() }
    var answers = stream.makeAsyncIterator()
    let first = try #require(try await answers.next())
    #expect(Set(first.people?.personIDs ?? []) == Set(people) && !first.changes)
    _ = try await world.person(people[1]).people.removePerson(RemovePersonRequest(personID: people[1]))
    let second = try #require(try await answers.next())
    #expect(second.people?.personIDs == [people[0]])
    _ = try await world.admin.admin.wipeDevice(WipeDeviceRequest(deviceID: "tablet"))
    await expectRefusal(.failedPrecondition, "device_wiped") {
      while try await answers.next() != nil {}
    }
    await world.end()
  }
}
