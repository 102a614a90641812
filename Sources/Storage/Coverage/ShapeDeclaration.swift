internal import Base

/// Records in the database which columns of which tables are committed to. When a table's committed columns change, new
/// events commit to its existing rows as they are now: tampering is detected from then on, but not what happened
/// before. Rows to which earlier events committed must still match those (`FormerRows`).
struct ShapeDeclaration {
  let connection: any Connection
  let context: DatabaseContext

  /// How many rows one event commits to at most.
  private static let rowsPerEvent = 500

  func run() throws {
    var changed: [(table: TableCoverage, number: Int64)] = []
    for table in OwnCoverage.tables + context.schema.coverage where table.isCommitted {
      let known = try connection.all(ShapeStatements.newest.query, [.text(table.name)]).first
      if try known?.get("columns", as: String.self) == table.shape.text { continue }
      let number: Int64 = try known?.get("shape") ?? 0
      guard number < .max else {
        throw DatabaseError(.corrupt, "storage_shapes: table '\(table.name)' has shape \(number): its row was altered")
      }
      changed.append((table, number + 1))
    }
    if changed.isEmpty { return }
    try FormerRows(connection: connection, context: context).verify(changed.map(\.table))
    for (table, number) in changed {
      _ = try connection.run(ShapeStatements.add.query, [.text(table.name), .integer(number), .text(table.shape.text)])
      try adopt(table)
    }
  }

  private func adopt(_ table: TableCoverage) throws {
    let query = Query(
      uncached: "storage.adopt",
      "SELECT tenant, \(table.columns.joined(separator: ", ")) FROM \(table.name) ORDER BY tenant")
    var rows: [(tenant: Tenant, change: RowChange)] = []
    try connection.each(query, []) { row in
      guard let tenant = Tenant(try row.get(0)) else { return }
      let key = row.values[1...].prefix(table.key.count)
      let digest = RowChange.digest(
        table: table.name, key: table.key, committed: table.committed, values: row.values[1...])
      rows.append((tenant, RowChange(table: table.name, key: RowChange.key(key), digest: digest)))
    }
    if table.isRowByRow { return try adoptEach(rows, of: table) }
    var rest = rows[...]
    while let tenant = rest.first?.tenant {
      let transaction = Transaction(tenant: tenant, connection: connection, context: context)
      while rest.first?.tenant == tenant {
        var changes: [UInt8] = []
        for row in rest.prefix(Self.rowsPerEvent).prefix(while: { $0.tenant == tenant }) {
          row.change.append(to: &changes)
          rest.removeFirst()
        }
        transaction.drafts.append(
          DraftEvent(stream: RowChange.ownEvent, type: RowChange.ownEvent, payload: [], changes: changes))
      }
      try transaction.finish()
    }
  }

  private func adoptEach(_ rows: [(tenant: Tenant, change: RowChange)], of table: TableCoverage) throws {
    var rest = rows[...]
    while let tenant = rest.first?.tenant {
      let transaction = Transaction(tenant: tenant, connection: connection, context: context)
      while let change = rest.first?.change, rest.first?.tenant == tenant {
        transaction.commit(to: change, of: table)
        rest.removeFirst()
      }
      try transaction.finish()
    }
  }
}

enum ShapeStatements {
  static let newest = Statement(
    acrossTenants: "storage.shapes.newest",
    "SELECT shape, columns FROM storage_shapes WHERE name = ? ORDER BY shape DESC LIMIT 1")
  static let add = Statement(
    acrossTenants: "storage.shapes.add", "INSERT INTO storage_shapes (name, shape, columns) VALUES (?, ?, ?)")
  static let all = Statement(
    acrossTenants: "storage.shapes.all", "SELECT name, shape, columns FROM storage_shapes ORDER BY name, shape")
}

extension Database {
  /// The gaps in the tables' coverage: columns that are neither committed to nor exempt, and names that are no column.
  /// A test of every service requires that there are none.
  package func coverageGaps() async throws -> [String] {
    let coverage = OwnCoverage.tables + context.schema.coverage
    return try await readAcrossTenants { connection in
      var gaps: [String] = []
      let tables = try Catalogue(connection: connection).allTables()
      for (name, columns) in tables {
        let entries = coverage.filter { $0.name == name }
        guard let table = entries.first, entries.count == 1 else {
          gaps.append("table '\(name)' is listed \(entries.count) times")
          continue
        }
        if !table.isCommitted { continue }
        let listed = ["tenant"] + table.columns + table.exempt.keys
        gaps += columns.filter { !listed.contains($0) }.map { "'\(name).\($0)' is neither committed to nor exempt" }
        gaps += listed.filter { !columns.contains($0) }.sorted().map { "'\(name).\($0)' is listed, and is no column" }
        gaps += table.exempt.filter { $0.value.isEmpty || table.columns.contains($0.key) }.keys.sorted()
          .map { "'\(name).\($0)' is exempt without a reason, or committed to as well" }
      }
      for table in coverage where !tables.contains(where: { $0.name == table.name }) {
        // Only PostgreSQL has a table for the outcomes of transactions.
        if table.name == "storage_outcomes", connection.dialect == .sqlite { continue }
        gaps.append("table '\(table.name)' is listed, and is not there")
      }
      return gaps
    }
  }
}
