import Base

@testable public import Storage

/// A step of a statement on SQLite that reads more rows than it is asked for: a whole table, or all rows of the tenant.
public struct SlowPlan: Hashable, Sendable, CustomStringConvertible {
  public let statement: String
  /// In SQLite's words.
  public let step: String

  public var description: String { "\(statement): \(step)" }

  /// The statements of `all` that are not among those named, and the names that none of them has: in a new database of
  /// the service, or in one with many rows that somebody has counted by ANALYZE.
  public static func unexpected(in schema: Schema, besides named: Set<String>) async throws -> [String] {
    let test = try await TestEngine.sqlite.makeDatabase(schema)
    let new = try await all(schema, in: test.database)
    let filled = try await all(schema, in: try await GeneratedRows(for: test, count: 2000).fill(test))
    let unnamed = Set(new + filled).filter { !named.contains($0.statement) }.map(\.description).sorted()
    return unnamed + named.subtracting(new.map(\.statement)).map { "\($0): is fast" }.sorted()
  }

  /// Those of a service's statements, and of Storage's own that the service's reads are held to.
  private static func all(_ schema: Schema, in database: Database) async throws -> [SlowPlan] {
    let queries =
      schema.statements.flatMap { [$0.query, $0.firstPage].compactMap(\.self) }
      + [
        EventStatements.after, EventStatements.ofStreamAfter, EventStatements.committingBefore, EventStatements.chain,
      ].map(\.query)
    var slow: [SlowPlan] = []
    for query in queries {
      slow += try await steps(of: query, in: database).filter(isSlow).map { SlowPlan(statement: query.name, step: $0) }
    }
    return slow
  }

  /// How SQLite runs a statement, in its words.
  package static func steps(of query: Query, in database: Database) async throws -> [String] {
    let plan = Query(uncached: "plan", "EXPLAIN QUERY PLAN \(query.sqlite)")
    return try await database.engine.read(until: Clock.system.monotonic + .seconds(10)) { connection in
      try connection.all(plan, nulls(for: query.sqlite)).map { try $0.get("detail", as: String.self) }
    }
  }

  private static func nulls(for sql: String) -> [Value] {
    let numbers = sql.split(separator: "?", omittingEmptySubsequences: false).dropFirst().map { rest in
      Int(rest.prefix { $0.isNumber })
    }
    return [Value](repeating: .null, count: numbers.compactMap(\.self).max() ?? numbers.count)
  }

  /// Whether it is narrowed by nothing but the tenant and, at most, a range.
  private static func isSlow(_ step: String) -> Bool {
    // The texts of a `ListStatement`, which are no rows of a table.
    if step == "SCAN listed" { return false }
    if step.hasPrefix("SCAN") { return !step.contains("CONSTANT ROW") && !step.contains("SUBQUERY") }
    guard step.hasPrefix("SEARCH"), let open = step.firstIndex(of: "(") else { return false }
    let terms = step[open...].split { "() ".contains($0) }
    return !terms.contains { $0.hasSuffix("=?") && $0 != "tenant=?" }
  }
}
