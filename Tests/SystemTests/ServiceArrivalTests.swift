import Base
internal import Bus
import HealthContract
import Presence
import RPC
import Sealing
import Synchronization
import TestSupport
import Testing

/// That a service has come to the gateways, told to those that wait for it.
@Suite(.serialized) struct ServiceArrivalTests {
  @Test(
    "a process that seals is noticed when it comes, not before, and again when it comes back", .timeLimit(.minutes(3)))
  func arrivals() async throws {
    let system = try await TestSystem.start()
    let connection = try await system.connect()
    let count = Counter()
    let service = "assent.signature.v1.SealService"
    let arrivals = ServiceArrivals(connection.channel).arrivals(of: service)
    let counting = Task { for await _ in arrivals { count.add() } }
    let keyFile = system.folder.file("seal.pem")
    _ = try SealKeyFile.write(to: keyFile)
    for round in 1...2 {
      #expect(count.value == round - 1)
      let sealer = try await RunningProgram.start(
        "SignatureService", ["--bus-folder", system.busFolder, "--seal-only", "--seal-key-file", keyFile])
      _ = try #require(await sealer.line(containing: "ready"), "\(sealer.logLines)")
      try await eventually("it is noticed", count.value) { $0 == round }
      sealer.send(.terminate)
      #expect(await sealer.wait() == .code(0))
      for try await state in try HealthClient(connection.channel).watch(HealthCheckRequest(service: service)) {
        if state.status != .serving { break }
      }
    }
    counting.cancel()
    try await connection.close()
  }
}

private final class Counter: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }
  func add() { count.withLock { $0 += 1 } }
}
