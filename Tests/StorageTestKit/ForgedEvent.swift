internal import Base

@testable public import Storage

/// How somebody forges codes who has no master key.
public enum ForgedCode: String, CaseIterable, Sendable, CustomStringConvertible {
  /// There is none, as if the event were from before there were codes.
  case missing
  /// It is that of the event before.
  case copied
  /// It is right by a key of one's own, which is put in the place of the log's.
  case ownKey = "by one's own key"

  public var description: String { rawValue }
}

extension TestDatabase {
  /// SQL that changes a row by other means than Storage, and adds an event that commits to it: its number is the next
  /// one, its hash follows from the others, and the head of the log names it. All of it fits but the codes.
  ///
  /// - Parameters:
  ///   - change: SQL that changes the row.
  ///   - model: an event of the same row, whose stream, type and payload the added one has; nil for an event of
  ///     Storage's own.
  ///   - kept: the newest event that is left; all later ones are deleted. nil: none is.
  public func forging(
    _ change: String, of table: String, _ key: [Value], like model: Event? = nil, after kept: Event? = nil,
    code: ForgedCode, _ tenant: Tenant
  ) async throws -> String {
    guard let listed = schema.committedTable(named: table) else { preconditionFailure("nothing commits to '\(table)'") }
    let row = RowChange.key(key)
    let (before, after) = try await digests(of: listed, key, around: change, tenant)
    var changes: [UInt8] = []
    RowChange(table: table, key: row, before: before, after: after).append(to: &changes)
    var end = try await database.scope(tenant).read { try $0.logEnd() } ?? LogEnd()
    if let kept { end = LogEnd(last: kept.sequence, at: kept.at, chain: kept.chain) }
    let stream = model?.stream ?? RowChange.ownEvent
    let (type, payload) = (model?.type ?? RowChange.ownEvent, model?.payload ?? [])
    let chain = Event.chain(
      after: end.chain, tenant: tenant, sequence: end.last + 1, stream: stream, type: type, payload: payload,
      at: end.at, changes: changes)
    let event = Event(
      sequence: end.last + 1, stream: stream, type: type, payload: payload, at: end.at, changes: changes, chain: chain)
    let deletion =
      kept == nil
      ? ""
      : engine.unguarding("storage_events")
        + "DELETE FROM storage_events WHERE tenant = '\(tenant)' AND sequence > \(end.last);"
    return "\(change); \(deletion) \(adding(event, code, tenant))"
  }

  private func adding(_ event: Event, _ code: ForgedCode, _ tenant: Tenant) -> String {
    let end = LogEnd(last: event.sequence, at: event.at, chain: event.chain)
    let secret = SecretKey()
    let own = LogKey(secret)
    let (eventCode, endCode): (String, String) =
      switch code {
      case .missing: ("NULL", "NULL")
      case .copied:
        (
          "(SELECT e.code FROM storage_events e WHERE e.tenant = '\(tenant)' AND e.sequence = \(event.sequence - 1))",
          "code"
        )
      case .ownKey:
        (
          engine.literal(own.code(of: .event(event, of: tenant))), engine.literal(own.code(of: .end(end, of: tenant)))
        )
      }
    // Under a master key of one's own as well: the true one is not in the database.
    let wrapped = engine.literal(SecretKey().wrap(secret, at: .logKey(schema.name, tenant)))
    let key = code == .ownKey ? "UPDATE storage_log_keys SET wrapped = \(wrapped) WHERE tenant = '\(tenant)';" : ""
    return "\(adding(event, eventCode, endCode, tenant)) \(key)"
  }

  /// - Parameters:
  ///   - eventCode: SQL for the code of the event.
  ///   - endCode: SQL for the code of the head that names it.
  private func adding(_ event: Event, _ eventCode: String, _ endCode: String, _ tenant: Tenant) -> String {
    let chain = engine.literal(event.chain.bytes)
    let time = event.at.millisecondsSince1970
    return "INSERT INTO storage_events (tenant, sequence, stream, type, payload, at_ms, changes, chain, code) "
      + "VALUES ('\(tenant)', \(event.sequence), '\(event.stream)', '\(event.type)', "
      + "\(engine.literal(event.payload)), \(time), \(engine.literal(event.changes)), \(chain), \(eventCode)); "
      + "UPDATE storage_event_heads SET last = \(event.sequence), last_ms = \(time), chain = \(chain), "
      + "code = \(endCode) WHERE tenant = '\(tenant)';"
  }

  private struct Undone: Error {
    let before: Digest?
    let after: Digest?
  }

  /// The hashes that a row has before and after a change, which is undone again.
  private func digests(
    of table: TableCoverage, _ key: [Value], around change: String, _ tenant: Tenant
  ) async throws -> (before: Digest?, after: Digest?) {
    let options = WriteOptions(deadline: database.context.clock.monotonic + .seconds(10))
    do {
      try await database.engine.write(options) { connection -> Void in
        let reading = RowReading(table: table, connection: connection)
        let before = try reading.digest(of: tenant, key: key)
        try connection.execute(change)
        throw Undone(before: before, after: try reading.digest(of: tenant, key: key))
      }
      preconditionFailure("the change was not undone")
    } catch let undone as Undone {
      return (undone.before, undone.after)
    }
  }
}

/// The key of a log, as somebody knows it who once had the master key together with the database.
public struct StolenLogKey: Sendable {
  fileprivate let key: LogKey
}

extension TestDatabase {
  public func stolenLogKey(of tenant: Tenant) async throws -> StolenLogKey {
    StolenLogKey(key: try await database.scope(tenant).read { try $0.logKey() })
  }

  /// SQL that adds an event after the newest one, with a head that names it. Their codes are right by a stolen key.
  ///
  /// - Parameter database: says where the log ends.
  public func appending(
    _ type: String, by stolen: StolenLogKey, _ tenant: Tenant, after database: Database
  ) async throws -> String {
    let end = try await database.scope(tenant).read { try $0.logEnd() } ?? LogEnd()
    let chain = Event.chain(
      after: end.chain, tenant: tenant, sequence: end.last + 1, stream: "s", type: type, payload: [], at: end.at,
      changes: [])
    let event = Event(
      sequence: end.last + 1, stream: "s", type: type, payload: [], at: end.at, changes: [], chain: chain)
    let newEnd = LogEnd(last: event.sequence, at: event.at, chain: event.chain)
    return adding(
      event, engine.literal(stolen.key.code(of: .event(event, of: tenant))),
      engine.literal(stolen.key.code(of: .end(newEnd, of: tenant))), tenant)
  }

  /// SQL that queues a job whose code is right by a stolen key.
  public func queueing(_ kind: String, id: String, by stolen: StolenLogKey, _ tenant: Tenant) -> String {
    let code = engine.literal(stolen.key.code(of: .job(id, kind, [], of: tenant)))
    return "INSERT INTO storage_jobs (tenant, id, kind, payload, state, due_ms, attempts, created_ms, code) "
      + "VALUES ('\(tenant)', '\(id)', '\(kind)', \(engine.literal([])), 0, 0, 0, 0, \(code));"
  }
}
