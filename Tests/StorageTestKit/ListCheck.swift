import Base

@testable public import Storage

/// Reads the lists of a service's statements at every page size, on both engines, and compares them with a sort in
/// memory of the same rows.
public struct ListCheck: Sendable {
  private let rows: GeneratedRows
  private let databases: [Database]

  /// What is wrong, one line for each list.
  public static func problems(of schema: Schema) async throws -> [String] {
    let (sqlite, postgres) = (
      try await TestEngine.sqlite.makeDatabase(schema), try await TestEngine.postgres.makeDatabase(schema)
    )
    let rows = try await GeneratedRows(for: sqlite, count: 160)
    var databases: [Database] = []
    for test in [sqlite, postgres] { databases.append(try await rows.fill(test)) }
    let check = ListCheck(rows: rows, databases: databases)
    let statements = schema.statements + [EventStatements.after, EventStatements.ofStreamAfter]
    var problems: [String] = []
    for list in statements.flatMap(ListedRows.all) {
      for attempt in 0..<2 {
        if let problem = try await check.problem(of: list, attempt) {
          problems.append("\(list.name): \(problem)")
          break
        }
      }
    }
    return problems
  }

  /// - Parameter attempt: each has other values for the parameters.
  private func problem(of list: ListedRows, _ attempt: Int) async throws -> String? {
    let tenant = GeneratedRows.tenants[attempt % 2]
    let conditions = try conditions(of: list, tenant, attempt)
    var everything: [SortedRows] = []
    for database in databases {
      everything.append(try await read(database) { try SortedRows(list, tenant, conditions, $0) })
    }
    let wanted = everything[0]
    if wanted.isEmpty, attempt == 0 { return "no generated row is in it" }
    guard wanted == everything[1] else { return "without a limit, the engines have different rows" }
    for database in databases {
      let wrong = try await read(database) { try wrongSize(list, tenant, conditions, wanted, $0) }
      if let wrong { return "wrong rows on \(database.engine.dialect) with \(wrong) at a time" }
    }
    return nil
  }

  private func read<Result: Sendable>(
    _ database: Database, _ body: @escaping @Sendable (any Connection) throws -> Result
  ) async throws -> Result {
    try await database.readAcrossTenants(within: .seconds(120), body)
  }

  /// The least size at which rows are wrong; nil if there is none.
  private func wrongSize(
    _ list: ListedRows, _ tenant: String, _ conditions: [Value], _ wanted: SortedRows, _ connection: any Connection
  ) throws -> Int? {
    try (1...wanted.count + 1).first { size in
      if let statement = list.paged {
        let rows = try pages(of: statement, list.values(tenant: tenant, conditions: conditions), size, connection)
        return rows.count != wanted.count || !wanted.begin(with: rows)
      }
      let values = list.values(tenant: tenant, conditions: conditions, limit: size)
      let rows = try connection.all(list.first(size), values).map(\.values)
      return rows.count != min(size, wanted.count) || !wanted.begin(with: rows)
    }
  }

  /// The rows of all pages.
  private func pages(
    of statement: Statement, _ values: [Value], _ size: Int, _ connection: any Connection
  ) throws -> [[Value]] {
    let limit = Value.integer(Int64(size))
    var page = try connection.all(statement.firstPage ?? statement.query, values + [limit])
    var rows = page.map(\.values)
    while page.count == size, let last = page.last {
      let cursor = try PageCursor(of: last, for: statement).values(for: statement)
      page = try connection.all(statement.query, values + cursor + [limit])
      rows += page.map(\.values)
    }
    return rows
  }

  /// Values with which a list has rows: the columns' usual ones and the widest ranges, or those of any row.
  private func conditions(of list: ListedRows, _ tenant: String, _ attempt: Int) throws -> [Value] {
    var generator = SeededGenerator(seed: UInt64(attempt))
    let tables = list.tables(among: rows.tables.keys.sorted())
    return try list.conditions().map { column, comparison in
      let all = tables.lazy.compactMap { rows.tables[$0] }.first { $0.first?[column] != nil } ?? []
      let values = all.filter { $0["tenant"] == .text(tenant) }.compactMap { $0[column] }.filter { $0 != .null }
      guard let one = values.randomElement(using: &generator), let other = values.randomElement(using: &generator)
      else { throw SQLProblem("'\(list.name)': no table has a column '\(column)'") }
      let isWide = attempt == 0
      switch comparison {
      case "=": return isWide ? mostFrequent(among: values) ?? one : one
      case "<", "<=": return isWide ? .integer(.max) : SortedRows.precedes(one, other) ? other : one
      case ">", ">=":
        if case .text = one, isWide { return .text("") }
        return isWide ? .integer(-1) : SortedRows.precedes(one, other) ? one : other
      default: throw SQLProblem("'\(list.name)' compares '\(column)' by '\(comparison)'")
      }
    }
  }

  private func mostFrequent(among values: [Value]) -> Value? {
    Dictionary(grouping: values) { $0 }.max { one, other in
      let (fewer, more) = (one.value.count, other.value.count)
      return fewer == more ? SortedRows.precedes(one.key, other.key) : fewer < more
    }?.key
  }
}
