internal import Base
internal import Synchronization

/// Remembers in this process the newest event of each tenant's log. If somebody deletes the latest events together with
/// the rows to which they committed, nothing that is left in the database contradicts that; only this memory does.
final class SeenEvents: Sendable {
  /// The newest event that was seen in a log.
  struct Mark: Hashable, Sendable {
    let last: Int64
    let chain: Digest
  }

  private struct State {
    var marks: [String: Mark] = [:]
    /// The problems that the last comparison found, by tenant.
    var losses: [String: String] = [:]
    /// The problems that a comparison with heads kept outside the database found when the process started, by tenant.
    /// They stay for as long as the process runs.
    var outside: [String: String] = [:]
  }

  private let state = Mutex(State())

  var marks: [String: Mark] { state.withLock { $0.marks } }
  var losses: [String: String] { state.withLock { $0.losses } }

  /// The mark of a tenant's log. To be read before the transaction's first statement, so that the transaction cannot
  /// see an older state of the log unless events were removed.
  func mark(of tenant: Tenant) -> Mark? { state.withLock { $0.marks[tenant.id] } }

  /// Notes a durable end of a log. An older mark than the known one changes nothing.
  func note(_ mark: Mark, of tenant: String) {
    state.withLock { state in
      if mark.last > state.marks[tenant]?.last ?? 0 { state.marks[tenant] = mark }
    }
  }

  /// Verifies the codes of heads, and compares the heads with marks that were taken before the heads were read. A head
  /// that continues its mark becomes the new mark.
  ///
  /// - Returns: the problems, by tenant.
  func compare(
    _ heads: [Row], with marks: [String: Mark], over connection: any Connection, _ context: DatabaseContext
  ) throws(DatabaseError) -> [String: String] {
    var problems: [String: String] = [:]
    for row in heads {
      guard let tenant = Tenant(try row.get("tenant", as: String.self)) else { continue }
      let (name, mark) = (tenant.id, marks[tenant.id])
      // The head is still the one that was seen, whose code was verified then.
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

  func setLosses(_ losses: [String: String]) { state.withLock { $0.losses = losses } }

  func loss(of tenant: Tenant) -> String? { state.withLock { $0.losses[tenant.id] } }
}

extension SeenEvents.Mark {
  /// Why a log's present head contradicts this mark; nil if the log may continue the mark.
  func contradiction(to head: Self?) -> String? {
    let end = head?.last ?? 0
    if end < last { return "its log ends at event \(end), and event \(last) was seen" }
    if let head, end == last, head.chain != chain { return isAnother }
    return nil
  }

  var isAnother: String { "event \(last) is not the one that was seen" }
}

extension Snapshot {
  /// Throws if the log lacks an event that this process has seen before, or if a comparison has found that.
  func verifySeen(_ mark: SeenEvents.Mark?, head: SeenEvents.Mark?) throws(DatabaseError) {
    guard let problem = try problem(mark, head: head) ?? context.seenEvents.loss(of: tenant) else { return }
    throw DatabaseError(.corrupt, "tenant '\(tenant)': \(problem): events were removed or altered")
  }

  private func problem(_ mark: SeenEvents.Mark?, head: SeenEvents.Mark?) throws(DatabaseError) -> String? {
    guard let mark else { return nil }
    if let problem = mark.contradiction(to: head) { return problem }
    guard let head, head.last > mark.last else { return nil }
    // The log has grown, perhaps after its end was removed: so the event that was seen must still be in it.
    let kept = try first(EventStatements.chain, mark.last)
    return try kept?.get("chain") == mark.chain ? nil : mark.isAnother
  }

  /// The same check, with the verified head that this transaction sees.
  func verifySeen() throws(DatabaseError) {
    try verifySeen(seenBefore, head: try logEnd()?.mark)
  }

  /// The end of the log; nil if this service did not write its head. Damage does not throw, so that one damaged log
  /// does not keep others from being compared.
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
  /// Compares all logs with what this process has seen of them, and remembers their new ends. If a log lacks an event
  /// that was seen, its tenant's verified data are neither read nor changed until the event is back or the process
  /// restarts.
  ///
  /// - Returns: one line for each such log.
  @discardableResult
  public func compareLogs() async throws -> [String] {
    let (seen, context) = (context.seenEvents, context)
    // Taken before the query, so that the query finds older ends only if events were removed.
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

  /// A summary of what `compareLogs` found last, without names of tenants; nil if no log has lost events.
  public var logProblem: String? {
    let count = context.seenEvents.losses.count
    return count == 0 ? nil : "events that were seen are gone or altered in \(count == 1 ? "a log" : "\(count) logs")"
  }
}
