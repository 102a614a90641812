/// A tenant's events from a cursor on, and then as they happen, until the reading task is cancelled or the database
/// closed. To resume, begin after the last event that was processed.
public struct EventFeed: AsyncSequence, Sendable {
  let scope: Scope
  let start: Int64
  let stream: String?

  public func makeAsyncIterator() -> Iterator {
    // Subscribed before the first look, so that nothing falls in between.
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

/// Tells which tenants have new events, for caches that events make stale.
public struct EventHeadFeed: AsyncSequence, Sendable {
  let database: Database

  public func makeAsyncIterator() -> Iterator {
    Iterator(database: database, commits: database.commits.subscribe().makeAsyncIterator())
  }

  public struct Iterator: AsyncIteratorProtocol {
    let database: Database
    var commits: AsyncStream<Void>.Iterator
    private var known: [String: Int64] = [:]
    private var waiting: [EventHead] = []

    init(database: Database, commits: AsyncStream<Void>.Iterator) {
      self.database = database
      self.commits = commits
    }

    public mutating func next() async throws -> EventHead? {
      while waiting.isEmpty {
        try Task.checkCancellation()
        let rows = try await database.readAcrossTenants { try $0.all(EventStatements.heads.query, []) }
        for row in rows {
          let (name, last): (String, Int64) = (try row.get("tenant"), try row.get("last"))
          guard known[name] != last, let tenant = Tenant(name) else { continue }
          known[name] = last
          waiting.append(EventHead(tenant: tenant, last: last))
        }
        if waiting.isEmpty, await commits.next(isolation: #isolation) == nil { return nil }
      }
      return waiting.removeFirst()
    }
  }
}

/// The number of a tenant's latest event.
public struct EventHead: Hashable, Sendable {
  public let tenant: Tenant
  public let last: Int64
}

extension Database {
  /// First every tenant's latest number, then each one that advances, from whichever process.
  public func watchEventHeads() -> EventHeadFeed { EventHeadFeed(database: self) }
}
