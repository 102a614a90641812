internal import Base
internal import Synchronization

/// Reads the rows of a committed table, each with its hash. It makes its own queries, since checks and evidence know a
/// table only by its name and shape.
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

  /// A cache of the queries for single rows, by table and shape: single rows are verified for every answer.
  private static let prepared = Mutex<[String: Query]>([:])

  /// A row as it is stored now; nil if there is none.
  func row(of tenant: Tenant, key: [Value]) throws(DatabaseError) -> FoundRow? {
    try stored(of: tenant, key: key).map(read)
  }

  /// The hash of a row as it is stored now; nil if there is none.
  func digest(of tenant: Tenant, key: [Value]) throws(DatabaseError) -> Digest? {
    try stored(of: tenant, key: key).map(digest)
  }

  /// The columns of a row that are committed to, and those of its key; nil if there is none. Throws if there are
  /// several rows with this key. Then somebody has removed the table's own key, and may have added a forged row behind
  /// the genuine one.
  func stored(of tenant: Tenant, key: [Value]) throws(DatabaseError) -> Row? {
    let rows = try connection.all(queryForOne(), [.text(tenant.id)] + key)
    guard rows.count <= 1 else {
      let title = RowChange.title(of: RowChange.key(key), in: name)
      throw DatabaseError(.corrupt, "tenant '\(tenant)': \(title) is there more than once")
    }
    return rows.first
  }

  /// Up to `limit` rows in the order of their keys, after the row with a key.
  func page(of tenant: Tenant, after key: [Value], limit: Int) throws(DatabaseError) -> [FoundRow] {
    let names = shape.key.joined(separator: ", ")
    let condition = key.isEmpty ? "" : " AND (\(names)) > (\(key.map { _ in "?" }.joined(separator: ", ")))"
    let query = Query(made: "storage.rows.\(name)", try form("\(condition) ORDER BY \(names) LIMIT \(limit)"))
    return try connection.all(query, [.text(tenant.id)] + key).map(read)
  }

  private func queryForOne() throws(DatabaseError) -> Query {
    let text = "\(name)|\(shape.text)"
    if let known = Self.prepared.withLock({ $0[text] }) { return known }
    let form = try form(shape.key.map { " AND \($0) = ?" }.joined())
    let query = Query("storage.row.\(name)", form, continues: true)
    Self.prepared.withLock { $0[text] = query }
    return query
  }

  private func form(_ condition: String) throws(DatabaseError) -> Query.Form {
    let names = (shape.key + shape.committed).joined(separator: ", ")
    do {
      let tokens = try SQLToken.split("SELECT \(names) FROM \(name) WHERE tenant = {tenant}\(condition)")
      return Query.Form(tokens: tokens, hasTenant: true, isOwn: true, cursorColumns: [])
    } catch {
      throw DatabaseError(.badStatement, "table '\(name)': \(error)")
    }
  }

  private func read(_ row: Row) -> FoundRow {
    let columns = zip(shape.key + shape.committed, row.values).map { EvidenceLog.Column(name: $0, value: $1) }
    return FoundRow(key: RowChange.key(row.values.prefix(shape.key.count)), digest: digest(of: row), columns: columns)
  }

  func digest(of row: Row) -> Digest {
    RowChange.digest(table: name, key: shape.key, committed: shape.committed, values: row.values)
  }
}
