internal import Base

/// Sections of character data, `<![CDATA[…]]>`, which markup may have within SVG and MathML.
///
/// An assertion in Gumbo's parser ends the process where a table has such a section, so Gumbo never gets one.
enum CharacterData {
  private static let start = Array("<![CDATA[".utf8)
  private static let end = Array("]]>".utf8)

  /// The markup with the content of such sections as ordinary text. A section that is not closed is text from its first
  /// character.
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

  /// Escapes the beginnings of sections that are left: the text around a removed section may form another one.
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
