internal import Base

/// Verifies the existing rows of tables whose committed columns change, before new events commit to the rows.
///
/// Otherwise the new events would vouch for rows that somebody has altered. So each row is first compared with what the
/// last event committed to, by the columns that were committed then.
struct FormerRows {
  let connection: any Connection
  let context: DatabaseContext

  /// Throws if a row of these tables differs from what events committed to.
  func verify(_ tables: [TableCoverage]) throws {
    // Every transaction that changes committed rows locks a row of this table before it commits. So until this
    // transaction ends, rows and events stay as they are.
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

  /// The shapes with the table's present key, since a shape with another key matches no row that an event names. If
  /// there is none, a release has changed the key, and all shapes are returned.
  private static func lists(_ shapes: [RowShapeText], by key: [String]?) -> [RowShapeText] {
    let own = shapes.filter { $0.key == key }
    return own.isEmpty ? shapes : own
  }

  /// For each row of some tables what the last event about it commits to.
  private func sayings(
    of tenant: Tenant, about tables: Set<String>
  ) throws -> [String: [[UInt8]: RowComparison.Saying]] {
    var said: [String: [[UInt8]: RowComparison.Saying]] = [:]
    // A snapshot would cache the log's key in the process, although the key may not be committed yet; a transaction
    // does not.
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
      // No event has committed to this table before, so the rows cannot be compared with anything.
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
