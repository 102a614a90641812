import Bus
import GRPC
import Testing

/// How many connections one address may have at the door.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ConnectionShareTests {
  private func isLetIn(_ client: DoorClient) -> Bool {
    client.unary("\(DoorClient.interop)/EmptyCall").status == "0"
  }

  @Test("no address has more connections than are still free, another one gets in, and closed ones leave room")
  func shares() async throws {
    var limits = GRPCLimits()
    limits.connections = 8
    let bench = try await DoorBench.start(limits: limits)
    var held: [DoorClient] = []
    for count in 1...6 {
      let client = try bench.client()
      #expect(isLetIn(client) == (count <= 4), "connection \(count)")
      held.append(client)
    }
    let other = try bench.client(host: 2)
    withExtendedLifetime(held) { #expect(isLetIn(other)) }
    #expect(bench.reports.refused == ["127.0.0.1", "127.0.0.1"])
    held = []
    for count in 1...20 {
      while bench.reports.ends < 3 + count { try await Task.sleep(for: .milliseconds(5)) }
      #expect(isLetIn(try bench.client()), "connection \(count) after the others were closed")
    }
    withExtendedLifetime(other) {}
    try await bench.server.stop()
  }
}
