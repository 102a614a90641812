/// Tells a Swift file's code from its remarks and its string literals.
struct SourceScanner {
  private let characters: [Character]
  private var position = 0
  /// The code, with every remark and literal left out; its lines stay where they are.
  private(set) var code = ""
  private(set) var literals: [String] = []

  init(_ text: String) {
    characters = Array(text)
  }

  /// Scans to the end, or to the parenthesis that closes an interpolation.
  mutating func scan(insideInterpolation: Bool = false) {
    var depth = 0
    while let character = current {
      if starts(with: "//") {
        skip { $0 != "\n" }
      } else if starts(with: "/*") {
        skipRemark()
      } else if let hashes = hashesBeforeQuote {
        scanLiteral(hashes: hashes)
      } else {
        if character == "(" { depth += 1 }
        if character == ")" {
          if insideInterpolation, depth == 0 { return }
          depth -= 1
        }
        code.append(character)
        position += 1
      }
    }
  }

  private var current: Character? { position < characters.count ? characters[position] : nil }

  private func starts(with text: String) -> Bool {
    characters[position...].starts(with: text)
  }

  private mutating func skip(while condition: (Character) -> Bool) {
    while let character = current, condition(character) { position += 1 }
  }

  private mutating func skipRemark() {
    var depth = 0
    repeat {
      if starts(with: "/*") {
        depth += 1
        position += 2
      } else if starts(with: "*/") {
        depth -= 1
        position += 2
      } else {
        if current == "\n" { code.append("\n") }
        position += 1
      }
    } while depth > 0 && current != nil
  }

  /// How many `#` stand before the quote at which a literal begins here; nil when none does.
  private var hashesBeforeQuote: Int? {
    let hashes = characters[position...].prefix { $0 == "#" }.count
    let quote = position + hashes
    return quote < characters.count && characters[quote] == "\"" ? hashes : nil
  }

  private mutating func scanLiteral(hashes: Int) {
    let marks = String(repeating: "#", count: hashes)
    position += hashes
    let quotes = starts(with: "\"\"\"") ? "\"\"\"" : "\""
    position += quotes.count
    var literal = ""
    while let character = current, !starts(with: quotes + marks) {
      if starts(with: "\\" + marks + "(") {
        position += 2 + hashes
        scan(insideInterpolation: true)
        position += 1
      } else if starts(with: "\\" + marks) {
        position += 2 + hashes
      } else {
        literal.append(character)
        if character == "\n" { code.append("\n") }
        position += 1
      }
    }
    position += quotes.count + hashes
    literals.append(literal)
  }
}
