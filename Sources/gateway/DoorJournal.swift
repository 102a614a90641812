internal import Base
internal import HTTPFace
internal import RPC
internal import ServiceKit
internal import Synchronization

/// Turns events of the door into metrics and lines of the log. Every event is counted; lines about connections are
/// bounded for each address.
final class DoorJournal: Sendable {
  private let log: Log
  private let connectionLog: ConnectionLog
  private let writesCalls: Bool
  private let open: Gauge
  private let connections: Family<Counter>
  private let calls: Family<Counter>
  private let seconds: Family<Histogram>
  private let bytesIn: Counter
  private let bytesOut: Counter
  /// The figures of calls that there have been, so that they are not looked up by their names for each call.
  private let known = Mutex<[Kind: Figures]>([:])

  private struct Kind: Hashable {
    let form: CallRecord.Form
    let code: StatusCode
    let isTimed: Bool
  }

  private struct Figures {
    let calls: Counter
    let seconds: Histogram?
  }

  init(_ host: ServiceHost, writesCalls: Bool) {
    let metrics = host.metrics
    log = host.log
    connectionLog = ConnectionLog(of: "http", log: host.log, clock: host.clock)
    self.writesCalls = writesCalls
    open = metrics.gauge("assent_http_connections", "Connections over HTTP.")
    connections = metrics.counters(
      "assent_http_connections_total", "Connections over HTTP, by what became of them.", labels: ["event"])
    calls = metrics.counters(
      "assent_http_calls_total", "Calls over HTTP that ended or were refused, by protocol and code.",
      labels: ["protocol", "code"])
    seconds = metrics.histograms(
      "assent_http_call_seconds",
      "From the head of a call's request to the end of its response, except for streams and what the head refused.",
      labels: ["protocol"])
    let bytes = metrics.counters(
      "assent_http_bytes_total", "Bytes of bodies of calls, by direction.", labels: ["direction"])
    (bytesIn, bytesOut) = (bytes.with("in"), bytes.with("out"))
  }

  func take(_ report: Door.Report) {
    switch report {
    case .call(let record): note(record)
    case .opened:
      open.add(1)
      connections.with("opened").add()
    case .ended(let address, let why):
      open.add(-1)
      connections.with(why == nil ? "closed" : "given up").add()
      if let why { connectionLog.noteGivenUp(address, why: why) }
    case .refused(let address, let why):
      connections.with("refused").add()
      connectionLog.noteRefused(address, why: why)
    }
  }

  private func note(_ record: CallRecord) {
    let kind = Kind(form: record.form, code: record.code, isTimed: record.isTimed)
    let figures = known.withLock { known in
      if let figures = known[kind] { return figures }
      let figures = Figures(
        calls: calls.with(record.form.rawValue, record.code.name),
        seconds: record.isTimed ? seconds.with(record.form.rawValue) : nil)
      known[kind] = figures
      return figures
    }
    figures.calls.add()
    figures.seconds?.observe(record.duration)
    bytesIn.add(UInt64(record.bytesIn))
    bytesOut.add(UInt64(record.bytesOut))
    guard writesCalls else { return }
    log.info(
      "call",
      [
        "protocol": record.form.rawValue, "method": record.path, "code": record.code.name, "status": record.httpStatus,
        "ms": record.duration.wholeMilliseconds, "bytes_in": record.bytesIn, "bytes_out": record.bytesOut,
        "address": record.address, "key": record.account, "trace": record.traceID,
      ])
  }
}
