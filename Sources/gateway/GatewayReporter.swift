internal import Base
internal import Bus
internal import RPC
internal import ServiceKit
internal import Synchronization

/// Turns events of a gateway's bus into metrics and lines of the log. Every event is counted; the lines that one key
/// may cause, or one connection without a key, are bounded.
final class GatewayReporter: Sendable {
  private let log: Log
  private let clock: Base.Clock
  private let spans: SpanExporter?
  private let sessions: Family<Counter>
  private let refusals: Family<Counter>
  private let lines: Mutex<LineBudget<Source>>
  /// Refusals are repetitive: one line a minute for each source, with a count of those left out.
  private let refused: Mutex<LineBudget<Source>>

  private enum Source: Hashable, Sendable {
    /// A key, by its name: counted by connection, its holder could cause new lines with each new connection.
    case key(String)
    case connection(Peer)
    case address(String)
    case descriptors
  }

  init(log: Log, metrics: Metrics, clock: Base.Clock, spans: SpanExporter?) {
    self.log = log
    self.spans = spans
    self.clock = clock
    sessions = metrics.counters(
      "assent_bus_sessions_total", "Sessions of services and clients, by how they ended.", labels: ["end"])
    refusals = metrics.counters("assent_bus_refusals_total", "Peers and messages that were refused.", labels: ["why"])
    lines = Mutex(LineBudget(at: clock.monotonic))
    refused = Mutex(LineBudget(burst: 1, interval: .seconds(60), at: clock.monotonic))
  }

  func take(_ report: BusServer.Report) {
    switch report {
    case .router(let news): take(news.event, about: source(news.peer, news.key))
    case .span(let span): spans?.take(span)
    case .keys(.refused(let key, let door, let address)):
      refusals.with("key").add()
      log(of: .address(address), isRefusal: true)?.warn(
        "key refused", ["door": door, "address": address, "public_key": key?.text])
    case .keys(.postponed(let key, let door, let address)):
      refusals.with("handshakes").add()
      log(of: .address(address), isRefusal: true)?.warn(
        "key connects too often", ["door": door, "address": address, "public_key": key.text])
    case .keys(.reloaded(let count)): log.info("key list read", ["keys": count])
    case .keys(.reloadFailed(let why)): log.error("key list not read; the former one stays in force", ["reason": why])
    case .unreadable(let peer, let key, let why):
      refusals.with("unreadable").add()
      log(of: source(peer, key))?.warn(
        "message cannot be read",
        ["door": "\(peer.door)", "connection": peer.link, "key": key, "reason": why])
    case .unencodable(let why): log.error("envelope cannot be written", ["reason": why])
    case .failed(let why): log.error("the bus failed", ["error": why])
    case .crowded(let address, let opened, let left):
      refusals.with("connections").add()
      log(of: .address(CountedAddress.of(address)), isRefusal: true)?.warn(
        "connection refused",
        [
          "door": "bus", "address": address,
          "reason": "too many connections: \(opened) in the last seconds, and descriptors for \(left) are left",
        ])
    case .full(let limit):
      refusals.with("descriptors").add()
      log(of: .descriptors, isRefusal: true)?.error(
        "no new connections: nearly all descriptors of this process are in use", ["limit": limit])
    }
  }

  private func take(_ event: RouterEvent, about source: Source) {
    switch event {
    case .sessionBegan(let session, let instance, let role, let services):
      sessions.with("begun").add()
      log(of: source)?.info(
        "session began",
        ["session": session, "peer": instance, "role": "\(role)", "services": services.joined(separator: ",")])
    case .sessionEnded(let session, let instance, let reason):
      sessions.with(reason.rawValue).add()
      log(of: source)?.info("session ended", ["session": session, "peer": instance, "reason": reason.rawValue])
    case .helloRefused(let instance, let key, let why):
      refusals.with("hello").add()
      log(of: source, isRefusal: true)?.warn("hello refused", ["peer": instance, "key": key, "reason": why])
    case .offence(let session, let instance, let key, let what):
      refusals.with("offence").add()
      log(of: source)?.warn(
        "peer broke the protocol", ["session": session, "peer": instance, "key": key, "what": what])
    case .callDenied(let instance, let key, let caller, let method):
      refusals.with("not admitted").add()
      // The person is not named: the key identifies the caller, and people's names do not belong in the log.
      log(of: source, isRefusal: true)?.warn(
        "call denied",
        [
          "peer": instance, "key": key, "caller": caller.kind.word, "tenant": caller.tenant, "device": caller.device,
          "method": method,
        ])
    case .callsLost(let session, let retried, let failed):
      log(of: source)?.warn("calls lost with a service", ["session": session, "retried": retried, "failed": failed])
    }
  }

  private func source(_ peer: Peer, _ key: String?) -> Source { key.map { .key($0) } ?? .connection(peer) }

  /// The log, with the number of lines of this source that were suppressed since its last one; nil when this line is
  /// suppressed.
  private func log(of source: Source, isRefusal: Bool = false) -> Log? {
    let now = clock.monotonic
    let leftOut =
      isRefusal ? refused.withLock { $0.take(source, at: now) } : lines.withLock { $0.take(source, at: now) }
    guard let leftOut else { return nil }
    return leftOut == 0 ? log : log.with(["lines_left_out": leftOut])
  }
}
