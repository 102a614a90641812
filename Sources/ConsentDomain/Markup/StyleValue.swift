/// Checks values of attributes that browsers read as CSS.
enum StyleValue {
  /// The functions for colours, which load nothing.
  private static let harmless: Set<String> = ["rgb", "rgba", "hsl", "hsla"]
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
    for place in bytes.indices where bytes[place] == UInt8(ascii: "(") {
      let start = (bytes[..<place].lastIndex { !$0.isPartOfName } ?? -1) + 1
      let name = String(decoding: bytes[start..<place], as: UTF8.self).lowercased()
      guard harmless.contains(name) else { return false }
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
