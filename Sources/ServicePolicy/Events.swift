internal import Base
public import RPC
@_exported public import Refusals
public import Storage

extension EventPosition {
  public init(after event: Event) {
    self.init(sequence: event.sequence, mark: Array(event.chain.bytes.prefix(Self.markLength)))
  }

  /// The position behind the last event of the log.
  public init(endOf snapshot: Snapshot) throws {
    let end = try snapshot.logEnd()
    self.init(sequence: end?.last ?? 0, mark: end.map { Array($0.chain.bytes.prefix(Self.markLength)) } ?? [])
  }

  /// Whether the log still has the event of this position. A position without a hash counts as known, since it cannot
  /// be checked.
  public func isKnown(in snapshot: Snapshot) throws -> Bool {
    if mark.isEmpty { return true }
    let event = try snapshot.events(after: sequence - 1, limit: 1).first
    return event?.sequence == sequence && event?.chain.bytes.starts(with: mark) == true
  }
}

extension Snapshot {
  /// Up to `limit` verified events after a position, which is refused if the log does not have it.
  public func verifiedEvents(after position: EventPosition, limit: Int) throws -> [Event] {
    guard try position.isKnown(in: self) else {
      throw Refusal(
        .precondition, EventPosition.unknown, field: "page_token",
        "page_token stands after event \(position.sequence) of a log that is not the present one, which was restored "
          + "since; read from the beginning")
    }
    return try verifiedEvents(after: position.sequence, limit: limit)
  }

  /// One page of verified events: what `pick` makes of them, and where the next page begins.
  ///
  /// The limit counts events that were read, so that a page may hold fewer, or none, although more follow.
  public func events<Item>(
    after position: EventPosition, limit: Int, _ pick: (Event) throws -> Item?
  ) throws -> (items: [Item], next: EventPosition) {
    let events = try verifiedEvents(after: position, limit: limit)
    return (try events.compactMap(pick), events.last.map { EventPosition(after: $0) } ?? position)
  }

  /// One page of verified events of one type; events of other types count towards the limit too.
  public func events<Payload, Item>(
    _ type: EventType<Payload>, after position: EventPosition, limit: Int,
    _ pick: (Event, Payload) throws -> Item?
  ) throws -> (items: [Item], next: EventPosition) {
    try events(after: position, limit: limit) { event in try event.decode(type).flatMap { try pick(event, $0) } }
  }
}

extension ServiceDatabase {
  /// Passes every event of one type after a position to `body`, and then each new one, until the call ends or the
  /// caller loses access. If the process ends first, the call fails with UNAVAILABLE and the token to resume with.
  ///
  /// While no event arrives the handler's slot is free for other calls.
  public func watchEvents<Payload, Thing: AccessTargeted>(
    _ type: EventType<Payload>, after position: EventPosition, _ context: CallContext,
    of find: @escaping Lookup<Thing>, _ body: (Event, Payload) async throws -> Void
  ) async throws {
    try await watchEvents(after: position, context, of: find) { event in
      if let payload = try event.decode(type) { try await body(event, payload) }
    }
  }

  /// Passes events of every type to `body`, in the same way.
  public func watchEvents<Thing: AccessTargeted>(
    after position: EventPosition, _ context: CallContext, of find: @escaping Lookup<Thing>,
    _ body: (Event) async throws -> Void
  ) async throws {
    // Subscribed before the first query, so that no commit between the query and the wait is missed.
    var commits = commits(context)
    var last = position
    while true {
      let seen = last
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
