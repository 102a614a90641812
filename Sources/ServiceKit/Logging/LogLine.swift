internal import Base

extension LogFormat {
  /// An event as one line without its line feed. It is one line of bounded length whatever its values contain.
  func line(_ event: LogEvent) -> String {
    let head: [(String, LogValue)] = [
      ("time", .text(event.time.rfc3339)), ("level", .text(event.level.rawValue)), ("event", .text(event.event)),
    ]
    let fields = head + event.fields.map { ($0.name, $0.value) }
    switch self {
    case .logfmt: return fields.map { "\($0.0)=\(Self.logfmt($0.1))" }.joined(separator: " ")
    case .json: return "{" + fields.map { "\(jsonQuoted($0.0)):\(Self.json($0.1))" }.joined(separator: ",") + "}"
    }
  }

  private static let longestValue = 1024

  private static func logfmt(_ value: LogValue) -> String {
    switch value {
    case .text(let text):
      let bounded = shortened(text)
      return isPlain(bounded) ? bounded : jsonQuoted(bounded)
    case .integer(let number): return String(number)
    case .number(let number): return String(number)
    case .flag(let flag): return String(flag)
    case .redacted: return "[redacted]"
    }
  }

  private static func json(_ value: LogValue) -> String {
    switch value {
    case .text(let text): jsonQuoted(shortened(text))
    case .integer(let number): String(number)
    case .number(let number): number.isFinite ? String(number) : "null"
    case .flag(let flag): String(flag)
    case .redacted: jsonQuoted("[redacted]")
    }
  }

  private static func shortened(_ text: String) -> String {
    let bytes = text.utf8
    guard bytes.count > longestValue else { return text }
    return String(decoding: bytes.prefix(longestValue), as: UTF8.self) + "…"
  }

  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=") }
  }
}

/// `text` in quotes, with every character escaped that JSON wants escaped, and those that end a line for some readers.
func jsonQuoted(_ text: String) -> String {
  var quoted = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": quoted += "\\\""
    case "\\": quoted += "\\\\"
    case "\n": quoted += "\\n"
    case "\r": quoted += "\\r"
    case "\t": quoted += "\\t"
    case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
      let digits = String(scalar.value, radix: 16)
      quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: quoted.unicodeScalars.append(scalar)
    }
  }
  return quoted + "\""
}
