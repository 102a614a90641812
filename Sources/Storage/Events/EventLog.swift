internal import Base

/// The SQL of the event log.
///
/// A tenant's numbers come from one row, which a transaction locks just before its commit. So when number n can be
/// read, everything below n can be read too (docs/decisions/0023-event-numbers.md).
enum EventStatements {
  /// The columns that `Snapshot.event(in:)` reads.
  static let columns = "sequence, stream, type, payload, at_ms, changes, chain, code"
  /// The columns that `Snapshot.logEnd(in:)` reads.
  private static let headColumns = "last, last_ms, chain, code"

  static let head = Statement(
    own: "storage.events.head",
    "SELECT \(headColumns) FROM storage_event_heads WHERE tenant = {tenant} FOR UPDATE")
  static let headForChecking = Statement(
    own: "storage.events.head-for-checking",
    "SELECT \(headColumns) FROM storage_event_heads WHERE tenant = {tenant}")
  static let begin = Statement(
    own: "storage.events.begin",
    "INSERT INTO storage_event_heads (tenant, last, last_ms, chain, code) VALUES ({tenant}, ?, ?, ?, ?) "
      + "ON CONFLICT (tenant) DO NOTHING")
  static let append = Statement(
    own: "storage.events.append",
    "INSERT INTO storage_events (tenant, sequence, stream, type, payload, at_ms, changes, chain, code) "
      + "VALUES ({tenant}, ?, ?, ?, ?, ?, ?, ?, ?)")
  static let advance = Statement(
    own: "storage.events.advance",
    "UPDATE storage_event_heads SET last = ?, last_ms = ?, chain = ?, code = ? WHERE tenant = {tenant}")
  static let after = Statement(
    own: "storage.events.after",
    "SELECT \(columns) FROM storage_events WHERE tenant = {tenant} AND sequence > ? ORDER BY sequence LIMIT ?")
  static let ofStreamAfter = Statement(
    own: "storage.events.of-stream-after",
    "SELECT \(columns) FROM storage_events "
      + "WHERE tenant = {tenant} AND stream = ? AND sequence > ? ORDER BY sequence LIMIT ?")
  /// Events of a stream that commit to rows, the newest first.
  static let committingBefore = Statement(
    own: "storage.events.committing-before",
    "SELECT \(columns) FROM storage_events "
      + "WHERE tenant = {tenant} AND stream = ? AND sequence < ? AND changes IS NOT NULL "
      + "ORDER BY sequence DESC LIMIT ?")
  /// The same of the whole log.
  static let committingInLogBefore = Statement(
    own: "storage.events.committing-in-log-before",
    "SELECT \(columns) FROM storage_events WHERE tenant = {tenant} AND sequence < ? AND changes IS NOT NULL "
      + "ORDER BY sequence DESC LIMIT ?")
  static let newest = Statement(
    own: "storage.events.newest",
    "SELECT \(columns) FROM storage_events WHERE tenant = {tenant} ORDER BY sequence DESC LIMIT 1")
  static let heads = Statement(
    acrossTenants: "storage.events.heads",
    "SELECT tenant, \(headColumns) FROM storage_event_heads ORDER BY tenant")
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
    for row in rows { events.append(try event(in: row)) }
    return events
  }

  /// The number of the latest event; 0 when there is none.
  public func lastEvent() throws(DatabaseError) -> Int64 { try logEnd()?.last ?? 0 }
}

extension Transaction {
  /// Appends an event in the transaction that makes the change which it describes. The event gets its number when the
  /// transaction commits.
  public func append<Payload>(_ type: EventType<Payload>, _ payload: Payload, to stream: String) throws {
    append(type.name, try type.encode(payload), to: stream)
  }

  public func append(_ type: String, _ payload: [UInt8], to stream: String) {
    drafts.append(DraftEvent(stream: stream, type: type, payload: payload))
    afterCommit.wakesWaiters = true
  }

  /// Writes the head of a log that has none.
  func begin(at end: LogEnd) throws(DatabaseError) {
    let code = try logKeyForWriting().code(of: .end(end, of: tenant))
    try run(EventStatements.begin, end.last, end.at, end.chain, code)
  }

  /// Gives the appended events their numbers and writes them. From here until the end of the commit, the tenant's other
  /// transactions with events wait.
  func writeEvents() throws(DatabaseError) {
    guard !drafts.isEmpty else { return }
    // The mark is taken before the head is locked and read, so a genuine head cannot be older than it.
    let seen = context.seenEvents.mark(of: tenant)
    var head = try first(EventStatements.head)
    let key = try logKeyForWriting()
    if head == nil {
      try begin(at: LogEnd())
      head = try one(EventStatements.head)
    }
    guard let head else { return }
    var end = try logEnd(in: head)
    if end.last == 0, try first(EventStatements.newest) != nil {
      throw DatabaseError(.corrupt, "tenant '\(tenant)': the head of its log is gone")
    }
    // A log that lost its end is not continued: other events would take the numbers of those that were removed.
    try verifySeen(seen, head: end.mark)
    // The log's time never runs backwards, even when the machine's clock is set back.
    end.at = max(now, end.at)
    for draft in drafts {
      let event = Event(draft, after: end, of: tenant)
      (end.last, end.chain) = (event.sequence, event.chain)
      try connection.runLater(
        EventStatements.append.query,
        arguments(
          event.sequence, event.stream, event.type, event.payload, event.at,
          event.changes.isEmpty ? nil : event.changes, event.chain, key.code(of: .event(event, of: tenant))))
    }
    try connection.runLater(
      EventStatements.advance.query,
      arguments(end.last, end.at, end.chain, key.code(of: .end(end, of: tenant))))
    afterCommit.logEnd = end.mark
  }
}

extension Event {
  /// The event after the last one of a log, with the time of `end`.
  fileprivate init(_ draft: DraftEvent, after end: LogEnd, of tenant: Tenant) {
    let sequence = end.last + 1
    let chain = Self.chain(
      after: end.chain, tenant: tenant, sequence: sequence, stream: draft.stream, type: draft.type,
      payload: draft.payload, at: end.at, changes: draft.changes)
    self.init(
      sequence: sequence, stream: draft.stream, type: draft.type, payload: draft.payload, at: end.at,
      changes: draft.changes, chain: chain)
  }
}
