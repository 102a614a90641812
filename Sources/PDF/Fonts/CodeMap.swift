/// The table from the codes on a page to the glyphs of a font with CFF outlines.
enum CodeMap {
  static let name = "Assent-Codes"
  private static let blockSize = 100

  /// - Parameter numbers: the number of each code's glyph.
  static func map(_ numbers: [UInt32]) -> [UInt8] {
    var bytes = Array(head.utf8)
    for start in stride(from: 0, to: numbers.count, by: blockSize) {
      let block = start..<min(start + blockSize, numbers.count)
      bytes += "\(block.count) begincidchar\n".utf8
      for code in block {
        bytes.append(hex: [UInt8(code >> 8), UInt8(code & 255)])
        bytes += " \(numbers[code])\n".utf8
      }
      bytes += "endcidchar\n".utf8
    }
    return bytes + tail.utf8
  }

  private static let head = """
    %!PS-Adobe-3.0 Resource-CMap
    /CIDInit /ProcSet findresource begin
    12 dict begin
    begincmap
    /CIDSystemInfo 3 dict dup begin
    /Registry (Adobe) def
    /Ordering (Identity) def
    /Supplement 0 def
    end def
    /CMapName /\(name) def
    /CMapType 1 def
    /WMode 0 def
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
