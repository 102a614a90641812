internal import PDF

/// A paragraph with its glyphs, to be broken into lines of any width.
struct SetParagraph {
  let text: ParagraphText
  let items: [TextItem]
  let size: Double
  let isRightToLeft: Bool
  let language: String

  /// The width if lines are broken only where they must be.
  var naturalWidth: Double {
    var widest = 0.0
    var width = 0.0
    for index in text.scalars.indices {
      if index > 0, text.ends[index] == .required { width = 0 }
      width += text.advances[index]
      widest = max(widest, width)
    }
    return widest
  }

  /// The width of the longest word.
  var leastWidth: Double {
    var widest = 0.0
    var width = 0.0
    for index in text.scalars.indices {
      if text.ends[index] != .none { width = 0 }
      if !text.isSpace(index) { width += text.advances[index] }
      widest = max(widest, width)
    }
    return widest
  }

  /// Breaks the paragraph into lines with as much as fits in each. A word wider than a line is broken between letters.
  func lines(width: Double) -> [SetLine] {
    var lines: [SetLine] = []
    var start = 0
    var lastEnd: Int?
    var used = 0.0
    var index = 0
    func finish(_ end: Int) {
      lines.append(line(start..<end, width: width))
      start = end
      lastEnd = nil
      used = 0
      index = end
    }
    while index < text.scalars.count {
      if index > start, text.ends[index] == .required {
        finish(index)
        continue
      }
      if index > start, text.ends[index] == .allowed { lastEnd = index }
      let isTooWide = used + text.advances[index] > width + 0.01 && !text.isSpace(index) && index > start
      if isTooWide, let end = lastEnd {
        finish(end)
        continue
      }
      if isTooWide, text.isLetter[index] {
        finish(index)
        continue
      }
      used += text.advances[index]
      index += 1
    }
    if start < text.scalars.count || lines.isEmpty { lines.append(line(start..<text.scalars.count, width: width)) }
    return lines
  }

  private func line(_ range: Range<Int>, width: Double) -> SetLine {
    var visible = range.upperBound
    while visible > range.lowerBound, text.isSpace(visible - 1) { visible -= 1 }
    var parts: [SetLine.Part] = []
    for item in items[firstItem(endingAfter: range.lowerBound)...].prefix(while: {
      $0.range.lowerBound < range.upperBound
    }) {
      let shared = item.range.clamped(to: range)
      // Spaces at a line's end take the paragraph's direction, not that of the words before them.
      let seen = shared.lowerBound..<max(shared.lowerBound, min(shared.upperBound, visible))
      if !seen.isEmpty { parts.append(part(item, seen, level: item.level)) }
      let trailing = max(shared.lowerBound, visible)
      if trailing < shared.upperBound, parts.last?.isSpace != true {
        // One of them is drawn, with no width, so that the words of two lines stay separate when text is extracted.
        var space = part(item, trailing..<(trailing + 1), level: isRightToLeft ? 1 : 0)
        space.width = 0
        parts.append(space)
      }
    }
    let used = parts.reduce(0) { $0 + $1.width }
    return SetLine(
      parts: positioned(parts, from: isRightToLeft ? width - used : 0), width: used, size: size,
      endsParagraph: range.upperBound == text.scalars.count)
  }

  private func part(_ item: TextItem, _ range: Range<Int>, level: UInt8) -> SetLine.Part {
    var glyphs = item.glyphs
    if range != item.range {
      let isWhole = Self.isSafe(item, at: range.lowerBound) && Self.isSafe(item, at: range.upperBound)
      glyphs =
        isWhole
        ? Array(item.glyphs(in: range))
        : item.font.shape(
          text.values, in: range, item.system, isRightToLeft: item.level % 2 == 1,
          language: item.style.language ?? language)
    }
    let width = glyphs.reduce(0) { $0 + Double($1.advance) } * item.size / 1000
    return SetLine.Part(
      item: item, clusters: clusters(glyphs, range, isRightToLeft: item.level % 2 == 1), level: level, width: width,
      isSpace: range.allSatisfy(text.isSpace))
  }

  private static func isSafe(_ item: TextItem, at place: Int) -> Bool {
    item.glyphs(in: place..<(place + 1)).allSatisfy(\.isSafeToBreak)
  }

  private func firstItem(endingAfter place: Int) -> Int {
    var (low, high) = (0, items.count)
    while low < high {
      let middle = (low + high) / 2
      if items[middle].range.upperBound > place { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Groups glyphs with the text that they stand for.
  private func clusters(
    _ glyphs: [ShapedGlyph], _ range: Range<Int>, isRightToLeft: Bool
  ) -> [PDFDocument.GlyphRun.Cluster] {
    let starts = Array(Set(glyphs.map(\.cluster))).sorted()
    var ends: [Int: Int] = [:]
    for (index, start) in starts.enumerated() {
      ends[start] = index + 1 < starts.count ? starts[index + 1] : range.upperBound
    }
    var clusters: [PDFDocument.GlyphRun.Cluster] = []
    var last: Int?
    for glyph in glyphs {
      let drawn = PDFDocument.GlyphRun.Glyph(
        number: glyph.number, advance: glyph.advance, offsetX: glyph.offsetX, offsetY: glyph.offsetY)
      if last == glyph.cluster {
        clusters[clusters.count - 1].glyphs.append(drawn)
      } else {
        let scalars = text.scalars[glyph.cluster..<(ends[glyph.cluster] ?? glyph.cluster + 1)]
        clusters.append(PDFDocument.GlyphRun.Cluster(text: ArabicLigatures.text(scalars), glyphs: [drawn]))
      }
      last = glyph.cluster
    }
    return clusters
  }

  /// Positions the parts: reverses those of higher levels, level by level (Unicode's rule L2).
  private func positioned(_ parts: [SetLine.Part], from left: Double) -> [SetLine.Part] {
    var order = Array(parts.indices)
    let highest = parts.map(\.level).max() ?? 0
    let lowestOdd = parts.map(\.level).filter { $0 % 2 == 1 }.min() ?? highest + 1
    if lowestOdd <= highest {
      for level in stride(from: highest, through: lowestOdd, by: -1) {
        var start = 0
        while start < order.count {
          guard parts[order[start]].level >= level else {
            start += 1
            continue
          }
          var end = start
          while end < order.count, parts[order[end]].level >= level { end += 1 }
          order[start..<end].reverse()
          start = end
        }
      }
    }
    var placed = parts
    var x = left
    for index in order {
      placed[index].x = x
      x += parts[index].width
    }
    return placed
  }
}

/// A line: its parts in reading order, each with its position from the line's left edge.
struct SetLine {
  struct Part {
    let item: TextItem
    let clusters: [PDFDocument.GlyphRun.Cluster]
    let level: UInt8
    var width: Double
    var isSpace = false
    var x = 0.0
  }

  let parts: [Part]
  let width: Double
  let size: Double
  let endsParagraph: Bool

  /// How far the line's letters reach above its baseline.
  var ascent: Double {
    max(
      parts.map { Double($0.item.font.measures.ascent) * $0.item.size / 1000 + max($0.item.rise, 0) }.max() ?? 0, size)
  }

  /// How far they reach below it; positive.
  var descent: Double {
    max(
      parts.map { -Double($0.item.font.measures.descent) * $0.item.size / 1000 - min($0.item.rise, 0) }.max() ?? 0,
      size * 0.27)
  }

  var height: Double { ascent + descent }

  var text: String { parts.flatMap(\.clusters).map(\.text).joined() }
}
