import Base
import Bus
import GatewayContract
import RPC
import Wire

/// What the gateway's own services may know of its router.
protocol RouterView: Sendable {
  func snapshot() async -> RouterSnapshot
  /// Calls `follower`, on the router's thread, whenever the health of services may have changed.
  func followHealth(_ follower: @escaping @Sendable () -> Void)
}

extension BusServer: RouterView {
  func snapshot() async -> RouterSnapshot {
    await visit { router, now in router.snapshot(at: now) } ?? .stopped
  }
}

extension RouterSnapshot {
  /// The instances of one service, or of all if `service` is empty, as the contract's messages.
  func instances(of service: String, at now: Instant) -> [GatewayContract.Instance] {
    instances.filter { service.isEmpty || $0.services.contains(service) }.map { $0.message(at: now) }
  }

  func loads(of service: String) -> [ServiceLoad] {
    services.filter { service.isEmpty || $0.name == service }.map(\.message)
  }
}

extension RouterSnapshot.Instance {
  fileprivate func message(at now: Instant) -> GatewayContract.Instance {
    var message = GatewayContract.Instance()
    message.id = id
    message.version = version
    message.name = name
    message.address = address
    message.state = isLeaving ? .draining : isSuspect || isWedged ? .suspect : .ready
    message.services = services
    message.slots = UInt32(clamping: slots)
    message.inFlight = UInt32(clamping: inFlight)
    message.connectedAt = Timestamp(now + (.zero - age))
    message.finished = counts.finished
    message.callsPerSecond = callsPerSecond
    message.latency = counts.latency
    message.notices = notices
    return message
  }
}

extension RouterSnapshot.Service {
  fileprivate var message: ServiceLoad {
    var message = ServiceLoad()
    message.name = name
    message.instances = UInt32(clamping: instances)
    message.queued = UInt32(clamping: waiting)
    message.inFlight = UInt32(clamping: inFlight)
    message.callsPerSecond = callsPerSecond
    message.refusedPerSecond = refusedPerSecond
    message.latency = counts.latency
    return message
  }
}

extension CallCounts {
  fileprivate var latency: Latency {
    var latency = Latency()
    latency.p50Us = microseconds(percentile(0.5))
    latency.p90Us = microseconds(percentile(0.9))
    latency.p99Us = microseconds(percentile(0.99))
    latency.maxUs = microseconds(longest)
    return latency
  }

  private func microseconds(_ duration: Duration) -> UInt32 { UInt32(clamping: duration.wholeNanoseconds / 1000) }
}
