/// A query that changes committed rows, and returns the rows that it changed.
final class TrackedQuery: Sendable {
  let query: Query
  let table: TableCoverage
  let removes: Bool
  /// Whether the query stores at least one row unless it fails.
  let alwaysStores: Bool

  init(_ query: Query, _ table: TableCoverage, removes: Bool, alwaysStores: Bool) {
    self.query = query
    self.table = table
    self.removes = removes
    self.alwaysStores = alwaysStores
  }

  /// Runs the query and returns the rows that it changed. Throws if a query that always stores a row stored none: a
  /// planted trigger can suppress a row without an error, and callers do not check the number of rows of such a query.
  func rows(_ values: [Value], over connection: any Connection) throws(DatabaseError) -> [Row] {
    let rows = try connection.all(query, values)
    guard alwaysStores, rows.isEmpty else { return rows }
    throw DatabaseError(
      .corrupt,
      "statement '\(query.name)' stored no row in table '\(table.name)': something in the database keeps it from that")
  }
}

/// What a statement changes: its table and, for an update, which columns.
struct WriteTarget {
  enum Action: Equatable {
    case insert, delete
    case update([String])
  }

  let action: Action
  let table: String
  /// Whether the statement has a RETURNING clause of its own.
  let yields: Bool
  /// Whether it is an INSERT of values that neither a condition nor a conflict can skip.
  let alwaysStores: Bool

  /// nil for a statement that changes nothing.
  init?(_ tokens: [SQLToken]) {
    // Tables within parentheses are only read by the statement.
    var outer: [SQLToken] = []
    var depth = 0
    for token in tokens {
      if token == .symbol(")") { depth -= 1 }
      if depth == 0 { outer.append(token) }
      if token == .symbol("(") { depth += 1 }
    }
    guard let start = outer.firstIndex(where: { $0.isKeyword(among: ["INSERT", "UPDATE", "DELETE", "SELECT"]) }),
      !outer[start].isKeyword("SELECT")
    else { return nil }
    let isUpdate = outer[start].isKeyword("UPDATE")
    alwaysStores =
      outer[start].isKeyword("INSERT") && outer.contains { $0.isKeyword("VALUES") }
      && !outer.contains { $0.isKeyword(among: ["NOTHING", "WHERE"]) }
    let place = start + (isUpdate ? 1 : 2)
    guard place < outer.count, case .word(let table) = outer[place] else { return nil }
    self.table = table.lowercased()
    yields = outer.contains { $0.isKeyword("RETURNING") }
    if isUpdate {
      action = .update(Self.columns(outer[place...]))
    } else {
      action = outer[start].isKeyword("INSERT") ? .insert : .delete
    }
  }

  /// The columns that the SET clause assigns.
  private static func columns(_ tokens: ArraySlice<SQLToken>) -> [String] {
    guard let set = tokens.firstIndex(where: { $0.isKeyword("SET") }) else { return [] }
    let assignments = tokens[tokens.index(after: set)...].prefix {
      !$0.isKeyword(among: ["WHERE", "FROM", "RETURNING"])
    }
    return assignments.split(separator: .symbol(",")).compactMap { assignment in
      guard case .word(let name)? = assignment.first else { return nil }
      return name.lowercased()
    }
  }
}

extension [TableCoverage] {
  /// The same statement with a RETURNING clause that yields the changed rows; nil if it changes no committed columns.
  func tracking(_ form: Query.Form, named name: String) -> TrackedQuery? {
    guard let target = WriteTarget(form.tokens), let table = first(where: { $0.name == target.table }),
      table.isCommitted
    else { return nil }
    if case .update(let columns) = target.action {
      precondition(!columns.contains { table.key.contains($0) }, "statement '\(name)' changes the key of a row")
      if !columns.contains(where: { table.committed.contains($0) }) { return nil }
    }
    var tokens = form.tokens + [target.yields ? .symbol(",") : .word("RETURNING")]
    // For a deleted row, its key is enough.
    let columns = target.action == .delete ? table.key : table.columns
    for (index, column) in columns.enumerated() {
      if index > 0 { tokens.append(.symbol(",")) }
      tokens.append(.word(column))
    }
    // `isOwn` is false so that this query is not tracked in its turn.
    let tracking = Query.Form(
      tokens: tokens, hasTenant: form.hasTenant, isOwn: false, cursorColumns: form.cursorColumns)
    return TrackedQuery(
      Query(name, tracking, continues: true), table, removes: target.action == .delete,
      alwaysStores: target.alwaysStores)
  }
}
