internal import Base
internal import GRPC
internal import RPC
internal import ServiceKit

/// Turns events of the gRPC door into metrics and lines of the log. Every event is counted; lines about connections are
/// bounded for each address.
final class GRPCReporter: Sendable {
  private let log: Log
  private let connectionLog: ConnectionLog
  private let writesCalls: Bool
  private let open: Gauge
  private let connections: Family<Counter>
  private let calls: Family<Counter>
  private let seconds: Histogram
  private let bytesIn: Counter
  private let bytesOut: Counter

  init(_ host: ServiceHost, writesCalls: Bool) {
    let metrics = host.metrics
    log = host.log
    connectionLog = ConnectionLog(of: "grpc", log: host.log, clock: host.clock)
    self.writesCalls = writesCalls
    open = metrics.gauge("assent_grpc_connections", "Connections at the gRPC door.")
    connections = metrics.counters(
      "assent_grpc_connections_total", "Connections at the gRPC door, by what became of them.", labels: ["event"])
    calls = metrics.counters("assent_grpc_calls_total", "Calls at the gRPC door, by their outcome.", labels: ["code"])
    seconds = metrics.histogram(
      "assent_grpc_call_seconds",
      "From the header of a call's request to the end of its answer, except for streams and what the header refused.")
    bytesIn = metrics.counter("assent_grpc_request_bytes_total", "Bytes of requests at the gRPC door.")
    bytesOut = metrics.counter("assent_grpc_answer_bytes_total", "Bytes of answers at the gRPC door.")
  }

  func take(_ report: GRPCDoor.Report) {
    switch report {
    case .call(let call):
      calls.with(call.code.name).add()
      if call.isTimed { seconds.observe(call.duration) }
      bytesIn.add(UInt64(call.bytesIn))
      bytesOut.add(UInt64(call.bytesOut))
      guard writesCalls else { return }
      log.info(
        "call",
        [
          "protocol": "grpc", "method": call.path, "code": call.code.name, "ms": call.duration.wholeMilliseconds,
          "bytes_in": call.bytesIn, "bytes_out": call.bytesOut, "address": call.address, "key": call.account,
          "trace": call.traceID,
        ])
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
}
