/// Separates a Swift file's code from its comments and its string literals.
struct SourceScanner {
  private let bytes: [UInt8]
  private var position = 0
  private var scanned: [UInt8] = []
  private(set) var literals: [String] = []
  /// The code of interpolations that stand directly behind a quotation mark.
  private(set) var quotations: [String] = []

  /// The code without comments and literals; every line keeps its number.
  var code: String { String(decoding: scanned, as: UTF8.self) }

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// Scans to the end, or to the parenthesis that closes an interpolation.
  mutating func scan(insideInterpolation: Bool = false) {
    var depth = 0
    while position < bytes.count {
      let byte = bytes[position]
      if starts(with: Mark.lineRemark) {
        while position < bytes.count, bytes[position] != Mark.lineEnd { position += 1 }
      } else if starts(with: Mark.remarkStart) {
        skipRemark()
      } else if let hashes = hashesBeforeQuote {
        scanLiteral(hashes: hashes)
      } else {
        if byte == Mark.open { depth += 1 }
        if byte == Mark.close {
          if insideInterpolation, depth == 0 { return }
          depth -= 1
        }
        scanned.append(byte)
        position += 1
      }
    }
  }

  private enum Mark {
    static let lineRemark = Array("//".utf8)
    static let remarkStart = Array("/*".utf8)
    static let remarkEnd = Array("*/".utf8)
    static let lineEnd = UInt8(ascii: "\n")
    static let open = UInt8(ascii: "(")
    static let close = UInt8(ascii: ")")
    static let hash = UInt8(ascii: "#")
    static let quote = UInt8(ascii: "\"")
    static let apostrophe = UInt8(ascii: "'")
    static let backslash = UInt8(ascii: "\\")
  }

  private func starts(with mark: [UInt8]) -> Bool {
    bytes[position] == mark[0] && bytes[position...].starts(with: mark)
  }

  private mutating func skipRemark() {
    var depth = 0
    repeat {
      if starts(with: Mark.remarkStart) {
        depth += 1
        position += 2
      } else if starts(with: Mark.remarkEnd) {
        depth -= 1
        position += 2
      } else {
        if bytes[position] == Mark.lineEnd { scanned.append(Mark.lineEnd) }
        position += 1
      }
    } while depth > 0 && position < bytes.count
  }

  /// How many `#` precede the quote of a literal that begins here; nil when none begins.
  private var hashesBeforeQuote: Int? {
    guard bytes[position] == Mark.hash || bytes[position] == Mark.quote else { return nil }
    let hashes = bytes[position...].prefix { $0 == Mark.hash }.count
    let quote = position + hashes
    return quote < bytes.count && bytes[quote] == Mark.quote ? hashes : nil
  }

  private mutating func scanLiteral(hashes: Int) {
    let marks = [UInt8](repeating: Mark.hash, count: hashes)
    position += hashes
    let three = [UInt8](repeating: Mark.quote, count: 3)
    let quotes = starts(with: three) ? three : [Mark.quote]
    let interpolation = [Mark.backslash] + marks + [Mark.open]
    let escape = [Mark.backslash] + marks
    position += quotes.count
    let beginning = position
    var literal: [UInt8] = []
    while position < bytes.count, !starts(with: quotes + marks) {
      if starts(with: interpolation) {
        let isQuoted = position > beginning && [Mark.apostrophe, Mark.quote].contains(bytes[position - 1])
        let start = scanned.count
        position += interpolation.count
        scan(insideInterpolation: true)
        position += 1
        if isQuoted { quotations.append(String(decoding: scanned[start...], as: UTF8.self)) }
      } else if starts(with: escape) {
        position += escape.count + 1
      } else {
        literal.append(bytes[position])
        if bytes[position] == Mark.lineEnd { scanned.append(Mark.lineEnd) }
        position += 1
      }
    }
    position += quotes.count + hashes
    literals.append(String(decoding: literal, as: UTF8.self))
  }
}
