import Base
import BenchKit
import Storage

/// The measured cases, for either engine.
enum StorageCases {
  static func rows(_ engine: String) -> [String] {
    ["commit", "commit_elsewhere", "read", "read_elsewhere", "read1", "read1_elsewhere", "commit32"].map {
      "\($0)_\(engine)"
    }
  }

  static func compare(_ bench: inout Bench, _ engine: String, _ ours: Contender, _ peer: Peer) async throws {
    try await ours.fill()
    await bench.compare(
      "commit_\(engine)", "one writer, one row a commit", unit: .nanoseconds,
      ours: { try await ours.atHome { try await nanosecondsPerOperation { try await ours.writeOne() } } },
      peers: ["bare_loop": { try await peer.measure("commit") }])
    await bench.compare(
      "commit_elsewhere_\(engine)", "the same, in a task that runs elsewhere", unit: .nanoseconds,
      ours: { try await nanosecondsPerOperation { try await ours.writeOne() } },
      peers: ["bare_loop": { try await peer.measure("commit") }])
    await bench.compare(
      "read_\(engine)", "100 rows by key from one snapshot", unit: .nanoseconds,
      ours: { try await ours.atHome { try await nanosecondsPerOperation { try await ours.readHundred() } } },
      peers: ["bare_loop": { try await peer.measure("read") }])
    await bench.compare(
      "read_elsewhere_\(engine)", "the same, in a task that runs elsewhere", unit: .nanoseconds,
      ours: { try await nanosecondsPerOperation { try await ours.readHundred() } },
      peers: ["bare_loop": { try await peer.measure("read") }])
    await bench.measure("read1_\(engine)", "one row by key, in a snapshot of its own", unit: .nanoseconds) {
      try await ours.atHome { try await nanosecondsPerOperation { try await ours.readOne() } }
    }
    await bench.measure("read1_elsewhere_\(engine)", "the same, elsewhere", unit: .nanoseconds) {
      try await nanosecondsPerOperation { try await ours.readOne() }
    }
    await bench.compare(
      "commit32_\(engine)", "32 writers, per commit; the peer is one bare loop", unit: .nanoseconds,
      ours: { try await commits(by: 32, ours) }, peers: ["bare_loop": { try await peer.measure("commit") }])
  }

  private static func commits(by writers: Int, _ ours: Contender) async throws -> Double {
    let each = 64
    let start = Clock.system.monotonic
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<writers {
        group.addTask { for _ in 0..<each { try await ours.writeOne() } }
      }
      try await group.waitForAll()
    }
    return Double((Clock.system.monotonic - start).wholeNanoseconds) / Double(writers * each)
  }

  private static let depths = [("first", Int64(0)), ("middle", 500_000), ("last", 999_900)]

  static func eventRows(_ engine: String) -> [String] {
    depths.map { "page_\($0.0)_\(engine)" } + ["open_\(engine)"]
  }

  /// Measures the log of a database at a place where there is none yet.
  static func millionEvents(
    _ bench: inout Bench, _ engine: String, _ location: DatabaseLocation, _ keys: MasterKeys
  ) async throws {
    try await Contender(location, keys: keys).lend { ours in
      try await append(&bench, engine, to: ours)
      await pages(&bench, engine, of: ours)
      await bench.measure("open_\(engine)", "open a database of a million events", unit: .nanoseconds) {
        let start = Clock.system.monotonic
        let again = try await Database.open(location, schema: BenchStore.schema, keys: keys)
        let time = Clock.system.monotonic - start
        await again.close()
        return Double(time.wholeNanoseconds)
      }
    }
  }

  private static func append(_ bench: inout Bench, _ engine: String, to ours: Contender) async throws {
    let payload = [UInt8](repeating: 7, count: 64)
    for round in 0..<1000 {
      bench.begin("\(engine): event \(1000 * round) of a million")
      try await ours.scope.write(within: .seconds(60)) { transaction in
        for index in 0..<1000 { transaction.append("bench", payload, to: "stream-\((round + index) % 97)") }
      }
    }
  }

  private static func pages(_ bench: inout Bench, _ engine: String, of ours: Contender) async {
    for (depth, from) in depths {
      await bench.measure(
        "page_\(depth)_\(engine)", "100 of a million events, \(depth) page", unit: .nanoseconds
      ) {
        try await nanosecondsPerOperation {
          let events = try await ours.scope.read { try $0.events(after: from, limit: 100) }
          guard events.count == 100, events.first?.sequence == from + 1 else {
            throw StorageFailure(description: "the page after \(from) has \(events.count) events")
          }
        }
      }
    }
  }

  static func vault(_ bench: inout Bench) async {
    let (key, place) = (SecretKey(), SealPlace("item", "bench", "subject", "name"))
    let plain = [UInt8](repeating: 7, count: 1024)
    await bench.measure("vault_1k", "seal and open 1 KB", unit: .nanoseconds) {
      try nanosecondsPerOperation {
        guard key.open(key.seal(plain, at: place), at: place) == plain else {
          throw StorageFailure(description: "what was sealed does not open")
        }
      }
    }
  }
}

private struct StorageFailure: Error, CustomStringConvertible {
  let description: String
}
