import Base
import BenchKit

/// The bus, with gateway and worker in processes of their own, beside zmq_proxy, gRPC, nginx and NATS.
///
/// The worker is InteropService, configured as `assent up` has a service with data on SQLite: 64 slots (but 16 for
/// overload), and handlers on a pool of four threads. These do nothing, so that the bus is measured and no service; the
/// services are measured by scripts/bench calls. Unencrypted cases go over ipc sockets, as for zmq_proxy; gRPC and NATS
/// use TCP on the loopback interface. Encrypted cases use TCP for all.
///
/// The groups of rows are called plain, encrypted, dispatch, overload, recovery, memory and idle; each starts what it
/// measures. The last has `assent up` start everything and then asks nothing of it.
@main struct BusBench {
  static func main() async {
    await Bench.run("bus") { bench in
      await bench.group("plain", of: UnaryCases.rows + StreamCases.rows) { bench in
        let peers = BusPeers()
        try await BusSystem.start(.plain).lend { system in
          await UnaryCases.throughput(&bench, system, peers)
          await UnaryCases.latency(&bench, system, peers)
          try await UnaryCases.processor(&bench, system, peers)
          await StreamCases.messages(&bench, system, peers)
        }
      }
      await bench.group("encrypted", of: UnaryCases.encryptedRows) { bench in
        let peers = BusPeers()
        try await BusSystem.start(.encrypted).lend { await UnaryCases.encrypted(&bench, $0, peers) }
      }
      await bench.group("dispatch", of: DispatchCases.rows) { await DispatchCases.measure(&$0) }
      await bench.group("overload", of: LoadCases.rows) { try await LoadCases.measure(&$0) }
      await bench.group("recovery", of: RecoveryCases.rows) { try await RecoveryCases.measure(&$0) }
      await bench.group("memory", of: MemoryCases.rows) { try await MemoryCases.measure(&$0) }
      await bench.group("idle", of: IdleCases.rows) { try await IdleCases.measure(&$0) }
    }
  }
}
