public import Base

/// Access to one tenant's rows, for as long as a `read` or `write` closure runs. In a `read` it is one consistent view.
public class Snapshot: VaultAccess {
  public let tenant: Tenant
  /// When this attempt of the closure began, by the database's clock.
  public let now: Instant
  let connection: any Connection
  let context: DatabaseContext
  /// The newest event of the log that this process had seen before this transaction began.
  let seenBefore: SeenEvents.Mark?
  /// The tenant's keys that this transaction has unwrapped.
  var tenantKeys: [Int64: TenantKey] = [:]
  /// The key that a subject had when it was last read. It is good as long as all statements see the same state, which
  /// those of a write on PostgreSQL do not.
  var lastSubjectKey: (subject: Subject, key: SecretKey)?
  /// The key of the tenant's log, if this transaction has opened it.
  var openedLogKey: LogKey?

  init(tenant: Tenant, connection: any Connection, context: DatabaseContext) {
    self.tenant = tenant
    self.connection = connection
    self.context = context
    now = context.clock.now
    seenBefore = context.seenEvents.mark(of: tenant)
  }

  /// All rows of the result. For results without a bound use `each` or `page`.
  @inlinable public func all<each Parameter: Storable>(
    _ statement: Statement, _ parameters: repeat each Parameter
  ) throws(DatabaseError) -> [Row] {
    try rows(of: statement, arguments(repeat each parameters))
  }

  /// The first row of the result; nil if it is empty.
  @inlinable public func first<each Parameter: Storable>(
    _ statement: Statement, _ parameters: repeat each Parameter
  ) throws(DatabaseError) -> Row? {
    try rows(of: statement, arguments(repeat each parameters)).first
  }

  /// The only row of the result. Throws if there is none, or more than one.
  @inlinable public func one<each Parameter: Storable>(
    _ statement: Statement, _ parameters: repeat each Parameter
  ) throws(DatabaseError) -> Row {
    let rows = try rows(of: statement, arguments(repeat each parameters))
    guard rows.count == 1 else {
      throw DatabaseError(.unexpectedRow, "statement '\(statement.name)' yielded \(rows.count) rows instead of one")
    }
    return rows[0]
  }

  /// Passes row after row to `body`, so that a result of any length takes the memory of a few rows.
  public func each<each Parameter: Storable>(
    _ statement: Statement, _ parameters: repeat each Parameter, do body: (Row) throws -> Void
  ) throws {
    try connection.each(admit(statement.query), arguments(repeat each parameters), body)
  }

  /// One page of a list whose statement has `{after …}` or `{before …}`: as fast at any depth as at the beginning.
  public func page<each Parameter: Storable>(
    _ statement: Statement, _ parameters: repeat each Parameter, after cursor: PageCursor?, limit: Int
  ) throws(DatabaseError) -> Page {
    guard let firstPage = statement.firstPage else {
      throw DatabaseError(.badStatement, "statement '\(statement.name)' has no {after …} to page by")
    }
    var values = arguments(repeat each parameters)
    if let cursor { values += try cursor.values(for: statement) }
    // One more row than asked for tells whether another page follows.
    values.append(.integer(Int64(limit) + 1))
    let rows = try connection.all(admit(cursor == nil ? firstPage : statement.query), values)
    guard rows.count > limit else { return Page(rows: rows, next: nil) }
    let kept = Array(rows.prefix(limit))
    guard let last = kept.last else { return Page(rows: [], next: nil) }
    return Page(rows: kept, next: try PageCursor(of: last, for: statement))
  }

  /// Refuses a statement that the schema does not list, which the tests that try all statements would miss.
  func admit(_ query: Query) throws(DatabaseError) -> Query {
    guard query.isOwn || context.schema.lists(query) else {
      throw DatabaseError(.badStatement, "statement '\(query.name)' is not listed in schema '\(context.schema.name)'")
    }
    return query
  }

  @usableFromInline func rows(of statement: Statement, _ values: [Value]) throws(DatabaseError) -> [Row] {
    let query = try admit(statement.query)
    guard let tracking = context.schema.tracking(query) else { return try connection.all(query, values) }
    return try tracking.run(values, over: connection) { note($0, in: tracking.table) }
  }

  /// Called for each row that a tracked statement has changed. `Transaction` records them.
  func note(_ change: TrackedQuery.Change, in table: TableCoverage) {}

  /// The latest change that this transaction has made to a row; nil if it has not changed the row.
  func changed(_ table: String, _ key: [UInt8]) -> RowChange? { nil }

  /// The parameters' values, with the tenant first. Inlined into the caller, where the types are known: through generic
  /// witnesses this costs more than SQLite's own work.
  @inlinable func arguments<each Parameter: Storable>(_ parameters: repeat each Parameter) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(8)
    values.append(.text(tenant.id))
    for parameter in repeat each parameters { values.append(parameter.storedValue) }
    return values
  }
}

/// The parts that all transactions of a database share.
struct DatabaseContext: Sendable {
  let schema: Schema
  let clock: Clock
  let randomness: Randomness
  let identifiers: IdentifierSource
  let keys: MasterKeys
  /// Where erasures and holds are written down, so that no backup undoes them.
  var erasures: ErasureList? = nil
  let seenEvents = SeenEvents()
  let findings = Findings()
  let logKeys = LogKeys()
}
