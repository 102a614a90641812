internal import Base

/// Reads what `Benchmarks/Peers/consent/trace.c` writes: a line for each statement, with its connection, its text, and
/// its text with the values in place of the parameters.
package enum SQLiteTrace {
  package static func transactions(in trace: [UInt8]) throws(TraceError) -> [[TracedStatement]] {
    var connections = Connections()
    for line in String(decoding: trace, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: "\u{1f}", omittingEmptySubsequences: false)
      guard fields.count == 3 else { throw TraceError("a line of the trace has \(fields.count) fields: \(line)") }
      connections.add(
        TracedStatement(String(fields[1]), try values(of: Array(fields[1].utf8), in: Array(fields[2].utf8))),
        by: fields[0])
    }
    return connections.ended
  }

  /// The values of the parameters `?1`, `?2`, … of a statement. They stand in `expanded`, which otherwise is the same
  /// text.
  private static func values(of sql: [UInt8], in expanded: [UInt8]) throws(TraceError) -> [TracedValue] {
    var values: [TracedValue?] = []
    var literals = Literals(expanded)
    var place = 0
    while place < sql.count {
      let digits = sql[(place + 1)...].prefix { (0x30...0x39).contains($0) }
      guard sql[place] == UInt8(ascii: "?"), !digits.isEmpty else {
        guard literals.skip(sql[place]) else { throw TraceError("\(text(expanded)) is not \(text(sql)) with values") }
        place += 1
        continue
      }
      guard let number = Int(text(digits)), number > 0, let value = literals.next() else {
        throw TraceError("a value of \(text(sql)) cannot be read in \(text(expanded))")
      }
      while values.count < number { values.append(nil) }
      values[number - 1] = value
      place = digits.endIndex
    }
    let known = values.compactMap(\.self)
    guard known.count == values.count else { throw TraceError("\(text(sql)) leaves out a parameter") }
    return known
  }

  private static func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

  /// SQLite's text with values, read from its beginning.
  private struct Literals {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
    }

    mutating func skip(_ byte: UInt8) -> Bool {
      guard place < bytes.count, bytes[place] == byte else { return false }
      place += 1
      return true
    }

    /// The next value: NULL, a number, a text in quotes, or bytes as `x'…'` or `zeroblob(…)`.
    mutating func next() -> TracedValue? {
      if skip("NULL") { return .null }
      if skip("zeroblob(") {
        guard case .number(let count)? = number(), count >= 0, skip(")") else { return nil }
        return .bytes([UInt8](repeating: 0, count: Int(count)))
      }
      if skip(UInt8(ascii: "'")) { return quoted().map { .text(SQLiteTrace.text($0)) } }
      if skip(UInt8(ascii: "x")) {
        guard skip(UInt8(ascii: "'")) else { return nil }
        return quoted().flatMap { Hex.decode(SQLiteTrace.text($0)) }.map { .bytes($0) }
      }
      return number()
    }

    private mutating func skip(_ word: String) -> Bool {
      guard bytes[place...].starts(with: word.utf8) else { return false }
      place += word.utf8.count
      return true
    }

    private mutating func number() -> TracedValue? {
      let start = place
      skipDigits()
      guard place < bytes.count, bytes[place] == UInt8(ascii: ".") else {
        return Int64(SQLiteTrace.text(bytes[start..<place])).map { .number($0) }
      }
      place += 1
      skipDigits()
      if skip("e+") || skip("e-") { skipDigits() }
      return .real(SQLiteTrace.text(bytes[start..<place]))
    }

    private mutating func skipDigits() {
      place = bytes[place...].prefix { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }.endIndex
    }

    /// What follows up to the closing quote; a doubled quote stands for one.
    private mutating func quoted() -> [UInt8]? {
      var content: [UInt8] = []
      while place < bytes.count {
        let byte = bytes[place]
        place += 1
        if byte == UInt8(ascii: "'"), !skip(byte) { return content }
        content.append(byte)
      }
      return nil
    }
  }
}
