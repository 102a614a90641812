internal import Base

/// Reads the JSON of stroke files. It reads piece by piece, so that a file of a million points is refused as soon as it
/// passes the limit, before it takes memory.
struct JSONReader {
  private var parser: JSONParser

  init(_ bytes: [UInt8]) {
    parser = JSONParser(bytes, deepest: 16, allowsNonFinite: true)
  }

  /// The next byte that is not a space; nil at the end.
  mutating func peek() -> UInt8? { parser.peek() }

  mutating func expectEnd() throws(InkError) {
    try read { (parser) throws(JSONError) in try parser.expectEnd() }
  }

  /// Calls `element` with the index of each element of an array; `element` has to read it.
  mutating func array(_ element: (inout JSONReader, Int) throws(InkError) -> Void) throws(InkError) {
    try read { (parser) throws(JSONError) in try parser.beginArray() }
    var index = 0
    while try read({ (parser) throws(JSONError) in try parser.nextElement() }) {
      try element(&self, index)
      index += 1
    }
  }

  /// Calls `field` with the name of each field of an object; `field` has to read its value.
  mutating func object(_ field: (inout JSONReader, String) throws(InkError) -> Void) throws(InkError) {
    try read { (parser) throws(JSONError) in try parser.beginObject() }
    while let name = try read({ (parser) throws(JSONError) in try parser.nextName() }) { try field(&self, name) }
  }

  /// A number; `null` and JavaScript's words for numbers are read as NaN and infinities, so that validation can say
  /// where they were.
  mutating func number() throws(InkError) -> Double {
    if parser.takeNull() { return .nan }
    return try read { (parser) throws(JSONError) in try parser.number() }
  }

  mutating func string() throws(InkError) -> String {
    let text = try read { (parser) throws(JSONError) in try parser.string() }
    guard text.utf8.count <= 4 * InkLimits.textBytes else { throw failure("a text of fewer bytes") }
    return text
  }

  /// Skips a value that is not used.
  mutating func skip() throws(InkError) {
    try read { (parser) throws(JSONError) in try parser.skip() }
  }

  func failure(_ wanted: String) -> InkError { InkError(parser.failure("\(wanted) belongs there")) }

  private mutating func read<Piece>(
    _ piece: (inout JSONParser) throws(JSONError) -> Piece
  ) throws(InkError) -> Piece {
    do throws(JSONError) {
      return try piece(&parser)
    } catch {
      throw InkError(error)
    }
  }
}

extension InkError {
  fileprivate init(_ error: JSONError) {
    let found = error.found.isEmpty ? "the end" : excerpt(error.found)
    self.init(path: "JSON", finding: "has \(found) at byte \(error.offset)", requirement: error.requirement)
  }
}
