internal import Base
internal import Bus
internal import RPC

/// Spans as OTLP's JSON (opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest).
struct SpanText {
  /// The name of this gateway, which tells it from others.
  let instance: String
  let version: String
  let clock: Base.Clock

  func request(_ spans: [CallSpan]) -> String {
    let now = (wall: clock.now.millisecondsSince1970 * 1_000_000, monotonic: clock.monotonic)
    func time(_ point: MonotonicTime) -> Int64 { now.wall - now.monotonic.nanoseconds(since: point) }
    let resource = [
      Self.text("service.name", "assent-gateway"), Self.text("service.instance.id", instance),
      Self.text("service.version", version),
    ]
    let texts = spans.map { Self.span($0, from: time($0.receivedAt), to: time($0.endedAt)) }
    return """
      {"resourceSpans":[{"resource":{"attributes":[\(resource.joined(separator: ","))]},\
      "scopeSpans":[{"scope":{"name":"assent"},"spans":[\(texts.joined(separator: ","))]}]}]}
      """
  }

  private static func span(_ span: CallSpan, from start: Int64, to end: Int64) -> String {
    let parts = span.method.split(separator: "/").map(String.init)
    let wait = (span.handedOverAt ?? span.endedAt) - span.receivedAt
    var attributes = [
      text("rpc.system", "assent"), text("rpc.service", parts.first ?? ""), text("rpc.method", parts.last ?? ""),
      number("rpc.grpc.status_code", Int(span.code.rawValue)), number("assent.attempts", span.attempts),
      number("assent.queue_wait_us", Int(wait.wholeNanoseconds / 1000)),
    ]
    if let database = span.databaseMicroseconds { attributes.append(number("assent.database_us", Int(database))) }
    // kind 2: a server's span. status 1: ok; 2: error.
    let fields = [
      "\"traceId\":\"\(span.traceID)\"", "\"spanId\":\"\(span.spanID)\"", "\"parentSpanId\":\"\(span.parentID)\"",
      "\"name\":\(JSONText.quoted(String(span.method.dropFirst())))", "\"kind\":2",
      "\"startTimeUnixNano\":\"\(start)\"", "\"endTimeUnixNano\":\"\(end)\"",
      "\"attributes\":[\(attributes.joined(separator: ","))]", "\"status\":{\"code\":\(span.code == .ok ? 1 : 2)}",
    ]
    return "{\(fields.joined(separator: ","))}"
  }

  private static func text(_ key: String, _ value: String) -> String {
    "{\"key\":\"\(key)\",\"value\":{\"stringValue\":\(JSONText.quoted(value))}}"
  }

  /// OTLP writes 64-bit numbers as text.
  private static func number(_ key: String, _ value: Int) -> String {
    "{\"key\":\"\(key)\",\"value\":{\"intValue\":\"\(value)\"}}"
  }
}
