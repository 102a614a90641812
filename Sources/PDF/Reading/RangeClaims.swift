/// Where bytes say which of them a signature covers: the four numbers of a /ByteRange.
///
/// A signature's hash does not bind where its own gap is. So where such numbers fit what it covers, and are not its
/// own, the same signature can be moved into another gap, and signs another document there. They may stand in anything:
/// pictures, texts and comments become parts of a file when its cross-references are other ones. Under which name they
/// stand makes no difference, since a name has many spellings.
package enum RangeClaims {
  /// The places of `[` of the ranges that begin with a file's first byte and cover so many bytes as there are.
  package static func places(in bytes: [UInt8], _ budget: ReadingBudget) throws(PDFReadError) -> [Int] {
    var places: [Int] = []
    var next = 0
    while let place = bytes[next...].firstIndex(of: UInt8(ascii: "[")) {
      next = place + 1
      var lexer = PDFLexer(bytes, at: next)
      let length = covered(&lexer)
      // Many may share a long comment, and it is read for each.
      try budget.take(lexer.at - next, .readBytes)
      if length == bytes.count { places.append(place) }
    }
    return places
  }

  /// How many bytes the four numbers cover; nil where they are something else.
  private static func covered(_ lexer: inout PDFLexer) -> Int? {
    lexer.skipSpace()
    guard lexer.byte == UInt8(ascii: "0") else { return nil }
    do throws(PDFReadError) {
      guard try lexer.unsigned() == 0 else { return nil }
      let first = try lexer.unsigned()
      _ = try lexer.unsigned()
      let second = try lexer.unsigned()
      return lexer.take("]") ? first + second : nil
    } catch {
      return nil
    }
  }
}
