internal import Storage

extension TestDatabase {
  /// SQL that puts the ends of the logs back to where they are now, with their codes, as somebody can who wrote down
  /// what the database said.
  public func keptEnds() async throws -> String {
    let ends = Statement(
      acrossTenants: "test.ends", "SELECT tenant, last, last_ms, chain, code FROM storage_event_heads")
    return try await database.rows(ends, []).map { row in
      let (tenant, last, time): (String, Int64, Int64) = (try row.get(0), try row.get(1), try row.get(2))
      let (chain, code): ([UInt8], [UInt8]) = (try row.get(3), try row.get(4))
      return "UPDATE storage_event_heads SET last = \(last), last_ms = \(time), chain = \(engine.literal(chain)), "
        + "code = \(engine.literal(code)) WHERE tenant = '\(tenant)';"
    }.joined()
  }
}
