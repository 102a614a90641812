internal import Base
internal import Synchronization

/// How far this process has seen each tenant's log: what somebody deletes from its end, together with what the events
/// committed to, contradicts nothing that is left in the database.
final class SeenEvents: Sendable {
  /// The newest event that was seen.
  struct Mark: Hashable, Sendable {
    let last: Int64
    let chain: Digest
  }

  private struct State {
    var marks: [String: Mark] = [:]
    /// What the last comparison found, by tenant.
    var losses: [String: String] = [:]
    /// What heads that were kept outside the database told when the process began: it stays so while the process runs.
    var outside: [String: String] = [:]
  }

  private let state = Mutex(State())

  var marks: [String: Mark] { state.withLock { $0.marks } }
  var losses: [String: String] { state.withLock { $0.losses } }

  /// To be asked before a transaction's first statement: what is seen of the log in it cannot be older.
  func mark(of tenant: Tenant) -> Mark? { state.withLock { $0.marks[tenant.id] } }

  /// Notes what is durable. An older mark changes nothing.
  func note(_ mark: Mark, of tenant: String) {
    state.withLock { state in
      if mark.last > state.marks[tenant]?.last ?? 0 { state.marks[tenant] = mark }
    }
  }

  /// Holds heads, as they are now, to their codes and to marks that were taken before: a head that continues its mark
  /// becomes the mark.
  ///
  /// - Returns: what was found wrong, by tenant.
  func compare(
    _ heads: [Row], with marks: [String: Mark], over connection: any Connection, _ context: DatabaseContext
  ) throws(DatabaseError) -> [String: String] {
    var problems: [String: String] = [:]
    for row in heads {
      guard let tenant = Tenant(try row.get("tenant", as: String.self)) else { continue }
      let (name, mark) = (tenant.id, marks[tenant.id])
      // What was seen before was held to its code then.
      if let mark, (try? row.get("last", as: Int64.self)) == mark.last,
        (try? row.get("chain", as: [UInt8].self)) == mark.chain.bytes
      {
        continue
      }
      let snapshot = Snapshot(tenant: tenant, connection: connection, context: context)
      guard let head = try snapshot.logEndIfOurs(in: row)?.mark else {
        problems[name] = LogEnd.isForeign
        continue
      }
      if let mark {
        if let problem = mark.contradiction(to: head) {
          problems[name] = problem
          continue
        }
        if mark.last < head.last {
          let kept = try connection.all(EventStatements.chain.query, [.text(name), .integer(mark.last)]).first
          guard (try? kept?.get("chain", as: Digest.self)) == mark.chain else {
            problems[name] = mark.isAnother
            continue
          }
        }
      }
      note(head, of: name)
    }
    return problems
  }

  var outsideLosses: [String: String] { state.withLock { $0.outside } }

  func setOutsideLosses(_ losses: [String: String]) {
    state.withLock { state in
      state.outside = losses
      state.losses.merge(losses) { $1 }
    }
  }

  func addLosses(_ losses: [String: String]) { state.withLock { $0.losses.merge(losses) { $1 } } }

  func setLosses(_ losses: [String: String]) { state.withLock { $0.losses = losses } }

  func loss(of tenant: Tenant) -> String? { state.withLock { $0.losses[tenant.id] } }
}

extension SeenEvents.Mark {
  /// How a log's head as it is now contradicts this mark; nil when it may continue it.
  func contradiction(to head: Self?) -> String? {
    let end = head?.last ?? 0
    if end < last { return "its log ends at event \(end), and event \(last) was seen" }
    if let head, end == last, head.chain != chain { return isAnother }
    return nil
  }

  var isAnother: String { "event \(last) is not the one that was seen" }
}

extension Snapshot {
  /// Holds the log to what this process has seen of it before.
  func verifySeen(_ mark: SeenEvents.Mark?, head: SeenEvents.Mark?) throws(DatabaseError) {
    guard let problem = try problem(mark, head: head) ?? context.seenEvents.loss(of: tenant) else { return }
    throw DatabaseError(.corrupt, "tenant '\(tenant)': \(problem): events were removed or altered")
  }

  private func problem(_ mark: SeenEvents.Mark?, head: SeenEvents.Mark?) throws(DatabaseError) -> String? {
    guard let mark else { return nil }
    if let problem = mark.contradiction(to: head) { return problem }
    guard let head, head.last > mark.last else { return nil }
    // The log has grown, perhaps after it was cut: the event that was seen must still be in it.
    let kept = try first(EventStatements.chain, mark.last)
    return try kept?.get("chain") == mark.chain ? nil : mark.isAnother
  }

  /// The same, with the head as this transaction sees it, which is held to its code.
  func verifySeen() throws(DatabaseError) {
    try verifySeen(seenBefore, head: try logEnd()?.mark)
  }

  /// Where the log ends; nil when this service did not write what the head says. Whatever is wrong with one log, others
  /// are compared all the same.
  fileprivate func logEndIfOurs(in head: Row) throws(DatabaseError) -> LogEnd? {
    do throws(DatabaseError) {
      return try logEnd(in: head)
    } catch {
      guard error.isDamage else { throw error }
      return nil
    }
  }
}

extension Database {
  /// Compares all logs with what this process has seen of them, and remembers what is new. Of a log that lacks an event
  /// that was there, nothing more is answered and to it nothing is written, until the event is back or the process
  /// starts anew.
  ///
  /// - Returns: one line for each such log.
  @discardableResult
  public func compareLogs() async throws -> [String] {
    let (seen, context) = (context.seenEvents, context)
    // Before the look, so that it cannot find less unless something was taken away.
    let marks = seen.marks
    let (names, losses) = try await readAcrossTenants { connection in
      let heads = try connection.all(EventStatements.heads.query, [])
      let names = try heads.map { try $0.get("tenant", as: String.self) }
      return (Set(names), try seen.compare(heads, with: marks, over: connection, context))
    }
    var all = losses
    for (name, mark) in marks where !names.contains(name) { all[name] = mark.contradiction(to: nil) }
    all.merge(seen.outsideLosses) { $1 }
    seen.setLosses(all)
    return all.sorted { $0.key < $1.key }.map { "tenant '\($0.key)': \($0.value)" }
  }

  /// What `compareLogs` found last, without names; nil when all logs are as they were seen.
  public var logProblem: String? {
    let count = context.seenEvents.losses.count
    return count == 0 ? nil : "events that were seen are gone or altered in \(count == 1 ? "a log" : "\(count) logs")"
  }
}
