internal import Base

/// The rows of a table that is committed to, each with its hash: for checks and evidence, which know tables by name
/// only.
struct RowReading {
  let name: String
  let shape: RowShapeText
  let connection: any Connection

  init(table: TableCoverage, connection: any Connection) {
    (name, shape) = (table.name, table.shape)
    self.connection = connection
  }

  init(name: String, shape: RowShapeText, connection: any Connection) {
    (self.name, self.shape, self.connection) = (name, shape, connection)
  }

  struct FoundRow {
    let key: [UInt8]
    let digest: Digest
    let columns: [EvidenceLog.Column]
  }

  func rows(of tenant: Tenant, key: [Value]) throws(DatabaseError) -> [FoundRow] {
    let condition = shape.key.map { " AND \($0) = ?" }.joined()
    return try connection.all(query(condition), [.text(tenant.id)] + key).map(read)
  }

  func each(of tenant: Tenant, _ body: (FoundRow) throws -> Void) throws {
    try connection.each(query(""), [.text(tenant.id)]) { try body(read($0)) }
  }

  private func query(_ condition: String) throws(DatabaseError) -> Query {
    let names = (shape.key + shape.committed).joined(separator: ", ")
    do {
      let tokens = try SQLToken.split("SELECT \(names) FROM \(name) WHERE tenant = {tenant}\(condition)")
      return Query(
        made: "storage.rows.\(name)",
        Query.Form(tokens: tokens, hasTenant: true, isOwn: true, cursorColumns: []))
    } catch {
      throw DatabaseError(.badStatement, "table '\(name)': \(error)")
    }
  }

  private func read(_ row: Row) -> FoundRow {
    let columns = zip(shape.key + shape.committed, row.values).map { EvidenceLog.Column(name: $0, value: $1) }
    let pairs = columns.map { ($0.name, $0.value) }
    let digest = RowChange.digest(
      table: name, key: pairs.prefix(shape.key.count), committed: pairs.dropFirst(shape.key.count))
    return FoundRow(key: RowChange.key(row.values.prefix(shape.key.count)), digest: digest, columns: columns)
  }
}
