/// Reads JSON (RFC 8259) piece by piece and never builds a tree: the caller decides what to keep, and stops at the
/// first piece that is too much. Skipped values are checked as strictly as others.
///
///     try parser.beginObject()
///     while let name = try parser.nextName() {
///       if name == "x" { x = try parser.number() } else { try parser.skip() }
///     }
///     try parser.expectEnd()
///
/// It does not notice repeated names in an object, since only a caller that keeps the names can.
public struct JSONParser: Sendable {
  /// The offset of the byte that is read next.
  public private(set) var offset = 0
  private let bytes: [UInt8]
  private let deepest: Int
  private let allowsNonFinite: Bool
  private var depth = 0
  /// Whether an array or an object has just begun, so that no comma precedes its next element.
  private var isAtFirst = false

  /// The most characters of a number: more have more digits than a `Double` holds.
  private static let longestNumber = 64

  /// - Parameters:
  ///   - deepest: how many arrays and objects may be inside each other.
  ///   - allowsNonFinite: whether `NaN`, `Infinity` and `-Infinity` count as numbers, since some programs write them.
  public init(_ bytes: [UInt8], deepest: Int, allowsNonFinite: Bool = false) {
    self.bytes = bytes
    self.deepest = deepest
    self.allowsNonFinite = allowsNonFinite
  }

  /// The next byte that is not blank, which tells what kind of value follows; nil at the end.
  public mutating func peek() -> UInt8? {
    skipBlanks()
    return offset < bytes.count ? bytes[offset] : nil
  }

  public mutating func expectEnd() throws(JSONError) {
    guard peek() == nil else { throw failure("the end belongs there") }
  }

  /// An error at the current offset.
  public func failure(_ requirement: String) -> JSONError {
    let found = bytes[offset..<min(offset + 12, bytes.count)]
    return JSONError(offset: offset, found: String(decoding: found, as: UTF8.self), requirement: requirement)
  }

  // MARK: - Arrays and objects

  public mutating func beginArray() throws(JSONError) { try begin("[") }

  /// Whether another element follows, which has to be read or skipped next; false at the array's end, which is then
  /// passed.
  public mutating func nextElement() throws(JSONError) -> Bool { try next(before: "]") }

  public mutating func beginObject() throws(JSONError) { try begin("{") }

  /// The name of the next member, whose value has to be read or skipped next; nil at the object's end, which is then
  /// passed.
  public mutating func nextName() throws(JSONError) -> String? {
    guard try next(before: "}") else { return nil }
    let start = offset
    let name = try string()
    guard StreamSafeText.holds(name) else {
      offset = start
      throw failure(StreamSafeText.requirement)
    }
    try expect(":")
    return name
  }

  private mutating func begin(_ mark: Unicode.Scalar) throws(JSONError) {
    guard peek() != UInt8(ascii: mark) || depth < deepest else {
      throw failure("arrays and objects are at most \(deepest) deep")
    }
    try expect(mark)
    depth += 1
    isAtFirst = true
  }

  private mutating func next(before end: Unicode.Scalar) throws(JSONError) -> Bool {
    let isFirst = isAtFirst
    isAtFirst = false
    if take(end) {
      depth -= 1
      return false
    }
    if !isFirst, !take(",") { throw failure("',' or '\(end)' belongs there") }
    return true
  }

  // MARK: - Single values

  public mutating func takeNull() -> Bool { take(word: "null") }

  public mutating func boolean() throws(JSONError) -> Bool {
    if take(word: "true") { return true }
    guard take(word: "false") else { throw failure("true or false belongs there") }
    return false
  }

  /// The nearest `Double`; infinite for a number that is too large.
  public mutating func number() throws(JSONError) -> Double {
    if let number = takeNonFinite() { return number }
    let text = String(decoding: bytes[try passNumber()], as: UTF8.self)
    guard let number = Double(text) else { throw failure("a number belongs there") }
    return number
  }

  /// A whole number in canonical form: without a fraction, an exponent, a plus sign or leading zeros.
  public mutating func integer() throws(JSONError) -> Int64 {
    let numeral = try passNumber()
    let text = String(decoding: bytes[numeral], as: UTF8.self)
    guard let integer = Int64(text), String(integer) == text else {
      offset = numeral.lowerBound
      throw failure("a whole number of 64 bits belongs there")
    }
    return integer
  }

  public mutating func string() throws(JSONError) -> String {
    let (content, hasEscapes) = try passString()
    guard hasEscapes else { return String(decoding: bytes[content], as: UTF8.self) }
    var text: [UInt8] = []
    text.reserveCapacity(content.count)
    var place = content.lowerBound
    while place < content.upperBound {
      let byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "\\") {
        text += UTF8.encode(try escape(at: &place)) ?? .init()
      } else {
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Skips a value of any kind.
  public mutating func skip() throws(JSONError) {
    switch peek() {
    case UInt8(ascii: "["):
      try beginArray()
      while try nextElement() { try skip() }
    case UInt8(ascii: "{"):
      try beginObject()
      while try next(before: "}") {
        _ = try passString()
        try expect(":")
        try skip()
      }
    case UInt8(ascii: "\""): _ = try passString()
    case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try boolean()
    case UInt8(ascii: "n") where takeNull(): break
    default: if takeNonFinite() == nil { _ = try passNumber() }
    }
  }

  // MARK: - Numbers

  private mutating func takeNonFinite() -> Double? {
    guard allowsNonFinite else { return nil }
    return switch peek() {
    case UInt8(ascii: "N"): take(word: "NaN") ? .nan : nil
    case UInt8(ascii: "I"): take(word: "Infinity") ? .infinity : nil
    case UInt8(ascii: "-"): take(word: "-Infinity") ? -.infinity : nil
    default: nil
    }
  }

  /// Passes a number and returns its range.
  private mutating func passNumber() throws(JSONError) -> Range<Int> {
    var end = peek() == UInt8(ascii: "-") ? offset + 1 : offset
    let hasNeedlessZero = isByte(UInt8(ascii: "0"), at: end) && end + 1 < bytes.count && Self.isDigit(bytes[end + 1])
    var isNumber = passDigits(&end) && !hasNeedlessZero
    if isByte(UInt8(ascii: "."), at: end) {
      end += 1
      isNumber = passDigits(&end) && isNumber
    }
    if isByte(UInt8(ascii: "e"), at: end) || isByte(UInt8(ascii: "E"), at: end) {
      end += 1
      if isByte(UInt8(ascii: "+"), at: end) || isByte(UInt8(ascii: "-"), at: end) { end += 1 }
      isNumber = passDigits(&end) && isNumber
    }
    guard isNumber else { throw failure("a number belongs there") }
    guard end - offset <= Self.longestNumber else {
      throw failure("a number has at most \(Self.longestNumber) characters")
    }
    defer { offset = end }
    return offset..<end
  }

  /// Passes digits; returns whether there was at least one.
  private func passDigits(_ place: inout Int) -> Bool {
    let start = place
    while place < bytes.count, Self.isDigit(bytes[place]) { place += 1 }
    return place > start
  }

  private func isByte(_ byte: UInt8, at place: Int) -> Bool { place < bytes.count && bytes[place] == byte }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  // MARK: - Strings

  /// Passes a string, checks it, and returns the range of its content.
  private mutating func passString() throws(JSONError) -> (content: Range<Int>, hasEscapes: Bool) {
    try expect("\"")
    let start = offset
    var hasEscapes = false
    var allBits: UInt8 = 0
    var place = start
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\"") {
        let content = start..<place
        guard allBits < 0x80 || (try? UTF8Span(validating: bytes.span.extracting(content))) != nil else {
          throw failure("a string is UTF-8")
        }
        offset = place + 1
        return (content, hasEscapes)
      }
      place += 1
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        _ = try escape(at: &place)
      } else if byte < 0x20 {
        offset = place - 1
        throw failure("control characters in strings are escaped")
      }
      allBits |= byte
    }
    offset = bytes.count
    throw failure("the end of a string belongs there")
  }

  private mutating func escape(at place: inout Int) throws(JSONError) -> Unicode.Scalar {
    let backslash = place - 1
    do throws(JSONEscape.Fault) {
      return try JSONEscape.scalar(in: bytes.span, at: &place)
    } catch {
      offset = backslash
      throw failure(error.requirement)
    }
  }

  // MARK: - Marks

  @inline(__always) private mutating func skipBlanks() {
    // Mostly there are none.
    if offset < bytes.count, bytes[offset] <= UInt8(ascii: " ") { passBlanks() }
  }

  private mutating func passBlanks() {
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): offset += 1
      default: return
      }
    }
  }

  @inline(__always) private mutating func take(_ mark: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard isByte(UInt8(ascii: mark), at: offset) else { return false }
    offset += 1
    return true
  }

  private mutating func take(word: String) -> Bool {
    skipBlanks()
    var end = offset
    for letter in word.utf8 {
      guard isByte(letter, at: end) else { return false }
      end += 1
    }
    offset = end
    return true
  }

  @inline(__always) private mutating func expect(_ mark: Unicode.Scalar) throws(JSONError) {
    guard take(mark) else { throw failure("'\(mark)' belongs there") }
  }
}
