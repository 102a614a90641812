internal import Base
internal import RPC

/// Spans of calls that belong to a trace. Every call passes here, whichever door it came by and whoever made it, so
/// this one place sees all of them.
extension Router {
  /// The trace of an arriving call, and the call's rare fields with this gateway's span in place of the caller's, as
  /// the parent of the spans to come. nil when the call is not traced.
  mutating func traced(_ extra: Envelope.Extra) -> (CallTrace, Envelope.Extra)? {
    guard let tracing = configuration.tracing else { return nil }
    let came = extra.metadata[bytes: TraceParent.header].flatMap { TraceParent($0) }
    if let came {
      guard came.isSampled else { return nil }
    } else {
      guard Int.random(in: 0..<100, using: &generator) < tracing.percentage else { return nil }
    }
    let traceID = came?.traceID ?? identifier() + identifier()
    let own = TraceParent(traceID: traceID, spanID: identifier(), isSampled: true)
    var metadata = extra.metadata
    metadata.removeAll(TraceParent.header)
    metadata.appendUnchecked(key: TraceParent.header, value: Array(own.text.utf8))
    return (
      CallTrace(parentID: came?.spanID ?? "", own: own), Envelope.Extra(metadata: metadata, caller: extra.caller)
    )
  }

  /// Moves the database time that a worker reports from its STATUS into the call's span. No caller may see it: how long
  /// the database took for a sign-in would tell who has an account.
  func takeDatabaseTime(from envelope: inout Envelope, of call: RouterCall) {
    guard let extra = envelope.extra, let text = extra.metadata[CallTrace.databaseTime] else { return }
    call.trace?.databaseMicroseconds = Int64(text)
    var metadata = extra.metadata
    metadata.removeAll(CallTrace.databaseTime)
    envelope.extra = Envelope.Extra(
      metadata: metadata, statusMessage: extra.statusMessage, statusDetails: extra.statusDetails)
  }

  /// 16 hexadecimal digits, not all zero.
  private mutating func identifier() -> String {
    let word = max(1, generator.next())
    return Hex.encode((0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) })
  }

  /// Records the outcome of a call: in its service's counts and, if it is traced, as a span.
  mutating func record(_ code: StatusCode, of call: RouterCall, at now: MonotonicTime) {
    services[call.service].counts.record(code, nanoseconds: now.nanoseconds(since: call.receivedAt))
    guard let trace = call.trace else { return }
    report(
      CallSpan(
        method: call.open.method, traceID: trace.own.traceID, spanID: trace.own.spanID, parentID: trace.parentID,
        receivedAt: call.receivedAt, handedOverAt: trace.handedOverAt, endedAt: now, attempts: Int(call.attempt),
        databaseMicroseconds: trace.databaseMicroseconds, code: code))
  }
}
