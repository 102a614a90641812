package import Base

/// The end of a log: its newest event, or the log's beginning as long as it has none.
package struct LogEnd: Hashable, Sendable {
  package var last: Int64 = 0
  /// When the newest event happened.
  var at = Instant(millisecondsSince1970: 0)
  package var chain = Event.beginning

  var mark: SeenEvents.Mark { SeenEvents.Mark(last: last, chain: chain) }
}

extension Snapshot {
  /// The verified end of the log; nil before its first event.
  package func logEnd() throws(DatabaseError) -> LogEnd? {
    guard let row = try first(EventStatements.headForChecking) else { return nil }
    return try logEnd(in: row)
  }

  /// The end of the log from the row of its head. Throws unless the row's code shows that this service wrote it.
  func logEnd(in head: Row) throws(DatabaseError) -> LogEnd {
    let end = try LogEnd(unverified: head)
    guard try logKey().confirms(try head.get("code", as: [UInt8]?.self), of: .end(end, of: tenant)) else {
      throw DatabaseError(.corrupt, "tenant '\(tenant)': \(LogEnd.isForeign)")
    }
    return end
  }

  /// An event from its row. Throws unless the row's code shows that this service wrote it. All code that relies on an
  /// event reads it by this.
  func event(in row: Row) throws(DatabaseError) -> Event {
    let event = try Event(unverified: row)
    guard try logKey().confirms(try row.get("code", as: [UInt8]?.self), of: .event(event, of: tenant)) else {
      throw DatabaseError(
        .corrupt,
        "tenant '\(tenant)': event \(event.sequence) is not one that this service wrote: it was added or altered")
    }
    return event
  }
}

extension LogEnd {
  static let isForeign = "the end of its log is not one that this service wrote: it was altered"

  /// Reads the end from the row of a head. The caller has to verify that this service wrote the row.
  init(unverified head: Row) throws(DatabaseError) {
    self.init(last: try head.get("last"), at: try head.get("last_ms"), chain: try head.get("chain"))
  }
}
