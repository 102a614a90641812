/// Rows as a table for people: figures aligned to the right, names to the left.
func table(_ rows: [Row]) -> String {
  let heading = ["what", "Assent", "peer", "", "ratio", "id"]
  let lines = rows.map { row in
    [
      row.name,
      figure(row.value, row.unit),
      row.peerValue.map { figure($0, row.unit) } ?? "–",
      row.peer ?? "",
      row.ratio.map { rounded($0, digits: 2) } ?? "–",
      row.id,
    ]
  }
  let widths = heading.indices.map { column in ([heading] + lines).map(\.[column].count).max() ?? 0 }
  let isFigure = [false, true, true, false, true, false]
  return ([heading] + lines).map { line in
    line.indices
      .map { column in
        let space = String(repeating: " ", count: widths[column] - line[column].count)
        return isFigure[column] ? space + line[column] : line[column] + space
      }
      .joined(separator: "  ")
  }.joined(separator: "\n")
}

private func figure(_ value: Double, _ unit: Unit) -> String {
  let digits = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 2
  return "\(rounded(value, digits: digits)) \(unit.name)"
}

/// A decimal number with a fixed count of digits after the point.
func rounded(_ value: Double, digits: Int) -> String {
  guard value.isFinite, abs(value) < 1e15 else { return String(describing: value) }
  let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
  let scaled = Int((abs(value) * Double(scale)).rounded())
  let sign = value < 0 && scaled > 0 ? "-" : ""
  guard digits > 0 else { return sign + String(scaled) }
  let fraction = String(scaled % scale)
  return "\(sign)\(scaled / scale).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
}
