/// The tables to whose rows events commit, as the database records them and as the program declares them.
struct CommittedTables: Sendable {
  private(set) var shapes: [String: RowShapeText] = [:]
  private(set) var problems: [String] = []
  private let columns: [String: [String]]

  init(connection: any Connection, known: [TableCoverage]) throws(DatabaseError) {
    // Names that differ only in their spelling are equal.
    columns = Dictionary(
      try Catalogue(connection: connection).allTables().map { ($0.name, $0.columns) },
      uniquingKeysWith: { first, _ in first })
    for row in try connection.all(ShapeStatements.all.query, []) {
      let (name, text): (String, String) = (try row.get("name"), try row.get("columns"))
      guard name.isPlainName, let shape = RowShapeText(text) else {
        problems.append("storage_shapes: what is said of table '\(name)' cannot be read")
        continue
      }
      if isThere(name, shape) { shapes[name] = shape }
    }
    for table in known where table.isCommitted && shapes[table.name] != table.shape {
      problems.append("storage_shapes: what is said of table '\(table.name)' is not what the program says")
      shapes[table.name] = table.shape
    }
  }

  func has(_ table: String) -> Bool { columns[table] != nil }

  private mutating func isThere(_ name: String, _ shape: RowShapeText) -> Bool {
    guard let columns = columns[name] else {
      problems.append("table '\(name)' is committed to, and is not there")
      return false
    }
    let missing = (["tenant"] + shape.key + shape.committed).filter { !columns.contains($0) }
    if missing.isEmpty { return true }
    problems.append("table '\(name)' has no column '\(missing[0])', which is committed to")
    return false
  }
}
