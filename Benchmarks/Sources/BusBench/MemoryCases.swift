import Base
import BenchKit
import Bus
import InteropContract
import RPC
import Wire

/// What a gateway's process occupies: idle, with ten thousand calls waiting, and after a million.
enum MemoryCases {
  static let rows = ["idle_resident", "waiting_call", "after_calls"]

  static func measure(_ bench: inout Bench) async throws {
    try await BusSystem.start(.plain).lend { try await measure(&bench, $0) }
  }

  private static func measure(_ bench: inout Bench, _ system: BusSystem) async throws {
    let process = system.gateway.id
    let idle = try ProcessFigures(process: process).residentBytes
    bench.report("idle_resident", "an idle gateway", unit: .mebibytes, value: Double(idle) / Double(1 << 20))

    let waiting = try await residentWhileWaiting(system)
    bench.report(
      "waiting_call", "a waiting call of 128 bytes, one of 10,000", unit: .bytes,
      value: Double(waiting - idle) / Double(waitingCalls))

    guard bench.selects("after_calls") else { return }
    let calls = bench.options.number("calls", default: 1_000_000)
    var made = 0
    while made < calls { made += try await Load.unary64.run(on: system).microseconds.count }
    let after = try ProcessFigures(process: process).residentBytes
    bench.report(
      "after_calls", "after \(made) calls", unit: .mebibytes, value: Double(after) / Double(1 << 20), peer: "idle",
      peerValue: Double(idle) / Double(1 << 20))
  }

  private static let waitingCalls = 10_000

  /// The gateway's memory while its worker sleeps in all its slots and ten thousand more calls wait.
  private static func residentWhileWaiting(_ system: BusSystem) async throws -> Int {
    var request = IdempotentUnaryCallRequest()
    request.sleepMs = 2_000
    var payload = Payload()
    payload.body = [UInt8](repeating: 7, count: 128)
    request.payload = payload
    let wish = request
    let ended = Tally()
    return try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<waitingCalls {
        // The deadline is long, so that no call is refused for its wait; all are cancelled at the end.
        group.addTask {
          _ = try? await system.client.idempotentUnaryCall(wish, deadline: .seconds(3600))
          ended.add()
        }
      }
      try await Task.sleep(for: .seconds(2))
      let resident = try ProcessFigures(process: system.gateway.id).residentBytes
      // Meanwhile the worker may have answered those that were in its slots, and no others.
      guard ended.value <= waitingCalls / 50 else {
        throw BusFailure("\(ended.value) of \(waitingCalls) calls did not wait")
      }
      group.cancelAll()
      return resident
    }
  }
}
