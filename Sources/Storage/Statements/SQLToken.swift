/// A piece of SQL, just fine enough to recognise tables, conditions and placeholders.
enum SQLToken: Equatable, Sendable {
  /// A keyword, name or number.
  case word(String)
  /// Anything in quotes, kept as written.
  case quoted(String)
  /// `?`
  case parameter
  /// `{…}`, without the braces.
  case brace(String)
  case symbol(Character)

  /// Whether this is the keyword, in any case.
  func isKeyword(_ keyword: String) -> Bool {
    guard case .word(let word) = self else { return false }
    return word.count == keyword.count && word.lowercased() == keyword.lowercased()
  }

  func isKeyword(among keywords: Set<String>) -> Bool {
    guard case .word(let word) = self else { return false }
    return keywords.contains(word.uppercased())
  }
}

/// Says what is wrong with a statement or migration. Thrown where it is defined.
package struct SQLProblem: Error, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension SQLToken {
  /// Splits SQL into tokens. Comments have no place in a statement and are refused.
  static func split(_ sql: String) throws(SQLProblem) -> [SQLToken] {
    var tokens: [SQLToken] = []
    var rest = Substring(sql)
    while let character = rest.first {
      if character.isWhitespace {
        rest.removeFirst()
      } else if rest.hasPrefix("--") || rest.hasPrefix("/*") {
        throw SQLProblem("comments belong in Swift, not in SQL")
      } else if character.isLetter || character.isNumber || character == "_" {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        tokens.append(.word(String(word)))
        rest = rest[word.endIndex...]
      } else if character == "'" || character == "\"" {
        tokens.append(.quoted(try takeQuoted(&rest, quote: character)))
      } else if character == "{" {
        guard let end = rest.firstIndex(of: "}") else { throw SQLProblem("'{' without '}'") }
        tokens.append(.brace(String(rest[rest.index(after: rest.startIndex)..<end])))
        rest = rest[rest.index(after: end)...]
      } else {
        tokens.append(character == "?" ? .parameter : .symbol(character))
        rest.removeFirst()
      }
    }
    return tokens
  }

  private static func takeQuoted(_ rest: inout Substring, quote: Character) throws(SQLProblem) -> String {
    var end = rest.index(after: rest.startIndex)
    while end < rest.endIndex {
      let next = rest.index(after: end)
      if rest[end] != quote {
        end = next
      } else if next < rest.endIndex, rest[next] == quote {
        end = rest.index(after: next)
      } else {
        let quoted = String(rest[..<next])
        rest = rest[next...]
        return quoted
      }
    }
    throw SQLProblem("a \(quote) is not closed")
  }

  /// Joins tokens to SQL, one space apart, except where a space would change the meaning (`a.b`, `f(x)`, `>=`).
  static func join(_ tokens: some Sequence<String>) -> String {
    var sql = ""
    for token in tokens {
      let sticks =
        sql.isEmpty || token == "." || token == "," || token == ")" || sql.hasSuffix(".") || sql.hasSuffix("(")
      let continuesOperator =
        token.count == 1 && "=><|:!".contains(token) && (sql.last.map { "=><|:!-".contains($0) } ?? false)
      if !sticks && !continuesOperator { sql += " " }
      sql += token
    }
    return sql
  }
}
