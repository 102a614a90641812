internal import Base
public import RPC
public import Storage

/// A reader's position in the event log: behind one event. Its token holds that event's number and the first bytes of
/// the event's hash, because a log that was restored from a backup gives the same numbers to other events; there the
/// position is refused.
///
/// A caller may also make a token from nothing but the number of an event that it has seen.
public struct EventPosition: Hashable, Sendable {
  /// The rule of the refusal of a position that the log does not have. The reader has to start from the beginning.
  public static let unknown = "position_unknown"
  /// The rule of the refusal of a text that is no token.
  public static let unreadable = "bad_page_token"
  private static let markLength = 8

  public let sequence: Int64
  /// The first bytes of the event's chain hash; empty if the token had only a number, and at the beginning of the log.
  private let mark: [UInt8]

  public init(after event: Event) {
    (sequence, mark) = (event.sequence, Array(event.chain.bytes.prefix(Self.markLength)))
  }

  /// The position behind the last event of the log.
  public init(endOf snapshot: Snapshot) throws {
    let end = try snapshot.logEnd()
    sequence = end?.last ?? 0
    mark = end.map { Array($0.chain.bytes.prefix(Self.markLength)) } ?? []
  }

  /// - Parameter token: `page_token`; empty for the beginning.
  public init(token: String) throws(Refusal) {
    let parts = token.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let mark = parts.count == 2 ? Hex.decode(parts[1]) : []
    guard let sequence = token.isEmpty ? 0 : parts.first.flatMap({ Int64($0) }), sequence >= 0, let mark,
      mark.count == (parts.count == 2 ? Self.markLength : 0)
    else {
      throw Refusal(
        .invalid, Self.unreadable, field: "page_token",
        "page_token is '\(token.shortened)'; it must be a next_page_token or the number of an event")
    }
    (self.sequence, self.mark) = (sequence, mark)
  }

  public var token: String { mark.isEmpty ? String(sequence) : "\(sequence).\(Hex.encode(mark))" }

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
  public func watchEvents<Payload, Thing: Touching>(
    _ type: EventType<Payload>, after position: EventPosition, _ context: CallContext,
    of find: @escaping Finding<Thing>, _ body: (Event, Payload) async throws -> Void
  ) async throws {
    try await watchEvents(after: position, context, of: find) { event in
      if let payload = try event.decode(type) { try await body(event, payload) }
    }
  }

  /// Passes events of every type to `body`, in the same way.
  public func watchEvents<Thing: Touching>(
    after position: EventPosition, _ context: CallContext, of find: @escaping Finding<Thing>,
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
