import Base
import BenchKit
import Bus
import InteropContract
import RPC

/// How long a fault delays callers: a thousand keyed calls are in flight, and the slowest of them counts.
enum RecoveryCases {
  static let rows = ["recovery_worker_killed", "recovery_worker_stopped", "recovery_gateway_killed"]

  static func measure(_ bench: inout Bench) async throws {
    let faults: [(id: String, name: String, fault: (SmallSystem) async throws -> Void)] = [
      (rows[0], "one of two workers is killed", { $0.workers[0].send(.kill) }),
      (rows[1], "one of two workers is stopped", { $0.workers[0].send(.stop) }),
      (rows[2], "the gateway is killed and started again", { try await $0.replaceGateway() }),
    ]
    for (id, name, fault) in faults where bench.selects(id) {
      var slowest = 0.0
      for _ in 0..<rounds { slowest = max(slowest, try await slowestCall(after: fault)) }
      bench.report(
        "\(id)/bound", "the slowest of a thousand calls when \(name); the worst of \(rounds) rounds",
        unit: .milliseconds, value: slowest, peer: "bound", peerValue: 2000)
    }
  }

  private static let rounds = 3
  private static let callCount = 1000

  /// Milliseconds from the fault to the last answer of the calls that were made before it.
  private static func slowestCall(after fault: (SmallSystem) async throws -> Void) async throws -> Double {
    try await SmallSystem.start().lend { try await slowestCall(on: $0, after: fault) }
  }

  private static func slowestCall(
    on system: SmallSystem, after fault: (SmallSystem) async throws -> Void
  ) async throws -> Double {
    let client = InteropServiceClient(system.client.channel)
    let answered = Tally()
    let calls = Task {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<callCount {
          group.addTask {
            var request = UnaryCallRequest()
            request.sleepMs = 20
            _ = try await client.unaryCall(
              request, deadline: .seconds(60), options: CallOptions(waitsForReady: true))
            answered.add()
          }
        }
        try await group.waitForAll()
      }
    }
    // After an error nobody waits for the answers.
    defer { calls.cancel() }
    // By now all calls are sent, and a tenth of them has been answered.
    try await Task.sleep(for: .milliseconds(50))
    let start = Clock.system.monotonic
    guard answered.value < callCount else { throw BusFailure("all calls were answered before the fault") }
    try await fault(system)
    try await calls.value
    return Double((Clock.system.monotonic - start).wholeNanoseconds) / 1e6
  }
}

/// A gateway with two workers.
final class SmallSystem: Stoppable {
  private let folder: TemporaryFolder
  private var gateway: ChildProcess
  let workers: [ChildProcess]
  let client: BusConnection

  static func start() async throws -> SmallSystem {
    let folder = try TemporaryFolder()
    let bus = ["--bus-folder", folder.file("bus")]
    let gateway = try await Program.start("gateway", bus)
    var workers: [ChildProcess] = []
    for _ in 0..<2 { workers.append(try await Program.start("InteropService", bus + ["--slots", "64"])) }
    let client = try await BusConnection.open(.init(gateways: [BusEndpoint("ipc://\(folder.file("bus"))/clients")]))
    try await client.ready()
    return SmallSystem(folder: folder, gateway: gateway, workers: workers, client: client)
  }

  private init(folder: TemporaryFolder, gateway: ChildProcess, workers: [ChildProcess], client: BusConnection) {
    self.folder = folder
    self.gateway = gateway
    self.workers = workers
    self.client = client
  }

  func replaceGateway() async throws {
    gateway.send(.kill)
    await gateway.wait()
    gateway = try await Program.start("gateway", ["--bus-folder", folder.file("bus")])
  }

  func stop() async throws {
    try await client.close()
    for worker in workers {
      worker.send(.continue)
      await worker.stop()
    }
    await gateway.stop()
  }
}
