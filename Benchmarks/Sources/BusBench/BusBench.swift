import Base
import BenchKit

/// The bus, with gateway and worker in processes of their own, beside zmq_proxy, gRPC, nginx and NATS.
///
/// Unencrypted cases go over ipc sockets, as for zmq_proxy; gRPC and NATS use TCP on the loopback interface. Encrypted
/// cases use TCP for all. The last three groups of rows are called overload, recovery and memory.
@main struct BusBench {
  static func main() async {
    await Bench.run("bus") { bench in
      let peers = BusPeers()

      let plain = try await BusSystem.start(.plain)
      try await UnaryCases.throughput(&bench, plain, peers)
      try await UnaryCases.latency(&bench, plain, peers)
      try await UnaryCases.processor(&bench, plain, peers)
      try await StreamCases.messages(&bench, plain, peers)
      try await plain.stop()

      let encrypted = try await BusSystem.start(.encrypted)
      try await UnaryCases.encrypted(&bench, encrypted, peers)
      try await encrypted.stop()

      try await DispatchCases.measure(&bench)
      await bench.group("overload", of: LoadCases.rows) { try await LoadCases.measure(&$0) }
      await bench.group("recovery", of: RecoveryCases.rows) { try await RecoveryCases.measure(&$0) }
      await bench.group("memory", of: MemoryCases.rows) { try await MemoryCases.measure(&$0) }
    }
  }
}
