import Base
internal import Bus
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
    let arrivals = ServiceArrivals(connection.channel).arrivals(of: "assent.signature.v1.SealService")
    let counting = Task { for await _ in arrivals { count.add() } }
    let keyFile = system.folder.file("seal.pem")
    _ = try SealKeyFile.write(to: keyFile)
    for round in 1...2 {
      #expect(count.value == round - 1)
      let sealer = try await RunningProgram.start(
        "SignatureService", ["--bus-folder", system.busFolder, "--seal-only", "--seal-key-file", keyFile])
      _ = try #require(await sealer.line(containing: "ready"), "\(sealer.logLines)")
      for _ in 0..<4000 where count.value < round { try await Task.sleep(for: .milliseconds(25)) }
      #expect(count.value == round)
      sealer.send(.terminate)
      #expect(await sealer.wait() == .code(0))
      // Longer than it takes the gateway to tell that it has gone.
      try await Task.sleep(for: .seconds(2))
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
