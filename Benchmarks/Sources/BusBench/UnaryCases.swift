import Base
import BenchKit

/// One request, one answer: how many, how fast, and what they cost each process.
enum UnaryCases {
  static let rows = [
    "unary64", "large16", "unary1_p50", "paced_p50", "paced_p99", "cpu_client", "cpu_middle", "cpu_worker",
  ]
  static let encryptedRows = ["unary64_curve"]

  static func throughput(_ bench: inout Bench, _ system: BusSystem, _ peers: BusPeers) async {
    await bench.compare(
      "unary64", "128-byte calls, 64 in flight", unit: .perSecond,
      ours: { try await Load.unary64.run(on: system).perSecond },
      peers: [
        "zmq_proxy": { try await peers.proxy.measure("unary64") },
        "grpc_direct": { try await peers.grpc.measure("unary64") },
        "grpc_nginx": { try await peers.nginx.measure("unary64") },
        "nats": { try await peers.nats.measure("unary64") },
      ])
    await bench.compare(
      "large16", "64 KiB there and back, 16 in flight", unit: .perSecond,
      ours: { try await Load.large.run(on: system).perSecond },
      peers: [
        "zmq_proxy": { try await peers.proxy.measure("large") },
        "grpc_direct": { try await peers.grpc.measure("large") },
        "grpc_nginx": { try await peers.nginx.measure("large") },
        "nats": { try await peers.nats.measure("large") },
      ])
  }

  static func encrypted(_ bench: inout Bench, _ system: BusSystem, _ peers: BusPeers) async {
    await bench.compare(
      "unary64_curve", "128-byte calls, encrypted, 64 in flight", unit: .perSecond,
      ours: { try await Load.unary64.run(on: system).perSecond },
      peers: [
        "zmq_proxy_curve": { try await peers.encryptedProxy.measure("unary64") },
        "grpc_tls_nginx": { try await peers.encryptedNginx.measure("unary64") },
      ])
  }

  static func latency(_ bench: inout Bench, _ system: BusSystem, _ peers: BusPeers) async {
    await bench.compare(
      "unary1_p50", "one call in flight, median", unit: .microseconds,
      ours: { median(try await Load.unary1.run(on: system).microseconds) },
      peers: [
        "zmq_proxy": { try await peers.proxy.measure("unary1_p50") },
        "grpc_direct": { try await peers.grpc.measure("unary1_p50") },
        "nats": { try await peers.nats.measure("unary1_p50") },
      ])
    for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
      await bench.compare(
        "paced_\(name)", "1,000 calls/s, \(name)", unit: .microseconds,
        ours: { percentile(share, of: try await Load.paced.run(on: system).microseconds) },
        peers: [
          "zmq_proxy": { try await peers.proxy.measure("paced_\(name)") },
          "grpc_direct": { try await peers.grpc.measure("paced_\(name)") },
          "nats": { try await peers.nats.measure("paced_\(name)") },
        ])
    }
  }

  /// Processor time of each process per call, under the load of `unary64`.
  static func processor(_ bench: inout Bench, _ system: BusSystem, _ peers: BusPeers) async throws {
    let client = try ownProcess()
    for (part, process) in [("client", client), ("middle", system.gateway.id), ("worker", system.worker.id)] {
      await bench.compare(
        "cpu_\(part)", "processor time per call in the \(part)", unit: .microseconds,
        ours: {
          let before = try ProcessFigures(process: process).cpuTime
          let calls = try await Load.unary64.run(on: system).microseconds.count
          let used = try ProcessFigures(process: process).cpuTime - before
          return Double(used.wholeNanoseconds) / 1e3 / Double(calls)
        },
        peers: [
          "zmq_proxy": { try await peers.proxy.measure("cpu_\(part)") },
          "nats": { try await peers.nats.measure("cpu_\(part)") },
        ])
    }
  }

  private static func ownProcess() throws -> Int32 {
    let stat = String(decoding: try Files.read("/proc/self/stat"), as: UTF8.self)
    guard let id = stat.split(separator: " ").first.flatMap({ Int32($0) }) else {
      throw BusFailure("/proc/self/stat does not begin with a process's number")
    }
    return id
  }
}
