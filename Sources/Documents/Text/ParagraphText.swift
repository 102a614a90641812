internal import PDF

/// A paragraph's characters with their Unicode properties.
struct ParagraphText {
  let scalars: [Unicode.Scalar]
  let values: [UInt32]
  /// The index into `styles` of each character.
  let styleOf: [Int]
  let styles: [InlineStyle]
  let levels: [UInt8]
  let systems: [WritingSystem]
  /// All writing systems that occur.
  let writingSystems: Set<WritingSystem>
  /// For each character, and for the text's end, whether a line may end before it.
  let ends: [TextRules.LineEnd]
  /// For each character, the width in points that it adds to its line: the whole advance at a letter's first character,
  /// otherwise 0.
  private(set) var advances: [Double]
  /// For each character, whether a letter begins there, where a line may be broken as a last resort.
  private(set) var isLetter: [Bool]

  init(_ paragraph: Paragraph, isRightToLeft: Bool, _ rules: TextRules) {
    var scalars: [Unicode.Scalar] = []
    var units: [UInt16] = []
    var unitOf: [Int] = []
    var styleOf: [Int] = []
    var styles: [InlineStyle] = []
    // Found by a dictionary, since each link is a style of its own and there may be very many.
    var places: [InlineStyle: Int] = [:]
    for span in paragraph.spans {
      let style = places[span.style] ?? styles.count
      if style == styles.count {
        styles.append(span.style)
        places[span.style] = style
      }
      var text = span.text.unicodeScalars[...]
      while let scalar = text.popFirst() {
        // Both end one line together.
        if scalar == "\r", text.first == "\n" { continue }
        let shown = Self.shown(scalar)
        guard shown == "\n" || !Self.isControl(shown) else { continue }
        scalars.append(shown)
        styleOf.append(style)
        unitOf.append(units.count)
        units += String(Character(scalar)).utf16
      }
    }
    let unitLevels = TextRules.levels(units, isRightToLeft: isRightToLeft)
    let unitEnds = rules.lineEnds(units)
    self.scalars = scalars
    self.styleOf = styleOf
    self.styles = styles
    values = scalars.map(\.value)
    levels = unitOf.map { unitLevels[$0] }
    ends = unitOf.map { unitEnds[$0] } + [.required]
    systems = Self.systems(scalars)
    writingSystems = Set(systems)
    advances = Array(repeating: 0, count: scalars.count)
    isLetter = Array(repeating: false, count: scalars.count)
  }

  /// The character that is shown. A line separator, after which directions continue, is otherwise a line break. The
  /// byte-order mark joins words; PDF/A forbids it (6.2.11.7.2), so a character with the same meaning replaces it.
  /// Tabs, and old characters for the end of a line or page, become spaces.
  private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "\t", "\u{0B}", "\u{0C}", "\r", "\u{85}": " "
    case "\u{2028}": "\n"
    case "\u{FEFF}": "\u{2060}"
    default: scalar
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 32 || (127...159).contains(scalar.value)
  }

  /// Characters that all scripts use take the script of the one before them, or at the start of the one after.
  private static func systems(_ scalars: [Unicode.Scalar]) -> [WritingSystem] {
    var systems = scalars.map(WritingSystem.init)
    var last: WritingSystem?
    for index in systems.indices {
      if systems[index] == .inherited || systems[index] == .common {
        if let last { systems[index] = last }
      } else {
        last = systems[index]
      }
    }
    let first = systems.first { $0 != .common && $0 != .inherited }
    for index in systems.indices {
      guard systems[index] == .common || systems[index] == .inherited else { break }
      systems[index] = first ?? .common
    }
    return systems
  }

  /// Whether a character stays with the one before it.
  func belongs(_ index: Int) -> Bool {
    TextRules.isMark(values[index]) || TextRules.isIgnorable(values[index])
  }

  mutating func measure(_ items: [TextItem]) {
    for item in items {
      for glyph in item.glyphs {
        advances[glyph.cluster] += Double(glyph.advance) * item.size / 1000
        isLetter[glyph.cluster] = !belongs(glyph.cluster)
      }
    }
  }

  func isSpace(_ index: Int) -> Bool { scalars[index] == " " || scalars[index] == "\n" || scalars[index] == "\u{3000}" }
}

/// A part of a paragraph in one font, direction and style, with its glyphs.
struct TextItem {
  var range: Range<Int>
  let level: UInt8
  let style: InlineStyle
  let font: FontProgram
  let isEmboldened: Bool
  let size: Double
  let rise: Double
  let system: WritingSystem
  let glyphs: [ShapedGlyph]

  /// The glyphs of a part of the item, which are contiguous in either direction.
  func glyphs(in part: Range<Int>) -> ArraySlice<ShapedGlyph> {
    if level % 2 == 0 {
      return glyphs[place { $0.cluster >= part.lowerBound }..<place { $0.cluster >= part.upperBound }]
    }
    return glyphs[place { $0.cluster < part.upperBound }..<place { $0.cluster < part.lowerBound }]
  }

  /// The index of the first glyph from which on `isBehind` is true, by binary search.
  private func place(_ isBehind: (ShapedGlyph) -> Bool) -> Int {
    var (low, high) = (0, glyphs.count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(glyphs[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
