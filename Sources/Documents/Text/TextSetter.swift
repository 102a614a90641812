internal import PDF

/// Sets paragraphs as lines of glyphs.
final class TextSetter {
  private let fonts: FontFolder
  private let language: String
  private let rules: TextRules
  let patience: Patience
  private var faces: [FaceKey: [FontFile]] = [:]
  /// Characters that no font has, in order of occurrence.
  private(set) var unknown: [Unicode.Scalar] = []

  private struct FaceKey: Hashable {
    let system: String
    let isBold: Bool
    let isItalic: Bool
    let isMonospaced: Bool
    let variant: HanVariant
  }

  private static let lettersBetweenChecks = 4096

  init(fonts: FontFolder, language: String, _ patience: Patience) {
    self.patience = patience
    self.fonts = fonts
    self.language = language
    rules = TextRules(language: language)
  }

  /// A paragraph with its glyphs, not yet broken into lines.
  func set(_ paragraph: Paragraph, size: Double, isRightToLeft: Bool) throws(DocumentError) -> SetParagraph {
    try patience.check()
    var text = ParagraphText(paragraph, isRightToLeft: isRightToLeft, rules)
    let pieces = try self.pieces(text)
    var items: [TextItem] = []
    var unchecked = 0
    for piece in pieces {
      unchecked += piece.range.count
      if unchecked > Self.lettersBetweenChecks {
        try patience.check()
        unchecked = 0
      }
      let style = text.styles[piece.style]
      let own = size * style.scale
      let glyphs = piece.font.shape(
        text.values, in: piece.range, piece.system, isRightToLeft: piece.level % 2 == 1,
        language: style.language ?? language)
      for glyph in glyphs where glyph.number == 0 { note(text.scalars[glyph.cluster]) }
      items.append(
        TextItem(
          range: piece.range, level: piece.level, style: style, font: piece.font, isEmboldened: piece.isEmboldened,
          size: own, rise: Double(style.shift) * size * (style.shift > 0 ? 0.35 : 0.18), system: piece.system,
          glyphs: glyphs))
    }
    text.measure(items)
    return SetParagraph(text: text, items: items, size: size, isRightToLeft: isRightToLeft, language: language)
  }

  private func note(_ scalar: Unicode.Scalar) {
    if !unknown.contains(scalar), unknown.count < 100 { unknown.append(scalar) }
  }

  // MARK: - Pieces of one font, one direction and one style

  private struct Piece {
    var range: Range<Int>
    let level: UInt8
    let style: Int
    let system: WritingSystem
    let font: FontProgram
    let isEmboldened: Bool
  }

  private func pieces(_ text: ParagraphText) throws(DocumentError) -> [Piece] {
    var pieces: [Piece] = []
    var at = 0
    var checkedAt = 0
    while at < text.scalars.count {
      if at - checkedAt > Self.lettersBetweenChecks {
        try patience.check()
        checkedAt = at
      }
      // A letter and its marks come from the same font.
      var end = at + 1
      while end < text.scalars.count, text.belongs(end) { end += 1 }
      if text.scalars[at] == "\n" {
        at = end
        continue
      }
      let style = text.styleOf[at]
      let system = text.systems[at]
      let last = pieces.last
      // Pieces are joined only if they have the same style, so that monospaced text keeps its font.
      let follows = last.map { $0.range.upperBound == at && $0.style == style && $0.level == text.levels[at] } ?? false
      if follows, let last, last.system == system || system == .common, Self.has(text, at..<end, last.font) {
        pieces[pieces.count - 1].range = last.range.lowerBound..<end
      } else {
        let (font, file) = try self.font(for: text, at..<end, system, text.styles[style])
        if follows, let last, last.font === font, last.system == system || system == .common {
          pieces[pieces.count - 1].range = last.range.lowerBound..<end
        } else {
          pieces.append(
            Piece(
              range: at..<end, level: text.levels[at], style: style, system: system, font: font,
              isEmboldened: file.isEmboldened(text.styles[style])))
        }
      }
      at = end
    }
    return pieces
  }

  private static func has(_ text: ParagraphText, _ range: Range<Int>, _ font: FontProgram) -> Bool {
    range.allSatisfy { font.has(text.values[$0]) || TextRules.isIgnorable(text.values[$0]) }
  }

  /// The first font that has a letter and all of its marks.
  private func font(
    for text: ParagraphText, _ range: Range<Int>, _ system: WritingSystem, _ style: InlineStyle
  ) throws(DocumentError) -> (FontProgram, FontFile) {
    let key = FaceKey(
      system: system.code, isBold: style.isBold, isItalic: style.isItalic, isMonospaced: style.isMonospaced,
      variant: HanVariant(language: style.language ?? language, text.writingSystems))
    let files = faces[key] ?? FontFile.candidates(key.system, style, key.variant)
    faces[key] = files
    for file in files {
      let font = try fonts.font(file)
      if Self.has(text, range, font) { return (font, file) }
    }
    // A mark may be in a font that lacks the letter, so it is looked for in each font by itself.
    var known = Set<UInt32>()
    for file in files {
      let font = try fonts.font(file)
      for place in range where font.has(text.values[place]) { known.insert(text.values[place]) }
    }
    let missing = range.filter { !known.contains(text.values[$0]) && !TextRules.isIgnorable(text.values[$0]) }
    for place in missing.isEmpty ? Array(range) : missing { note(text.scalars[place]) }
    return (try fonts.font(files[0]), files[0])
  }
}

extension InlineStyle {
  /// The size relative to that of the paragraph.
  var scale: Double {
    if shift != 0 { return 0.7 }
    return isSmall ? 0.85 : 1
  }
}
