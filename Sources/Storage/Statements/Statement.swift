/// One SQL statement of a service, written once for both engines and bound to a tenant by construction.
///
/// ```swift
/// static let insert = Statement(
///   "session.insert", "INSERT INTO sessions (tenant, id, state) VALUES ({tenant}, ?, ?)")
/// static let list = Statement(
///   "session.list",
///   "SELECT id, state FROM sessions WHERE tenant = {tenant} AND study = ? AND {after started_ms, id} "
///     + "ORDER BY started_ms, id LIMIT {limit}")
/// ```
/// `?` stands for a parameter. `{tenant}` is bound by the scope that runs the statement and by nothing else; if a table
/// in the statement is not restricted to the tenant, defining the statement fails (`TenantRule`). `{after columns}` and
/// `{before columns}` make a page that continues at a cursor, with `{limit}` rows at most.
public struct Statement: Sendable {
  public let name: String
  let query: Query
  /// The same statement for the first page of a list.
  let firstPage: Query?
  let cursorColumns: [String]

  /// Traps if the statement could reach another tenant's rows: that is a mistake in the program, which its first test
  /// finds.
  public init(_ name: String, _ sql: String) {
    do {
      try self.init(checking: name, sql)
    } catch {
      preconditionFailure("statement '\(name)': \(error)")
    }
  }

  package init(checking name: String, _ sql: String) throws(SQLProblem) {
    try TenantRule.check(sql, allowsOwnTables: false)
    self = try Statement(name, tokens: try SQLToken.split(sql), hasTenant: true, isOwn: false)
  }

  /// A statement of Storage itself for one tenant, which may use Storage's own tables.
  init(own name: String, _ sql: String) {
    do {
      try TenantRule.check(sql, allowsOwnTables: true)
      self = try Statement(name, tokens: try SQLToken.split(sql), hasTenant: true, isOwn: true)
    } catch {
      preconditionFailure("statement '\(name)': \(error)")
    }
  }

  /// A statement across all tenants, such as for taking due jobs, re-wrapping keys, expiry, or finding webhooks to send
  /// to. It is for background work without a caller, never for a handler.
  package init(acrossTenants name: String, _ sql: String) {
    do {
      self = try Statement(name, tokens: try SQLToken.split(sql), hasTenant: false, isOwn: true)
    } catch {
      preconditionFailure("statement '\(name)': \(error)")
    }
  }

  private init(_ name: String, tokens: [SQLToken], hasTenant: Bool, isOwn: Bool) throws(SQLProblem) {
    var columns: [String] = []
    for case .brace(let brace) in tokens where brace != "tenant" && brace != "limit" {
      let words = brace.split { $0 == " " || $0 == "," }.map(String.init)
      guard words.count > 1, words[0] == "after" || words[0] == "before", columns.isEmpty else {
        throw SQLProblem("{\(brace)} is not one of {tenant}, {limit}, {after …} and {before …}")
      }
      columns = Array(words.dropFirst())
    }
    self.name = name
    cursorColumns = columns
    let form = Query.Form(tokens: tokens, hasTenant: hasTenant, isOwn: isOwn, cursorColumns: columns)
    query = Query(name, form, continues: true)
    firstPage = columns.isEmpty ? nil : Query(name, form, continues: false)
  }
}
