internal import Base

/// Reads from the database, on behalf of a lease, what has changed since the last time, and acknowledges it in the
/// holder's row if another process waits for that.
struct LeaseFollower {
  private let lease: AnswerLease
  private let take: @Sendable (AnswerLease.News) -> Void
  /// For each tenant the number of the last event that the cache reflects; nil before the first query.
  private var seen: [Tenant: Int64]?

  /// With more new events than this, all entries of the tenant are dropped without reading the events.
  private static let mostEvents: Int64 = 2000
  private static let pageSize = 500

  init(lease: AnswerLease, take: @escaping @Sendable (AnswerLease.News) -> Void) {
    self.lease = lease
    self.take = take
  }

  private var database: Database { lease.database }
  private var patience: Duration { max(.seconds(1), lease.duration * 2) }

  /// Reports what has changed to the cache, and extends the lease.
  ///
  /// The holder's row, which makes others wait for it, exists before the query from whose time the lease counts. So a
  /// change that is committed after that query finds the row.
  mutating func hear() async throws {
    var asked = database.context.clock.elapsed
    lease.ask(at: asked)
    var view = try await look()
    if !view.isRegistered {
      try await register()
      asked = database.context.clock.elapsed
      view = try await look()
      guard view.isRegistered else { throw DatabaseError(.serializationFailure, "the holder's row was removed again") }
    }
    for head in view.heads { try await hear(of: head) }
    if seen == nil {
      take(.all)
      // Names that differ only in their spelling are equal.
      seen = Dictionary(view.heads.map { ($0.tenant, $0.last) }, uniquingKeysWith: { min($0, $1) })
    }
    lease.extend(asked: asked)
    if view.wanted > view.acknowledged { try await acknowledge(view.position) }
  }

  /// Removes the holder's row, so that no process waits for it any more.
  func leave() async {
    let holder = lease.holder
    // If this fails, another process waits once until the lease has expired, then removes the row.
    _ = try? await database.writeAcrossTenants(within: .seconds(2)) {
      try $0.run(AnswerLeaseStatements.leave.query, [.text(holder)])
    }
  }

  private mutating func hear(of head: EventHead) async throws {
    // A tenant that is not in `seen` had no events at the first query.
    guard let known = seen, known[head.tenant] != head.last else { return }
    var last = known[head.tenant] ?? 0
    guard head.last > last, head.last.subtractingSaturating(last) <= Self.mostEvents else {
      take(.tenant(head.tenant))
      seen?[head.tenant] = head.last
      return
    }
    while last < head.last {
      let from = last
      let events: [Event]
      do {
        events = try await database.scope(head.tenant).read(within: patience) {
          try $0.events(after: from, limit: Self.pageSize)
        }
      } catch let error as DatabaseError where error.isDamage {
        // Calls about this tenant will meet the damage themselves. The lease stays valid for other tenants.
        take(.tenant(head.tenant))
        seen?[head.tenant] = head.last
        return
      }
      guard let newest = events.last else { return }
      take(.events(head.tenant, events))
      last = newest.sequence
      seen?[head.tenant] = last
    }
  }

  private func look() async throws -> LeaseView {
    let holder = lease.holder
    let context = database.context
    let seen = context.seenEvents
    let marks = seen.marks
    return try await database.readAcrossTenants(within: patience) { connection in
      let heads = try connection.all(EventStatements.heads.query, [])
      seen.addLosses(try seen.compare(heads, with: marks, over: connection, context))
      return try LeaseView(
        heads: heads, own: connection.all(AnswerLeaseStatements.own.query, [.text(holder)]).first)
    }
  }

  private func register() async throws {
    let (holder, milliseconds) = (lease.holder, lease.duration.wholeMilliseconds)
    _ = try await database.writeAcrossTenants(within: patience) {
      try $0.run(AnswerLeaseStatements.register.query, [.text(holder), .integer(milliseconds)])
    }
  }

  private func acknowledge(_ position: Int64) async throws {
    let holder = lease.holder
    _ = try await database.writeAcrossTenants(within: patience) {
      try $0.run(
        AnswerLeaseStatements.acknowledge.query, [.integer(position), .text(holder), .integer(position)])
    }
  }
}

/// The result of one query: the ends of all logs, and the holder's own row.
private struct LeaseView: Sendable {
  let heads: [EventHead]
  /// Whether other processes wait for this one before they confirm a change. False also if its registration is about to
  /// expire.
  let isRegistered: Bool
  /// The number of events, of all tenants together, that another process waits for this holder to have read.
  let wanted: Int64
  let acknowledged: Int64

  /// How many events the database has. No event is ever removed, so this number orders views of the same database.
  var position: Int64 { heads.reduce(0) { $0.addingSaturating($1.last) } }

  init(heads rows: [Row], own: Row?) throws(DatabaseError) {
    var heads: [EventHead] = []
    for row in rows {
      guard let tenant = Tenant(try row.get("tenant", as: String.self)) else { continue }
      heads.append(EventHead(tenant: tenant, last: try row.get("last")))
    }
    self.heads = heads
    isRegistered = try own.map { row throws(DatabaseError) in try row.get("doubt", as: String?.self) == nil } ?? false
    wanted = try own?.get("wanted") ?? 0
    acknowledged = try own?.get("seen") ?? 0
  }
}
