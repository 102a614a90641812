package import Base

/// Where a log ends: after its newest event, or where it begins as long as there is none.
package struct LogEnd: Hashable, Sendable {
  package var last: Int64 = 0
  /// When the newest event happened.
  var at = Instant(millisecondsSince1970: 0)
  package var chain = Event.beginning

  var mark: SeenEvents.Mark { SeenEvents.Mark(last: last, chain: chain) }
}

extension Snapshot {
  /// Where the log ends; nil before its first event.
  package func logEnd() throws(DatabaseError) -> LogEnd? {
    guard let row = try first(EventStatements.headForChecking) else { return nil }
    return try logEnd(in: row)
  }

  /// Where the log ends as the row of its head says, which is held to its code.
  func logEnd(in head: Row) throws(DatabaseError) -> LogEnd {
    let end = try LogEnd(unverified: head)
    guard try logKey().confirms(try head.get("code", as: [UInt8]?.self), of: .end(end, of: tenant)) else {
      throw DatabaseError(.corrupt, "tenant '\(tenant)': \(LogEnd.isForeign)")
    }
    return end
  }

  /// An event as its row has it, which is held to its code: every event that is believed comes from here.
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

  /// What the row of a head says. Whether this service wrote it is for the caller to ask.
  init(unverified head: Row) throws(DatabaseError) {
    self.init(last: try head.get("last"), at: try head.get("last_ms"), chain: try head.get("chain"))
  }
}
