internal import Base
internal import GatewayContract
internal import Wire

/// The state of an installation as two tables.
struct StatusReport {
  let services: [ServiceLoad]
  let instances: [GatewayContract.Instance]
  let now: Instant

  var text: String {
    let serviceRows = services.map { service in
      [
        service.name, "\(service.instances)", "\(service.queued)", "\(service.inFlight)",
        rate(service.callsPerSecond), rate(service.refusedPerSecond),
      ] + times(service.latency)
    }
    let instanceRows = instances.map { instance in
      [
        name(instance), word(instance.state),
        "\(instance.inFlight)/\(instance.slots)", "\(instance.finished)", rate(instance.callsPerSecond),
      ] + times(instance.latency) + [
        instance.version, age(instance), instance.address.isEmpty ? "this machine" : instance.address,
      ]
    }
    let serviceTable = TextTable(
      heading: ["SERVICE", "INSTANCES", "QUEUED", "RUNNING", "CALLS/S", "REFUSED/S", "P50", "P99"], rows: serviceRows)
    let instanceTable = TextTable(
      heading: ["INSTANCE", "STATE", "BUSY", "FINISHED", "CALLS/S", "P50", "P99", "VERSION", "UP", "FROM"],
      rows: instanceRows)
    let notices = instances.flatMap { instance in instance.notices.map { "\n! \(name(instance)): \($0)" } }
    return "\(serviceTable.text)\n\n\(instanceTable.text)\(notices.isEmpty ? "" : "\n")\(notices.joined())"
  }

  private func name(_ instance: GatewayContract.Instance) -> String {
    instance.name.isEmpty ? String(instance.id.prefix(8)) : instance.name
  }

  private func word(_ state: InstanceState) -> String {
    switch state {
    case .ready: "ready"
    case .draining: "draining"
    case .suspect: "suspect"
    default: "unknown"
    }
  }

  private func times(_ latency: Latency?) -> [String] {
    [time(latency?.p50Us ?? 0), time(latency?.p99Us ?? 0)]
  }

  private func time(_ microseconds: UInt32) -> String {
    switch microseconds {
    case 0: "–"
    case ..<1000: "\(microseconds) µs"
    case ..<1_000_000: "\(rate(Double(microseconds) / 1000)) ms"
    default: "\(rate(Double(microseconds) / 1_000_000)) s"
    }
  }

  /// The number with one digit after the point.
  private func rate(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private func age(_ instance: GatewayContract.Instance) -> String {
    guard let began = instance.connectedAt?.seconds else { return "–" }
    let seconds = max(0, now.millisecondsSince1970 / 1000 - began)
    switch seconds {
    case ..<120: return "\(seconds)s"
    case ..<7200: return "\(seconds / 60)m"
    case ..<172_800: return "\(seconds / 3600)h"
    default: return "\(seconds / 86_400)d"
    }
  }
}
