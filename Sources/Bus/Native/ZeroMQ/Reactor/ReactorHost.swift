package import Base

/// What runs on a reactor: a bus state machine with its links. Every call comes in a turn, which one thread at a
/// time has, and the reactor's loop is its only owner.
package protocol ReactorHost: ~Copyable, SendableMetatype {
  /// What other threads hand over.
  associatedtype Work: Sendable

  /// A turn begins; what follows until `finishTurn` happened at `now`.
  mutating func startTurn(at now: MonotonicTime)
  /// A link's connection came or went.
  mutating func connectionChanged(_ event: ConnectionEvent, on link: Link)
  /// A link on which `awaitsRoom` is set takes messages again.
  mutating func roomAvailable(on link: Link)
  /// Things that other threads handed over, in their order.
  mutating func perform(_ work: inout [Work])
  /// A message arrived; it may be read during this call only.
  mutating func received(_ message: borrowing Inbound, on link: Link)
  /// Something arrived that no peer of ours sends, and was dropped.
  mutating func receivedMalformed(on link: Link)
  /// Everything that waited has been handed over, or the turn's share of it: the time to send what came of it.
  /// The answer says when the next turn must start although nothing arrived.
  mutating func finishTurn() -> MonotonicTime?
}
