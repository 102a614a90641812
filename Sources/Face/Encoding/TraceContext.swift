package import RPC

/// W3C trace context in a call's metadata.
package enum TraceContext {
  /// Removes malformed headers, as the recommendation asks: a trace is never a reason to refuse a call.
  package static func clean(_ metadata: inout Metadata) {
    let parents = metadata.values(of: "traceparent")
    if parents.isEmpty { return metadata.removeAll("tracestate") }
    if parents.count == 1, isValid(parents[0]) { return }
    metadata.removeAll("traceparent")
    metadata.removeAll("tracestate")
  }

  /// Whether the text is a `traceparent`.
  package static func isValid(_ text: [UInt8]) -> Bool { TraceParent(text) != nil }

  /// The id of the trace that a call belongs to; empty when the call names none.
  package static func traceID(of metadata: Metadata) -> String {
    guard let parent = metadata["traceparent"] else { return "" }
    return String(parent.dropFirst(3).prefix(32))
  }
}
