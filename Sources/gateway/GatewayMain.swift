internal import Base
internal import Bus
internal import RPC
internal import ServiceKit

@main struct GatewayMain {
  static func main() async {
    await Service.run(
      "gateway", "Routes calls between clients and services.", settings: GatewaySettings(), bus: nil
    ) { settings, host in
      let spans = settings[\.otlpEndpoint].map { SpanExporter(to: $0, host) }
      await spans?.run(in: host)
      let reporter = GatewayReporter(log: host.log, metrics: host.metrics, clock: host.clock, spans: spans)
      let server = try await BusServer.start(try settings.busServer(as: host), clock: host.clock) { report in
        reporter.take(report)
        if case .failed(let why) = report { host.giveUp(because: "the bus failed: \(why)") }
      }
      await host.lifecycle.onStop("bus") {
        try await server.drain()
        try await server.stop()
      }
      let faces = try GatewayFaces(settings, host)
      let services: [any RPCService] = [
        BoundedBatches(
          service: GatewayHandlers(
            router: server, clock: host.clock, caller: faces.callMaker(on: server), origins: settings[\.httpOrigins])),
        HealthHandlers(router: server),
        ReflectionHandlers(faces.catalogue),
      ]
      // Handlers run on threads of their own, so that no work for callers delays the following of revocations, which
      // uses the shared ones.
      let threads = BlockingPool(name: "handlers", threads: 2)
      server.serve(services, slots: 16, executor: threads) { error, id, method in
        host.log.unexpected(error, id: id, ["method": method.path])
      }
      try await faces.open(on: server)
      await GatewayMetrics(host.metrics).follow(server, host)
      let leaveTime = min(settings[\.leaveTime], host.settings[\.drainLimit] / 2)
      // Before anything is stopped that calls need.
      await host.lifecycle.onStop("doors") { try await server.leave(within: leaveTime) }
      MemoryGuard(limit: settings[\.memoryLimit].bytes).watch(host)
      host.announce(doors: server.endpoints)
    }
  }
}
