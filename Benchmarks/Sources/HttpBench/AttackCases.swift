import BenchKit

/// How long an honest client's calls take while another client attacks the same door, at 1,000 calls a second.
enum AttackCases {
  private static let attacks = [
    "rapid_reset", "continuation", "hpack_bomb", "settings", "ping", "zero_window", "tiny_frames", "stream_ids",
  ]

  static func measure(_ bench: inout Bench, _ system: HttpSystem) async throws {
    let honest = system.grpcClient
    for attack in attacks {
      let attacker = Peer.connections("http2", system.grpc, system.key, attack)
      try await bench.compare(
        "attack_\(attack)", "an honest client's p99 meanwhile", unit: .microseconds,
        ours: {
          _ = try await attacker.measure("attack")
          let figure = try await honest.measure("paced_p99")
          guard try await attacker.measure("rest") > 0 else { throw HttpFailure("\(attack): nobody attacked") }
          return figure
        },
        peers: ["quiet": { try await honest.measure("paced_p99") }])
    }
  }
}
