/// Reads JSON piece by piece, without ever holding a tree of it: a file of a million points is refused as soon as it
/// passes the limit, before it takes any memory.
struct JSONReader {
  private let bytes: [UInt8]
  private(set) var offset = 0

  private static let deepest = 16

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The next byte that is not a space; 0 at the end.
  mutating func peek() -> UInt8 {
    skipSpace()
    return offset < bytes.count ? bytes[offset] : 0
  }

  mutating func expectEnd() throws(InkError) {
    guard peek() == 0, offset == bytes.count else { throw failure("the end of the file") }
  }

  /// Calls `element` with the index of each element of an array; `element` has to read it.
  mutating func array(_ element: (inout JSONReader, Int) throws(InkError) -> Void) throws(InkError) {
    try expect("[")
    if take("]") { return }
    var index = 0
    repeat {
      try element(&self, index)
      index += 1
    } while take(",")
    try expect("]")
  }

  /// Calls `field` with the name of each field of an object; `field` has to read its value.
  mutating func object(_ field: (inout JSONReader, String) throws(InkError) -> Void) throws(InkError) {
    try expect("{")
    if take("}") { return }
    repeat {
      let name = try string()
      try expect(":")
      try field(&self, name)
    } while take(",")
    try expect("}")
  }

  /// A number; `null` and JavaScript's words for numbers are read as NaN and infinities, so that validation can say
  /// where they were.
  mutating func number() throws(InkError) -> Double {
    let words: [(String, Double)] = [
      ("null", .nan), ("NaN", .nan), ("Infinity", .infinity), ("-Infinity", -.infinity),
    ]
    for (word, value) in words where take(word: word) { return value }
    skipSpace()
    let start = offset
    while offset < bytes.count, Self.isNumeric(bytes[offset]) { offset += 1 }
    guard offset > start, offset - start <= 64, !bytes[start...].starts(with: [UInt8(ascii: "+")]),
      let value = Double(String(decoding: bytes[start..<offset], as: UTF8.self))
    else {
      offset = start
      throw failure("a number")
    }
    return value
  }

  mutating func string() throws(InkError) -> String {
    try expect("\"")
    var text: [UInt8] = []
    while offset < bytes.count, bytes[offset] >= 0x20 {
      let byte = bytes[offset]
      offset += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: text, as: UTF8.self) else { throw failure("a text in UTF-8") }
        return text
      case UInt8(ascii: "\\"): text += Array(String(try escaped()).utf8)
      default: text.append(byte)
      }
      guard text.count <= 4 * InkLimits.textBytes else { throw failure("a text of fewer bytes") }
    }
    throw failure("the end of a text")
  }

  /// Skips a value that is not used.
  mutating func skip(depth: Int = 0) throws(InkError) {
    guard depth < Self.deepest else { throw failure("fewer than \(Self.deepest) levels") }
    switch peek() {
    case UInt8(ascii: "["): try array { (reader, _) throws(InkError) in try reader.skip(depth: depth + 1) }
    case UInt8(ascii: "{"): try object { (reader, _) throws(InkError) in try reader.skip(depth: depth + 1) }
    case UInt8(ascii: "\""): try skipString()
    default:
      if take(word: "true") || take(word: "false") { return }
      _ = try number()
    }
  }

  func failure(_ wanted: String) -> InkError {
    let found =
      offset < bytes.count
      ? excerpt(String(decoding: bytes[offset..<min(offset + 12, bytes.count)], as: UTF8.self)) : "the end"
    return InkError(path: "JSON", finding: "has \(found) at byte \(offset)", requirement: "\(wanted) belongs there")
  }

  /// A text of any length: some files contain pictures as data URLs beside the strokes.
  private mutating func skipString() throws(InkError) {
    try expect("\"")
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
      offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard offset < bytes.count else { throw failure("the end of a text") }
    offset += 1
  }

  private mutating func escaped() throws(InkError) -> Character {
    guard offset < bytes.count else { throw failure("the end of a text") }
    let letter = bytes[offset]
    offset += 1
    switch letter {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Character(Unicode.Scalar(letter))
    case UInt8(ascii: "u"):
      let digits = bytes[offset..<min(offset + 4, bytes.count)]
      guard digits.count == 4, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else {
        throw failure("four hexadecimal digits")
      }
      offset += 4
      // Surrogates are not combined: no text that is kept here needs characters beyond the first plane.
      return Character(Unicode.Scalar(code) ?? "\u{FFFD}")
    default: throw failure("an escape")
    }
  }

  private mutating func skipSpace() {
    while offset < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[offset]) { offset += 1 }
  }

  private mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: mark) else { return false }
    offset += 1
    return true
  }

  private mutating func take(word: String) -> Bool {
    skipSpace()
    guard bytes[offset...].starts(with: word.utf8) else { return false }
    offset += word.utf8.count
    return true
  }

  private mutating func expect(_ mark: Unicode.Scalar) throws(InkError) {
    guard take(mark) else { throw failure("'\(mark)'") }
  }

  private static func isNumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}
