import Base
import BenchKit

/// The doors of HTTP/1.1 and gRPC, beside libmicrohttpd alone and behind nginx, grpc-gateway, nginx and gRPC C++.
///
/// Gateway, worker, clients and peers are processes of their own on the loopback interface; the clients of all
/// contenders are the same programs in C++. The groups of rows are called http1, http2, attacks and memory; each has
/// processes of its own.
@main struct HttpBench {
  static func main() async {
    await Bench.run("http") { bench in
      await bench.group("http1", of: ConnectCases.rows) { bench in
        try await HttpSystem.start().lend { await ConnectCases.measure(&bench, $0) }
      }
      await bench.group("http2", of: GRPCCases.rows) { bench in
        try await HttpSystem.start().lend { await GRPCCases.measure(&bench, $0) }
      }
      await bench.group("attacks") { bench in
        try await HttpSystem.start().lend { await AttackCases.measure(&bench, $0) }
      }
      await bench.group("memory", of: ["idle_http1", "idle_http2"]) { try await IdleConnectionCases.measure(&$0) }
    }
  }
}
