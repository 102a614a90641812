import Base
import BenchKit

/// What a connection takes that has had one answer and then rests: ten thousand at once, at one door after the other.
enum IdleConnectionCases {
  private static let count = 10_000.0

  static func measure(_ bench: inout Bench) async throws {
    for (protocolName, name) in [("http1", "HTTP/1.1"), ("http2", "HTTP/2")] {
      let id = "idle_\(protocolName)"
      guard bench.selects(id) else { continue }
      let each = try await HttpSystem.start().lend { system in
        let port = protocolName == "http1" ? system.web : system.grpc
        let clients = Peer.connections(protocolName, port, system.key)
        let before = try system.resident()
        let held = try await clients.measure("hold")
        guard held == count else { throw HttpFailure("\(held) of \(count) connections were held over \(name)") }
        let grown = Double(try system.resident() - before)
        _ = try await clients.measure("release")
        return grown / count
      }
      bench.report(id, "an idle connection over \(name)", unit: .kibibytes, value: each / 1024)
    }
  }
}

extension Peer {
  /// Connections that are held open, or that attack.
  static func connections(_ arguments: String...) -> Peer {
    .compiled("http/connections.cc", flags: ["-lpthread"], arguments: arguments)
  }
}
