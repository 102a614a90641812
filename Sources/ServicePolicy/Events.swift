public import RPC
public import Storage

/// Where a reader of events stands: after the event of a number. Its token is that number as text; a caller may also
/// make it from the number of an event that it has seen.
public struct EventPosition: Hashable, Sendable {
  public let sequence: Int64

  public init(after event: Event) {
    sequence = event.sequence
  }

  /// - Parameter token: `page_token`; empty for the beginning.
  public init(token: String) throws(Refusal) {
    guard let sequence = token.isEmpty ? 0 : Int64(token), sequence >= 0 else {
      throw Refusal(
        .invalid, "bad_page_token", field: "page_token",
        "page_token is '\(token.prefix(40))'; it must be a next_page_token or the number of an event")
    }
    self.sequence = sequence
  }

  public var token: String { String(sequence) }
}

extension Snapshot {
  /// One page of verified events: what `pick` makes of them, and where the next page begins.
  ///
  /// The limit counts events that were read, so that a page may hold fewer, or none, although more follow.
  public func events<Item>(
    after position: EventPosition, limit: Int, _ pick: (Event) throws -> Item?
  ) throws -> (items: [Item], next: EventPosition) {
    let events = try verifiedEvents(after: position.sequence, limit: limit)
    return (try events.compactMap(pick), events.last.map { EventPosition(after: $0) } ?? position)
  }

  /// The same of one type.
  public func events<Payload, Item>(
    _ type: EventType<Payload>, after position: EventPosition, limit: Int,
    _ pick: (Event, Payload) throws -> Item?
  ) throws -> (items: [Item], next: EventPosition) {
    try events(after: position, limit: limit) { event in try event.decode(type).flatMap { try pick(event, $0) } }
  }
}

extension ServiceDatabase {
  /// Passes on every event of one type after a position, and then each new one, until the call ends or its caller may
  /// no longer. When the process ends before, the call is UNAVAILABLE and says where to resume.
  ///
  /// While nothing happens the handler's slot is free for other calls.
  public func watchEvents<Payload, Thing: Touching>(
    _ type: EventType<Payload>, after position: EventPosition, _ context: CallContext,
    of find: @escaping Finding<Thing>, _ body: (Event, Payload) async throws -> Void
  ) async throws {
    try await watchEvents(after: position, context, of: find) { event in
      if let payload = try event.decode(type) { try await body(event, payload) }
    }
  }

  /// The same for events of every type.
  public func watchEvents<Thing: Touching>(
    after position: EventPosition, _ context: CallContext, of find: @escaping Finding<Thing>,
    _ body: (Event) async throws -> Void
  ) async throws {
    // Subscribed before the first look, so that no commit in between is missed.
    var commits = commits(context)
    var last = position
    while true {
      let seen = last.sequence
      let events = try await read(context, of: find) { snapshot, _, _ in
        try snapshot.verifiedEvents(after: seen, limit: 100)
      }
      for event in events {
        last = EventPosition(after: event)
        try await body(event)
      }
      if events.isEmpty { try await commits.next(resume: "resume with page_token '\(last.token)'") }
    }
  }
}
