import BenchKit

/// Calls of gRPC C++, through the gateway, through nginx, and without anything between.
enum GRPCCases {
  static let rows = ["grpc", "grpc_stream1k", "grpc_p50"]

  static func measure(_ bench: inout Bench, _ system: HttpSystem) async {
    let gateway = system.grpcClient
    let nginx = Peer.grpc("nginx")
    let direct = Peer.grpc("direct")
    await bench.compare(
      "grpc", "128-byte calls, 64 in flight", unit: .perSecond,
      ours: { try await gateway.measure("unary64") },
      peers: [
        "grpc_nginx": { try await nginx.measure("unary64") },
        "grpc_direct": { try await direct.measure("unary64") },
      ])
    await bench.compare(
      "grpc_stream1k", "1 KiB messages of one server stream", unit: .perSecond,
      ours: { try await gateway.measure("stream1k") },
      peers: ["grpc_nginx": { try await nginx.measure("stream1k") }])
    await bench.compare(
      "grpc_p50", "one call in flight, median", unit: .microseconds,
      ours: { try await gateway.measure("unary1_p50") },
      peers: ["grpc_nginx": { try await nginx.measure("unary1_p50") }])
  }
}
