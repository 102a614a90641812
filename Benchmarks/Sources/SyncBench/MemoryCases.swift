import AccountContract
import Base
import BenchKit
import RPC
import Synchronization
import Wire

/// What AccountService holds at most while one device syncs, beside what it held before.
enum MemoryCases {
  private static let part = 1000

  static func rows(_ options: Options) -> [String] { counts(options).map { "memory_\($0)" } }

  private static func counts(_ options: Options) -> [Int] { [part, options.number("kept", default: 50_000)] }

  static func measure(_ bench: inout Bench, _ system: SyncSystem) async throws {
    for count in counts(bench.options) {
      let device = try await system.device("ward-m\(count)", people: 1)
      guard let person = device.people.first else { throw SyncFailure("nobody is on the device") }
      let before = try ProcessFigures(process: system.account.id).residentBytes
      let peak = try await highest(of: system.account.id) {
        for start in stride(from: 0, to: count, by: part) {
          try await push(start..<min(start + part, count), person, device, system)
        }
        var got = 0
        let changes = try system.sync(person, at: device).pullChanges(PullChangesRequest(), deadline: .seconds(300))
        for try await answer in changes { got += answer.changes.count { $0.kind == .item } }
        guard got == count else { throw SyncFailure("\(got) of \(count) items came back") }
      }
      bench.report(
        "memory_\(count)",
        "the most that AccountService held beyond before, while \(count) items went up and came down",
        unit: .mebibytes, value: Double(max(0, peak - before)) / 1_048_576)
    }
  }

  private static func push(
    _ numbers: Range<Int>, _ person: SyncPerson, _ device: SyncDevice, _ system: SyncSystem
  ) async throws {
    let items = numbers.map { number in
      QueueItem(
        itemID: "kept-\(number)", personID: person.id, method: "no.such.Service/Method",
        request: [UInt8](repeating: 7, count: 2000))
    }
    _ = try await system.sync(device).pushQueue(
      PushQueueRequest(items: items, grants: [person.grant]), deadline: .seconds(120))
  }

  /// The highest resident size of a process while something is done, looked at every ten milliseconds.
  private static func highest(of process: Int32, while work: () async throws -> Void) async throws -> Int {
    let peak = Mutex(try ProcessFigures(process: process).residentBytes)
    let watching = Task {
      while !Task.isCancelled {
        if let now = try? ProcessFigures(process: process).residentBytes { peak.withLock { $0 = max($0, now) } }
        try? await Task.sleep(for: .milliseconds(10))
      }
    }
    defer { watching.cancel() }
    try await work()
    return peak.withLock { $0 }
  }
}
