internal import Base

/// One figure of a part, and the peer that it was compared with.
struct Row: Sendable {
  let id: String
  let name: String
  let unit: Unit
  let value: Double
  var peer: String?
  var peerValue: Double?
  /// Whether it is shown, and not only written down.
  var isInTable = true

  /// How many times better than the peer; nil without a peer.
  var ratio: Double? {
    peerValue.map { unit.ratio(value, to: $0) }
  }

  var json: String {
    """
    {"id": \(JSONText.quoted(id)), "name": \(JSONText.quoted(name)), "unit": \(JSONText.quoted(unit.name)), "value": \(number(value)), \
    "peer": \(peer.map { JSONText.quoted($0) } ?? "null"), "peer_value": \(number(peerValue)), "ratio": \(number(ratio))}
    """
  }
}

/// The contents of `.build/bench/PART.json`.
func report(part: String, rows: [Row]) -> String {
  let lines = rows.map { "  " + $0.json }.joined(separator: ",\n")
  return "{\"part\": \(JSONText.quoted(part)), \"rows\": [\n\(lines)\n]}\n"
}

private func number(_ value: Double?) -> String {
  guard let value, value.isFinite else { return "null" }
  return String(describing: value)
}
