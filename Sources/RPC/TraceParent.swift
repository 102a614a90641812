/// W3C's `traceparent`: the trace that a call belongs to, and the span in it that made the call.
package struct TraceParent: Hashable, Sendable {
  /// 32 hexadecimal digits in `traceID` and 16 in `spanID`, not all of them zero.
  package let traceID: String
  package let spanID: String
  package let isSampled: Bool

  package static let header = "traceparent"

  package init(traceID: String, spanID: String, isSampled: Bool) {
    self.traceID = traceID
    self.spanID = spanID
    self.isSampled = isSampled
  }

  /// nil unless the text is `00-<32 hex>-<16 hex>-<2 hex>`, with neither id zero.
  package init?(_ text: [UInt8]) {
    let parts = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 4, parts.map(\.count) == [2, 32, 16, 2], parts.allSatisfy({ $0.allSatisfy(Self.isHex) }) else {
      return nil
    }
    let zero = UInt8(ascii: "0")
    guard !parts[0].elementsEqual("ff".utf8), !parts[1].allSatisfy({ $0 == zero }),
      !parts[2].allSatisfy({ $0 == zero }), let last = parts[3].last
    else { return nil }
    traceID = String(decoding: parts[1], as: UTF8.self)
    spanID = String(decoding: parts[2], as: UTF8.self)
    // Only the lowest bit of the flags, `sampled`, is read.
    isSampled = (last < UInt8(ascii: "a") ? last - zero : last - UInt8(ascii: "a") + 10) & 1 == 1
  }

  package var text: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

  private static func isHex(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }
}
