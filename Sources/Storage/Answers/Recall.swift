internal import Base
internal import Synchronization

extension Transaction {
  /// Declares that this change makes earlier answers wrong. The write then returns only when no process gives answers
  /// from memory any more that ignore the change.
  ///
  /// Such a change must append an event, since other processes learn of it from the event.
  public func recallAnswers() {
    afterCommit.recallsAnswers = true
  }

  /// Declares that this change leads to new answers, while earlier ones may still be given for a short time. When the
  /// write returns, this process gives the new answers; other processes follow soon.
  public func renewAnswers() {
    afterCommit.renewsAnswers = true
  }
}

extension Database {
  /// Waits until this process's caches reflect a commit, but no longer than a lease.
  func renewOwnAnswers(since committed: MonotonicTime) async {
    for lease in leases.withLock({ $0 }) { _ = await lease.hears(since: committed, within: lease.duration) }
  }
}

/// Waits, after a commit, until no process gives answers from memory any more that ignore it.
///
/// No clocks of different machines are compared. A lease counts from a moment before its holder last queried the
/// database. If that query came before the commit, the lease has expired once its duration has passed since the commit;
/// if it came after, the holder has read of the change.
struct Recall {
  let database: Database
  let committed: MonotonicTime

  /// A little longer than a lease, since clocks of different machines run at slightly different rates.
  static func wholeLease(_ duration: Duration) -> Duration { duration + duration / 16 + .milliseconds(1) }

  func run() async throws {
    var latest = committed + Self.wholeLease(AnswerLease.longest)
    var target: Int64?
    var hasAsked = false
    var behind: [String] = []
    var pause = Duration.milliseconds(1)
    while now < latest {
      try Task.checkCancellation()
      do {
        let view = try await look(until: latest)
        let position = target ?? view.position
        if target == nil { latest = committed + Self.wholeLease(view.longestLease) }
        target = position
        behind = try await Set(view.behind(position)).subtracting(own(until: latest)).sorted()
        if behind.isEmpty { return }
        if !hasAsked { try await ask(behind, for: position) }
        hasAsked = true
      } catch let error as DatabaseError {
        // While the database cannot be reached no holder can extend its lease, so all leases expire.
        guard error.code != .closed else {
          throw DatabaseError(
            .unfollowed, "the change was made, and this process ends before it knows that all others have heard of it")
        }
      }
      try await Task.sleep(for: min(pause, max(.zero, latest - now)))
      pause = min(pause * 2, .milliseconds(20))
    }
    if let target { await doubt(behind, below: target) }
  }

  private var now: MonotonicTime { database.context.clock.elapsed }

  private func look(until latest: MonotonicTime) async throws -> RecallView {
    try await database.readAcrossTenants(within: latest - now) { connection in
      try RecallView(
        position: connection.all(AnswerLeaseStatements.position.query, []),
        holders: connection.all(AnswerLeaseStatements.all.query, []))
    }
  }

  /// Waits for the holders in this process, and returns those whose caches reflect the change. They need not
  /// acknowledge it in the database.
  private func own(until latest: MonotonicTime) async throws -> [String] {
    var current: [String] = []
    for lease in database.leases.withLock({ $0 }) {
      if await lease.hears(since: committed, within: max(.zero, latest - now)) { current.append(lease.holder) }
      try Task.checkCancellation()
    }
    return current
  }

  private func ask(_ holders: [String], for position: Int64) async throws {
    _ = try await database.writeAcrossTenants(within: .seconds(2)) { connection in
      // Rows are updated in the same order everywhere, so that no two of these transactions deadlock.
      for holder in holders {
        _ = try connection.run(
          AnswerLeaseStatements.ask.query, [.integer(position), .text(holder), .integer(position)])
      }
    }
    database.announceCommit()
  }

  /// Holders whose leases ran out may have died, so their rows are marked as doubtful. A doubtful row grants no lease:
  /// a holder that still runs registers again. A row that stays doubtful for a whole lease is deleted, and no change
  /// waits for it again.
  private func doubt(_ holders: [String], below position: Int64) async {
    let token = database.context.identifiers.next()
    let longest = try? await database.writeAcrossTenants(within: .seconds(2)) { connection in
      for holder in holders {
        _ = try connection.run(
          AnswerLeaseStatements.doubt.query, [.text(token), .text(holder), .integer(position)])
      }
      return try RecallView(position: [], holders: connection.all(AnswerLeaseStatements.all.query, [])).longestLease
    }
    guard let longest else { return }
    Task { [database] in
      try await Task.sleep(for: Self.wholeLease(longest))
      _ = try await database.writeAcrossTenants { connection in
        try connection.run(AnswerLeaseStatements.forget.query, [.text(token)])
      }
    }
  }
}

/// The holders of leases, and how many events each has acknowledged.
private struct RecallView: Sendable {
  let position: Int64
  let holders: [(name: String, lease: Duration, acknowledged: Int64)]

  var longestLease: Duration { holders.map(\.lease).max() ?? .zero }

  func behind(_ position: Int64) -> [String] { holders.filter { $0.acknowledged < position }.map(\.name) }

  init(position: [Row], holders rows: [Row]) throws(DatabaseError) {
    self.position = try position.first?.get("position") ?? 0
    var holders: [(name: String, lease: Duration, acknowledged: Int64)] = []
    for row in rows {
      // No holder takes a longer lease, even if its row was altered.
      let lease = min(Duration.milliseconds(try row.get("lease_ms", as: Int64.self)), AnswerLease.longest)
      holders.append((try row.get("holder"), lease, try row.get("seen")))
    }
    self.holders = holders
  }
}
