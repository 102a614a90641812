/// The table from a font's codes back to text, which makes a document searchable and readable aloud.
enum ToUnicode {
  /// A table may hold this many entries in one block.
  private static let blockSize = 100

  /// - Parameter texts: the text of each code.
  static func map(_ texts: [String]) -> [UInt8] {
    var bytes = Array(head.utf8)
    for start in stride(from: 0, to: texts.count, by: blockSize) {
      let block = start..<min(start + blockSize, texts.count)
      bytes += "\(block.count) beginbfchar\n".utf8
      for code in block {
        bytes.append(hex: [UInt8(code >> 8), UInt8(code & 255)])
        bytes.append(hex: texts[code].utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
        bytes.append(0x0A)
      }
      bytes += "endbfchar\n".utf8
    }
    return bytes + tail.utf8
  }

  private static let head = """
    /CIDInit /ProcSet findresource begin
    12 dict begin
    begincmap
    /CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
    /CMapName /Adobe-Identity-UCS def
    /CMapType 2 def
    1 begincodespacerange
    <0000><FFFF>
    endcodespacerange

    """

  private static let tail = """
    endcmap
    CMapName currentdict /CMap defineresource pop
    end
    end
    """
}
