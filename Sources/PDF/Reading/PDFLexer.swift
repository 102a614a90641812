/// Reads objects from a file's bytes, starting at one place. Every step is bounded, and nothing is guessed.
package struct PDFLexer {
  /// Its indices begin with 0.
  let bytes: ArraySlice<UInt8>
  package internal(set) var at: Int
  private var depth = 0
  /// How many elements all arrays and dictionaries that were read have together.
  private(set) var elements = 0

  private static let deepest = 64
  static let mostElements = 1_000_000
  private static let fewEntries = 24
  /// The whole part of a number gets another digit only while it is below this, so that its thousandths do not
  /// overflow.
  private static let mostWhole = 100_000_000_000_000

  /// - Parameter bytes: from the first byte of the file on, so that its indices are offsets.
  package init(_ bytes: ArraySlice<UInt8>, at place: Int) {
    self.bytes = bytes
    at = place
  }

  private func fault(_ finding: String) -> PDFReadError { PDFReadError("at byte \(at): \(finding)") }

  var byte: UInt8? { at < bytes.count ? bytes[at] : nil }

  package static func isSpace(_ byte: UInt8) -> Bool {
    switch byte {
    case 0, 9, 10, 12, 13, 32: true
    default: false
    }
  }

  static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    // ( ) < > [ ] { } / %
    case 0x28, 0x29, 0x3C, 0x3E, 0x5B, 0x5D, 0x7B, 0x7D, 0x2F, 0x25: true
    default: false
    }
  }

  mutating func skipSpace() {
    while let byte {
      if Self.isSpace(byte) {
        at += 1
      } else if byte == UInt8(ascii: "%") {
        while let byte = self.byte, byte != 10, byte != 13 { at += 1 }
      } else {
        return
      }
    }
  }

  /// Skips white space, and no comments.
  mutating func skipWhite() {
    while let byte, Self.isSpace(byte) { at += 1 }
  }

  /// Skips white space where comments are not allowed, since readers that go by lines or by offsets would take them for
  /// something else.
  mutating func skipSpaceAlone() throws(PDFReadError) {
    skipWhite()
    if byte == UInt8(ascii: "%") { throw fault("a comment where readers expect something else") }
  }

  /// Takes a word if it is next; returns whether it was.
  package mutating func take(_ word: String) -> Bool {
    skipSpace()
    var end = at
    var isWord = false
    for byte in word.utf8 {
      guard end < bytes.count, bytes[end] == byte else { return false }
      isWord = !Self.isDelimiter(byte)
      end += 1
    }
    if isWord, end < bytes.count, !Self.isSpace(bytes[end]), !Self.isDelimiter(bytes[end]) { return false }
    at = end
    return true
  }

  package mutating func unsigned() throws(PDFReadError) -> Int {
    skipSpace()
    return try digits()
  }

  /// Reads a number without skipping white space before it.
  mutating func digits() throws(PDFReadError) -> Int {
    var value = 0
    let start = at
    while let byte, Self.isDigit(byte) {
      guard at - start < 15 else { throw fault("a number with too many digits") }
      value = value * 10 + Int(byte - 48)
      at += 1
    }
    guard at > start else { throw fault("a number is missing") }
    return value
  }

  // MARK: - Objects

  mutating func object() throws(PDFReadError) -> PDFObject {
    skipSpace()
    guard let byte else { throw fault("the file ends inside an object") }
    switch byte {
    case UInt8(ascii: "/"): return .name(try name())
    case UInt8(ascii: "("): return .string(try literal())
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "<"):
      let isDictionary = at + 1 < bytes.count && bytes[at + 1] == UInt8(ascii: "<")
      return isDictionary ? .dictionary(try dictionary()) : .string(try hex())
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), 48...57: return try number()
    default:
      if take("true") { return .boolean(true) }
      if take("false") { return .boolean(false) }
      if take("null") { return .null }
      throw fault("something that is no object")
    }
  }

  private mutating func nested<Value>(
    _ body: (inout PDFLexer) throws(PDFReadError) -> Value
  ) throws(PDFReadError) -> Value {
    guard depth < Self.deepest else { throw fault("objects nested more than \(Self.deepest) deep") }
    depth += 1
    let value = try body(&self)
    depth -= 1
    return value
  }

  /// An element takes a few bytes in a file and many times as much in memory.
  private mutating func countElement() throws(PDFReadError) {
    elements += 1
    guard elements <= Self.mostElements else { throw fault("an object with more than \(Self.mostElements) elements") }
  }

  private mutating func array() throws(PDFReadError) -> PDFObject {
    at += 1
    return try nested { (lexer) throws(PDFReadError) in
      var values: [PDFObject] = []
      while true {
        lexer.skipSpace()
        if lexer.byte == UInt8(ascii: "]") {
          lexer.at += 1
          return .array(values)
        }
        try lexer.countElement()
        values.append(try lexer.object())
      }
    }
  }

  mutating func dictionary() throws(PDFReadError) -> PDFDictionary {
    guard take("<<") else { throw fault("a dictionary is missing") }
    return try nested { (lexer) throws(PDFReadError) in
      var entries: [(String, PDFObject)] = []
      // A linear search of the names is faster than a set, since most dictionaries have few entries.
      var names = Set<String>()
      while true {
        lexer.skipSpace()
        if lexer.take(">>") { return PDFDictionary(entries) }
        guard lexer.byte == UInt8(ascii: "/") else { throw lexer.fault("a dictionary's name is missing") }
        try lexer.countElement()
        let name = try lexer.name()
        // Readers differ in which of two values counts: one may show what another does not.
        if entries.count == Self.fewEntries { names.formUnion(entries.map(\.0)) }
        let isKnown =
          entries.count < Self.fewEntries ? entries.contains { $0.0 == name } : !names.insert(name).inserted
        guard !isKnown else { throw lexer.fault("a dictionary has /\(name) twice") }
        entries.append((name, try lexer.object()))
      }
    }
  }

  private mutating func name() throws(PDFReadError) -> String {
    at += 1
    var result: [UInt8] = []
    while let byte, !Self.isSpace(byte), !Self.isDelimiter(byte) {
      if byte == UInt8(ascii: "#"), at + 2 < bytes.count, let high = Self.digit(bytes[at + 1]),
        let low = Self.digit(bytes[at + 2])
      {
        result.append(high << 4 | low)
        at += 3
      } else {
        result.append(byte)
        at += 1
      }
    }
    // Readers written in C would end the name here.
    guard !result.contains(0) else { throw fault("a name with a zero in it") }
    if result.allSatisfy({ $0 < 128 }) { return String(decoding: result, as: UTF8.self) }
    return String(String.UnicodeScalarView(result.map { Unicode.Scalar($0) }))
  }

  private mutating func number() throws(PDFReadError) -> PDFObject {
    let start = at
    let isNegative = byte == UInt8(ascii: "-")
    if isNegative || byte == UInt8(ascii: "+") { at += 1 }
    var value = 0
    var fraction: [UInt8] = []
    var hasDigits = false
    var isReal = false
    while let byte {
      if Self.isDigit(byte) {
        guard at - start < 40, value < Self.mostWhole else { throw fault("a number with too many digits") }
        hasDigits = true
        if isReal { fraction.append(byte) } else { value = value * 10 + Int(byte - 48) }
      } else if byte == UInt8(ascii: "."), !isReal {
        isReal = true
      } else {
        break
      }
      at += 1
    }
    guard hasDigits else { throw fault("a number is missing") }
    // Readers differ in whether the bytes that follow directly belong to the number.
    if let byte, !Self.isSpace(byte), !Self.isDelimiter(byte) { throw fault("a number with something else behind it") }
    if isReal { return real(value, fraction, isNegative: isNegative) }
    if !isNegative, let reference = try reference(value) { return reference }
    return .integer(isNegative ? -value : value)
  }

  /// Nothing is rounded, so that two different numbers are never equal.
  private func real(_ whole: Int, _ fraction: [UInt8], isNegative: Bool) -> PDFObject {
    var digits = fraction
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    guard digits.count <= 3 else {
      return .decimal("\(isNegative ? "-" : "")\(whole).\(String(decoding: digits, as: UTF8.self))")
    }
    let part = (digits + [48, 48, 48]).prefix(3).reduce(0) { $0 * 10 + Int($1 - 48) }
    return .real(thousandths: (whole * 1000 + part) * (isNegative ? -1 : 1))
  }

  /// Reads the rest of a reference such as `12 0 R`, which begins like a number.
  private mutating func reference(_ number: Int) throws(PDFReadError) -> PDFObject? {
    var ahead = self
    ahead.skipSpace()
    guard ahead.at > at, let byte = ahead.byte, Self.isDigit(byte) else { return nil }
    let generation = try ahead.unsigned()
    guard ahead.at < bytes.count, Self.isSpace(bytes[ahead.at]), ahead.take("R") else { return nil }
    guard number <= PDFFile.highestNumber, generation <= 65_535 else { throw fault("a reference out of range") }
    at = ahead.at
    return .reference(PDFReference(number, generation: generation))
  }

  private mutating func literal() throws(PDFReadError) -> [UInt8] {
    at += 1
    var result: [UInt8] = []
    var open = 1
    while let byte {
      at += 1
      switch byte {
      case UInt8(ascii: "("):
        open += 1
        result.append(byte)
      case UInt8(ascii: ")"):
        open -= 1
        if open == 0 { return result }
        result.append(byte)
      case UInt8(ascii: "\\"): escape(&result)
      case 13:
        if self.byte == 10 { at += 1 }
        result.append(10)
      default: result.append(byte)
      }
    }
    throw fault("the file ends inside a string")
  }

  private mutating func escape(_ result: inout [UInt8]) {
    guard let byte else { return }
    at += 1
    switch byte {
    case UInt8(ascii: "n"): result.append(10)
    case UInt8(ascii: "r"): result.append(13)
    case UInt8(ascii: "t"): result.append(9)
    case UInt8(ascii: "b"): result.append(8)
    case UInt8(ascii: "f"): result.append(12)
    case 13: if self.byte == 10 { at += 1 }
    case 10: break
    case 48...55:
      var value = Int(byte - 48)
      for _ in 0..<2 {
        guard let next = self.byte, (48...55).contains(next) else { break }
        value = value * 8 + Int(next - 48)
        at += 1
      }
      result.append(UInt8(value & 255))
    default: result.append(byte)
    }
  }

  private mutating func hex() throws(PDFReadError) -> [UInt8] {
    at += 1
    var result: [UInt8] = []
    // A signature's field has thousands of digits; other strings have few.
    result.reserveCapacity(((bytes[at...].prefix(1 << 16).firstIndex(of: UInt8(ascii: ">")) ?? at) - at) / 2)
    var high: UInt8?
    while let byte {
      at += 1
      if byte == UInt8(ascii: ">") {
        if let high { result.append(high << 4) }
        return result
      }
      if Self.isSpace(byte) { continue }
      guard let digit = Self.digit(byte) else { throw fault("a string with something else than hexadecimal digits") }
      if let first = high {
        result.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    throw fault("the file ends inside a string")
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }
}

extension PDFLexer {
  /// The ranges of the values of a dictionary's entries.
  package mutating func places() throws(PDFReadError) -> [String: Range<Int>] {
    guard take("<<") else { throw PDFReadError("at byte \(at): a dictionary is missing") }
    var places: [String: Range<Int>] = [:]
    while !take(">>") {
      guard case .name(let name) = try object() else { throw PDFReadError("at byte \(at): a name is missing") }
      skipSpace()
      let start = at
      _ = try object()
      places[name] = start..<at
    }
    return places
  }
}
