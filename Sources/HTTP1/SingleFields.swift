/// Finds fields of a head that have one value and stand in it twice. A proxy might read one of the values, and this
/// server the other.
package struct SingleFields {
  /// A bit for each of the names that there was.
  private var seen: UInt64 = 0

  package init() {}

  /// Whether a field has one value, and its name was asked for before.
  package mutating func isRepeated(_ name: String) -> Bool {
    guard let bit = Self.bits[name] else { return false }
    defer { seen |= bit }
    return seen & bit != 0
  }

  package static func objection(_ name: String) -> String { "\(name) stands at most once" }

  private static let bits = Dictionary(
    uniqueKeysWithValues: [
      "authorization", "connect-accept-encoding", "connect-content-encoding", "connect-protocol-version",
      "connect-timeout-ms", "content-encoding", "content-length", "content-type", "expect", "grpc-encoding",
      "grpc-timeout", "host", "idempotency-key", "if-range", "origin", "range", "referer", "sec-fetch-site",
      "transfer-encoding", "traceparent", "x-grpc-web",
    ].enumerated().map { ($1, UInt64(1) << $0) })
}
