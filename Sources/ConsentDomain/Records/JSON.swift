internal import Base
package import Wire

/// A JSON value, always written the same way: keys in the given order.
package indirect enum JSON: Sendable {
  case string(String)
  case number(Int64)
  case bool(Bool)
  case array([JSON])
  case object([(String, JSON)])

  /// Members whose value is nil are left out.
  package static func members(_ members: [(String, JSON?)]) -> JSON {
    .object(members.compactMap { name, value in value.map { (name, $0) } })
  }

  /// A string, or nil when it is empty.
  package static func some(_ text: String) -> JSON? { text.isEmpty ? nil : .string(text) }

  package static func time(_ time: Timestamp?) -> JSON { .string(TimeText.rfc3339(time.orEpoch)) }

  /// A time, or nil when none is stated.
  package static func some(_ time: Timestamp?) -> JSON? { time.map { .time($0) } }

  package var text: String {
    var output = ""
    write(to: &output, indent: "")
    return output
  }

  /// On one line.
  package var line: String {
    switch self {
    case .string, .number, .bool: text
    case .array(let items): "[\(items.map(\.line).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\(JSONText.quoted($0)):\($1.line)" }.joined(separator: ","))}"
    }
  }

  private func write(to output: inout String, indent: String) {
    let inner = indent + "  "
    switch self {
    case .string(let text): output += JSONText.quoted(text)
    case .number(let number): output += String(number)
    case .bool(let flag): output += flag ? "true" : "false"
    case .array(let items):
      guard !items.isEmpty else {
        output += "[]"
        return
      }
      output += "["
      for (index, item) in items.enumerated() {
        output += index == 0 ? "\n\(inner)" : ",\n\(inner)"
        item.write(to: &output, indent: inner)
      }
      output += "\n\(indent)]"
    case .object(let members):
      guard !members.isEmpty else {
        output += "{}"
        return
      }
      output += "{"
      for (index, (name, value)) in members.enumerated() {
        output += index == 0 ? "\n\(inner)" : ",\n\(inner)"
        output += JSONText.quoted(name)
        output += ": "
        value.write(to: &output, indent: inner)
      }
      output += "\n\(indent)}"
    }
  }
}
