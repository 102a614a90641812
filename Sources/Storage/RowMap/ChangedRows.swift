public import Base

/// A row that was changed or removed, according to an event.
public struct ChangedRow: Hashable, Sendable {
  /// The values of the row's key.
  public let key: [Value]
  /// When the row was changed or removed.
  public let at: Instant
  public let isRemoved: Bool
}

extension Snapshot {
  /// The rows of a table that were changed or removed by events after number `sequence`, each as its newest event says.
  /// They are read from the log and not from the table, so that rows which somebody has deleted by hand are among them.
  /// The events are verified by their chain and the signed head.
  public func changedRows(of table: String, after sequence: Int64) throws(DatabaseError) -> [ChangedRow] {
    let view = try logView()
    let end = view.end?.last ?? 0
    guard sequence < end else { return [] }
    var chain = Event.beginning
    if sequence > 0 {
      guard let before = try event(sequence) else { throw missing(sequence) }
      chain = before.chain
    }
    var (last, found) = (sequence, [[UInt8]: ChangedRow]())
    while last < end {
      let events = try events(after: last, limit: Self.eventsAtOnce)
      for event in events {
        guard event.sequence == last + 1 else { throw missing(last + 1) }
        guard event.chain == event.chain(after: chain, of: tenant), let changes = RowChange.list(event.changes) else {
          throw altered(event)
        }
        for change in changes where change.table == table {
          found[change.key] = ChangedRow(key: change.values, at: event.at, isRemoved: change.digest == nil)
        }
        (last, chain) = (event.sequence, event.chain)
        // The hash of the last covered event also covers all events before it.
        if last == min(end, view.size) { try verify(event) }
      }
      if events.isEmpty { throw missing(last + 1) }
    }
    return Array(found.values)
  }

  private static let eventsAtOnce = 500

  /// The number of the last event before a time; 0 if there is none.
  public func lastEvent(before time: Instant) throws(DatabaseError) -> Int64 {
    // A binary search, since the log's time never runs backwards.
    var (before, after) = (Int64(0), try lastEvent() + 1)
    while after - before > 1 {
      let middle = before + (after - before) / 2
      guard let event = try event(middle) else { throw missing(middle) }
      try verify(event)
      if event.at < time { before = middle } else { after = middle }
    }
    return before
  }
}

extension RowChange {
  /// The values of the key.
  fileprivate var values: [Value] {
    var (values, rest) = ([Value](), key[...])
    while let value = ValueCoding.take(from: &rest) { values.append(value) }
    return values
  }
}
