public import Bus
public import Storage

// Events for calls: page by page, and as they happen. Both resume after the number of an event.

extension Snapshot {
  /// One page of the events after number `sequence`: what `pick` makes of those of one type, and the number after which
  /// the next page begins.
  ///
  /// The page's limit counts events that were read, so that a page may hold fewer, or none, although more follow.
  public func events<Payload, Item>(
    _ type: EventType<Payload>, after sequence: Int64, _ page: PageRequest, _ pick: (Event, Payload) throws -> Item?
  ) throws -> (items: [Item], next: Int64) {
    try EventNumber.check(sequence)
    let events = try events(after: sequence, limit: page.limit)
    let items = try events.compactMap { event in try event.decode(type).flatMap { try pick(event, $0) } }
    return (items, events.last?.sequence ?? sequence)
  }
}

extension ServiceDatabase {
  /// Passes on every event of one type after number `sequence`, and then each new one, until the call ends. When the
  /// process ends before, the call is UNAVAILABLE and says after which number to resume.
  ///
  /// While nothing happens the handler's slot is free for other calls.
  public func watchEvents<Payload>(
    _ type: EventType<Payload>, after sequence: Int64, _ context: CallContext,
    _ body: (Event, Payload) async throws -> Void
  ) async throws {
    try EventNumber.check(sequence)
    // Subscribed before the first look, so that no commit in between is missed.
    var commits = commits(context)
    var last = sequence
    while true {
      let events = try await read(context) { [last] snapshot, _ in try snapshot.events(after: last, limit: 100) }
      for event in events {
        last = event.sequence
        if let payload = try event.decode(type) { try await body(event, payload) }
      }
      if events.isEmpty { try await commits.next(resume: "resume after \(last)") }
    }
  }
}

private enum EventNumber {
  static func check(_ sequence: Int64) throws(Refusal) {
    guard sequence < 0 else { return }
    throw Refusal(
      .invalid, "out_of_bounds", field: "after",
      "after is \(sequence); it must be the number of the last event that was seen, or 0")
  }
}
