import Base
import BenchKit

/// The doors of HTTP/1.1 and gRPC, beside libmicrohttpd alone, grpc-gateway, nginx and gRPC C++.
///
/// Gateway, worker, clients and peers are processes of their own on the loopback interface; the clients of all
/// contenders are the same programs in C++. The last two groups of rows are called memory and attacks.
@main struct HttpBench {
  static func main() async {
    await Bench.run("http") { bench in
      let system = try await HttpSystem.start()
      try await ConnectCases.measure(&bench, system)
      try await GRPCCases.measure(&bench, system)
      await bench.group("attacks") { try await AttackCases.measure(&$0, system) }
      try await system.stop()
      await bench.group("memory", of: ["idle_http1", "idle_http2"]) { try await IdleConnectionCases.measure(&$0) }
    }
  }
}
