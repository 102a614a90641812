internal import Base
internal import Synchronization

/// PostgreSQL through a pool of connections, and as many threads that may block on the server.
final class PostgresEngine: Engine {
  private let parameters: [(String, String)]
  private let channel: String
  private let clock: Clock
  private let randomness: Randomness
  let pool: BlockingPool
  private let state = Mutex(State())

  private struct State {
    var idle: [PostgresConnection] = []
    var isClosed = false
    var announcement = Announcement.none
  }

  private enum Announcement {
    case none, underWay
    /// Something was committed after the running announcement may have been sent, so another one has to follow.
    case wantedAgain
  }

  var dialect: Dialect { .postgres }

  init(url: String, schema: String, connections: Int, clock: Clock, randomness: Randomness) {
    parameters = [
      ("dbname", url), ("application_name", "assent-\(schema)"), ("client_encoding", "UTF8"),
      (
        "options",
        "-c search_path=\(schema) -c synchronous_commit=on -c client_min_messages=warning -c idle_in_transaction_session_timeout=60000"
      ),
      ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
    ]
    channel = "assent_\(schema)"
    self.clock = clock
    self.randomness = randomness
    pool = BlockingPool(name: "postgres", threads: connections)
  }

  func read<Result: Sendable>(
    until deadline: MonotonicTime, _ body: @escaping @Sendable (any Connection) throws -> Result
  ) async throws -> Result {
    try await pool.run { [self] in
      try persist(until: deadline) { connection throws in
        connection.begin([.plain("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")], until: deadline)
        let result = try body(connection)
        if let failure = connection.failure { throw failure }
        try connection.commit()
        return result
      }
    }
  }

  func write<Result: Sendable>(
    _ options: WriteOptions, _ body: @escaping @Sendable (any Connection) throws -> Result
  ) async throws -> Result {
    try await pool.run { [self] in
      try persist(until: options.deadline) { connection throws in
        var first: [PostgresCommand] = [.plain(options.isolation.beginning)]
        if options.lostCommit == .isLearned { first.append(try OutcomeMemory.note(of: connection)) }
        connection.begin(first, until: options.deadline)
        let result = try body(connection)
        if let failure = connection.failure { throw failure }
        do throws(DatabaseError) {
          try connection.commit()
        } catch {
          guard !connection.isUsable else { throw error }
          switch options.lostCommit {
          case .isLearned: try learnOutcome(of: connection, after: error, until: options.deadline)
          case .isRepeated: throw error
          case .isReported:
            throw DatabaseError(.outcomeUnknown, "the server went away during the commit: look whether it was made")
          }
        }
        return result
      }
    }
  }

  /// The tables in which erasures and new keys leave dead rows behind.
  static let tablesToScrub = [
    "storage_vault_subjects", "storage_vault_items", "storage_vault_commitments", "storage_vault_index",
    "storage_vault_tenants", "storage_idempotency",
  ]

  func scrub(within time: Duration) async throws {
    let deadline = clock.monotonic + time
    for table in Self.tablesToScrub { try await vacuum(table, until: deadline) }
  }

  /// VACUUM removes dead rows; what remains in the server's log and in backups cannot be reached (docs/storage.md).
  ///
  /// - Parameter skipsLocked: whether a table that somebody else has locked is left as it is. To wait for one ends an
  ///   autovacuum that is at work on it.
  func vacuum(_ table: String, skipsLocked: Bool = false, until deadline: MonotonicTime) async throws {
    try await pool.run { [self] in
      // A server that is away is not waited for as long as a large table may take.
      try persist(until: min(deadline, clock.monotonic + .seconds(30))) { connection throws in
        connection.begin([], until: deadline)
        try connection.execute("VACUUM \(skipsLocked ? "(SKIP_LOCKED) " : "")\(table)")
      }
    }
  }

  /// Sends one announcement at a time. All commits during it share one more, so that many writers do not cause an extra
  /// transaction each.
  func announce() {
    let isFirst = state.withLock { state in
      defer { state.announcement = state.announcement == .none ? .underWay : .wantedAgain }
      return state.announcement == .none
    }
    guard isFirst else { return }
    Task(executorPreference: pool) { [self] in
      repeat {
        // Listeners wake by themselves every second, so a failed announcement only delays them.
        try? notify()
      } while isWantedAgain()
    }
  }

  private func isWantedAgain() -> Bool {
    state.withLock { state in
      state.announcement = state.announcement == .wantedAgain ? .underWay : .none
      return state.announcement == .underWay
    }
  }

  private func notify() throws(DatabaseError) {
    let deadline = clock.monotonic + .seconds(1)
    let connection = try connect(until: deadline)
    defer { giveBack(connection) }
    connection.begin([], until: deadline)
    try connection.execute("NOTIFY \(channel)")
  }

  func listen(_ onCommit: @escaping @Sendable () -> Void) {
    PostgresWatch(parameters: parameters, channel: channel).start(
      isClosed: { [weak self] in self?.state.withLock { $0.isClosed } ?? true }, onCommit)
  }

  func close() async {
    let idle = state.withLock { state in
      state.isClosed = true
      defer { state.idle = [] }
      return state.idle
    }
    await pool.run { for connection in idle { OutcomeMemory.forget(connection) } }
  }

  // MARK: Trying again

  /// Runs `body` on a connection, and again after each conflict or lost connection, until the deadline.
  private func persist<Result>(
    until deadline: MonotonicTime, _ body: (PostgresConnection) throws -> Result
  ) throws -> Result {
    var pause = Backoff(randomness: randomness)
    while true {
      let connection = try connect(until: deadline)
      do {
        let result = try body(connection)
        giveBack(connection)
        return result
      } catch {
        connection.rollBack()
        giveBack(connection)
        guard let failure = error as? DatabaseError,
          failure.code == .serializationFailure || failure.code == .connectionLost
        else { throw error }
        guard pause.wait(until: deadline, by: clock) else { throw failure }
      }
    }
  }

  /// Asks the server, once it can be reached, for the outcome of a COMMIT whose answer was lost. Returns if the
  /// transaction was committed; throws `.connectionLost` if it was not, and `.outcomeUnknown` at the deadline.
  private func learnOutcome(
    of lost: PostgresConnection, after error: DatabaseError, until deadline: MonotonicTime
  ) throws(DatabaseError) {
    do throws(DatabaseError) {
      var pause = Backoff(randomness: randomness)
      while true {
        let connection = try connect(until: deadline)
        defer { giveBack(connection) }
        do throws(DatabaseError) {
          if try OutcomeMemory.wasCommitted(lost, askedOn: connection, until: deadline) { return }
          break
        } catch {
          let passes = error.code == .connectionLost || error.code == .serializationFailure
          guard passes, pause.wait(until: deadline, by: clock) else { throw error }
        }
      }
    } catch {
      throw DatabaseError(
        .outcomeUnknown, "the server went away during the commit and did not come back in time to say how it ended")
    }
    // The transaction was rolled back. After this error `persist` runs the change again.
    throw DatabaseError(.connectionLost, error.message)
  }

  /// Returns an idle connection or opens a new one, waiting for the server until the deadline.
  private func connect(until deadline: MonotonicTime) throws(DatabaseError) -> PostgresConnection {
    var pause = Backoff(randomness: randomness)
    var refusal: DatabaseError?
    while true {
      guard clock.monotonic < deadline else {
        throw refusal
          ?? DatabaseError(.timedOut, "waited for a connection until the deadline; nothing was changed")
      }
      if let connection = try takeIdle() { return connection }
      do throws(DatabaseError) {
        return try PostgresConnection(
          parameters, identity: IdentifierSource(clock: clock, randomness: randomness).next(), until: deadline)
      } catch {
        // The last attempt's time-out says less than the reason why earlier attempts failed.
        if error.code == .timedOut, let refusal { throw refusal }
        let passes = error.code == .unavailable || error.code == .connectionLost
        guard passes, pause.wait(until: deadline, by: clock) else { throw error }
        refusal = error
      }
    }
  }

  private func takeIdle() throws(DatabaseError) -> PostgresConnection? {
    try state.withLock { state throws(DatabaseError) -> PostgresConnection? in
      if state.isClosed { throw DatabaseError(.closed, "the database is closed") }
      return state.idle.popLast()
    }
  }

  private func giveBack(_ connection: PostgresConnection) {
    guard connection.isUsable else { return }
    state.withLock { if !$0.isClosed { $0.idle.append(connection) } }
  }
}

extension Isolation {
  fileprivate var beginning: String {
    switch self {
    case .standard: "BEGIN ISOLATION LEVEL READ COMMITTED"
    case .serializable: "BEGIN ISOLATION LEVEL SERIALIZABLE"
    }
  }
}

extension PostgresCommand {
  static func plain(_ sql: String) -> PostgresCommand { PostgresCommand(name: sql, sql: sql, values: []) }
}
