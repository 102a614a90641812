internal import Base

extension Snapshot {
  /// Up to `limit` events of the whole log after number `sequence`. Throws if one of them was changed or is missing
  /// between them, according to their codes and their chain.
  public func verifiedEvents(after sequence: Int64, limit: Int) throws(DatabaseError) -> [Event] {
    try verifySeen()
    let events = try events(after: sequence, limit: limit)
    guard let first = events.first else { return [] }
    // Each event's hash covers its predecessor's, so that verifying one event also verifies those before it.
    var (number, chain) = (first.sequence, Event.beginning)
    if number > 1 {
      guard let previous = try event(number - 1) else { throw missing(number - 1) }
      chain = previous.chain
    }
    for event in events {
      guard event.sequence == number else { throw missing(number) }
      guard event.chain(after: chain, of: tenant) == event.chain else { throw altered(event) }
      // `&+`, because an event may have the greatest number; none follows it.
      (number, chain) = (number &+ 1, event.chain)
    }
    return events
  }

  func missing(_ number: Int64) -> DatabaseError {
    DatabaseError(.corrupt, "tenant '\(tenant)': event \(number) is missing: it was removed")
  }
}
