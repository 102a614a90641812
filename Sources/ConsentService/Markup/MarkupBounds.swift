/// Bounds on markup, checked in one pass over its bytes before the parser sees it.
///
/// A browser's parser reopens every unclosed formatting element in each paragraph that follows. A few kilobytes of
/// `<b>` before a few kilobytes of `<p>` become millions of elements; this bounds that product.
package enum MarkupBounds {
  package static let longest = 512 * 1024
  package static let mostTags = 20_000
  package static let mostCopies = 200_000

  private static let formatting: Set<String> = [
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
  ]
  /// Inside these elements a closing tag does not close an element that was opened outside.
  private static let markers: Set<String> = ["applet", "caption", "marquee", "object", "td", "template", "th"]

  package static func check(_ html: String) throws(MarkupError) {
    let bytes = Array(html.utf8)
    guard bytes.count <= longest else { throw .tooLong(bytes: bytes.count, bound: longest) }
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
  }

  private static func tagName(in bytes: [UInt8], from start: Int) -> String {
    var end = start
    while end < bytes.count, end - start < 12, isLetter(bytes[end]) { end += 1 }
    return String(decoding: bytes[start..<max(start, end)], as: UTF8.self).lowercased()
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte)
  }
}
