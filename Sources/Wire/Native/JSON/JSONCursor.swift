/// Reads the tokens of JSON without interpreting them.
@safe struct JSONCursor {
  private let start: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private var next: UnsafePointer<UInt8>
  /// The position of the latest token, for errors.
  private var mark: UnsafePointer<UInt8>

  init(_ start: UnsafePointer<UInt8>, count: Int) {
    unsafe self.start = start
    unsafe end = start + count
    unsafe next = start
    unsafe mark = start
  }

  var position: CodecError.Position {
    let before = unsafe UnsafeBufferPointer(start: start, count: mark - start)
    let lines = unsafe before.count { $0 == UInt8(ascii: "\n") }
    let lineStart = unsafe before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return CodecError.Position(line: lines + 1, column: before.count - lineStart + 1)
  }

  // MARK: - Punctuation

  mutating func skipBlanks() {
    while unsafe next < end {
      switch unsafe next.pointee {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): unsafe next += 1
      default: return
      }
    }
  }

  private var current: UInt8? { unsafe next < end ? next.pointee : nil }

  /// Skips the character and any blanks after it, if it is the next one; returns whether it was.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    unsafe next += 1
    skipBlanks()
    return true
  }

  mutating func expect(_ character: Unicode.Scalar, _ what: String) throws(CodecFault) {
    unsafe mark = next
    guard skip(character) else { throw unexpected(what) }
  }

  mutating func expectEnd() throws(CodecFault) {
    unsafe mark = next
    guard unsafe next == end else { throw unexpected("the end") }
  }

  private func unexpected(_ what: String) -> CodecFault {
    guard let current else { return CodecFault(.truncated, "\(what) is expected, but the text ends") }
    // A value of another type is valid JSON nevertheless.
    let isValue = current.isDigit || "\"{[-tfn".utf8.contains(current)
    let found = (0x21...0x7e).contains(current) ? "'\(Unicode.Scalar(current))'" : "byte \(current)"
    return CodecFault(isValue ? .wrongType : .notJSON, "\(what) is expected, not \(found)")
  }

  // MARK: - Literals

  mutating func skipNull() throws(CodecFault) -> Bool {
    guard current == UInt8(ascii: "n") else { return false }
    try literal("null")
    return true
  }

  mutating func truthValue() throws(CodecFault) -> Bool {
    unsafe mark = next
    switch current {
    case UInt8(ascii: "t"):
      try literal("true")
      return true
    case UInt8(ascii: "f"):
      try literal("false")
      return false
    default: throw unexpected("true or false")
    }
  }

  private mutating func literal(_ word: StaticString) throws(CodecFault) {
    unsafe mark = next
    let count = word.utf8CodeUnitCount
    guard unsafe end - next >= count,
      unsafe UnsafeBufferPointer(start: next, count: count).elementsEqual(
        UnsafeBufferPointer(start: word.utf8Start, count: count))
    else { throw CodecFault(.notJSON, "'\(word)' is expected") }
    unsafe next += count
    skipBlanks()
  }

  // MARK: - Numbers

  @unsafe struct RawNumber {
    let text: UnsafeBufferPointer<UInt8>
    /// nil when the text is no number by JSON's grammar.
    let value: DecimalNumber?

    init(_ text: UnsafeBufferPointer<UInt8>) {
      unsafe self.text = unsafe text
      unsafe value = unsafe DecimalNumber(Span(_unsafeElements: text))
    }
  }

  /// A number outside of quotes, which always has a value.
  mutating func number() throws(CodecFault) -> RawNumber {
    unsafe mark = next
    while let character = current, Self.isNumeric(character) { unsafe next += 1 }
    guard unsafe next > mark else { throw unexpected("a number") }
    let number = unsafe RawNumber(UnsafeBufferPointer(start: mark, count: next - mark))
    guard unsafe number.value != nil else { throw CodecFault(.notJSON, "this is no number by JSON's grammar") }
    skipBlanks()
    return unsafe number
  }

  private static func isNumeric(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  mutating func skipLiteralOrNumber() throws(CodecFault) {
    switch current {
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    case UInt8(ascii: "n"): try literal("null")
    default: _ = try unsafe number()
    }
  }

  // MARK: - Text

  var startsText: Bool { current == UInt8(ascii: "\"") }

  @unsafe struct RawText {
    let bytes: UnsafeBufferPointer<UInt8>
    let hasEscapes: Bool
  }

  /// The raw characters between the quotes, checked: UTF-8 without control characters, and without too many combining
  /// marks in a row.
  mutating func rawText() throws(CodecFault) -> RawText {
    unsafe mark = next
    guard startsText else { throw unexpected("text") }
    unsafe next += 1
    let first = unsafe next
    var hasEscapes = false
    while let character = current, character != UInt8(ascii: "\"") {
      if character < 0x20 {
        unsafe mark = next
        throw CodecFault(.notJSON, "control characters must be escaped")
      }
      if character == UInt8(ascii: "\\") {
        hasEscapes = true
        unsafe next += 1
      }
      unsafe next += 1
    }
    guard unsafe next < end else { throw CodecFault(.truncated, "the text has no closing quote") }
    let bytes = unsafe UnsafeBufferPointer(start: first, count: next - first)
    if let requirement = unsafe UTF8Check.requirement(brokenBy: first, bytes.count, boundsMarks: true) {
      throw CodecFault(.invalidText, requirement)
    }
    unsafe next += 1
    skipBlanks()
    return unsafe RawText(bytes: bytes, hasEscapes: hasEscapes)
  }
}
