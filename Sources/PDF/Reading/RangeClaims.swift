/// Finds the arrays that state, as a /ByteRange, which bytes a signature covers.
///
/// A signature's hash does not depend on where its gap is. So if the signed bytes contain another array that fits them,
/// the same signature can be moved to another gap, where it signs a different document. The array may be inside
/// anything: pictures, texts and comments become parts of a file once its cross-references are changed. The name before
/// it does not matter, since a name has many spellings.
package enum RangeClaims {
  /// The offset of `[` of each array whose ranges begin with the first byte and cover as many bytes as there are.
  package static func places(in bytes: [UInt8], _ budget: ReadingBudget) throws(PDFReadError) -> [Int] {
    var places: [Int] = []
    var next = 0
    while let place = bytes[next...].firstIndex(of: UInt8(ascii: "[")) {
      next = place + 1
      var lexer = PDFLexer(bytes[...], at: next)
      let length = covered(&lexer)
      // Counted here, since many arrays may share a long comment, which is read for each.
      try budget.take(lexer.at - next, .readBytes)
      if length == bytes.count { places.append(place) }
    }
    return places
  }

  /// How many bytes the four numbers cover; nil if they are anything else.
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
