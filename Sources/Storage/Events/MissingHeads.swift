/// Makes new heads for logs that have events but no head. Nobody can repair an altered head by hand, since its code
/// needs the log's key: so whoever repairs the database deletes the head, and the service makes a new one when it
/// starts.
struct MissingHeads {
  let connection: any Connection
  let context: DatabaseContext

  private static let tenants = Statement(
    acrossTenants: "storage.missing-heads.tenants",
    "SELECT k.tenant AS tenant FROM storage_log_keys k LEFT JOIN storage_event_heads h ON h.tenant = k.tenant "
      + "WHERE h.tenant IS NULL ORDER BY k.tenant")

  func make() throws(DatabaseError) {
    for row in try connection.all(Self.tenants.query, []) {
      guard let tenant = Tenant(try row.get("tenant", as: String.self)) else { continue }
      try Transaction(tenant: tenant, connection: connection, context: context).makeHead()
    }
  }
}

extension Transaction {
  /// Makes the head from the newest event. If this service did not write that event, the log stays without a head, and
  /// nothing can be appended to it.
  fileprivate func makeHead() throws(DatabaseError) {
    guard let row = try first(EventStatements.newest) else { return }
    do throws(DatabaseError) {
      let newest = try event(in: row)
      try begin(at: LogEnd(last: newest.sequence, at: newest.at, chain: newest.chain))
    } catch {
      guard error.isDamage else { throw error }
    }
  }
}
