import AccountContract
import Base
import BenchKit
import ConsentLoad
import RPC
import SignatureContract
import Wire

/// A queue that was recorded offline, beside the same calls made directly.
enum UploadCases {
  private static let inFlight = 64
  private static let part = 1000

  static func measure(_ bench: inout Bench, _ system: SyncSystem) async throws {
    let people = bench.options.number("people", default: 100)
    let count = bench.options.number("items", default: 10_000)
    let device = try await system.device("ward-3", people: people)
    let rounds = Counter()
    let before = try ProcessFigures(process: system.account.id).residentBytes
    await bench.compare(
      "up", "\(count) queued changes of \(people) people", unit: .perSecond,
      ours: { try await perSecond(count) { try await upload(count, rounds.next(), device, system) } },
      peers: ["direct": { try await perSecond(count) { try await call(count, rounds.next(), device, system) } }])
    let after = try ProcessFigures(process: system.account.id).residentBytes
    bench.report(
      "up_memory", "what AccountService holds more after these uploads", unit: .mebibytes,
      value: Double(after - before) / 1_048_576)
  }

  private static func perSecond(_ count: Int, _ work: () async throws -> Void) async rethrows -> Double {
    let start = Clock.system.monotonic
    try await work()
    return Double(count) / (Double((Clock.system.monotonic - start).wholeNanoseconds) / 1e9)
  }

  private static func request(for person: SyncPerson) -> CreateFieldRequest {
    CreateFieldRequest(
      reference: FieldReference(subjectID: person.id), settings: FieldSettings(header: "Sign", required: true))
  }

  /// In parts as a device sends them, one after the other.
  private static func upload(_ count: Int, _ round: Int, _ device: SyncDevice, _ system: SyncSystem) async throws {
    let client = system.sync(device)
    let grants = device.people.map(\.grant)
    for start in stride(from: 0, to: count, by: part) {
      let items = try (start..<min(start + part, count)).map { number in
        let person = device.people[number % device.people.count]
        return QueueItem(
          itemID: "r\(round)-\(number)", personID: person.id,
          method: "assent.signature.v1.SignatureService/CreateField",
          request: try request(for: person).encoded())
      }
      let answer = try await client.pushQueue(
        PushQueueRequest(items: items, grants: grants), deadline: .seconds(120))
      guard answer.outcomes.count == items.count, answer.outcomes.allSatisfy({ $0.state == .done }) else {
        let other = answer.outcomes.first { $0.state != .done }
        throw SyncFailure("an item was not done: \(other.map { "\($0)" } ?? "none")")
      }
    }
  }

  private static func call(_ count: Int, _ round: Int, _ device: SyncDevice, _ system: SyncSystem) async throws {
    let numbers = Counter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<inFlight {
        group.addTask(executorPreference: Callers.thread) {
          while true {
            let number = numbers.next()
            guard number <= count else { return }
            let person = device.people[number % device.people.count]
            let client = SignatureServiceClient(system.channel(.person, person.id, device: device.id))
            _ = try await client.createField(
              request(for: person), options: CallOptions(idempotencyKey: .given("direct-\(round)-\(number)")))
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
