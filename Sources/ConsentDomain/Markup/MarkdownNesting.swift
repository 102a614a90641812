/// An upper bound on how deep lists and quotes of Markdown are nested, however its parser reads them.
///
/// A line opens one level for each marker at its beginning, and continues at most one for each two columns of
/// indentation. So the bound is never lower than what the parser finds, and higher for code that is indented far.
struct MarkdownNesting {
  private(set) var depth = 0
  private(set) var lines = 0

  init(_ markdown: String) {
    let bytes = Array(markdown.utf8)
    var start = 0
    while start < bytes.count {
      lines += 1
      depth = max(depth, Self.depth(of: bytes[start...]))
      let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
      start = (end ?? bytes.count) + 1
    }
  }

  /// The depth of the line with which these bytes begin; 0 for an empty line, which opens nothing.
  private static func depth(of bytes: ArraySlice<UInt8>) -> Int {
    var (markers, columns) = (0, 0)
    var place = bytes.startIndex
    while place < bytes.endIndex {
      switch bytes[place] {
      case UInt8(ascii: " "):
        columns += 1
        place += 1
      case UInt8(ascii: "\t"):
        columns += 4
        place += 1
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        return markers == 0 ? 0 : markers + columns / 2
      default:
        guard let length = marker(at: bytes[place...]) else { return markers + columns / 2 }
        markers += 1
        place += length
        // The space after a marker belongs to it.
        if place < bytes.endIndex, bytes[place] == UInt8(ascii: " ") { place += 1 }
      }
    }
    return markers == 0 ? 0 : markers + columns / 2
  }

  /// The length of the marker with which these bytes begin: of a quote, a bullet, or a number of up to nine digits.
  private static func marker(at bytes: ArraySlice<UInt8>) -> Int? {
    func ends(after count: Int) -> Bool {
      bytes.dropFirst(count).first.map { [0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? true
    }
    guard let first = bytes.first else { return nil }
    switch first {
    case UInt8(ascii: ">"): return 1
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "*"): return ends(after: 1) ? 1 : nil
    default:
      let digits = bytes.prefix(10).prefix { (48...57).contains($0) }.count
      guard (1...9).contains(digits), let end = bytes.dropFirst(digits).first else { return nil }
      guard end == UInt8(ascii: ".") || end == UInt8(ascii: ")"), ends(after: digits + 1) else { return nil }
      return digits + 1
    }
  }
}
