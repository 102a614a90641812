internal import Base

/// Rows as they are before events commit to them anew, because other columns of theirs are committed to from now on.
///
/// Events would then vouch for whatever somebody has made of the rows. So rows are held to what events last said of
/// them, by the columns that were committed to then.
struct FormerRows {
  let connection: any Connection
  let context: DatabaseContext

  /// Throws where a row of these tables is not as events left it.
  func verify(_ tables: [TableCoverage]) throws {
    // Who changes rows of a tenant comes here before its commit: until ours, rows and events stay as they are.
    if connection.dialect == .postgres { try connection.execute("LOCK TABLE storage_event_heads IN EXCLUSIVE MODE") }
    var filled: [String: [String]] = [:]
    for table in tables {
      let query = Query(uncached: "storage.former-tenants", "SELECT DISTINCT tenant FROM \(table.name)")
      for row in try connection.all(query, []) {
        let name: String = try row.get("tenant")
        filled[name, default: []].append(table.name)
      }
    }
    if filled.isEmpty { return }
    let shapes = try CommittedTables(connection: connection, known: []).shapes
    let keys = Dictionary(tables.map { ($0.name, $0.key) }, uniquingKeysWith: { first, _ in first })
    for (name, tables) in filled.sorted(by: { $0.key < $1.key }) {
      guard let tenant = Tenant(name) else { continue }
      let said = try sayings(of: tenant, about: Set(tables))
      for table in tables {
        let lists = Self.lists(shapes[table] ?? [], by: keys[table])
        try verify(table, lists, said[table] ?? [:], of: tenant)
      }
    }
  }

  /// The lists by whose key events tell of rows. A list by another key than the table's finds no row that an event
  /// tells of; where there is no other, a release has changed the key.
  private static func lists(_ shapes: [RowShapeText], by key: [String]?) -> [RowShapeText] {
    let own = shapes.filter { $0.key == key }
    return own.isEmpty ? shapes : own
  }

  /// What the log last said of each row of some tables.
  private func sayings(
    of tenant: Tenant, about tables: Set<String>
  ) throws -> [String: [[UInt8]: RowComparison.Saying]] {
    var said: [String: [[UInt8]: RowComparison.Saying]] = [:]
    // This uses a transaction: a snapshot would cache the log's key, which may not be committed yet.
    let transaction = Transaction(tenant: tenant, connection: connection, context: context)
    try connection.each(FormerRowStatements.committing.query, [.text(tenant.id)]) { row in
      let event = try transaction.event(in: row)
      guard let changes = RowChange.list(event.changes) else {
        throw DatabaseError(.corrupt, "tenant '\(tenant)': what event \(event.sequence) commits to cannot be read")
      }
      for change in changes where tables.contains(change.table) {
        said[change.table, default: [:]][change.key] = RowComparison.Saying(
          digest: change.digest, event: event.sequence)
      }
    }
    return said
  }

  private func verify(
    _ table: String, _ shapes: [RowShapeText], _ said: [[UInt8]: RowComparison.Saying], of tenant: Tenant
  ) throws {
    guard !shapes.isEmpty else {
      // Nothing was committed to before, and there is nothing to hold the rows to.
      if said.isEmpty { return }
      throw DatabaseError(
        .corrupt, "events commit to rows of table '\(table)', of which storage_shapes says nothing: that was removed")
    }
    var (problem, count) = (String?.none, 0)
    var comparison = RowComparison(of: table, said)
    try comparison.compare(tenant, shapes, over: connection) { found in
      problem = problem ?? found
      count += 1
    }
    guard let first = problem else { return }
    let more = count > 1 ? ", and \(count - 1) more are not as they should be" : ""
    throw DatabaseError(
      .corrupt, "tenant '\(tenant)': \(first)\(more): events commit anew only to rows that are as events left them")
  }
}

enum FormerRowStatements {
  static let committing = Statement(
    own: "storage.shapes.committing",
    "SELECT \(EventStatements.columns) FROM storage_events "
      + "WHERE tenant = {tenant} AND changes IS NOT NULL ORDER BY sequence")
}
