internal import Base
internal import Bus
internal import Outgoing
internal import RPC
internal import ServiceKit
internal import Synchronization

/// Sends spans to a collector, a few at a time. Spans that the collector does not accept are dropped and counted:
/// nothing ever waits for a trace.
final class SpanExporter: Sendable {
  private let waiting = Mutex<[CallSpan]>([])
  private let url: String
  private let client: OutgoingClient
  private let text: SpanText
  private let log: Log
  private let exported: Counter
  private let lost: Counter

  private static let mostWaiting = 8192
  private static let mostAtOnce = 512
  private static let interval = Duration.seconds(1)

  /// - Parameter endpoint: where the collector listens, such as `http://127.0.0.1:4318`. Any address is allowed, since
  ///   the operator has set it.
  init(to endpoint: String, _ host: ServiceHost) {
    url = (endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint) + "/v1/traces"
    client = OutgoingClient(OutgoingPolicy(.anywhere, allowsPlainText: true), width: 1)
    text = SpanText(
      instance: host.settings[\.instance] ?? host.name, version: Version.current, clock: host.clock)
    log = host.log
    exported = host.metrics.counter("assent_spans_exported_total", "Spans of traces that the collector has taken.")
    lost = host.metrics.counter("assent_spans_lost_total", "Spans of traces that were not exported.")
  }

  func take(_ span: CallSpan) {
    let isTaken = waiting.withLock { waiting in
      guard waiting.count < Self.mostWaiting else { return false }
      waiting.append(span)
      return true
    }
    if !isTaken { lost.add() }
  }

  /// Exports until the process is told to stop, and then what is left.
  func run(in host: ServiceHost) async {
    let exporting = Task {
      var isFailing = false
      while !Task.isCancelled {
        try? await Task.sleep(for: Self.interval)
        await exportAll(&isFailing)
      }
    }
    await host.lifecycle.onStop("traces") {
      exporting.cancel()
      _ = await exporting.value
    }
  }

  private func exportAll(_ isFailing: inout Bool) async {
    while true {
      let next = waiting.withLock { waiting in
        defer { waiting.removeFirst(min(Self.mostAtOnce, waiting.count)) }
        return Array(waiting.prefix(Self.mostAtOnce))
      }
      guard !next.isEmpty else { return }
      let fault = await export(next)
      fault == nil ? exported.add(UInt64(next.count)) : lost.add(UInt64(next.count))
      // Logs one line when exports begin to fail, and one when they work again.
      if let fault, !isFailing { log.warn("traces not exported", ["reason": fault]) }
      if fault == nil, isFailing { log.info("traces exported again", [:]) }
      isFailing = fault != nil
      if isFailing { return }
    }
  }

  /// Why the export failed; nil when the collector has accepted the spans.
  private func export(_ spans: [CallSpan]) async -> String? {
    let request = OutgoingRequest(
      "POST", url, headers: [("Content-Type", "application/json")], body: Array(text.request(spans).utf8))
    // In a task of its own, so that it is not cancelled: what is left when the process stops is exported too.
    let sending = Task.detached { [client] in
      do throws(OutgoingError) {
        let answer = try await client.send(request)
        return 200..<300 ~= answer.status ? nil : "the collector answered \(answer.status)" as String?
      } catch {
        return error.description
      }
    }
    return await sending.value
  }
}
