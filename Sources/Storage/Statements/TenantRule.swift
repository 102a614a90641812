/// The rule that makes it impossible to write a statement that reaches another tenant's rows.
///
/// Every table that a statement names is tied to the caller's tenant by itself: by `tenant = {tenant}` as a plain
/// conjunct of its WHERE (or of its ON, when joined), or by writing `{tenant}` into the column when inserting. Only the
/// scope of a tenant binds `{tenant}`. The rule understands less SQL than the engines do: what it cannot analyse, it
/// refuses.
struct TenantRule {
  private var commonTables: Set<String> = []
  /// Whether tables whose names begin with `storage_` may be named: Storage's own, which services do not touch.
  private let allowsOwnTables: Bool

  static func check(_ sql: String, allowsOwnTables: Bool) throws(SQLProblem) {
    let tokens = try SQLToken.split(sql)
    if tokens.contains(.symbol(";")) { throw SQLProblem("one statement at a time: ';' is refused") }
    guard tokens.contains(.brace("tenant")) else { throw SQLProblem("the statement never mentions {tenant}") }
    let rule = TenantRule(allowsOwnTables: allowsOwnTables)
    try rule.checkQuery(try SQLNode.parse(tokens))
  }

  /// Checks a whole query: its common table expressions, then each part of a UNION.
  private func checkQuery(_ nodes: [SQLNode]) throws(SQLProblem) {
    var rule = self
    let body = try rule.takeCommonTables(nodes)
    guard let first = body.first else { throw SQLProblem("the statement is empty") }
    if first.isKeyword("INSERT") { return try rule.checkInsert(body) }
    if first.isKeyword("UPDATE") { return try rule.checkUpdate(body) }
    if first.isKeyword("DELETE") { return try rule.checkDelete(body) }
    for part in body.split(where: { $0.isKeyword(among: ["UNION", "EXCEPT", "INTERSECT"]) }) {
      let select = part.first?.isKeyword("ALL") == true ? Array(part.dropFirst()) : part
      guard select.first?.isKeyword("SELECT") == true else {
        throw SQLProblem("a statement begins with SELECT, INSERT, UPDATE, DELETE or WITH")
      }
      try rule.checkSelect(select)
    }
  }

  /// Checks `WITH name AS (query), …`, notes the names and returns the nodes after them.
  private mutating func takeCommonTables(_ nodes: [SQLNode]) throws(SQLProblem) -> [SQLNode] {
    guard nodes.first?.isKeyword("WITH") == true else { return nodes }
    var rest = nodes.dropFirst()
    if rest.first?.isKeyword("RECURSIVE") == true { rest = rest.dropFirst() }
    while true {
      guard let name = rest.popFirst()?.word else { throw SQLProblem("WITH wants a name") }
      commonTables.insert(name)
      if rest.first?.group != nil { rest = rest.dropFirst() }
      guard rest.popFirst()?.isKeyword("AS") == true else { throw SQLProblem("WITH \(name) wants AS") }
      while rest.first?.isKeyword(among: ["NOT", "MATERIALIZED"]) == true { rest = rest.dropFirst() }
      guard let query = rest.popFirst()?.group else { throw SQLProblem("WITH \(name) AS wants (…)") }
      try checkQuery(query)
      guard rest.first?.isSymbol(",") == true else { return Array(rest) }
      rest = rest.dropFirst()
    }
  }

  private func checkSelect(_ nodes: [SQLNode]) throws(SQLProblem) {
    let (projection, tail) = nodes.cutAtFrom()
    try checkNested(projection)
    guard !tail.isEmpty else { return }
    try checkSource(Array(tail.dropFirst()))
  }

  private func checkUpdate(_ nodes: [SQLNode]) throws(SQLProblem) {
    let (target, assignment) = nodes.dropFirst().cut { $0.isKeyword("SET") }
    let (assignments, source) = assignment.cutAtFrom(orWhere: true)
    try refuseTenantAssignment(assignments)
    try checkNested(assignments)
    let more = source.first?.isKeyword("FROM") == true ? [.token(.symbol(","))] + source.dropFirst() : source
    try checkSource(target + more)
  }

  private func checkDelete(_ nodes: [SQLNode]) throws(SQLProblem) {
    guard nodes.count > 1, nodes[1].isKeyword("FROM") else { throw SQLProblem("DELETE wants FROM") }
    try checkSource(Array(nodes.dropFirst(2)))
  }

  private func checkInsert(_ nodes: [SQLNode]) throws(SQLProblem) {
    guard nodes.count > 4, nodes[1].isKeyword("INTO"), nodes[2].word != nil, let columns = nodes[3].group else {
      throw SQLProblem("INSERT INTO names a table and its columns")
    }
    try refuseOwnTable(nodes[2].word)
    guard columns.first?.word == "tenant" else { throw SQLProblem("the first inserted column is tenant") }
    let (rows, conflict) = nodes.dropFirst(4).cutAtConflict()
    if rows.first?.isKeyword("VALUES") == true {
      for row in rows.dropFirst().split(where: { $0.isSymbol(",") }) {
        guard row.count >= 1, let values = row[0].group, values.firstExpression == [.tenantPlaceholder] else {
          throw SQLProblem("the first inserted value is {tenant}")
        }
      }
    } else {
      guard rows.first?.isKeyword("SELECT") == true, Array(rows.dropFirst()).firstExpression == [.tenantPlaceholder]
      else { throw SQLProblem("INSERT takes VALUES ({tenant}, …) or SELECT {tenant}, …") }
      try checkQuery(rows)
    }
    try checkNested(rows)
    try checkConflict(conflict)
  }

  private func checkConflict(_ nodes: [SQLNode]) throws(SQLProblem) {
    guard nodes.contains(where: { $0.isKeyword("UPDATE") }) else { return }
    guard nodes.count > 2, let target = nodes[2].group, target.contains(where: { $0.word == "tenant" }) else {
      throw SQLProblem("ON CONFLICT … DO UPDATE names its columns, tenant among them")
    }
    try refuseTenantAssignment(nodes)
    try checkNested(nodes)
  }

  private func refuseTenantAssignment(_ nodes: [SQLNode]) throws(SQLProblem) {
    for (index, node) in nodes.enumerated() where node.word == "tenant" && index > 0 {
      let begins = nodes[index - 1].isKeyword("SET") || nodes[index - 1].isSymbol(",")
      if begins { throw SQLProblem("a row never changes its tenant") }
    }
    for case .group(let columns) in nodes where columns.contains(where: { $0.word == "tenant" }) {
      // `SET (tenant, x) = (…)`; a conflict target is followed by DO instead.
      if let index = nodes.firstIndex(of: .group(columns)), index + 1 < nodes.count, nodes[index + 1].isSymbol("=") {
        throw SQLProblem("a row never changes its tenant")
      }
    }
  }

  /// Checks everything after FROM: that each table is tied to the tenant by a condition.
  private func checkSource(_ nodes: [SQLNode]) throws(SQLProblem) {
    let (tables, rest) = nodes.cut { $0.isKeyword(among: Self.clauseKeywords) }
    var condition: [SQLNode] = []
    if rest.first?.isKeyword("WHERE") == true {
      (condition, _) = rest.dropFirst().cut { $0.isKeyword(among: Self.clauseKeywords.subtracting(["WHERE"])) }
    }
    try checkNested(nodes)
    let sources = try TableReference.list(tables, excluding: commonTables)
    let ties = try Tie.list(condition)
    for source in sources {
      try refuseOwnTable(source.table)
      let isTied = ties.contains { $0.ties(source, alone: sources.count == 1) }
      let joinTies = source.isJoined ? try Tie.list(source.joinCondition) : []
      let isTiedByJoin = joinTies.contains { $0.ties(source, alone: false) }
      guard isTied || isTiedByJoin else {
        throw SQLProblem("table '\(source.table)' is not tied to the tenant: say \(source.wantedTie)")
      }
    }
  }

  private func refuseOwnTable(_ table: String?) throws(SQLProblem) {
    guard let table, table.hasPrefix("storage_"), !allowsOwnTables else { return }
    throw SQLProblem("table '\(table)' is Storage's own: use its API")
  }

  /// Checks queries inside parentheses, however deep.
  private func checkNested(_ nodes: [SQLNode]) throws(SQLProblem) {
    for case .group(let group) in nodes {
      if group.first?.isKeyword(among: ["SELECT", "WITH"]) == true {
        try checkQuery(group)
      } else {
        try checkNested(group)
      }
    }
  }

  static let clauseKeywords: Set<String> = [
    "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "FOR", "RETURNING", "WINDOW",
  ]
}

extension SQLNode {
  static let tenantPlaceholder = SQLNode.token(.brace("tenant"))
}

extension Collection<SQLNode> {
  /// Cuts before FROM, but not at the FROM of `IS DISTINCT FROM`.
  fileprivate func cutAtFrom(orWhere: Bool = false) -> (head: [SQLNode], tail: [SQLNode]) {
    let nodes = Array(self)
    let boundary = nodes.indices.first { index in
      if orWhere && nodes[index].isKeyword(among: ["WHERE", "RETURNING"]) { return true }
      return nodes[index].isKeyword("FROM") && !(index > 0 && nodes[index - 1].isKeyword("DISTINCT"))
    }
    return (Array(nodes[..<(boundary ?? nodes.endIndex)]), Array(nodes[(boundary ?? nodes.endIndex)...]))
  }

  fileprivate func cutAtConflict() -> (head: [SQLNode], tail: [SQLNode]) {
    let nodes = Array(self)
    let boundary = nodes.indices.first { index in
      if nodes[index].isKeyword("RETURNING") { return true }
      return nodes[index].isKeyword("ON") && index + 1 < nodes.count && nodes[index + 1].isKeyword("CONFLICT")
    }
    return (Array(nodes[..<(boundary ?? nodes.endIndex)]), Array(nodes[(boundary ?? nodes.endIndex)...]))
  }
}

extension [SQLNode] {
  /// The nodes before the first comma or FROM.
  fileprivate var firstExpression: [SQLNode] {
    cut { $0.isSymbol(",") || $0.isKeyword("FROM") }.head
  }
}
