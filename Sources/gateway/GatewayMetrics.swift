internal import Base
internal import Bus
internal import RPC
internal import ServiceKit
internal import Synchronization

/// Publishes the router's view of its services as metrics. They come from a snapshot that is at most a second old while
/// they are read once a minute or more often, and at most fifteen seconds old when they are read after a pause.
final class GatewayMetrics: Sendable {
  private let latest = Mutex<RouterSnapshot?>(nil)
  /// Whether somebody has read the metrics since the last snapshot.
  private let isRead = Mutex(false)
  /// The interval between snapshots while somebody reads the metrics.
  private static let interval = Duration.seconds(1)
  private static let unreadInterval = Duration.seconds(15)
  /// After this many snapshots at `interval` that nobody read, snapshots are taken at `unreadInterval`.
  private static let readersPause = 90
  /// Refusals that more processes would avoid. They are shown even when their count is 0, so that the first ones appear
  /// as a rise.
  private static let lackOfProcesses: [StatusCode] = [.resourceExhausted, .unavailable]

  init(_ metrics: Metrics) {
    let perService:
      [(name: String, help: String, kind: MetricKind, value: @Sendable (RouterSnapshot.Service) -> Double)] = [
        ("assent_gateway_instances", "Processes that serve a service.", .gauge, { Double($0.instances) }),
        ("assent_gateway_queued", "Calls that wait for a service.", .gauge, { Double($0.waiting) }),
        ("assent_gateway_running", "Dispatched calls without an outcome yet.", .gauge, { Double($0.inFlight) }),
        ("assent_gateway_retries_total", "Calls that were tried again.", .counter, { Double($0.counts.retries) }),
      ]
    for metric in perService {
      metrics.samples(metric.name, metric.help, kind: metric.kind) { [self] in
        services.map { Sample(metric.name, [("service", $0.name)], metric.value($0)) }
      }
    }
    let outcomes = "assent_gateway_calls_total"
    let outcomesHelp =
      "Calls that ended, by the code of their outcome at the bus. Doors that put another in its place count that."
    metrics.samples(outcomes, outcomesHelp, kind: .counter) { [self] in
      byCode(outcomes, \.outcomes)
    }
    let refused = "assent_gateway_refused_total"
    metrics.samples(refused, "Calls that were refused on arrival, by the code.", kind: .counter) { [self] in
      byCode(refused, \.refusals, always: Self.lackOfProcesses)
    }
    let seconds = "assent_gateway_call_seconds"
    metrics.samples(seconds, "From a call's arrival to its outcome.", kind: .histogram) { [self] in
      services.flatMap { Self.histogram(seconds, $0) }
    }
    metrics.gauge("assent_gateway_clients", "Clients that are connected.") { [self] in
      Double(latest.withLock { $0?.clients ?? 0 })
    }
    metrics.gauge("assent_gateway_open_calls", "Calls without an outcome.") { [self] in
      Double(latest.withLock { $0?.openCalls ?? 0 })
    }
  }

  private var services: [RouterSnapshot.Service] {
    isRead.withLock { $0 = true }
    return latest.withLock { $0?.services ?? [] }
  }

  /// - Parameter always: the codes that are shown even where their count is 0.
  private func byCode(
    _ name: String, _ counts: (CallCounts) -> [UInt64], always: [StatusCode] = []
  ) -> [Sample] {
    services.flatMap { service in
      StatusCode.allCases.compactMap { code in
        let count = counts(service.counts)[Int(code.rawValue)]
        if count == 0, !always.contains(code) { return nil }
        return Sample(name, [("service", service.name), ("code", "\(code)")], Double(count))
      }
    }
  }

  private static func histogram(_ name: String, _ service: RouterSnapshot.Service) -> [Sample] {
    var total: UInt64 = 0
    let cumulative = service.counts.buckets.map { count in
      total += count
      return total
    }
    return Sample.buckets(
      name, [("service", service.name)], bounds: CallCounts.bounds.map { Double($0) / 1e9 },
      cumulativeCounts: cumulative, sum: service.counts.totalSeconds)
  }

  /// Takes snapshots of the router until the process is told to stop.
  func follow(_ router: any RouterView, _ host: ServiceHost) async {
    let following = Task {
      var unread = Self.readersPause
      while !Task.isCancelled {
        let snapshot = await router.snapshot()
        latest.withLock { $0 = snapshot }
        unread = isRead.withLock { read in
          defer { read = false }
          return read ? 0 : unread + 1
        }
        try await Rounds.wait(about: unread < Self.readersPause ? Self.interval : Self.unreadInterval)
      }
    }
    await host.lifecycle.onStop("metrics") { following.cancel() }
  }
}
