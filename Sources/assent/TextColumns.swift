/// Measures and wraps text by the columns of a terminal, where Chinese, Japanese and Korean characters are two columns
/// wide.
enum TextColumns {
  static func width(of text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + (isWide($1) ? 2 : 1) }
  }

  /// `text` in lines of at most `width` columns, broken at spaces and between wide characters, which have no spaces.
  static func lines(of text: String, upTo width: Int) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(separator: "\n") {
      var line = ""
      for word in paragraph.split(separator: " ") {
        for (place, part) in parts(of: word).enumerated() {
          let gap = place == 0 && !line.isEmpty ? " " : ""
          if self.width(of: line) + self.width(of: gap + part) > width, !line.isEmpty {
            lines.append(line)
            line = part
          } else {
            line += gap + part
          }
        }
      }
      lines.append(line)
    }
    return lines
  }

  /// The pieces of a word that may be put on different lines. Closing marks stay with the text before them, opening
  /// marks with the text after them.
  private static func parts(of word: Substring) -> [String] {
    var parts: [String] = []
    var isOpen = false
    for character in word {
      let isCut = isWide(character) || parts.last?.last.map(isWide) == true
      if let last = parts.last, isOpen || !isCut || closing.contains(character) {
        parts[parts.count - 1] = last + String(character)
      } else {
        parts.append(String(character))
      }
      isOpen = opening.contains(character)
    }
    return parts
  }

  private static let closing: Set<Character> = ["、", "。", "，", "．", "：", "；", "！", "？", "）", "」", "』", "”", "ー"]
  private static let opening: Set<Character> = ["（", "「", "『", "“"]

  private static func isWide(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first else { return false }
    return wide.contains { $0.contains(scalar.value) }
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
  ]
}
