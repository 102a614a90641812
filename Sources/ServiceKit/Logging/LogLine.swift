internal import Base

extension LogFormat {
  /// An event as one line without its line feed. It is one line of bounded length whatever its values contain.
  func line(_ event: LogEvent) -> String {
    let head: [(String, LogValue)] = [
      ("time", .text(TimeText.rfc3339(event.time))), ("level", .text(event.level.rawValue)),
      ("event", .text(event.event)),
    ]
    let fields = head + event.fields.map { ($0.name, $0.value) }
    switch self {
    case .logfmt: return fields.map { "\($0.0)=\(Self.logfmt($0.1))" }.joined(separator: " ")
    case .json:
      let members = fields.map { "\(JSONText.quoted($0.0, onOneLine: true)):\(Self.json($0.1))" }
      return "{\(members.joined(separator: ","))}"
    }
  }

  private static let longestValue = 1024

  private static func logfmt(_ value: LogValue) -> String {
    switch value {
    case .text(let text):
      let bounded = shortened(text)
      return isPlain(bounded) ? bounded : JSONText.quoted(bounded, onOneLine: true)
    case .integer(let number): return String(number)
    case .number(let number): return String(number)
    case .flag(let flag): return String(flag)
    case .redacted: return "[redacted]"
    }
  }

  private static func json(_ value: LogValue) -> String {
    switch value {
    case .text(let text): JSONText.quoted(shortened(text), onOneLine: true)
    case .integer(let number): String(number)
    case .number(let number): number.isFinite ? String(number) : "null"
    case .flag(let flag): String(flag)
    case .redacted: JSONText.quoted("[redacted]", onOneLine: true)
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
