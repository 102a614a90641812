import Base
import Bus
import Face
import HTTPFace
import TestSupport
import Testing

/// How many connections one address may have at the door.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ConnectionShareTests {
  private func isLetIn(_ client: DoorClient) -> Bool {
    client.unary("\(DoorClient.interop)/EmptyCall").status == "0"
  }

  @Test("no address has more connections than are still free, another one gets in, and closed ones leave room")
  func shares() async throws {
    var limits = DoorLimits()
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
      try await eventually("connections end", bench.reports.ends) { $0 >= 3 + count }
      #expect(isLetIn(try bench.client()), "connection \(count) after the others were closed")
    }
    withExtendedLifetime(other) {}
    try await bench.server.stop()
  }

  /// A client's part of a handshake, which begins when this is made.
  private struct Handshake {
    let socket: ClientSocket
    let client: TLSClient

    init(port: UInt16, host: UInt8 = 1) throws {
      socket = try ClientSocket(port: port, host: host)
      client = try #require(TLSClient())
      socket.send(client.answer([]))
    }

    /// Whether the door has taken its part.
    func isCompleted() -> Bool {
      while !client.isReady {
        let heard = socket.receive()
        if heard.isEmpty { return false }
        socket.send(client.answer(heard))
      }
      return true
    }
  }

  @Test("with TLS an address opens some connections at once and then no more than its rate, and another one gets in")
  func handshakes() async throws {
    var limits = DoorLimits()
    limits.handshakes = TokenRate(perSecond: 0, depth: 3)
    let bench = try await DoorBench.start(limits: limits, tls: try await TLSServer.selfSigned())
    for count in 1...5 {
      #expect(try Handshake(port: bench.port).isCompleted() == (count <= 3), "connection \(count)")
    }
    #expect(try Handshake(port: bench.port, host: 2).isCompleted())
    #expect(bench.reports.refused == ["127.0.0.1", "127.0.0.1"])
    try await bench.server.stop()
  }

  @Test("without TLS an address opens connections as often as it likes")
  func withoutTLS() async throws {
    var limits = DoorLimits()
    limits.handshakes = TokenRate(perSecond: 0, depth: 0)
    let bench = try await DoorBench.start(limits: limits)
    #expect(isLetIn(try bench.client()))
    try await bench.server.stop()
  }

  @Test("more handshakes at once than one turn takes are all completed")
  func manyHandshakes() async throws {
    let bench = try await DoorBench.start(tls: try await TLSServer.selfSigned())
    let clients = try (0..<100).map { _ in try Handshake(port: bench.port) }
    #expect(clients.allSatisfy { $0.isCompleted() })
    try await bench.server.stop()
  }
}
