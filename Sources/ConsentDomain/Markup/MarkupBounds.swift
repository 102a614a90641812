/// Bounds on markup, found by one pass over its bytes, before the parser sees it.
///
/// Some things make a browser's parser take time that grows with the square of its input. It compares each attribute
/// of a tag with all before it, and those of a formatting element with those of all that are open; it walks up the open
/// elements at each tag; and it reopens every formatting element that was left open in each paragraph that follows: a
/// few kilobytes of `<b>` before a few kilobytes of `<p>` become millions of elements. Each of these is bounded here;
/// see docs/decisions/0040-markup-and-pdf.md.
package enum MarkupBounds {
  package static let longest = 512 * 1024
  package static let mostTags = 8_000
  package static let mostAttributes = 100
  package static let mostFormattingAttributes = 20
  package static let mostCopies = 200_000
  /// In Markdown. Its parser looks back over all open brackets of a paragraph.
  package static let mostBrackets = 4_000
  /// In Markdown: how deep lists and quotes may be nested.
  package static let deepest = 100
  /// In Markdown. Its parser walks down all open lists at each empty line.
  package static let mostNestedLines = 2_000_000

  private static let formatting: Set<String> = [
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
  ]
  /// Inside these elements, a closing tag does not close what was opened outside of them.
  private static let markers: Set<String> = ["applet", "caption", "marquee", "object", "td", "template", "th"]

  /// Checks `html` against all bounds; returns how many tags it has.
  @discardableResult
  package static func check(_ html: String) throws(MarkupError) -> Int {
    try checkLength(html)
    let bytes = Array(html.utf8)
    guard !AttributeCount.exceeds(mostAttributes, in: bytes) else { throw .tooManyAttributes(bound: mostAttributes) }
    let isSlow = AttributeCount.exceeds(mostFormattingAttributes, in: bytes) { place in
      formatting.contains(tagName(in: bytes, from: place))
    }
    guard !isSlow else { throw .tooManyFormattingAttributes(bound: mostFormattingAttributes) }
    var tags = 0
    var frames: [Int] = [0]
    var open = 0
    var mostOpen = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: "<") {
      let closes = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "/")
      let name = tagName(in: bytes, from: index + (closes ? 2 : 1))
      guard !name.isEmpty else { continue }
      tags += 1
      switch (formatting.contains(name), markers.contains(name), closes) {
      case (true, _, false):
        frames[frames.count - 1] += 1
        open += 1
      case (true, _, true) where frames[frames.count - 1] > 0:
        frames[frames.count - 1] -= 1
        open -= 1
      case (_, true, false): frames.append(0)
      case (_, true, true) where frames.count > 1: open -= frames.removeLast()
      default: break
      }
      mostOpen = max(mostOpen, open)
    }
    guard tags <= mostTags else { throw .tooManyTags(count: tags, bound: mostTags) }
    guard mostOpen * tags <= mostCopies else { throw .tooTangled(work: mostOpen * tags, bound: mostCopies) }
    return tags
  }

  package static func checkLength(_ markup: String) throws(MarkupError) {
    let count = markup.utf8.count
    guard count <= longest else { throw .tooLong(bytes: count, bound: longest) }
  }

  package static func check(markdown: String) throws(MarkupError) {
    try checkLength(markdown)
    let brackets = markdown.utf8.count(where: { $0 == UInt8(ascii: "[") })
    guard brackets <= mostBrackets else { throw .tooManyBrackets(count: brackets, bound: mostBrackets) }
    let nesting = MarkdownNesting(markdown)
    guard nesting.depth <= deepest else { throw .tooDeep(depth: nesting.depth, bound: deepest) }
    let work = nesting.depth * nesting.lines
    guard work <= mostNestedLines else { throw .tooManyNestedLines(work: work, bound: mostNestedLines) }
  }

  private static func tagName(in bytes: [UInt8], from start: Int) -> String {
    var end = start
    while end < bytes.count, end - start < 12, bytes[end].isASCIILetter { end += 1 }
    return String(decoding: bytes[start..<max(start, end)], as: UTF8.self).lowercased()
  }
}

extension UInt8 {
  var isASCIILetter: Bool { (65...90).contains(self) || (97...122).contains(self) }
}
