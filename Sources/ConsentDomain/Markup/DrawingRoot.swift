/// A cleaned drawing as well-formed XML: one root element, and only characters that XML allows.
///
/// The sanitiser writes balanced elements and escapes all text. But it reads markup as browsers do, which also accept
/// several roots, text around them, and control characters.
package struct DrawingRoot: Hashable, Sendable {
  package let xml: String
  /// Whether something besides the root was left out.
  package let isLess: Bool

  /// The first drawing in cleaned markup; nil if there is none.
  package static func only(in markup: String) -> DrawingRoot? {
    let sound = String(String.UnicodeScalarView(markup.unicodeScalars.filter(isXML)))
    guard let root = root(in: sound) else { return nil }
    return DrawingRoot(xml: root, isLess: root.unicodeScalars.count < trimmed(markup).unicodeScalars.count)
  }

  /// From the first "<svg" to the "</svg>" that closes it.
  private static func root(in markup: String) -> String? {
    let bytes = Array(markup.utf8)
    let (opens, closes) = (Array("<svg".utf8), Array("</svg>".utf8))
    var start: Int?
    var depth = 0
    for place in bytes.indices where bytes[place] == UInt8(ascii: "<") {
      let rest = bytes[place...]
      if rest.starts(with: opens) {
        if start == nil { start = place }
        depth += 1
      } else if rest.starts(with: closes), let start {
        depth -= 1
        if depth == 0 { return String(decoding: bytes[start..<place + closes.count], as: UTF8.self) }
      }
    }
    return nil
  }

  private static func isXML(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}
