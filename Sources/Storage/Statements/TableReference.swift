/// A table that a statement reads or changes, and the condition it is joined by.
struct TableReference {
  let table: String
  let alias: String?
  let isJoined: Bool
  let joinCondition: [SQLNode]

  /// The condition to ask for in a message if the table has no tie.
  var wantedTie: String { "\(alias ?? table).tenant = {tenant}" }

  /// Reads `a, b AS c JOIN d ON …`. Common table expressions and subqueries are left out, since they are checked by
  /// themselves.
  static func list(_ nodes: [SQLNode], excluding commonTables: Set<String>) throws(SQLProblem) -> [TableReference] {
    if let keyword = nodes.first(where: { $0.isKeyword(among: ["RIGHT", "FULL", "CROSS", "NATURAL", "USING"]) })?.word {
      throw SQLProblem("\(keyword.uppercased()) is refused: only JOIN … ON and LEFT JOIN … ON are read")
    }
    var references: [TableReference] = []
    var isJoined = false
    var rest = nodes[...]
    while !rest.isEmpty {
      let end = rest.firstIndex { $0.isSymbol(",") || $0.isKeyword("JOIN") } ?? rest.endIndex
      let part = rest[..<end].filter { !$0.isKeyword(among: ["INNER", "LEFT", "OUTER"]) }
      if let reference = try read(part, isJoined: isJoined), !commonTables.contains(reference.table) {
        references.append(reference)
      }
      isJoined = end < rest.endIndex && rest[end].isKeyword("JOIN")
      rest = end < rest.endIndex ? rest[rest.index(after: end)...] : []
    }
    return references
  }

  private static func read(_ nodes: [SQLNode], isJoined: Bool) throws(SQLProblem) -> TableReference? {
    let (source, condition) = nodes.cut { $0.isKeyword("ON") }
    if source.first?.group != nil { return nil }
    guard let table = source.first?.word else { throw SQLProblem("a table is a plain name") }
    let names = source.dropFirst().filter { !$0.isKeyword("AS") }
    guard names.count <= 1, names.allSatisfy({ $0.word != nil }) else {
      throw SQLProblem("table '\(table)' has at most an alias")
    }
    return TableReference(
      table: table, alias: names.first?.word, isJoined: isJoined, joinCondition: Array(condition.dropFirst()))
  }
}

/// A condition `[name.]tenant = {tenant}` that must hold for every row, and so ties a table to the tenant.
struct Tie {
  let name: String?

  func ties(_ reference: TableReference, alone: Bool) -> Bool {
    guard let name else { return alone }
    return name == (reference.alias ?? reference.table)
  }

  /// The ties among the conjuncts of a condition. A condition with an OR that could bypass them is refused.
  static func list(_ condition: [SQLNode]) throws(SQLProblem) -> [Tie] {
    if condition.contains(where: { $0.isKeyword("OR") }) {
      throw SQLProblem("put OR in parentheses: beside AND it would bypass the tenant")
    }
    if condition.contains(where: { $0.isKeyword("BETWEEN") }) {
      throw SQLProblem("say >= and <= instead of BETWEEN, whose AND reads like a condition's")
    }
    return condition.split(where: { $0.isKeyword("AND") }).compactMap { conjunct in
      guard conjunct.suffix(3).elementsEqual([.token(.word("tenant")), .token(.symbol("=")), .tenantPlaceholder]) else {
        return nil
      }
      let qualifier = conjunct.dropLast(3)
      if qualifier.isEmpty { return Tie(name: nil) }
      guard qualifier.count == 2, qualifier.last?.isSymbol(".") == true else { return nil }
      return qualifier.first?.word.map { Tie(name: $0) }
    }
  }
}
