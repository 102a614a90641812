internal import Base

/// A query that changes committed rows, and learns what each row was before and is afterwards.
final class TrackedQuery: Sendable {
  let table: TableCoverage
  private let name: String
  private let query: Query
  private let former: FormerRows
  /// Whether the query stores at least one row unless it fails.
  private let alwaysStores: Bool

  /// How the contents of the rows before the change are learnt.
  private enum FormerRows {
    /// The query makes new rows only.
    case none
    /// The query returns the rows that it removes.
    case returned
    /// They are read first, and locked.
    case read(FormerRowQuery)
  }

  /// A row that the query has changed. Without columns it does not exist.
  struct Change {
    let key: [UInt8]
    let before: Digest?
    let after: Digest?
  }

  fileprivate init(_ name: String, _ form: Query.Form, _ target: WriteTarget, _ table: TableCoverage) {
    (self.name, self.table) = (name, table)
    switch target.action {
    case .insert: former = .none
    case .delete: former = .returned
    case .update, .upsert: former = .read(FormerRowQuery(name, form, target, table))
    }
    alwaysStores = target.alwaysStores
    var tokens = form.tokens + [target.yields ? .symbol(",") : .word("RETURNING")]
    tokens += SQLToken.list(table.columns)
    if case .upsert = target.action { tokens += [.symbol(","), .brace("is new")] }
    // `isOwn` is false so that this query is not tracked in its turn.
    let tracking = Query.Form(
      tokens: tokens, hasTenant: form.hasTenant, isOwn: false, cursorColumns: form.cursorColumns)
    query = Query(name, tracking, continues: true)
  }

  /// Runs the query. Returns the rows that it changed, as it yields them.
  ///
  /// Throws if a query that always stores a row stored none: a planted trigger can suppress a row without an error, and
  /// callers do not check the number of rows of such a query. Throws `.serializationFailure` if another transaction has
  /// made or changed one of the rows since they were read.
  func run(
    _ values: [Value], over connection: any Connection, _ note: (Change) -> Void
  ) throws(DatabaseError) -> [Row] {
    var before: [[UInt8]: Digest] = [:]
    if case .read(let reading) = former {
      for row in try reading.rows(values, over: connection) { before[key(of: row.values)] = digest(of: row.values) }
    }
    let rows = try connection.all(query, values)
    if alwaysStores, rows.isEmpty {
      throw DatabaseError(
        .corrupt,
        "statement '\(name)' stored no row in table '\(table.name)': something in the database keeps it from that")
    }
    for row in rows { note(try change(row, before)) }
    return rows
  }

  private func change(_ row: Row, _ before: [[UInt8]: Digest]) throws(DatabaseError) -> Change {
    switch former {
    case .none:
      let values = row.values.suffix(table.columns.count)
      return Change(key: key(of: values), before: nil, after: digest(of: values))
    case .returned:
      let values = row.values.suffix(table.columns.count)
      return Change(key: key(of: values), before: digest(of: values), after: nil)
    case .read(let reading):
      var values = row.values[...]
      let isNew = reading.makesRows && values.removeLast() == .integer(1)
      values = values.suffix(table.columns.count)
      let key = key(of: values)
      guard before[key] != nil || isNew else {
        throw DatabaseError(
          .serializationFailure, "\(RowChange.title(of: key, in: table.name)) was made by another transaction meanwhile"
        )
      }
      return Change(key: key, before: before[key], after: digest(of: values))
    }
  }

  private func key(of values: some BidirectionalCollection<Value>) -> [UInt8] {
    RowChange.key(values.prefix(table.key.count))
  }

  private func digest(of values: some BidirectionalCollection<Value>) -> Digest {
    RowChange.digest(table: table.name, key: table.key, committed: table.committed, values: values)
  }
}

/// Reads and locks the rows that another query is about to change.
private struct FormerRowQuery: Sendable {
  private let query: Query
  /// Which values of the changing query this one takes.
  private let places: [Int]
  /// Whether the changing query makes rows that are not there.
  let makesRows: Bool

  init(_ name: String, _ form: Query.Form, _ target: WriteTarget, _ table: TableCoverage) {
    var condition: [NumberedToken]
    switch target.action {
    case .upsert(let values):
      makesRows = true
      condition = []
      for column in ["tenant"] + table.key {
        guard let value = values[column] else { preconditionFailure("statement '\(name)' sets no '\(column)'") }
        condition += (condition.isEmpty ? [] : [NumberedToken(.word("AND"))])
        condition += [NumberedToken(.word(column)), NumberedToken(.symbol("="))] + value
      }
    default:
      makesRows = false
      condition = target.condition
      precondition(!condition.isEmpty, "statement '\(name)' changes rows without a condition")
    }
    let first = form.hasTenant ? 1 : 0
    places = (form.hasTenant ? [0] : []) + condition.compactMap { $0.parameter.map { $0 + first } }
    let tokens =
      [.word("SELECT")] + SQLToken.list(table.columns) + [.word("FROM"), .word(table.name), .word("WHERE")]
      + condition.map(\.token) + [.word("FOR"), .word("UPDATE")]
    query = Query(
      "\(name).before", Query.Form(tokens: tokens, hasTenant: form.hasTenant, isOwn: false, cursorColumns: []),
      continues: true)
  }

  func rows(_ values: [Value], over connection: any Connection) throws(DatabaseError) -> [Row] {
    try connection.all(query, places.map { values[$0] })
  }
}

extension SQLToken {
  /// Names with commas between them.
  fileprivate static func list(_ names: [String]) -> [SQLToken] {
    var tokens: [SQLToken] = []
    for name in names { tokens += (tokens.isEmpty ? [] : [.symbol(",")]) + [.word(name)] }
    return tokens
  }
}

extension [TableCoverage] {
  /// The query to run in place of one that changes committed columns; nil if it changes none.
  func tracking(_ form: Query.Form, named name: String) -> TrackedQuery? {
    guard let target = WriteTarget(form.tokens), let table = first(where: { $0.name == target.table }),
      table.isCommitted
    else { return nil }
    if case .update(let columns) = target.action {
      precondition(!columns.contains { table.key.contains($0) }, "statement '\(name)' changes the key of a row")
      if !columns.contains(where: { table.committed.contains($0) }) { return nil }
    }
    return TrackedQuery(name, form, target, table)
  }
}
