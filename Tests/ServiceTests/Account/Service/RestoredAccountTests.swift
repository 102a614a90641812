import AccountContract
import AccountService
import Base
import ConsentContract
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// AccountService goes on from a backup, and gives numbers to changes that others had before.
@Suite("After AccountService's own database was restored", .timeLimit(.minutes(5))) struct RestoredAccountTests {
  private static func backUp(_ world: AccountWorld) async throws -> String {
    let archive = world.test.folder.file("backup.assent")
    _ = try await world.test.database.backup(to: archive)
    return archive
  }

  /// Changes a profile, which takes a number each time.
  private static func rename(_ person: String, _ times: Int, in world: AccountWorld) async throws {
    let people = world.person(person).people
    for _ in 0..<times {
      let profile = try #require(try await people.getProfile(GetProfileRequest()).profile)
      _ = try await people.updateProfile(UpdateProfileRequest(profile: profile))
    }
  }

  @Test("a cursor from the time that is lost gets everything again", arguments: TestEngine.allCases)
  func cursor(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    let kept = try await world.pull(anna)
    let archive = try await Self.backUp(world)
    for number in 0..<10 { world.peers.store(ConsentRecord(recordID: "r\(number)", subjectID: anna)) }
    try await Self.rename(anna, 5, in: world)
    let lost = try await world.pull(anna)
    await world.end()
    let restored = try await AccountWorld(restoring: archive, of: world)
    for number in 10..<30 { world.peers.store(ConsentRecord(recordID: "r\(number)", subjectID: anna)) }
    // Another device's pull numbers changes past the cursor.
    _ = try await restored.pull(anna)
    let then = try await restored.pull(anna, after: lost.cursor)
    let records = Set(then.changes.filter { $0.kind == .record && !$0.removed }.map(\.id))
    #expect(then.isResync && records == Set((0..<30).map { "r\($0)" }))
    let last = try await restored.pull(anna, after: then.cursor)
    #expect(!last.isResync && last.changes.isEmpty)
    // One from before the backup goes on.
    let next = try await restored.pull(anna, after: kept.cursor)
    #expect(!next.isResync && Set(next.changes.map(\.id)) == records)
    await restored.end()
  }

  @Test("a withdrawal that a person has not seen is not taken for one of the time that is lost")
  func seen() async throws {
    let world = try await AccountWorld()
    let anna = try await world.openForUpload("Anna")[0]
    let grants = try await world.grants(of: [anna])
    world.peers.happen(ConsentEvent(kind: .sessionStarted, subjectID: anna, sessionID: "s1"))
    let archive = try await Self.backUp(world)
    try await Self.rename(anna, 10, in: world)
    var item = QueueItem(
      itemID: "a", personID: anna, method: "assent.consent.v1.SessionService/SubmitOfflineWalk",
      request: try SubmitOfflineWalkRequest(sessionID: "s1").encoded())
    item.seen = try await world.pull(anna).cursor
    await world.end()
    let restored = try await AccountWorld(restoring: archive, of: world)
    world.peers.happen(ConsentEvent(kind: .recordEntry, subjectID: anna, recordID: "r1", entry: .withdrawn))
    _ = try await restored.pull(anna)
    try await Self.rename(anna, 20, in: restored)
    let answer = try await restored.push([item], grants)
    #expect(answer.outcomes.map(\.state) == [.done] && world.peers.effects.map(\.isOvertaken) == [true])
    // What was seen since counts.
    (item.itemID, item.seen) = ("b", try await restored.pull(anna).cursor)
    #expect(try await restored.push([item], grants).outcomes.map(\.state) == [.done])
    await restored.end()
  }

  @Test("keys that were revoked and devices that were wiped do not come back", arguments: TestEngine.allCases)
  func takenBack(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    func register(_ name: String) async throws -> RegisterDeviceResponse {
      let wanted = AccountDevice(name: name)
      return try await world.admin.devices.registerDevice(RegisterDeviceRequest(device: wanted))
    }
    let (made, kept) = (try await register("Ward 4"), try await register("Ward 5"))
    let lost = try #require(made.device?.deviceID)
    func key(_ name: String) async throws -> String {
      let wanted = ApiKey(name: name, kind: .device)
      let made = try await world.admin.keys.createApiKey(CreateApiKeyRequest(apiKey: wanted))
      return try #require(made.apiKey?.apiKeyID)
    }
    let (leaked, good) = (try await key("leaked"), try await key("good"))
    let archive = try await Self.backUp(world)
    try await world.register("later")
    for id in [lost, "tablet", "later"] {
      _ = try await world.admin.admin.wipeDevice(WipeDeviceRequest(deviceID: id))
    }
    _ = try await world.admin.keys.revokeApiKey(RevokeApiKeyRequest(apiKeyID: leaked))
    // The list is completed from the database when that is opened.
    let list = world.test.folder.file("list")
    let opened = try await Database.open(
      world.test.location, schema: world.test.schema, keys: world.test.keys, erasures: try ErasureList(list),
      clock: world.clock.clock)
    await opened.close()
    await world.end()
    let restored = try await AccountWorld(restoring: archive, of: world, erasures: list)
    func authenticate(_ made: RegisterDeviceResponse) async throws {
      _ = try await restored.device("other").devices.authenticateDevice(
        AuthenticateDeviceRequest(deviceID: made.device?.deviceID ?? "", proof: .secret(made.secret)))
    }
    await expectRefusal(.failedPrecondition, "device_wiped") { try await authenticate(made) }
    try await authenticate(kept)
    await expectRefusal(.failedPrecondition, "device_wiped") { try await restored.signIn(anna) }
    // One that the backup does not know cannot be registered anew under its name.
    await expectRefusal(.alreadyExists, "device_exists") { try await restored.register("later") }
    let keys = try await restored.admin.keys.listApiKeys(ListApiKeysRequest()).apiKeys
    #expect(Set(keys.filter { $0.revokedAt == nil }.map(\.apiKeyID)) == [good])
    #expect(Set(keys.map(\.apiKeyID)) == [leaked, good])
    let events = try await restored.events()
    #expect(events.filter { $0.kind == .deviceWiped }.count == 2 && events.contains { $0.kind == .apiKeyRevoked })
    await restored.end()
  }

  @Test("while everything is sent anew, a broken stream goes on where it ended", arguments: TestEngine.allCases)
  func interrupted(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.openForUpload("Anna")[0]
    for number in 0..<230 { world.peers.store(ConsentRecord(recordID: "r\(number)", subjectID: anna)) }
    let before = try await world.pull(anna).cursor
    func firstPage(after cursor: String) async throws -> PullChangesResponse {
      let request = PullChangesRequest(cursor: cursor)
      var answers = try world.person(anna).sync.pullChanges(request).makeAsyncIterator()
      return try #require(try await answers.next())
    }
    // ConsentService was restored, so every device gets everything again: what is gone as well.
    world.peers.restoreEvents(upTo: 10)
    let first = try await firstPage(after: before)
    #expect(first.resync && first.changes.count == 100)
    let second = try await firstPage(after: first.cursor)
    #expect(!second.resync && second.changes.count == 100)
    let rest = try await world.pull(anna, after: second.cursor)
    #expect(!rest.isResync)
    let all = first.changes + second.changes + rest.changes
    let present = all.filter { $0.kind == .record && !$0.removed }.map(\.id)
    #expect(all.count == 231 && present.sorted() == (0..<10).map { "r\($0)" })
    #expect(try await world.pull(anna, after: rest.cursor).changes.isEmpty)
    // What may have been forgotten since the beginning of the stream is no longer in it.
    world.peers.restoreEvents(upTo: 5)
    #expect(try await firstPage(after: first.cursor).resync)
    await world.end()
  }
}
