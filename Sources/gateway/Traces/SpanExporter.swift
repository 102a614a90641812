internal import Base
internal import Bus
internal import Outgoing
internal import RPC
internal import ServiceKit
internal import Synchronization

/// Sends spans to a collector, a few at a time. What the collector does not take is lost and counted: traces are never
/// a reason to wait.
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

  /// - Parameter endpoint: where the collector listens, such as `http://127.0.0.1:4318`. The operator has set it, so it
  ///   may be anywhere.
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

  /// Exports until the process ends, and then what is left.
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
      // One line when it begins to fail, and one when it works again.
      if let fault, !isFailing { log.warn("traces not exported", ["reason": fault]) }
      if fault == nil, isFailing { log.info("traces exported again", [:]) }
      isFailing = fault != nil
      if isFailing { return }
    }
  }

  /// Why it failed; nil when the collector has taken them.
  private func export(_ spans: [CallSpan]) async -> String? {
    let request = OutgoingRequest(
      "POST", url, headers: [("Content-Type", "application/json")], body: Array(text.request(spans).utf8))
    // Not cancelled with the task: what is left when the process ends is exported too.
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
