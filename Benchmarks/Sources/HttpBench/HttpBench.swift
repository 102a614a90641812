import Base
import BenchKit

/// The doors of HTTP/1.1 and gRPC, beside libmicrohttpd alone, grpc-gateway, nginx and gRPC C++.
///
/// Gateway, worker, clients and peers are processes of their own on the loopback interface; the clients of all
/// contenders are the same programs in C++. The last two groups of rows are called memory and attacks.
@main struct HttpBench {
  static func main() async throws {
    var bench = Bench(part: "http")
    let system = try await HttpSystem.start()
    try await ConnectCases.measure(&bench, system)
    try await GRPCCases.measure(&bench, system)
    if bench.selects("attacks") { try await AttackCases.measure(&bench, system) }
    try await system.stop()
    if bench.selects("memory") { try await IdleConnectionCases.measure(&bench) }
    try bench.finish()
  }
}
