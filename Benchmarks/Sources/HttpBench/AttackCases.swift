import BenchKit

/// How long an honest client's calls take while another client attacks the same door, at 1,000 calls a second.
enum AttackCases {
  private static let overHTTP2 = [
    "rapid_reset", "continuation", "hpack_bomb", "settings", "ping", "zero_window", "tiny_frames", "stream_ids",
  ]
  private static let overHTTP1 = [
    "slow_heads", "slow_bodies", "never_reads", "garbage", "large_heads", "deep_json", "resets",
  ]

  static func measure(_ bench: inout Bench, _ system: HttpSystem) async {
    for attack in overHTTP2 {
      let attacker = Peer.connections("http2", system.grpc, system.key, attack)
      await compare(&bench, attack, system, attacker: attacker, honest: system.grpcClient)
    }
    for attack in overHTTP1 {
      let attacker = Peer.connections("http1", system.web, system.key, attack)
      await compare(&bench, attack, system, attacker: attacker, honest: ConnectCases.client(of: system))
    }
  }

  private static func compare(
    _ bench: inout Bench, _ attack: String, _ system: HttpSystem, attacker: Peer, honest: Peer
  ) async {
    await bench.compare(
      "attacks/\(attack)", "an honest client's p99 meanwhile", unit: .microseconds,
      ours: {
        guard try await attacker.measure("attack") == 1 else { throw HttpFailure("\(attack): nobody knows how") }
        let figure: Double
        do {
          figure = try await honest.measure("paced_p99")
        } catch {
          _ = try await attacker.measure("rest")
          throw error
        }
        // Without a connection there is no figure.
        _ = try await attacker.measure("rest")
        return figure
      },
      peers: [
        "quiet": {
          try await Idleness.wait(for: system.processes)
          return try await honest.measure("paced_p99")
        }
      ])
  }
}
