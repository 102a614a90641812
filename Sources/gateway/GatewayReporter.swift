internal import Bus
internal import ServiceKit

/// Turns what happens on a gateway's bus into lines of the log and metrics.
struct GatewayReporter: Sendable {
  private let log: Log
  private let sessions: Family<Counter>
  private let refusals: Family<Counter>

  init(log: Log, metrics: Metrics) {
    self.log = log
    sessions = metrics.counters(
      "assent_bus_sessions_total", "Sessions of services and clients, by how they ended.", labels: ["end"])
    refusals = metrics.counters("assent_bus_refusals_total", "Peers and messages that were refused.", labels: ["why"])
  }

  func take(_ report: BusServer.Report) {
    switch report {
    case .router(let event): take(event)
    case .keys(.refused(let key, let door, let address)):
      refusals.with("key").add()
      log.warn("key refused", ["door": door, "address": address, "public_key": key?.text])
    case .keys(.reloaded(let count)): log.info("key list read", ["keys": count])
    case .keys(.reloadFailed(let why)): log.error("key list not read; the former one stays in force", ["reason": why])
    case .undecodable(let door, let why):
      refusals.with("unreadable").add()
      log.warn("message cannot be read", ["door": door.rawValue, "reason": why])
    case .unencodable(let why): log.error("envelope cannot be written", ["reason": why])
    }
  }

  private func take(_ event: RouterEvent) {
    switch event {
    case .sessionBegan(let session, let instance, let role, let services):
      sessions.with("begun").add()
      log.info(
        "session began",
        ["session": session, "peer": instance, "role": "\(role)", "services": services.joined(separator: ",")])
    case .sessionEnded(let session, let instance, let reason):
      sessions.with(reason.rawValue).add()
      log.info("session ended", ["session": session, "peer": instance, "reason": reason.rawValue])
    case .helloRefused(let instance, let why):
      refusals.with("hello").add()
      log.warn("hello refused", ["peer": instance, "reason": why])
    case .callsLost(let session, let retried, let failed):
      log.warn("calls lost with a service", ["session": session, "retried": retried, "failed": failed])
    }
  }
}
