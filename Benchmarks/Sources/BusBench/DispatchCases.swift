import Base
import BenchKit
import Bus
import InteropContract
import RPC

/// Whether twice as many workers do twice the work: calls that only wait 5 ms, spread over workers of one slot each.
enum DispatchCases {
  private static let counts = [4, 16, 64]
  static let rows = counts.map { "dispatch\($0)" }

  static func measure(_ bench: inout Bench) async {
    for count in counts {
      await bench.compare(
        "dispatch\(count)", "calls that wait 5 ms, \(count) workers; the peer is \(count) × one worker",
        unit: .perSecond, ours: { try await callsPerSecond(workers: count) },
        peers: ["linear": { try await callsPerSecond(workers: 1) * Double(count) }])
    }
  }

  private static func callsPerSecond(workers count: Int) async throws -> Double {
    try await Fleet.start(workers: count).lend { fleet in
      // A program that has just started still loads its code at the first calls.
      _ = try await fleet.callsPerSecond(over: .milliseconds(300))
      return try await fleet.callsPerSecond(over: .seconds(1))
    }
  }
}

/// A gateway and its workers, each a process that handles one call at a time.
private struct Fleet: Stoppable {
  private let folder: TemporaryFolder
  private let gateway: ChildProcess
  private let workers: [ChildProcess]
  private let client: BusConnection

  static func start(workers count: Int) async throws -> Fleet {
    let folder = try TemporaryFolder()
    let bus = ["--bus-folder", folder.file("bus")]
    let gateway = try await Program.start("gateway", bus)
    var workers: [ChildProcess] = []
    for _ in 0..<count { workers.append(try await Program.start("InteropService", bus + ["--slots", "1"])) }
    let client = try await BusConnection.open(.init(gateways: [BusEndpoint("ipc://\(folder.file("bus"))/clients")]))
    try await client.ready()
    return Fleet(folder: folder, gateway: gateway, workers: workers, client: client)
  }

  func callsPerSecond(over time: Duration) async throws -> Double {
    let interop = InteropServiceClient(client.channel)
    var request = IdempotentUnaryCallRequest()
    request.sleepMs = 5
    let wish = request
    let start = Clock.system.monotonic
    let end = start + time
    let calls = try await withThrowingTaskGroup(of: Int.self) { group in
      // Two calls for each worker: one that runs and one that waits for its slot.
      for _ in 0..<2 * workers.count {
        group.addTask(executorPreference: Callers.thread) {
          var calls = 0
          while Clock.system.monotonic < end {
            _ = try await interop.idempotentUnaryCall(wish)
            calls += 1
          }
          return calls
        }
      }
      var all = 0
      for try await part in group { all += part }
      return all
    }
    return Double(calls) * 1e9 / Double((Clock.system.monotonic - start).wholeNanoseconds)
  }

  func stop() async throws {
    try await client.close()
    for worker in workers { await worker.stop() }
    await gateway.stop()
  }
}
