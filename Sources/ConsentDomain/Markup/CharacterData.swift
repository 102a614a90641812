internal import Base

/// Sections of character data, `<![CDATA[…]]>`, which markup may have within SVG and MathML.
///
/// Gumbo ends the process at some of them: an assertion of its parser fails where a table has one. So it gets to see
/// none.
enum CharacterData {
  private static let start = Array("<![CDATA[".utf8)
  private static let end = Array("]]>".utf8)

  /// The markup with what such sections contain as ordinary text. A section that does not end is text from its first
  /// letter.
  static func asText(_ markup: String) -> String {
    let bytes = Array(markup.utf8)
    guard var next = bytes.range(of: start, from: 0) else { return markup }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var place = 0
    while let last = bytes.range(of: end, from: next.upperBound) {
      text += bytes[place..<next.lowerBound]
      let content = String(decoding: bytes[next.upperBound..<last.lowerBound], as: UTF8.self)
      text += MarkupText.escaped(content).utf8
      place = last.upperBound
      guard let other = bytes.range(of: start, from: place) else { break }
      next = other
    }
    text += bytes[place...]
    return withoutStarts(text)
  }

  /// What stood around a section may be the start of another one, now that they have come together.
  private static func withoutStarts(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var place = 0
    while let next = bytes.range(of: start, from: place) {
      text += bytes[place..<next.lowerBound]
      text += "&lt;".utf8
      place = next.lowerBound + 1
    }
    text += bytes[place...]
    return String(decoding: text, as: UTF8.self)
  }
}

extension [UInt8] {
  fileprivate func range(of pattern: [UInt8], from start: Int) -> Range<Int>? {
    guard let first = pattern.first, start + pattern.count <= count else { return nil }
    for place in start...(count - pattern.count) where self[place] == first {
      if self[place..<place + pattern.count].elementsEqual(pattern) { return place..<place + pattern.count }
    }
    return nil
  }
}
