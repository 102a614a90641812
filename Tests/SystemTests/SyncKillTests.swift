import AccountContract
import Base
internal import Bus
import ConsentContract
import RPC
import SignatureContract
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Sync with real processes, each of which is killed at the boundaries of messages and between them.
@Suite(.serialized) struct SyncKillTests {
  /// The games to play, each with people, devices and a tenant of its own: up to ten at once at one installation. For a
  /// night there are as many as ASSENT_TEST_GAMES says, from the seed ASSENT_TEST_SEED on; that alone repeats one.
  private static let games: [ClosedRange<UInt64>] = {
    let asked = number("ASSENT_TEST_SEED")
    let first = asked ?? 1
    let last = first + (number("ASSENT_TEST_GAMES") ?? (asked != nil ? 1 : LongTests.areWanted ? 100 : 5)) - 1
    return stride(from: first, through: last, by: 10).map { $0...min($0 + 9, last) }
  }()
  private static let moves = 100

  private static var isNight: Bool { LongTests.areWanted || number("ASSENT_TEST_GAMES") != nil }

  private static func number(_ name: String) -> UInt64? { Environment.current[name].flatMap { UInt64($0) } }

  @Test(
    "whatever is killed, devices converge, every effect happens once, and nobody is sent another's",
    .timeLimit(.minutes(LongTests.areWanted ? 60 : 10)), arguments: TestEngine.allCases, games)
  func kills(engine: TestEngine, games: ClosedRange<UInt64>) async throws {
    // On PostgreSQL two processes of AccountService share the work.
    let fleet = try await SyncFleet.start(engine, accounts: engine == .postgres ? 2 : 1, keepsEvidence: true)
    let connection = try await fleet.connect()
    // All at once: much of a game is waiting, for processes and for what a killed one had begun.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for seed in games {
        group.addTask { [channel = connection.channel] in
          var game = SyncGame(fleet: fleet, channel: channel, tenant: "game-\(seed)", seed: seed)
          try await game.play(moves: Self.moves)
          if Self.isNight { print("game \(seed) on \(engine): \(game.story)") }
        }
      }
      try await group.waitForAll()
    }
    #expect(await fleet.kills > games.count)
    try await connection.close()
    try await fleet.stop()
  }

  @Test(
    "a stream and an upload that were begun at one replica go on at another, with the same cursor and grant",
    .timeLimit(.minutes(5)))
  func otherReplica() async throws {
    let fleet = try await SyncFleet.start(.postgres, accounts: 2, isApart: true, keepsEvidence: true)
    let connections = [try await fleet.connect(to: 0), try await fleet.connect(to: 1)]
    let people = connections.map { SyncPeople(channel: $0.channel) }
    try await people[0].open(devices: ["tablet"])
    let person = try await people[0].onboard("Ada", device: "tablet")
    let grant = try await people[0].signIn(person, device: "tablet")
    let items = try (0..<120).map { number in
      QueueItem(
        itemID: "i\(number)", personID: person, method: "assent.signature.v1.SignatureService/CreateField",
        request: try CreateFieldRequest(
          reference: FieldReference(subjectID: person), settings: FieldSettings(header: "field \(number)")
        ).encoded())
    }
    // The first replica has carried out a part when it is killed; the device, which knows of nothing, sends everything
    // to the other one.
    let uploading = Task { [first = people[0]] in
      try await SyncServiceClient(first.device("tablet")).pushQueue(
        PushQueueRequest(items: items, grants: [grant]), deadline: .seconds(20))
    }
    let second = SyncServiceClient(people[1].person(person, at: "tablet"))
    try await eventually("a part is carried out", await Self.names(second)) { $0.count > 20 }
    try await fleet.kill(.account(0))
    uploading.cancel()
    _ = await uploading.result
    let answer = try await SyncPeople.retrying { options in
      try await SyncServiceClient(people[1].device("tablet")).pushQueue(
        PushQueueRequest(items: items, grants: [grant]), options: options)
    }
    #expect(answer.outcomes.map(\.itemID) == items.map(\.itemID))
    #expect(answer.outcomes.allSatisfy { $0.state == .done })
    try await fleet.revive(.account(0))
    // A pull that begins at the first replica ends after one message, with its process.
    var copy = SyncCopy()
    var messages = 0
    do {
      let first = SyncServiceClient(people[0].person(person, at: "tablet"))
      let options = CallOptions(deadline: .seconds(20), waitsForReady: true)
      for try await answer in try first.pullChanges(PullChangesRequest(), options: options) {
        copy.take(answer)
        messages += 1
        try await fleet.kill(.account(0))
        break
      }
    }
    #expect(messages == 1 && copy.fieldNames.count < items.count)
    var later = 0
    for try await answer in try second.pullChanges(PullChangesRequest(cursor: copy.cursor), deadline: .seconds(20)) {
      later += answer.changes.count
      copy.take(answer)
    }
    #expect(copy.fieldNames.sorted() == items.indices.map { "field \($0)" }.sorted())
    #expect(later < items.count, "what had come before does not come again")
    for connection in connections { try await connection.close() }
    try await fleet.stop()
  }

  /// The fields that a person has so far.
  private static func names(_ client: SyncServiceClient) async throws -> [String] {
    var copy = SyncCopy()
    for try await answer in try client.pullChanges(PullChangesRequest(), deadline: .seconds(20)) { copy.take(answer) }
    return copy.fieldNames
  }
}
