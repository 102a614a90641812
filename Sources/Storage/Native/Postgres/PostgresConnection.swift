internal import Base
internal import CPostgres
internal import Glibc

/// A connection to a PostgreSQL server, in pipeline mode: BEGIN is sent together with the first statement.
///
/// Unchecked because libpq knows nothing of Swift's checks: the engine lends a connection to one thread at a time.
@safe final class PostgresConnection: Connection, @unchecked Sendable {
  private let handle: OpaquePointer
  private var prepared: [PreparedKey: PreparedStatement] = [:]
  /// Commands to send together with the next one.
  private var ahead: [PostgresCommand] = []
  private var deadline = MonotonicTime.never
  private var cursorNumber = 0
  private var preparedNumber = 0
  private static let preparedLimit = 1000

  /// The error that made the current transaction fail.
  private(set) var failure: DatabaseError?
  /// This connection's name in the table that holds the outcome of its last transaction.
  let identity: String
  var transactionNumber: Int64 = 0
  /// False once the connection is lost, or must not be used again.
  private(set) var isUsable = true

  var dialect: Dialect { .postgres }

  /// Connects to the server, waiting until the deadline at most.
  init(
    _ parameters: [(String, String)], identity: String, until deadline: MonotonicTime
  ) throws(DatabaseError) {
    self.identity = identity
    unsafe handle = try PostgresConnect.open(parameters, until: deadline)
    guard unsafe PQenterPipelineMode(handle) == 1 else {
      unsafe PQfinish(handle)
      throw DatabaseError(.engine, "libpq refuses pipeline mode")
    }
    // Non-blocking, so that `flush` waits for room to send, with a deadline, and not libpq without one.
    guard unsafe PQsetnonblocking(handle, 1) == 0 else {
      unsafe PQfinish(handle)
      throw DatabaseError(.engine, "libpq refuses not to block")
    }
    self.deadline = deadline
  }

  deinit { unsafe PQfinish(handle) }

  /// The socket, for waiting for notifications.
  var socket: Int32 { unsafe PQsocket(handle) }

  // MARK: Statements

  func run(_ query: Query, _ values: [Value]) throws(DatabaseError) -> Int {
    try exchange([try command(query, values)]).changes
  }

  func runLater(_ query: Query, _ values: [Value]) throws(DatabaseError) {
    if let failure { throw failure }
    ahead.append(try command(query, values))
  }

  func all(_ query: Query, _ values: [Value]) throws(DatabaseError) -> [Row] {
    try exchange([try command(query, values)]).rows
  }

  /// Reads through a cursor, so that `body` may run statements of its own in between.
  func each(_ query: Query, _ values: [Value], _ body: (Row) throws -> Void) throws {
    cursorNumber += 1
    let cursor = "each_\(cursorNumber)"
    ahead.append(
      PostgresCommand(name: query.name, sql: "DECLARE \(cursor) NO SCROLL CURSOR FOR \(query.postgres)", values: values)
    )
    let fetch = PostgresCommand(name: query.name, sql: "FETCH 256 FROM \(cursor)", values: [])
    while true {
      let rows = try exchange([fetch]).rows
      for row in rows { try body(row) }
      if rows.count < 256 { break }
    }
    ahead.append(PostgresCommand(name: query.name, sql: "CLOSE \(cursor)", values: []))
  }

  func execute(_ sql: String) throws(DatabaseError) {
    _ = try exchange([PostgresCommand(name: "'\(sql.shortened)'", sql: sql, values: [])])
  }

  // MARK: Transactions

  /// Begins a transaction: queues commands to send before the next statement. Nothing is sent yet.
  func begin(_ commands: [PostgresCommand], until deadline: MonotonicTime) {
    failure = nil
    ahead = commands
    self.deadline = deadline
  }

  /// Sends COMMIT and waits for the answer.
  func commit() throws(DatabaseError) {
    if let failure { throw failure }
    try execute("COMMIT")
  }

  /// Rolls the current transaction back. If that fails, the connection is not used again.
  func rollBack() {
    failure = nil
    // A command that was never sent did not prepare its statement either.
    for command in ahead where command.preparesFirst { forget(command) }
    ahead = []
    guard isUsable, unsafe PQtransactionStatus(handle) != PQTRANS_IDLE else { return }
    deadline = Clock.system.monotonic + .seconds(5)
    do throws(DatabaseError) { try execute("ROLLBACK") } catch { isUsable = false }
  }

  func setDeadline(_ time: MonotonicTime) { deadline = time }

  /// Gives up the connection. The server rolls its transaction back.
  func abandon() { isUsable = false }

  /// Waits until the server notifies, or until the time has passed.
  func waitForNotification(_ time: Duration) {
    deadline = Clock.system.monotonic + time
    guard wait(for: POLLIN) != nil else { return }
    guard unsafe PQconsumeInput(handle) == 1 else { return abandon() }
    while let notification = unsafe PQnotifies(handle) { unsafe PQfreemem(notification) }
  }

  // MARK: Inside

  private struct PreparedKey: Hashable {
    let query: ObjectIdentifier
    let types: [UInt32]
  }

  private struct PreparedStatement {
    let name: String
    /// Keeps the query alive, so that its identity is not given to another one.
    let query: Query
  }

  /// The query as a command, prepared on its first use.
  func command(_ query: Query, _ values: [Value]) throws(DatabaseError) -> PostgresCommand {
    guard query.isCached else { return PostgresCommand(name: query.name, sql: query.postgres, values: values) }
    let key = PreparedKey(query: ObjectIdentifier(query), types: values.map(\.postgresType))
    if let known = prepared[key] {
      return PostgresCommand(name: query.name, sql: query.postgres, values: values, prepared: known.name)
    }
    if prepared.count >= Self.preparedLimit {
      prepared = [:]
      ahead.append(PostgresCommand(name: "DEALLOCATE", sql: "DEALLOCATE ALL", values: []))
    }
    preparedNumber += 1
    let name = "s\(preparedNumber)"
    prepared[key] = PreparedStatement(name: name, query: query)
    return PostgresCommand(
      name: query.name, sql: query.postgres, values: values, prepared: name, preparesFirst: true)
  }

  private struct Answer {
    var changes = 0
    var rows: [Row] = []
  }

  /// Sends the queued commands and these together, and returns the answer to the last one.
  private func exchange(_ commands: [PostgresCommand]) throws(DatabaseError) -> Answer {
    if let failure { throw failure }
    guard isUsable else { throw spoil(DatabaseError(.connectionLost, "the connection is broken")) }
    let all = ahead + commands
    ahead = []
    for command in all {
      guard unsafe command.send(on: handle) else { throw spoil(lost("sending statement '\(command.name)'")) }
    }
    guard unsafe PQpipelineSync(handle) == 1 else { throw spoil(lost("sending")) }
    try flush()
    var answer = Answer()
    var refusal: DatabaseError?
    for command in all {
      for isPreparation in command.preparesFirst ? [true, false] : [false] {
        do throws(DatabaseError) {
          let result = try receive(command)
          if !isPreparation { answer = result }
        } catch {
          if !isUsable { throw spoil(error) }
          refusal = refusal ?? error
          if isPreparation { forget(command) }
        }
      }
    }
    try receiveSync()
    if let refusal { throw spoil(refusal) }
    return answer
  }

  /// Sends what libpq has buffered, until the deadline. Meanwhile it reads the server's answers, because a server whose
  /// answers nobody reads may stop reading as well.
  private func flush() throws(DatabaseError) {
    while true {
      let left = unsafe PQflush(handle)
      if left == 0 { return }
      guard left > 0 else { throw spoil(lost("sending")) }
      guard let events = wait(for: POLLIN | POLLOUT) else {
        cancel()
        isUsable = false
        throw spoil(DatabaseError(.timedOut, "the server did not take the statements within the deadline"))
      }
      // Any other event is input, or the end of the connection, which reading reports.
      if events != POLLOUT, unsafe PQconsumeInput(handle) != 1 { throw spoil(lost("sending")) }
    }
  }

  /// Forgets a statement whose preparation has failed, so that its next use prepares it again, under another name.
  private func forget(_ command: PostgresCommand) {
    for (key, statement) in prepared where statement.name == command.prepared { prepared[key] = nil }
  }

  /// Reads all results of one command, up to the null that follows the last.
  private func receive(_ command: PostgresCommand) throws(DatabaseError) -> Answer {
    var answer = Answer()
    var refusal: DatabaseError?
    while let result = try nextResult(command) {
      switch result.status {
      case PGRES_COMMAND_OK: answer.changes = result.changes
      case PGRES_TUPLES_OK:
        answer.changes = result.changes
        do throws(DatabaseError) { answer.rows = try result.rows(statement: command.name) } catch { refusal = error }
      case PGRES_PIPELINE_ABORTED:
        refusal = refusal ?? DatabaseError(.engine, "statement '\(command.name)': not run after an earlier failure")
      default:
        let error = result.error(during: "statement '\(command.name)'")
        if error.code == .connectionLost { isUsable = false }
        refusal = error
      }
    }
    if let refusal { throw refusal }
    return answer
  }

  private func receiveSync() throws(DatabaseError) {
    guard let result = try nextResult(nil), result.status == PGRES_PIPELINE_SYNC else {
      isUsable = false
      throw spoil(lost("reading"))
    }
  }

  private func nextResult(_ command: PostgresCommand?) throws(DatabaseError) -> PostgresResult? {
    while unsafe PQisBusy(handle) == 1 {
      guard wait(for: POLLIN) != nil else {
        cancel()
        isUsable = false
        throw spoil(
          DatabaseError(.timedOut, "statement '\(command?.name ?? "")': the server did not answer within the deadline"))
      }
      guard unsafe PQconsumeInput(handle) == 1 else { throw spoil(lost("statement '\(command?.name ?? "")'")) }
    }
    guard let result = unsafe PQgetResult(handle) else { return nil }
    return unsafe PostgresResult(owning: result)
  }

  /// Waits until the socket is ready for one of these events, and returns those that it is ready for; nil at the
  /// deadline.
  private func wait(for events: Int32) -> Int32? {
    while true {
      let remaining = (deadline - Clock.system.monotonic).wholeMilliseconds
      guard remaining > 0 else { return nil }
      var wait = pollfd(fd: socket, events: Int16(events), revents: 0)
      if unsafe poll(&wait, 1, Int32(clamping: remaining)) > 0 { return Int32(wait.revents) }
    }
  }

  /// Asks the server to stop the statement that runs on this connection.
  private func cancel() {
    if let request = unsafe PQgetCancel(handle) { unsafe PostgresCancel.send(request) }
  }

  private func lost(_ activity: String) -> DatabaseError {
    isUsable = false
    return unsafe DatabaseError(
      .connectionLost, "\(activity): \(PostgresConnect.firstLine(of: PQerrorMessage(handle)))")
  }

  private func spoil(_ error: DatabaseError) -> DatabaseError {
    if failure == nil { failure = error }
    return error
  }
}
