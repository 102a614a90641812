internal import CText
internal import PDF

/// Unicode's rules for text, by ICU: its direction, where lines may end, and which characters are not letters of their
/// own.
@safe final class TextRules {
  private let lines: UnsafeMutableRawPointer?

  /// - Parameter language: decides on rules, such as where words end in Thai and lines in Japanese.
  init(language: String) {
    unsafe lines = unsafe ctext_lines_open(TextLanguage(language).tag)
  }

  deinit {
    if let lines = unsafe lines { unsafe ctext_lines_close(lines) }
  }

  enum LineEnd: UInt8 {
    case none, allowed, required
  }

  /// For each place in the text, its end included, whether a line may end before it.
  func lineEnds(_ text: [UInt16]) -> [LineEnd] {
    var marks = [UInt8](repeating: 0, count: text.count + 1)
    if let lines = unsafe lines, !text.isEmpty {
      _ = unsafe ctext_lines_mark(lines, text, Int32(text.count), &marks)
    }
    return marks.map { LineEnd(rawValue: $0) ?? .none }
  }

  /// The level of each unit of a paragraph: even levels run from left to right, odd ones from right to left.
  static func levels(_ text: [UInt16], isRightToLeft: Bool) -> [UInt8] {
    let base: UInt8 = isRightToLeft ? 1 : 0
    var levels = [UInt8](repeating: base, count: text.count)
    guard !text.isEmpty else { return levels }
    guard unsafe ctext_bidi_levels(text, Int32(text.count), base, &levels) == 1 else {
      preconditionFailure("no memory for a paragraph")
    }
    return levels
  }

  /// Whether a text runs from right to left, by its first letter with a direction; nil if there is none. Isolates are
  /// skipped, as in rule P2 of the bidirectional algorithm.
  static func isRightToLeft(_ text: some Sequence<Unicode.Scalar>) -> Bool? {
    var isolates = 0
    for scalar in text {
      switch scalar.value {
      case 0x2066...0x2068: isolates += 1
      case 0x2069: isolates = max(isolates - 1, 0)
      default:
        guard isolates == 0 else { continue }
        let direction = ctext_direction(scalar.value)
        if direction != 0 { return direction == 2 }
      }
    }
    return nil
  }

  /// Whether a character is invisible by itself, so that no font has to have it.
  static func isIgnorable(_ scalar: UInt32) -> Bool { ctext_is_ignorable(scalar) != 0 }

  /// Whether a character belongs to the letter before it.
  static func isMark(_ scalar: UInt32) -> Bool { ctext_is_mark(scalar) != 0 }
}
