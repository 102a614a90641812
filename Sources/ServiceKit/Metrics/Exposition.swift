/// One line of a scrape: a name, labels, a number.
package struct Sample: Sendable {
  let name: String
  let labels: [(String, String)]
  let value: Double

  package init(_ name: String, _ labels: [(String, String)], _ value: Double) {
    self.name = name
    self.labels = labels
    self.value = value
  }

  /// A histogram's buckets, each of which counts the lower ones too, its sum and its count.
  static func samples(of histogram: Histogram, name: String, labels: [(String, String)]) -> [Sample] {
    buckets(
      name, labels, bounds: histogram.bounds, cumulativeCounts: histogram.cumulativeCounts, sum: histogram.sum)
  }

  /// The same, from counts that another part keeps: one for each bound, and one of all observations.
  package static func buckets(
    _ name: String, _ labels: [(String, String)], bounds: [Double], cumulativeCounts: [UInt64], sum: Double
  ) -> [Sample] {
    let limits = bounds.map { String($0) } + ["+Inf"]
    let buckets = zip(limits, cumulativeCounts).map { Sample("\(name)_bucket", labels + [("le", $0)], Double($1)) }
    let total = Double(cumulativeCounts.last ?? 0)
    return buckets + [Sample("\(name)_sum", labels, sum), Sample("\(name)_count", labels, total)]
  }
}

/// Prometheus' text format, version 0.0.4.
enum Exposition {
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  static func text(name: String, entry: Metrics.Entry) -> String {
    let head = "# HELP \(name) \(escaped(entry.help, quotes: false))\n# TYPE \(name) \(entry.kind)\n"
    return head + entry.samples().map(line).joined()
  }

  static func isName(_ text: String, colons: Bool) -> Bool {
    guard let first = text.utf8.first, !(48...57).contains(first) else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case 48...57, 65...90, 97...122, UInt8(ascii: "_"): true
      case UInt8(ascii: ":"): colons
      default: false
      }
    }
  }

  private static func line(_ sample: Sample) -> String {
    let labels = sample.labels.map { "\($0.0)=\"\(escaped($0.1, quotes: true))\"" }.joined(separator: ",")
    return "\(sample.name)\(labels.isEmpty ? "" : "{\(labels)}") \(number(sample.value))\n"
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    return Int64(exactly: value).map { String($0) } ?? String(value)
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    if quotes { escaped = escaped.replacing("\"", with: "\\\"") }
    return escaped
  }
}
