package import Bus

/// W3C trace context in a call's metadata.
package enum TraceContext {
  /// Removes what is malformed, as the recommendation asks: a trace is never a reason to refuse a call.
  package static func clean(_ metadata: inout Metadata) {
    let parents = metadata.values(of: "traceparent")
    if parents.isEmpty { return metadata.removeAll("tracestate") }
    if parents.count == 1, isValid(parents[0]) { return }
    metadata.removeAll("traceparent")
    metadata.removeAll("tracestate")
  }

  /// Whether the text is a `traceparent`: `00-<32 hex>-<16 hex>-<2 hex>`, with neither id zero.
  package static func isValid(_ text: [UInt8]) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 4, parts.map(\.count) == [2, 32, 16, 2], parts.allSatisfy({ $0.allSatisfy(isHex) }) else {
      return false
    }
    let zero = UInt8(ascii: "0")
    return !parts[0].elementsEqual("ff".utf8) && !parts[1].allSatisfy { $0 == zero }
      && !parts[2].allSatisfy { $0 == zero }
  }

  /// The id of the trace that a call belongs to; empty when it says none.
  package static func traceID(of metadata: Metadata) -> String {
    guard let parent = metadata["traceparent"] else { return "" }
    return String(parent.dropFirst(3).prefix(32))
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }
}
