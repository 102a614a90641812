/// SQL with its parentheses resolved, so that a rule can look at one level at a time.
indirect enum SQLNode: Equatable, Sendable {
  case token(SQLToken)
  case group([SQLNode])

  static func parse(_ tokens: [SQLToken]) throws(SQLProblem) -> [SQLNode] {
    var levels: [[SQLNode]] = [[]]
    for token in tokens {
      switch token {
      case .symbol("("):
        levels.append([])
      case .symbol(")"):
        guard levels.count > 1, let group = levels.popLast() else { throw SQLProblem("')' without '('") }
        levels[levels.count - 1].append(.group(group))
      default:
        levels[levels.count - 1].append(.token(token))
      }
    }
    guard levels.count == 1 else { throw SQLProblem("'(' without ')'") }
    return levels[0]
  }

  func isKeyword(_ keyword: String) -> Bool {
    guard case .token(let token) = self else { return false }
    return token.isKeyword(keyword)
  }

  func isKeyword(among keywords: Set<String>) -> Bool {
    guard case .token(let token) = self else { return false }
    return token.isKeyword(among: keywords)
  }

  func isSymbol(_ symbol: Character) -> Bool { self == .token(.symbol(symbol)) }

  /// The word of this node, in lower case.
  var word: String? {
    guard case .token(.word(let word)) = self else { return nil }
    return word.lowercased()
  }

  var group: [SQLNode]? {
    guard case .group(let group) = self else { return nil }
    return group
  }
}

extension Collection<SQLNode> {
  /// The parts between the nodes that match.
  func split(where isSeparator: (SQLNode) -> Bool) -> [[SQLNode]] {
    split(omittingEmptySubsequences: false, whereSeparator: isSeparator).map { Array($0) }
  }

  /// The nodes before the first match, and those from it on.
  func cut(before isBoundary: (SQLNode) -> Bool) -> (head: [SQLNode], tail: [SQLNode]) {
    let boundary = firstIndex(where: isBoundary) ?? endIndex
    return (Array(self[..<boundary]), Array(self[boundary...]))
  }
}
