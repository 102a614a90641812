package import Base

/// The state machine that a reactor runs, with its links. Every method is called in a turn, by one thread at a time,
/// and the reactor's loop is its only owner.
package protocol ReactorHost: ~Copyable, SendableMetatype {
  /// What other threads submit.
  associatedtype Work: Sendable

  /// A turn begins; what follows until `finishTurn` happens at `now`.
  mutating func startTurn(at now: MonotonicTime)
  /// A link has connected or lost its connection.
  mutating func connectionChanged(_ event: ConnectionEvent, on link: Link)
  /// A link on which `awaitsRoom` is set accepts messages again.
  mutating func roomAvailable(on link: Link)
  /// Work that other threads have submitted, in order.
  mutating func perform(_ work: inout [Work])
  /// A message arrived; it may be read only during this call.
  mutating func received(_ message: borrowing Inbound, on link: Link)
  /// A message arrived that no implementation of ours sends, and was dropped.
  mutating func receivedMalformed(_ message: borrowing Inbound, on link: Link)
  /// Everything that waited, or the turn's share of it, has been passed on: now the results are sent. Returns when the
  /// next turn must start although nothing arrives.
  mutating func finishTurn() -> MonotonicTime?
}
