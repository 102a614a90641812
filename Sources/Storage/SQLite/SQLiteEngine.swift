internal import Base
internal import Synchronization

/// SQLite in WAL mode: one writer, several readers that never wait for it.
final class SQLiteEngine: Engine {
  let path: String
  private let clock: Clock
  private let writer: SQLiteWriter
  let pool: BlockingPool
  private let idle: Mutex<[SQLiteConnection]>
  private let isClosed = Mutex(false)
  private let watch: SQLiteWatch

  var dialect: Dialect { .sqlite }

  init(path: String, threads: Int, clock: Clock) throws(DatabaseError) {
    self.path = path
    self.clock = clock
    let connection = try Self.open(path, mode: .create)
    // A process that died may have left erased bytes in the write-ahead log. If other processes use the file, this may
    // fail, and one of them empties the log later.
    _ = try? Self.emptyLog(through: connection, until: Clock.system.monotonic + .seconds(1))
    writer = SQLiteWriter(connection, clock: clock)
    pool = BlockingPool(name: "sqlite", threads: threads)
    idle = Mutex([])
    watch = SQLiteWatch(path: path)
  }

  func read<Result: Sendable>(
    until deadline: MonotonicTime, _ body: @escaping @Sendable (any Connection) throws -> Result
  ) async throws -> Result {
    try await pool.run { [self] in
      let connection = try takeReader()
      defer { giveBack(connection) }
      guard clock.monotonic < deadline else {
        throw DatabaseError(.timedOut, "the read waited for a free connection until its deadline")
      }
      connection.setDeadline(deadline)
      defer { connection.rollBack() }
      try connection.beginReading()
      return try body(connection)
    }
  }

  func write<Result: Sendable>(
    _ options: WriteOptions, _ body: @escaping @Sendable (any Connection) throws -> Result
  ) async throws -> Result {
    // With one writer every isolation level holds.
    try await writer.write(until: options.deadline, mayBlock: pool.isCurrent, body)
  }

  /// Empties the write-ahead log into the file: deleted data is then overwritten with zeros in both.
  func scrub(within time: Duration) async throws {
    try await pool.run { [self] in
      let connection = try takeReader()
      defer { giveBack(connection) }
      guard try Self.emptyLog(through: connection, until: clock.monotonic + Self.scrubPatience) else {
        throw DatabaseError(.timedOut, "somebody reads an older state: the write-ahead log cannot be emptied")
      }
    }
  }

  /// How long scrubbing waits for readers of older states. All writers have to wait meanwhile, so the time is short,
  /// and scrubbing is retried.
  private static let scrubPatience = Duration.milliseconds(250)

  /// Does nothing: other processes watch the file by themselves.
  func announce() {}

  func listen(_ onCommit: @escaping @Sendable () -> Void) {
    watch.start(isClosed: { [weak self] in self?.isClosed.withLock { $0 } ?? true }, onCommit)
  }

  func close() async {
    isClosed.withLock { $0 = true }
    watch.stop()
    await pool.run { [self] in
      writer.close()
      idle.withLock { $0 = [] }
      emptyLogForGood()
    }
  }

  /// Empties the write-ahead log when the process stops, even while others use the file, so that a copy of the file
  /// alone is complete. SQLite itself does so only when the last connection is closed, and does not report a failure.
  private func emptyLogForGood() {
    guard Files.exists("\(path)-wal"), let connection = try? Self.open(path, mode: .existing) else { return }
    // Readers of older states or a full disk may make this fail. Nothing is lost: the log is read at the next start.
    _ = try? Self.emptyLog(through: connection, until: clock.monotonic + .seconds(5))
  }

  /// Empties the write-ahead log. Returns false if other connections kept it in use until the deadline.
  private static func emptyLog(
    through connection: SQLiteConnection, until deadline: MonotonicTime
  ) throws(DatabaseError) -> Bool {
    connection.setDeadline(deadline)
    defer { connection.rollBack() }
    return try connection.all(emptyingLog, []).first?.values.first == .integer(0)
  }

  private func takeReader() throws(DatabaseError) -> SQLiteConnection {
    if isClosed.withLock({ $0 }) { throw DatabaseError(.closed, "the database is closed") }
    if let connection = idle.withLock({ $0.popLast() }) { return connection }
    return try Self.open(path, mode: .existing)
  }

  /// Keeps a connection for the next reader. A connection that could not end its snapshot is closed instead: no other
  /// snapshot could begin on it, and it would keep the log from being emptied.
  private func giveBack(_ connection: SQLiteConnection) {
    if !connection.isInTransaction { idle.withLock { $0.append(connection) } }
  }

  /// Opens the file with the settings that all other code relies on.
  static func open(_ path: String, mode: SQLiteConnection.Mode) throws(DatabaseError) -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path, mode: mode)
    do throws(DatabaseError) {
      connection.setDeadline(Clock.system.monotonic + .seconds(10))
      let applicationID = try connection.value(of: "PRAGMA application_id")
      let isNew = try connection.value(of: "SELECT count(*) FROM sqlite_schema") == .integer(0)
      guard isNew || applicationID == .integer(Self.applicationID) else {
        throw DatabaseError(.foreignFile, "the file is another program's database")
      }
      guard try connection.value(of: "PRAGMA journal_mode = WAL") == .text("wal") else {
        throw DatabaseError(.readOnly, "the file system does not allow a write-ahead log")
      }
      // synchronous = FULL: a commit is on disk when it returns. secure_delete: deleted data are overwritten with
      // zeros. temp_store: statements keep temporary data in memory, since a killed process could leave files of them
      // behind.
      try connection.execute(
        """
        PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;
        PRAGMA trusted_schema = OFF
        """)
      if isNew { try connection.execute("PRAGMA application_id = \(Self.applicationID)") }
      return connection
    } catch {
      throw error.during("cannot open '\(path)'")
    }
  }

  private static let emptyingLog = Query(uncached: "storage.scrub", "PRAGMA wal_checkpoint(TRUNCATE)")

  /// "Asnt" in ASCII. By this number Storage, and the program `file`, recognise Assent's databases.
  private static let applicationID: Int64 = 0x4173_6E74
}
