/// Where bytes say which of them a signature covers: /ByteRange with its four numbers.
///
/// A signature's hash does not bind where its own gap is. So where such numbers fit what it covers, and are not its own,
/// the same signature can be moved into another gap, and signs another document there. They may stand in anything:
/// pictures, texts and comments become parts of a file when its cross-references are other ones.
package enum RangeClaims {
  private static let word = Array("/ByteRange".utf8)
  /// How far the word's end is from each of its bytes, the last place of each; from anything else it is the whole word.
  private static let steps: [Int] = {
    var steps = [Int](repeating: word.count, count: 256)
    for (place, byte) in word.dropLast().enumerated() { steps[Int(byte)] = word.count - 1 - place }
    return steps
  }()

  /// The places of `[` of the ranges that begin with a file's first byte and cover so many bytes as there are.
  package static func places(in bytes: [UInt8], _ budget: ReadingBudget) throws(PDFReadError) -> [Int] {
    var places: [Int] = []
    var last = word.count - 1
    while last < bytes.count {
      if bytes[last] == word[word.count - 1], bytes[(last + 1 - word.count)...last].elementsEqual(word),
        let place = try claim(in: bytes, behind: last + 1, budget)
      {
        places.append(place)
      }
      last += steps[Int(bytes[last])]
    }
    return places
  }

  private static func claim(
    in bytes: [UInt8], behind word: Int, _ budget: ReadingBudget
  ) throws(PDFReadError) -> Int? {
    var lexer = PDFLexer(bytes, at: word)
    lexer.skipSpace()
    let place = lexer.at
    let length = lexer.take("[") ? covered(&lexer) : nil
    // Many may share a long comment, and it is read for each.
    try budget.take(lexer.at - word, .readBytes)
    return length == bytes.count ? place : nil
  }

  /// How many bytes the four numbers cover; nil where they are something else.
  private static func covered(_ lexer: inout PDFLexer) -> Int? {
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
