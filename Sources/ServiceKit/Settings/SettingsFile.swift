/// A settings file: `name = value` on each line, `#` before a comment, `[gateway]` above the lines of one program.
struct SettingsFile {
  struct Entry {
    let name: String
    let value: String
    let line: Int
    /// Whether the entry is above the sections, where every program reads it.
    let isForAll: Bool
  }

  /// The programs and commands that have sections. Any other section is an error, since nobody would read it.
  static let sections = [
    "gateway", "consent", "signature", "account", "interop", "up", "accounts", "call", "data", "demo", "documents",
    "keys", "prepare", "probe", "render", "seal", "status", "tenants", "verify",
  ]

  /// The lines above the first section, followed by those of the program's own section.
  let entries: [Entry]
  private let path: String

  func place(of entry: Entry) -> String { "\(path):\(entry.line)" }

  init(_ text: String, path: String, section own: String) throws(SettingsError) {
    self.path = path
    var entries: [Entry] = []
    var section = ""
    var seen: [String: Int] = [:]
    for (index, rawLine) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let place = "\(path):\(index + 1)"
      let line = trimmed(rawLine)
      if line.isEmpty || line.hasPrefix("#") { continue }
      if line.hasPrefix("[") {
        guard line.hasSuffix("]") else {
          throw SettingsError("\(place): '[' begins a section's name and ']' must end it")
        }
        section = String(trimmed(line.dropFirst().dropLast()))
        guard section == own || Self.sections.contains(section) else {
          let nearest = nearestName(to: section, among: Self.sections).map { "did you mean [\($0)]?" }
          let advice = nearest ?? "there are \(Self.sections.joined(separator: ", "))"
          throw SettingsError("\(place): [\(section)] is the section of no program; \(advice)")
        }
        continue
      }
      guard let sign = line.firstIndex(of: "=") else { throw SettingsError("\(place): a line must be 'name = value'") }
      let name = String(trimmed(line[..<sign]))
      let value = try Self.value(trimmed(line[line.index(after: sign)...]), place: place)
      if let first = seen.updateValue(index + 1, forKey: "\(section)/\(name)") {
        throw SettingsError("\(place): \(name) is set a second time, after line \(first)")
      }
      if section.isEmpty || section == own {
        entries.append(Entry(name: name, value: value, line: index + 1, isForAll: section.isEmpty))
      }
    }
    self.entries = entries
  }

  /// A value in quotes keeps its spaces and may contain \" \\ \n \t; a bare one ends before a comment.
  private static func value(_ text: Substring, place: String) throws(SettingsError) -> String {
    guard text.hasPrefix("\"") else {
      let end = text.firstRange(of: " #")?.lowerBound ?? text.endIndex
      return String(trimmed(text[..<end]))
    }
    var value = ""
    var rest = text.dropFirst()
    while let character = rest.popFirst() {
      switch character {
      case "\"":
        let remark = trimmed(rest)
        guard remark.isEmpty || remark.hasPrefix("#") else {
          throw SettingsError("\(place): '\(remark)' stands after the closing quote")
        }
        return value
      case "\\":
        guard let escaped = rest.popFirst(), let meant = ["\"": "\"", "\\": "\\", "n": "\n", "t": "\t"][escaped] else {
          throw SettingsError("\(place): after a backslash only \" \\ n t can follow")
        }
        value += meant
      default: value.append(character)
      }
    }
    throw SettingsError("\(place): the closing quote is missing")
  }
}

/// `text` without the white space around it.
func trimmed(_ text: Substring) -> Substring {
  guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
  return text[...last].drop { $0.isWhitespace }
}
