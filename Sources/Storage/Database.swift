public import Base
internal import Synchronization

/// A service's database, on either engine.
///
/// ```swift
/// let database = try await Database.open(.sqlite(path: "data/consent.db"), schema: ConsentSchema.all, keys: keys)
/// let sessions = try await database.scope(tenant).read { snapshot in
///   try snapshot.all(SessionStore.list, study).map(SessionSummary.init(row:))
/// }
/// ```
public final class Database: Sendable {
  let engine: any Engine
  let context: DatabaseContext
  /// Wakes the watchers of new events and jobs. Several commits may be announced as one.
  let commits = Subscribers<Void>()
  let health = WriteHealth()
  /// Signs a head right after each change that declares `signsHead`; nil unless `EvidenceSigner.signPromptly` was
  /// called.
  let promptSigner = Mutex<EvidenceSigner?>(nil)
  /// Retries to remove the traces of erased data from the files, after that failed at once.
  let scrubbing = LaterWork()
  /// Vacuums after the start what was left by processes before this one.
  let startScrubbing = LaterWork()
  /// Adds to the list of erasures what could not be added at once.
  let listing = LaterWork()

  /// Why changes cannot be made at present; nil if the last one succeeded.
  public var writeProblem: String? { health.current }

  /// What is missing in the list of erasures at present; nil if nothing is.
  public var listProblem: String? { context.erasures?.problem }

  private init(engine: any Engine, context: DatabaseContext) {
    self.engine = engine
    self.context = context
    engine.listen { [commits] in commits.tell(()) }
  }

  /// Opens the database, creates it if needed, and applies the migrations that are missing. It is ready when this
  /// returns.
  ///
  /// - Parameters:
  ///   - connections: how many transactions run at a time, each with a thread. On SQLite four at most do: its reads are
  ///     short, and its changes are made one after the other.
  ///   - patience: how long to wait for a lock, a server or another process that migrates. To migrate takes as long as
  ///     the data are many, and waits no longer than this for a table that others use.
  ///   - erasures: where erasures and holds are written down. What it lists and the database does not know of, because
  ///     a backup was restored, is done again before this returns; where that fails, the database is not opened.
  ///   - report: hears which keys of single tenants are damaged. Others are served, so this keeps nobody from opening
  ///     the database.
  ///   - alongside: what belongs to such an erasure of a subject, in the same transaction.
  public static func open(
    _ location: DatabaseLocation, schema: Schema, keys: MasterKeys, connections: Int = 16,
    patience: Duration = .seconds(30), erasures: ErasureList? = nil, clock: Clock = .system,
    randomness: Randomness = .system,
    reporting report: @Sendable (String) -> Void = { _ in },
    alongside: @escaping @Sendable (Transaction, Subject) throws -> Void = { _, _ in }
  ) async throws -> Database {
    let engine = try makeEngine(
      location, schema: schema.name, connections: connections, clock: clock, randomness: randomness)
    let context = DatabaseContext(
      schema: schema, clock: clock, randomness: randomness,
      identifiers: IdentifierSource(clock: clock, randomness: randomness), keys: keys, erasures: erasures)
    let database = Database(engine: engine, context: context)
    do {
      let deadline = clock.monotonic + patience
      let migrator = Migrator(schema: schema, now: clock.now)
      try await engine.write(WriteOptions(deadline: deadline, lostCommit: .isRepeated)) { connection in
        try migrator.run(on: connection, until: deadline + Self.timeToMigrate, patience: patience)
        let tables = Set((OwnCoverage.tables + schema.coverage).map(\.name))
        try SchemaCheck(connection: connection, declared: migrator.declared).refusePlanted(in: tables)
        try MissingHeads(connection: connection, context: context).make()
        try ShapeDeclaration(connection: connection, context: context).run()
        if connection.dialect == .sqlite { try connection.execute(Self.droppingStatistics) }
      }
      try await database.checkMasterKeys(within: patience)
      for problem in try await database.keysThatDoNotOpen() { report(problem) }
      try await database.recoverErasures(alongside: alongside)
      return database
    } catch {
      await engine.close()
      guard let error = error as? DatabaseError, !error.message.hasPrefix("cannot ") else { throw error }
      throw Migrator.reason(error).during("cannot open '\(location)'")
    }
  }

  /// With statistics, such as somebody's ANALYZE leaves, SQLite 3.40 may skip rows of a list with IN. RESET makes this
  /// connection forget those that it has read.
  private static let droppingStatistics = "DROP TABLE IF EXISTS sqlite_stat1; PRAGMA writable_schema = RESET"

  /// Far longer than any migration has taken. A longer one points to a fault, and calls wait while it runs.
  private static let timeToMigrate = Duration.seconds(3600)

  static func makeEngine(
    _ location: DatabaseLocation, schema: String, connections: Int, clock: Clock, randomness: Randomness
  ) throws(DatabaseError) -> any Engine {
    switch location {
    case .sqlite(let path): try SQLiteEngine(path: path, threads: min(connections, 4), clock: clock)
    case .postgres(let url):
      PostgresEngine(url: url, schema: schema, connections: connections, clock: clock, randomness: randomness)
    }
  }

  /// Opens a database without migrating it, for tools that do not know the service to which it belongs.
  public static func inspect(_ location: DatabaseLocation, schema: String, keys: MasterKeys?) async throws -> Database {
    guard Schema.isName(schema) else {
      throw DatabaseError(.badStatement, "'\(schema)' names no service: lower-case letters and underscores do")
    }
    if case .sqlite(let path) = location, !Files.exists(path) {
      throw DatabaseError(.unavailable, "there is no file '\(path)'")
    }
    let engine = try makeEngine(location, schema: schema, connections: 2, clock: .system, randomness: .system)
    let context = DatabaseContext(
      schema: Schema(name: schema, migrations: [], statements: []), clock: .system, randomness: .system,
      identifiers: IdentifierSource(), keys: try keys ?? MasterKeys(text: MasterKeys.newKeyText()))
    let database = Database(engine: engine, context: context)
    if keys != nil { try await database.checkMasterKeys(within: .seconds(30)) }
    return database
  }

  /// The executor for tasks that mostly use this database, such as a service's handlers: their statements run on the
  /// task's own thread. For a task on another executor each transaction costs two thread switches.
  public var executor: any TaskExecutor { engine.pool }

  /// The access to a tenant's rows. Services have no other.
  public func scope(_ tenant: Tenant) -> Scope { Scope(tenant: tenant, database: self) }

  /// Finishes waiting transactions and refuses new ones.
  public func close() async {
    commits.end()
    promptSigner.withLock { $0 = nil }
    await engine.close()
  }

  /// A change of Storage's own that concerns all tenants: taking jobs, re-wrapping keys, expiry.
  func writeAcrossTenants<Result: Sendable>(
    within time: Duration = .seconds(30), _ body: @escaping @Sendable (any Connection) throws -> Result
  ) async throws -> Result {
    try await write(WriteOptions(deadline: context.clock.monotonic + time), body)
  }

  /// Reads from one consistent snapshot.
  func read<Result: Sendable>(
    within time: Duration, _ body: @escaping @Sendable (any Connection) throws -> Result
  ) async throws -> Result {
    let began = context.clock.monotonic
    defer { DatabaseTime.ofCall?.add(since: began, to: context.clock.monotonic) }
    return try await engine.read(until: began + time, body)
  }

  /// Makes a change, and notes for `writeProblem` whether it succeeded.
  func write<Result: Sendable>(
    _ options: WriteOptions, _ body: @escaping @Sendable (any Connection) throws -> Result
  ) async throws -> Result {
    let began = context.clock.monotonic
    defer { DatabaseTime.ofCall?.add(since: began, to: context.clock.monotonic) }
    do {
      let result = try await engine.write(options, body)
      health.note(nil)
      return result
    } catch {
      health.note(error)
      throw error
    }
  }

  /// The rows of a statement that serves all tenants.
  package func rows(_ statement: Statement, _ values: [Value]) async throws -> [Row] {
    try await readAcrossTenants { try $0.all(statement.query, values) }
  }

  func readAcrossTenants<Result: Sendable>(
    within time: Duration = .seconds(30), _ body: @escaping @Sendable (any Connection) throws -> Result
  ) async throws -> Result {
    try await read(within: time, body)
  }
}
