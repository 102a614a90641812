internal import Base
internal import CSQLite

/// A connection to a SQLite file.
///
/// Unchecked because the compiler cannot check SQLite's handles: the writer's thread and the pool of readers lend a
/// connection to one thread at a time.
@safe final class SQLiteConnection: Connection, @unchecked Sendable {
  let path: String
  private let handle: OpaquePointer
  /// Prepared statements, by the numbers of their queries.
  private var statements: [SQLiteStatement?] = []
  /// The monotonic time, in nanoseconds, at which SQLite stops waiting for locks and computing. SQLite's callbacks read
  /// it.
  private let deadline: UnsafeMutablePointer<Int64>
  /// The error that made the current transaction fail.
  private(set) var failure: DatabaseError?

  var dialect: Dialect { .sqlite }

  init(path: String, mode: Mode) throws(DatabaseError) {
    self.path = path
    Self.configureOnce
    if case .create = mode, Self.isFile(path) {
      do throws(FileError) {
        // SQLite gives the log and the index the mode of the file.
        for file in [path] + ["-wal", "-shm"].map({ path + $0 }).filter(Files.exists) { try Files.makePrivate(file) }
      } catch {
        throw SQLiteFailure(SQLITE_CANTOPEN, systemError: error.code).opening(path)
      }
    }
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(path, &opened, mode.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard let handle = unsafe opened, code == SQLITE_OK else {
      defer { unsafe sqlite3_close_v2(opened) }
      throw SQLiteFailure(code, systemError: SQLiteFailure.reasonNotToOpen(path)).opening(path)
    }
    unsafe self.handle = handle
    unsafe deadline = .allocate(capacity: 1)
    unsafe deadline.initialize(to: .max)
    installDeadline()
  }

  enum Mode {
    case create, existing

    fileprivate var flags: Int32 {
      switch self {
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .existing: SQLITE_OPEN_READWRITE
      }
    }
  }

  private static func isFile(_ path: String) -> Bool { !path.isEmpty && path != ":memory:" }

  deinit {
    for statement in statements { statement?.finalize() }
    unsafe sqlite3_close_v2(handle)
    unsafe deadline.deallocate()
  }

  // MARK: Statements

  func run(_ query: Query, _ values: [Value]) throws(DatabaseError) -> Int {
    let statement = try checkOut(query, values)
    defer { checkIn(statement, of: query) }
    while try step(statement, of: query) {}
    return Int(unsafe sqlite3_changes64(handle))
  }

  func runLater(_ query: Query, _ values: [Value]) throws(DatabaseError) { _ = try run(query, values) }

  func all(_ query: Query, _ values: [Value]) throws(DatabaseError) -> [Row] {
    let statement = try checkOut(query, values)
    defer { checkIn(statement, of: query) }
    var rows: [Row] = []
    while try step(statement, of: query) { rows.append(statement.row()) }
    return rows
  }

  func each(_ query: Query, _ values: [Value], _ body: (Row) throws -> Void) throws {
    let statement = try checkOut(query, values)
    defer { checkIn(statement, of: query) }
    while try step(statement, of: query) { try body(statement.row()) }
  }

  func execute(_ sql: String) throws(DatabaseError) {
    try refuseIfSpoiled()
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw spoil(code, "'\(sql.shortened)'") }
  }

  /// The first value that a PRAGMA or a query yields.
  func value(of sql: String) throws(DatabaseError) -> Value {
    let query = Query(uncached: "'\(sql)'", sql)
    guard let row = try all(query, []).first else {
      throw DatabaseError(.unexpectedRow, "'\(sql)' yielded nothing")
    }
    return row.values[0]
  }

  // MARK: Transactions

  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// Waits for the file's one write lock until the deadline.
  func beginWriting() throws(DatabaseError) {
    failure = nil
    _ = try run(Self.beginImmediate, [])
  }

  func beginReading() throws(DatabaseError) {
    failure = nil
    _ = try run(Self.begin, [])
  }

  func commit() throws(DatabaseError) {
    if let failure { throw failure }
    _ = try run(Self.commitAll, [])
  }

  /// Rolls the current transaction back, even after its deadline. The engine may have done so already.
  func rollBack() {
    failure = nil
    // ROLLBACK waits for no lock, so it needs no deadline; past the deadline SQLite could interrupt it.
    setDeadline(MonotonicTime.never)
    // If the command fails, closing the connection undoes the transaction; the next BEGIN would report it.
    if isInTransaction { _ = try? run(Self.undoAll, []) }
    failure = nil
  }

  // Prepared once like all statements: parsing the SQL costs more than running it.
  private static let beginImmediate = Query(fixed: "BEGIN IMMEDIATE")
  private static let begin = Query(fixed: "BEGIN")
  private static let commitAll = Query(fixed: "COMMIT")
  private static let savepoint = Query(fixed: "SAVEPOINT one")
  private static let release = Query(fixed: "RELEASE one")
  private static let undoAll = Query(fixed: "ROLLBACK")

  func setSavepoint() throws(DatabaseError) { _ = try run(Self.savepoint, []) }

  func keepSavepoint() throws(DatabaseError) {
    if let failure { throw failure }
    _ = try run(Self.release, [])
  }

  /// Rolls back to the savepoint. Returns false if the engine has rolled the whole transaction back.
  func undoToSavepoint() -> Bool {
    failure = nil
    guard isInTransaction else { return false }
    return unsafe sqlite3_exec(handle, "ROLLBACK TO one; RELEASE one", nil, nil, nil) == SQLITE_OK
  }

  func setDeadline(_ time: MonotonicTime) { unsafe deadline.pointee = time.nanoseconds }

  // MARK: Inside

  private func checkOut(_ query: Query, _ values: [Value]) throws(DatabaseError) -> SQLiteStatement {
    try refuseIfSpoiled()
    let statement: SQLiteStatement
    if let cached = kept(for: query), !cached.isInUse {
      statement = cached
    } else {
      statement = try prepare(query)
    }
    statement.isInUse = true
    let code = statement.bind(values)
    guard code == SQLITE_OK else {
      checkIn(statement, of: query)
      throw spoil(code, "statement '\(query.name)' with \(values.count) parameters")
    }
    return statement
  }

  private func checkIn(_ statement: SQLiteStatement, of query: Query) {
    statement.reset()
    statement.isInUse = false
    if statement.isKept { return }
    guard query.isCached, kept(for: query) == nil else { return statement.finalize() }
    if statements.count <= query.number {
      statements.append(contentsOf: repeatElement(nil, count: query.number + 1 - statements.count))
    }
    statements[query.number] = statement
    statement.isKept = true
  }

  private func kept(for query: Query) -> SQLiteStatement? {
    statements.indices.contains(query.number) ? statements[query.number] : nil
  }

  private func prepare(_ query: Query) throws(DatabaseError) -> SQLiteStatement {
    var prepared: OpaquePointer?
    let flags = query.isCached ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let code = unsafe sqlite3_prepare_v3(handle, query.sqlite, -1, flags, &prepared, nil)
    guard let statement = unsafe prepared, code == SQLITE_OK else { throw spoil(code, "statement '\(query.name)'") }
    return unsafe SQLiteStatement(owning: statement, query: query)
  }

  private func step(_ statement: SQLiteStatement, of query: Query) throws(DatabaseError) -> Bool {
    switch statement.step() {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw spoil(code, "statement '\(query.name)'")
    }
  }

  private func refuseIfSpoiled() throws(DatabaseError) {
    if let failure { throw failure }
  }

  private func spoil(_ code: Int32, _ activity: String) -> DatabaseError {
    let message = unsafe String(cString: sqlite3_errmsg(handle))
    let error = SQLiteFailure(code, systemError: unsafe sqlite3_system_errno(handle)).error(message, during: activity)
    if isInTransaction || failure == nil { failure = error }
    return error
  }

  /// Switches off SQLite's statistics of memory, which nobody reads, so that it takes no lock for each allocation.
  /// SQLite refuses the call, without harm, if the program has used it before.
  private static let configureOnce: Void = { _ = csqlite_configure() }()

  private func installDeadline() {
    unsafe sqlite3_busy_handler(
      handle,
      { context, attempts in
        guard let deadline = unsafe context?.assumingMemoryBound(to: Int64.self) else { return 0 }
        guard unsafe Clock.system.monotonic.nanoseconds < deadline.pointee else { return 0 }
        sqlite3_sleep(min(1 + attempts, 20))
        return 1
      }, deadline)
    unsafe sqlite3_progress_handler(
      handle, 10_000,
      { context in
        guard let deadline = unsafe context?.assumingMemoryBound(to: Int64.self) else { return 0 }
        return unsafe Clock.system.monotonic.nanoseconds < deadline.pointee ? 0 : 1
      }, deadline)
  }
}
