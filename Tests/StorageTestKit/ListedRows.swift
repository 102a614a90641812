@testable import Storage

/// A SELECT with a LIMIT: a statement, or a part of one.
struct ListedRows: Sendable {
  let name: String
  /// The statement, if it is read page by page.
  let paged: Statement?
  /// From SELECT to the end of the conditions.
  private let body: [SQLToken]
  private let order: [SQLToken]
  private let isLimitedByParameter: Bool

  /// The lists in a statement.
  static func all(in statement: Statement) -> [ListedRows] {
    guard let tokens = statement.query.form?.tokens else { return [] }
    return tokens.indices.filter { tokens[$0].isKeyword("SELECT") }.compactMap { start in
      ListedRows(statement, select: level(of: tokens[start...]))
    }
  }

  /// The tokens up to the parenthesis that closes what contains them.
  private static func level(of tokens: ArraySlice<SQLToken>) -> [SQLToken] {
    var depth = 0
    return Array(
      tokens.prefix { token in
        if token == .symbol("(") { depth += 1 }
        if token == .symbol(")") { depth -= 1 }
        return depth >= 0
      })
  }

  private init?(_ statement: Statement, select: [SQLToken]) {
    guard let limit = Self.place(of: "LIMIT", in: select) else { return nil }
    let order = Self.place(of: "ORDER", in: select) ?? limit
    name = statement.name
    paged = statement.firstPage == nil ? nil : statement
    body = Array(select[..<order])
    self.order = Array(select[order..<limit].dropFirst(2))
    isLimitedByParameter = select[limit + 1] == .parameter
  }

  /// Where a keyword is that is not within parentheses.
  private static func place(of keyword: String, in tokens: [SQLToken]) -> Int? {
    var depth = 0
    return tokens.indices.first { index in
      if tokens[index] == .symbol("(") { depth += 1 }
      if tokens[index] == .symbol(")") { depth -= 1 }
      return depth == 0 && tokens[index].isKeyword(keyword)
    }
  }

  /// The columns of the order, and which of them descend.
  var keys: [(column: [SQLToken], descends: Bool)] {
    order.split(separator: .symbol(",")).map { term in
      let column = term.filter { !$0.isKeyword(among: ["ASC", "DESC"]) }
      return (Array(column), term.count > column.count)
    }
  }

  /// The same rows without a limit and in no order. The columns of the order follow the others.
  var everything: Query {
    let from = Self.place(of: "FROM", in: body) ?? body.endIndex
    let keys = keys.flatMap { [.symbol(",")] + $0.column }
    return query(body[..<from] + keys + body[from...])
  }

  /// The first rows, for a list that is not paged.
  func first(_ count: Int) -> Query {
    let limit: SQLToken = isLimitedByParameter ? .parameter : .word("\(count)")
    let order = order.isEmpty ? [] : [.word("ORDER"), .word("BY")] + order
    return query(body + order + [.word("LIMIT"), limit])
  }

  /// The values of the list's parameters, without those of a cursor.
  func values(tenant: String, conditions: [Value], limit count: Int? = nil) -> [Value] {
    var values = conditions
    if body.contains(.brace("tenant")) { values.insert(.text(tenant), at: 0) }
    if let count, paged != nil || isLimitedByParameter { values.append(.integer(Int64(count))) }
    return values
  }

  private func query(_ tokens: some Sequence<SQLToken>) -> Query {
    let tokens = Array(tokens)
    let hasTenant = tokens.contains(.brace("tenant"))
    return Query(made: name, Query.Form(tokens: tokens, hasTenant: hasTenant, isOwn: true, cursorColumns: []))
  }

  /// For each parameter the column that it is compared with, and how.
  func conditions() throws -> [(column: String, comparison: String)] {
    try body.indices.filter { body[$0] == .parameter }.map { place in
      let operators = body[..<place].reversed().prefix { [.symbol("="), .symbol("<"), .symbol(">")].contains($0) }
      guard !operators.isEmpty, case .word(let column) = body[place - operators.count - 1] else {
        throw SQLProblem("'\(name)' compares a parameter with something else than a column")
      }
      return (
        column, SQLToken.join(operators.reversed().map { if case .symbol(let sign) = $0 { "\(sign)" } else { "" } })
      )
    }
  }

  /// The names of tables among the words.
  func tables(among names: some Sequence<String>) -> [String] { names.filter { body.contains(.word($0)) } }
}
