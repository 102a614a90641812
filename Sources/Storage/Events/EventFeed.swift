internal import Base

/// A tenant's events after a given number, then each new one, until the reading task is cancelled or the database is
/// closed. To resume, start after the last event that was processed.
public struct EventFeed: AsyncSequence, Sendable {
  let scope: Scope
  let start: Int64
  let stream: String?

  public func makeAsyncIterator() -> Iterator {
    // Subscribed before the first query, so that no commit between the query and the wait is missed.
    Iterator(feed: self, commits: scope.database.commits.subscribe().makeAsyncIterator(), last: start)
  }

  public struct Iterator: AsyncIteratorProtocol {
    let feed: EventFeed
    var commits: AsyncStream<Void>.Iterator
    var last: Int64
    private var waiting: ArraySlice<Event> = []
    private static let pageSize = 100

    init(feed: EventFeed, commits: AsyncStream<Void>.Iterator, last: Int64) {
      self.feed = feed
      self.commits = commits
      self.last = last
    }

    public mutating func next() async throws -> Event? {
      while true {
        if let event = waiting.popFirst() {
          last = event.sequence
          return event
        }
        try Task.checkCancellation()
        let (last, stream) = (last, feed.stream)
        let page = try await feed.scope.read { try $0.events(after: last, stream: stream, limit: Self.pageSize) }
        waiting = page[...]
        if page.isEmpty, await commits.next(isolation: #isolation) == nil {
          try Task.checkCancellation()
          return nil
        }
      }
    }
  }
}

extension Scope {
  /// The events after number `sequence` (0 for the beginning), of one stream or of all, without end.
  public func watchEvents(after sequence: Int64, stream: String? = nil) -> EventFeed {
    EventFeed(scope: self, start: sequence, stream: stream)
  }
}

/// The number of a tenant's latest event.
public struct EventHead: Hashable, Sendable {
  public let tenant: Tenant
  public let last: Int64

  public init(tenant: Tenant, last: Int64) {
    self.tenant = tenant
    self.last = last
  }
}

extension Database {
  /// The number of every tenant's latest event at present, for caches that events make stale.
  public func eventHeads() async throws -> [EventHead] {
    let rows = try await readAcrossTenants { try $0.all(EventStatements.heads.query, []) }
    return try rows.compactMap { row in
      try Tenant(try row.get("tenant", as: String.self)).map { EventHead(tenant: $0, last: try row.get("last")) }
    }
  }
}
