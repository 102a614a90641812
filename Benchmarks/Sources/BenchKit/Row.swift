/// One figure of a part, and the peer that it was compared with.
struct Row: Sendable {
  let id: String
  let name: String
  let unit: Unit
  let value: Double
  var peer: String?
  var peerValue: Double?

  /// How many times better than the peer; nil without a peer.
  var ratio: Double? {
    peerValue.map { unit.ratio(value, to: $0) }
  }

  var json: String {
    """
    {"id": \(quoted(id)), "name": \(quoted(name)), "unit": \(quoted(unit.name)), "value": \(number(value)), \
    "peer": \(peer.map(quoted) ?? "null"), "peer_value": \(number(peerValue)), "ratio": \(number(ratio))}
    """
  }
}

/// The contents of `.build/bench/PART.json`.
func report(part: String, rows: [Row]) -> String {
  let lines = rows.map { "  " + $0.json }.joined(separator: ",\n")
  return "{\"part\": \(quoted(part)), \"rows\": [\n\(lines)\n]}\n"
}

private func number(_ value: Double?) -> String {
  guard let value, value.isFinite else { return "null" }
  return String(describing: value)
}

private func quoted(_ text: String) -> String {
  var escaped = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": escaped += "\\\(scalar)"
    case "\u{0}"..<" ": escaped += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
    default: escaped.unicodeScalars.append(scalar)
    }
  }
  return escaped + "\""
}
