public import Base

/// What a renewal of logs' keys did.
public struct LogKeyRenewal: Hashable, Sendable {
  /// The tenants whose logs got a new key, and the events in these logs.
  public fileprivate(set) var tenants = 0
  public fileprivate(set) var events = 0
  /// The tenants whose logs already had a key that the current master key wraps.
  public fileprivate(set) var current = 0
  /// Why logs of other tenants were left as they are, one line for each.
  public fileprivate(set) var problems: [String] = []
}

extension Database {
  /// Gives the log of each tenant a new key, and codes made with it to its events, its head, its jobs and its lists. It
  /// is for somebody whose master key is known to others, and with it the keys of the logs. Nothing else may use the
  /// database meanwhile: a process that remembers a former key refuses the log afterwards.
  ///
  /// Only a log whose key is wrapped by a former master key gets a new one. A former key that the current master key
  /// wraps could be put back by whoever has copied its row. So if this is cut short, the next run does the rest.
  ///
  /// Each log is first verified as `check` does it, with the former key. One that does not fit is left as it is.
  ///
  /// - Parameter trusted: keys one of which must have signed each head; if there are none, signatures are not checked.
  public func renewLogKeys(
    trusted: [VerifyingKey] = [], progress: @escaping DataProgress = { _, _ in }
  ) async throws -> LogKeyRenewal {
    let context = context
    let names = try await readAcrossTenants { connection in
      try connection.goOn()
      try LogRenewal.refuseAlteredGuards(connection)
      return try connection.all(LogRenewalStatements.tenants.query, []).map { try $0.get("tenant", as: String.self) }
    }
    var renewal = LogKeyRenewal()
    for name in names {
      guard let tenant = Tenant(name) else {
        renewal.problems.append("'\(name)' has a log, and names no tenant")
        continue
      }
      let before = renewal.events
      do {
        let renewed = try await writeAcrossTenants { connection in
          let snapshot = Snapshot(tenant: tenant, connection: connection, context: context)
          return try LogRenewal(snapshot: snapshot, trusted: trusted, before: before, progress: progress).run()
        }
        guard let (key, events) = renewed else {
          renewal.current += 1
          continue
        }
        context.logKeys.note(key, of: tenant)
        renewal.tenants += 1
        renewal.events += events
      } catch let problem as LogProblem {
        renewal.problems.append("tenant '\(tenant)': \(problem.text)")
      } catch let error as DatabaseError where error.isDamage {
        let prefix = "tenant '\(tenant)': "
        renewal.problems.append("\(prefix)\(error.message.trimmingPrefix(prefix))")
      }
    }
    return renewal
  }
}

/// The renewal of one log's key, in one transaction.
private struct LogRenewal {
  let snapshot: Snapshot
  let trusted: [VerifyingKey]
  /// How many events of other logs have got new codes before.
  let before: Int
  let progress: DataProgress

  private static let pageLength = 256

  private var connection: any Connection { snapshot.connection }
  private var tenant: Tenant { snapshot.tenant }

  /// Refuses a database whose guards are not as migrations made them: nothing could put them back, and a trigger that
  /// somebody has planted would take part in the renewal.
  static func refuseAlteredGuards(_ connection: any Connection) throws {
    let migrations = try connection.all(AppliedMigration.all.query, []).map { try AppliedMigration(row: $0).sql }
    let check = try SchemaCheck(connection: connection, declared: DeclaredTables(migrations))
    try check.refusePlanted(in: Set(OwnCoverage.tables.map(\.name)))
    if let missing = try check.missing().first {
      throw DatabaseError(.corrupt, "\(missing): see what 'assent data check' says, and make it anew")
    }
  }

  /// Returns the new key and the number of events; nil for a log whose key the current master key wraps.
  func run() throws -> (LogKey, events: Int)? {
    try keepOthersOut()
    // Until here there was a deadline: somebody else may have locked the tables.
    try connection.goOn()
    if try hasCurrentKey() { return nil }
    let secret = SecretKey()
    let key = LogKey(secret)
    let events = try AppendOnly.allowingUpdates(of: "storage_events", on: connection) { try renewEvents(key) }
    try renewJobs(key)
    try renewLists(key)
    let master = snapshot.context.keys.current
    let wrapped = master.key.wrap(secret, at: .logKey(snapshot.context.schema.name, tenant))
    let changed = try connection.run(
      LogRenewalStatements.key.query, snapshot.arguments(wrapped, master.fingerprint, snapshot.now))
    guard changed == 1 else { throw LogProblem(text: LogKey.isGone) }
    return (key, events: events)
  }

  /// Keeps everybody else from writing until the transaction ends, so that only what was verified gets a new code. On
  /// SQLite the transaction has the only write lock already.
  private func keepOthersOut() throws {
    guard connection.dialect == .postgres else { return }
    try connection.execute(
      "LOCK TABLE storage_events, storage_event_heads, storage_jobs, storage_lists, storage_log_keys IN SHARE ROW EXCLUSIVE MODE"
    )
  }

  /// Whether the current master key opens the key of the log, whatever name stands beside it.
  private func hasCurrentKey() throws -> Bool {
    guard let row = try snapshot.first(LogKeyStatements.key) else { return false }
    let place = SealPlace.logKey(snapshot.context.schema.name, tenant)
    return snapshot.context.keys.current.key.unwrap(try row.get("wrapped"), at: place) != nil
  }

  /// Verifies the events and the head, and gives them new codes. Throws at the first page with a problem.
  private func renewEvents(_ key: LogKey) throws -> Int {
    var log = EventCheck(of: tenant, opensKeys: true)
    var heads = SignedHeadCheck(of: tenant, trusted: trusted)
    try log.begin(snapshot)
    let what = "events were verified and have new codes, now those of tenant '\(tenant)'"
    var (count, last, isEnd) = (0, Int64.min, false)
    while !isEnd {
      let rows = try snapshot.all(EventStatements.after, last, Self.pageLength)
      isEnd = rows.count < Self.pageLength
      for row in rows {
        let (event, problems) = try log.next(row)
        try Self.refuse(problems + heads.note(event.leaf(of: tenant), snapshot))
        let code = key.code(of: .event(event, of: tenant))
        try connection.runLater(LogRenewalStatements.event.query, snapshot.arguments(code, event.sequence))
        last = event.sequence
        count += 1
        progress(before + count, what)
      }
      try Self.refuse(log.codeProblems)
    }
    let (end, problems) = try log.end(snapshot)
    try Self.refuse(problems + log.codeProblems + heads.end(snapshot))
    if let end {
      let code = key.code(of: .end(end, of: tenant))
      _ = try connection.run(LogRenewalStatements.head.query, snapshot.arguments(code))
    }
    return count
  }

  private static func refuse(_ problems: [String]) throws(LogProblem) {
    if let first = problems.first { throw LogProblem(text: first) }
  }

  /// Gives new codes to the jobs that the service has queued. Any other job keeps the code that it has, so it is given
  /// up when its turn comes, as before.
  private func renewJobs(_ key: LogKey) throws {
    guard let former = try snapshot.logKeyIfMade() else { return }
    var (last, isEnd) = ("", false)
    while !isEnd {
      let rows = try snapshot.all(LogRenewalStatements.jobs, last, Self.pageLength)
      isEnd = rows.count < Self.pageLength
      for row in rows {
        let (id, kind, payload): (String, String, [UInt8]) = (
          try row.get("id"), try row.get("kind"), try row.get("payload")
        )
        last = id
        let message = LogKey.Message.job(id, kind, payload, of: tenant)
        guard former.confirms(try row.get("code", as: [UInt8]?.self), of: message) else { continue }
        try connection.runLater(LogRenewalStatements.job.query, snapshot.arguments(key.code(of: message), id))
      }
    }
  }

  /// Gives new codes to the ends of lists that the service wrote. Any other keeps its code, and is refused as before.
  private func renewLists(_ key: LogKey) throws {
    guard let former = try snapshot.logKeyIfMade() else { return }
    var (last, isEnd) = ("", false)
    while !isEnd {
      let rows = try snapshot.all(LogRenewalStatements.lists, last, Self.pageLength)
      isEnd = rows.count < Self.pageLength
      for row in rows {
        last = try row.get("list")
        let message = LogKey.Message.list(last, try ListEnd(unverified: row), of: tenant)
        guard former.confirms(try row.get("code", as: [UInt8]?.self), of: message) else { continue }
        try connection.runLater(LogRenewalStatements.list.query, snapshot.arguments(key.code(of: message), last))
      }
    }
  }
}

enum LogRenewalStatements {
  /// All tenants with a log, also those whose key or head is gone.
  static let tenants = Statement(
    acrossTenants: "storage.log-renewal.tenants",
    "SELECT tenant FROM storage_log_keys UNION SELECT tenant FROM storage_event_heads "
      + "UNION SELECT tenant FROM storage_events ORDER BY tenant")
  static let event = Statement(
    own: "storage.log-renewal.event",
    "UPDATE storage_events SET code = ? WHERE tenant = {tenant} AND sequence = ?")
  static let head = Statement(
    own: "storage.log-renewal.head", "UPDATE storage_event_heads SET code = ? WHERE tenant = {tenant}")
  static let jobs = Statement(
    own: "storage.log-renewal.jobs",
    "SELECT id, kind, payload, code FROM storage_jobs WHERE tenant = {tenant} AND id > ? ORDER BY id LIMIT ?")
  static let job = Statement(
    own: "storage.log-renewal.job", "UPDATE storage_jobs SET code = ? WHERE tenant = {tenant} AND id = ?")
  static let lists = Statement(
    own: "storage.log-renewal.lists",
    "SELECT list, count, chain, code FROM storage_lists WHERE tenant = {tenant} AND list > ? ORDER BY list LIMIT ?")
  static let list = Statement(
    own: "storage.log-renewal.list", "UPDATE storage_lists SET code = ? WHERE tenant = {tenant} AND list = ?")
  static let key = Statement(
    own: "storage.log-renewal.key",
    "UPDATE storage_log_keys SET wrapped = ?, master = ?, created_ms = ? WHERE tenant = {tenant}")
}
