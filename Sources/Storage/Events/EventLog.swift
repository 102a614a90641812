internal import Base

/// The SQL of the event log.
///
/// A tenant's numbers come from one row, which a transaction locks just before its commit. So when number n can be
/// read, everything below n can be read too (docs/decisions/0020-events-take-their-number-last.md).
enum EventStatements {
  static let head = Statement(
    own: "storage.events.head",
    "SELECT last, last_ms, chain FROM storage_event_heads WHERE tenant = {tenant} FOR UPDATE")
  static let headForChecking = Statement(
    own: "storage.events.head-for-checking",
    "SELECT last, last_ms, chain FROM storage_event_heads WHERE tenant = {tenant}")
  static let begin = Statement(
    own: "storage.events.begin",
    "INSERT INTO storage_event_heads (tenant, last, last_ms, chain) VALUES ({tenant}, 0, 0, ?) "
      + "ON CONFLICT (tenant) DO NOTHING")
  static let append = Statement(
    own: "storage.events.append",
    "INSERT INTO storage_events (tenant, sequence, stream, type, payload, at_ms, changes, chain) "
      + "VALUES ({tenant}, ?, ?, ?, ?, ?, ?, ?)")
  static let advance = Statement(
    own: "storage.events.advance",
    "UPDATE storage_event_heads SET last = ?, last_ms = ?, chain = ? WHERE tenant = {tenant}")
  static let after = Statement(
    own: "storage.events.after",
    "SELECT sequence, stream, type, payload, at_ms, changes, chain FROM storage_events "
      + "WHERE tenant = {tenant} AND sequence > ? ORDER BY sequence LIMIT ?")
  static let ofStreamAfter = Statement(
    own: "storage.events.of-stream-after",
    "SELECT sequence, stream, type, payload, at_ms, changes, chain FROM storage_events "
      + "WHERE tenant = {tenant} AND stream = ? AND sequence > ? ORDER BY sequence LIMIT ?")
  /// Events that commit to rows, the newest first.
  static let committingBefore = Statement(
    own: "storage.events.committing-before",
    "SELECT sequence, stream, type, payload, at_ms, changes, chain FROM storage_events "
      + "WHERE tenant = {tenant} AND stream = ? AND sequence < ? AND sequence > ? AND changes IS NOT NULL "
      + "ORDER BY sequence DESC LIMIT ?")
  static let last = Statement(
    own: "storage.events.last", "SELECT last FROM storage_event_heads WHERE tenant = {tenant}")
  static let heads = Statement(
    acrossTenants: "storage.events.heads", "SELECT tenant, last, chain FROM storage_event_heads ORDER BY tenant")
  static let chain = Statement(
    own: "storage.events.chain", "SELECT chain FROM storage_events WHERE tenant = {tenant} AND sequence = ?")
}

extension Snapshot {
  /// Up to `limit` events after number `sequence` (0 for the beginning), of one stream or of all, in their order.
  public func events(after sequence: Int64, stream: String? = nil, limit: Int = 100) throws(DatabaseError) -> [Event] {
    let rows =
      if let stream {
        try all(EventStatements.ofStreamAfter, stream, sequence, limit)
      } else {
        try all(EventStatements.after, sequence, limit)
      }
    var events: [Event] = []
    for row in rows { events.append(try Event(row: row)) }
    return events
  }

  /// The number of the latest event; 0 when there is none.
  public func lastEvent() throws(DatabaseError) -> Int64 {
    try counted(try first(EventStatements.last)?.get("last") ?? 0)
  }

  /// The number in a log's head, which is counted on from: no log is longer than half of all numbers.
  fileprivate func counted(_ last: Int64) throws(DatabaseError) -> Int64 {
    guard (0...Int64.max / 2).contains(last) else {
      throw DatabaseError(.corrupt, "tenant '\(tenant)': its log ends at event \(last): its head was altered")
    }
    return last
  }
}

extension Transaction {
  /// Records an event together with the change that it describes. It gets its number when the transaction commits.
  public func append<Payload>(_ type: EventType<Payload>, _ payload: Payload, to stream: String) throws {
    append(type.name, try type.encode(payload), to: stream)
  }

  public func append(_ type: String, _ payload: [UInt8], to stream: String) {
    drafts.append(DraftEvent(stream: stream, type: type, payload: payload))
    afterCommit.wakesWaiters = true
  }

  /// Numbers the events. From here to the end of the commit the tenant's other writers of events wait.
  func writeEvents() throws(DatabaseError) {
    guard !drafts.isEmpty else { return }
    // The head is locked from here on, and shows what was committed before.
    let seen = context.seenEvents.mark(of: tenant)
    var head = try first(EventStatements.head)
    if head == nil {
      try run(EventStatements.begin, Event.beginning)
      head = try one(EventStatements.head)
    }
    guard let head else { return }
    var sequence = try counted(try head.get("last"))
    var chain: Digest = try head.get("chain")
    // A log that lost its end is not continued: other events would take the numbers of those that were removed.
    try verifySeen(seen, head: SeenEvents.Mark(last: sequence, chain: chain))
    // The log's time never runs backwards, even when the machine's clock is set back.
    let at = max(now, try head.get("last_ms", as: Instant.self))
    for draft in drafts {
      sequence += 1
      chain = Event.chain(
        after: chain, tenant: tenant, sequence: sequence, stream: draft.stream, type: draft.type,
        payload: draft.payload, at: at, changes: draft.changes)
      try connection.runLater(
        EventStatements.append.query,
        arguments(
          sequence, draft.stream, draft.type, draft.payload, at, draft.changes.isEmpty ? nil : draft.changes, chain))
    }
    try connection.runLater(EventStatements.advance.query, arguments(sequence, at, chain))
    afterCommit.logEnd = SeenEvents.Mark(last: sequence, chain: chain)
  }
}
