import Base
import BenchKit
import ConsentLoad

/// Flows of twelve screens, durable at every step.
enum FlowCases {
  static let people = 32

  static func rows(_ engine: String) -> [String] { ["flow_\(engine)", "flow_cpu_\(engine)"] }

  static func compare(
    _ bench: inout Bench, _ engine: String, _ system: ConsentSystem, _ bareLoop: () async throws -> Peer
  ) async throws {
    guard rows(engine).contains(where: bench.selects) else { return }
    let peer = try await bareLoop()
    let flow = try await WalkedFlow.open(on: system)
    let calls = try await flow.walk()
    _ = try await flow.walk(people: people, flows: 2 * people)
    await bench.compare(
      "flow_\(engine)", "twelve screens in \(calls) calls, 32 people, per flow", unit: .nanoseconds,
      ours: { try await flow.walk(people: people, flows: 8 * people) },
      peers: ["bare_loop": { try await peer.measure("flow") }])
    let before = try ProcessFigures(process: system.service.id).cpuTime
    _ = try await flow.walk(people: people, flows: 8 * people)
    let used = try ProcessFigures(process: system.service.id).cpuTime - before
    bench.report(
      "flow_cpu_\(engine)", "ConsentService's processor time per flow", unit: .microseconds,
      value: Double(used.wholeNanoseconds) / 1e3 / Double(8 * people))
  }
}
