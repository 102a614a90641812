import Base
import BenchKit

/// What a connection takes that has had one answer and then rests: ten thousand at once, at one door after the other.
enum IdleConnectionCases {
  private static let count = 10_000.0

  static func measure(_ bench: inout Bench) async throws {
    for (protocolName, name) in [("http1", "HTTP/1.1"), ("http2", "HTTP/2")] {
      let system = try await HttpSystem.start()
      let port = protocolName == "http1" ? system.web : system.grpc
      let clients = Peer.connections(protocolName, port, system.key)
      let before = try system.resident()
      let held = try await clients.measure("hold")
      guard held == count else { throw HttpFailure("\(held) of \(count) connections were held over \(name)") }
      let each = Double(try system.resident() - before) / count
      bench.report("idle_\(protocolName)", "an idle connection over \(name)", unit: .kibibytes, value: each / 1024)
      _ = try await clients.measure("release")
      try await system.stop()
    }
  }
}

extension Peer {
  /// Connections that are held open, or that attack.
  static func connections(_ arguments: String...) -> Peer {
    .compiled("http/connections.cc", flags: ["-lpthread"], arguments: arguments)
  }
}
