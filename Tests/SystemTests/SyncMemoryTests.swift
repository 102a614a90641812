import AccountContract
import Base
internal import Bus
import RPC
import StorageTestKit
import Synchronization
import TestSupport
import Testing
import Wire

/// What AccountService holds while a device syncs does not grow with what there is to sync.
@Suite(.serialized) struct SyncMemoryTests {
  private static let parts = 12
  private static let itemsOfPart = 1000
  private static let bytesOfItem = 8000

  @Test("ninety mebibytes go up, and AccountService holds no more than a fraction of them", .timeLimit(.minutes(5)))
  func bounded() async throws {
    let fleet = try await SyncFleet.start(.sqlite)
    let connection = try await fleet.connect()
    let people = SyncPeople(channel: connection.channel)
    try await people.open(devices: ["tablet"])
    let person = try await people.onboard("Ada", device: "tablet")
    let grant = try await people.signIn(person, device: "tablet")
    let process = try #require(await fleet.process(.account(0)))
    // What a first sync leaves behind for the next ones is not this one's.
    try await push(people, person, grant, part: 0)
    #expect(try await pull(people, person) == Self.itemsOfPart)
    let before = try Self.resident(process)
    let peak = Mutex(before)
    let watching = Task {
      while !Task.isCancelled {
        if let now = try? Self.resident(process) { peak.withLock { $0 = max($0, now) } }
        try? await Task.sleep(for: .milliseconds(10))
      }
    }
    for part in 1..<Self.parts { try await push(people, person, grant, part: part) }
    #expect(try await pull(people, person) == Self.parts * Self.itemsOfPart)
    watching.cancel()
    await watching.value
    let growth = (peak.withLock { $0 } - before) >> 20
    // A debug build on a busy machine takes up to 49 MiB, where the figures of a release are held to 32.
    #expect(growth <= 60, "\(growth) MiB more than after the first part")
    try await connection.close()
    try await fleet.stop()
  }

  /// Items that cannot be carried out are kept for their person, and each is a change that comes down.
  private func push(_ people: SyncPeople, _ person: String, _ grant: String, part: Int) async throws {
    let items = (0..<Self.itemsOfPart).map { number in
      QueueItem(
        itemID: "i\(part)-\(number)", personID: person, method: "no.such.Service/Method",
        request: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: Self.bytesOfItem))
    }
    let answer = try await SyncServiceClient(people.device("tablet")).pushQueue(
      PushQueueRequest(items: items, grants: [grant]), deadline: .seconds(60))
    #expect(answer.outcomes.allSatisfy { $0.rule == "unknown_method" })
  }

  private func pull(_ people: SyncPeople, _ person: String) async throws -> Int {
    let client = SyncServiceClient(people.person(person, at: "tablet"))
    var count = 0
    for try await answer in try client.pullChanges(PullChangesRequest(), deadline: .seconds(120)) {
      count += answer.changes.count { $0.kind == .item }
    }
    return count
  }

  private static func resident(_ process: Int32) throws -> Int {
    let status = String(decoding: try Files.read("/proc/\(process)/status"), as: UTF8.self)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) }) << 10
  }
}
