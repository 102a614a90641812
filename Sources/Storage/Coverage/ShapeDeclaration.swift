internal import Base

/// Records in the database which columns of which tables are committed to, for tools that do not know the service. A
/// database whose rows were committed to by other columns belongs to another program: nothing could tell whether its
/// rows are as they were left.
struct ShapeDeclaration {
  let connection: any Connection
  let context: DatabaseContext

  func run() throws(DatabaseError) {
    for table in OwnCoverage.tables + context.schema.coverage where table.isCommitted {
      guard let known = try connection.all(ShapeStatements.find.query, [.text(table.name)]).first else {
        _ = try connection.run(ShapeStatements.add.query, [.text(table.name), .text(table.shape.text)])
        continue
      }
      let columns: String = try known.get("columns")
      guard columns == table.shape.text else {
        throw DatabaseError(
          .changedMigration,
          "storage_shapes: the rows of table '\(table.name)' are committed to by the columns '\(columns)', and this "
            + "program commits to '\(table.shape.text)'")
      }
    }
  }
}

enum ShapeStatements {
  static let find = Statement(
    acrossTenants: "storage.shapes.find", "SELECT columns FROM storage_shapes WHERE name = ?")
  static let add = Statement(
    acrossTenants: "storage.shapes.add", "INSERT INTO storage_shapes (name, columns) VALUES (?, ?)")
  static let all = Statement(
    acrossTenants: "storage.shapes.all", "SELECT name, columns FROM storage_shapes ORDER BY name")
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
