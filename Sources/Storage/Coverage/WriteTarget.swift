/// A token of a statement and, for a `?`, the number of that parameter.
struct NumberedToken: Sendable {
  let token: SQLToken
  let parameter: Int?

  init(_ token: SQLToken, parameter: Int? = nil) { (self.token, self.parameter) = (token, parameter) }
}

/// What a statement changes: its table, and which rows.
struct WriteTarget {
  enum Action {
    case insert, delete
    /// With the columns that the SET clause assigns.
    case update([String])
    /// An INSERT that changes the row which is there already, with the values of its columns.
    case upsert([String: [NumberedToken]])
  }

  let action: Action
  let table: String
  /// Whether the statement has a RETURNING clause of its own.
  let yields: Bool
  /// Whether it is an INSERT of values that neither a condition nor a conflict can skip.
  let alwaysStores: Bool
  /// What an UPDATE has after WHERE.
  let condition: [NumberedToken]

  /// nil for a statement that changes nothing.
  init?(_ tokens: [SQLToken]) {
    var parameters = 0
    let tokens = tokens.map { token in
      guard token == .parameter else { return NumberedToken(token) }
      defer { parameters += 1 }
      return NumberedToken(token, parameter: parameters)
    }
    // Tables within parentheses are only read by the statement.
    let outer = tokens.outsideParentheses
    guard
      let start = outer.firstIndex(where: {
        tokens[$0].token.isKeyword(among: ["INSERT", "UPDATE", "DELETE", "SELECT"])
      }),
      !tokens[outer[start]].token.isKeyword("SELECT")
    else { return nil }
    func place(of keyword: String) -> Int? { outer.first { tokens[$0].token.isKeyword(keyword) } }
    let first = tokens[outer[start]].token
    let name = start + (first.isKeyword("UPDATE") ? 1 : 2)
    guard name < outer.count, case .word(let table) = tokens[outer[name]].token else { return nil }
    self.table = table.lowercased()
    let end = place(of: "RETURNING") ?? tokens.count
    yields = end < tokens.count
    alwaysStores =
      first.isKeyword("INSERT") && place(of: "VALUES") != nil && place(of: "NOTHING") == nil
      && place(of: "WHERE") == nil
    if first.isKeyword("UPDATE") {
      action = .update(Self.assigned(outer[name...].map { tokens[$0].token }))
    } else if first.isKeyword("DELETE") {
      action = .delete
    } else if place(of: "CONFLICT") != nil, place(of: "NOTHING") == nil {
      action = .upsert(Self.values(tokens[(outer[name] + 1)...]))
    } else {
      action = .insert
    }
    condition = place(of: "WHERE").map { Array(tokens[($0 + 1)..<end]) } ?? []
  }

  /// The columns that the SET clause assigns.
  private static func assigned(_ tokens: [SQLToken]) -> [String] {
    guard let set = tokens.firstIndex(where: { $0.isKeyword("SET") }) else { return [] }
    let assignments = tokens[tokens.index(after: set)...].prefix {
      !$0.isKeyword(among: ["WHERE", "FROM", "RETURNING"])
    }
    return assignments.split(separator: .symbol(",")).compactMap { assignment in
      guard case .word(let name)? = assignment.first else { return nil }
      return name.lowercased()
    }
  }

  /// The columns and values of `(column, …) VALUES (value, …)`.
  private static func values(_ tokens: ArraySlice<NumberedToken>) -> [String: [NumberedToken]] {
    var rest = tokens
    let columns = takeGroup(&rest)
    guard rest.popFirst()?.token.isKeyword("VALUES") == true else { return [:] }
    let values = takeGroup(&rest)
    var found: [String: [NumberedToken]] = [:]
    for (column, value) in zip(columns, values) {
      if case .word(let name)? = column.first?.token { found[name.lowercased()] = value }
    }
    return found
  }

  /// Takes a group in parentheses, as the parts between its commas.
  private static func takeGroup(_ rest: inout ArraySlice<NumberedToken>) -> [[NumberedToken]] {
    guard rest.popFirst()?.token == .symbol("(") else { return [] }
    var parts: [[NumberedToken]] = [[]]
    var depth = 0
    while let next = rest.popFirst() {
      if next.token == .symbol("(") { depth += 1 }
      if next.token == .symbol(")") {
        if depth == 0 { return parts }
        depth -= 1
      }
      if depth == 0, next.token == .symbol(",") {
        parts.append([])
      } else {
        parts[parts.count - 1].append(next)
      }
    }
    return parts
  }
}

extension [NumberedToken] {
  /// The indices of the tokens that stand in no parentheses, and of the parentheses themselves.
  fileprivate var outsideParentheses: [Int] {
    var (outer, depth) = ([Int](), 0)
    for index in indices {
      if self[index].token == .symbol(")") { depth -= 1 }
      if depth == 0 { outer.append(index) }
      if self[index].token == .symbol("(") { depth += 1 }
    }
    return outer
  }
}
