internal import Base

/// The texts of a file's pages, as the program that reads them writes them: plain, each page ended by a form feed.
package enum FileTexts {
  package static func pages(of output: [UInt8], count: Int) -> [String] {
    let parts = output.split(separator: 12, omittingEmptySubsequences: false).prefix(count)
    let texts = parts.map { plain(String(decoding: $0, as: UTF8.self)) }
    return texts + Array(repeating: "", count: count - texts.count)
  }

  /// The text without control characters and direction marks. Whoever displays the lines adds direction marks again.
  private static func plain(_ text: String) -> String {
    let kept = text.unicodeScalars.filter { scalar in
      if scalar == "\n" { return true }
      if [0x200E, 0x200F].contains(scalar.value) || (0x202A...0x202E).contains(scalar.value) { return false }
      return scalar.properties.generalCategory != .control && !(0x2066...0x2069).contains(scalar.value)
    }
    return trimmed(String(String.UnicodeScalarView(kept)))
  }
}
