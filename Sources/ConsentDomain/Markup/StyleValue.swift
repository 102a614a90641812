/// Checks values of attributes that browsers read as CSS.
enum StyleValue {
  /// Colours: functions that load nothing.
  private static let harmless: Set<String> = [
    "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color",
  ]
  fileprivate static let endsOfNames = Set("()\"'".utf8)

  /// True when a value loads nothing, and says so in plain letters: no escapes (`u\72l(…)` is `url(…)`), no comments,
  /// and no function but those that are known.
  ///
  /// `url(#name)`, a reference within the drawing, is allowed only as the whole value.
  static func isPlain(_ value: String) -> Bool {
    // Read as bytes: in a Swift string, a bracket with a combining mark behind it is another character.
    let bytes = Array(trimmed(value).utf8)
    guard !bytes.contains(UInt8(ascii: "\\")), !bytes.hasComment else { return false }
    if bytes.isPlaceInside { return true }
    return hasHarmlessFunctions(bytes)
  }

  /// Whether each bracket opens the arguments of a known function, or stands within quotes, as in the name of a font.
  private static func hasHarmlessFunctions(_ bytes: [UInt8]) -> Bool {
    var place = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "("):
        let start = (bytes[..<place].lastIndex { !$0.isPartOfName } ?? -1) + 1
        let name = String(decoding: bytes[start..<place], as: UTF8.self).lowercased()
        guard harmless.contains(name) else { return false }
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        let quote = bytes[place]
        let words = bytes[(place + 1)...].prefix { $0 != quote }
        // Programs differ in whether the end of a line ends a quotation.
        guard !words.contains(where: { $0 == 10 || $0 == 12 || $0 == 13 }) else { return false }
        // A quotation that does not end is read like the rest of the value.
        if words.endIndex < bytes.count { place = words.endIndex }
      default: break
      }
      place += 1
    }
    return true
  }
}

extension [UInt8] {
  fileprivate var hasComment: Bool {
    zip(self, dropFirst()).contains { $0 == UInt8(ascii: "/") && $1 == UInt8(ascii: "*") }
  }

  /// Whether the value is `url(#name)`, with nothing in the name that could end it.
  fileprivate var isPlaceInside: Bool {
    let begin = Array("url(#".utf8)
    guard count > begin.count, last == UInt8(ascii: ")"),
      prefix(begin.count).elementsEqual(begin, by: { $0 == $1 || ($0.isCapital && $0 + 32 == $1) })
    else { return false }
    return self[begin.count...].dropLast().allSatisfy { $0 > 32 && !StyleValue.endsOfNames.contains($0) }
  }
}

extension UInt8 {
  fileprivate var isCapital: Bool { (65...90).contains(self) }

  /// Letters, digits, `-`, `_`, and everything outside of ASCII.
  fileprivate var isPartOfName: Bool {
    isCapital || (97...122).contains(self) || (48...57).contains(self) || self == UInt8(ascii: "-")
      || self == UInt8(ascii: "_") || self >= 128
  }
}
