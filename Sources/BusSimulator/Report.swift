internal import Base
internal import Bus
internal import RPC

/// What a gateway does when more and more waits for a peer that does not read.
public enum Backlog: Sendable, CaseIterable {
  /// It gives the worker no calls for a while.
  case workerHeldUp
  /// It ends a call for whose stream there is no room.
  case streamEnded
  /// It ends the peer's session, because there is no room for anything.
  case sessionEnded
}

/// The result of one simulated world.
public struct Report: Sendable {
  public let seed: UInt64
  /// The faults, in the order in which they were found; at most a few.
  public internal(set) var faults: [String] = []
  /// A hash over everything that was sent and happened: two runs of a seed have the same one.
  public internal(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
  public internal(set) var envelopes = 0
  public internal(set) var calls = 0
  /// How many calls ended with each of gRPC's codes.
  public internal(set) var outcomes: [Int] = []
  /// Handlers that began a second or later try.
  public internal(set) var repeats = 0
  /// The faults that were injected, in order.
  public internal(set) var hardships: [String] = []
  /// What gateways did about peers that did not read.
  public internal(set) var backlogs: Set<Backlog> = []
  public internal(set) var wasSabotaged = false

  mutating func note(_ envelope: Envelope, connection: UInt64) {
    envelopes += 1
    mix(connection)
    mix(UInt64(envelope.kind.rawValue) << 32 | UInt64(envelope.payload.count))
    mix(envelope.call)
    mix(envelope.session)
    mix(envelope.credit &* 31 &+ envelope.offset)
  }

  mutating func note(_ event: RouterEvent) {
    guard case .sessionEnded(_, _, let reason) = event else { return }
    if reason == .doesNotRead { backlogs.insert(.sessionEnded) }
    note(reason.rawValue)
  }

  mutating func note(_ text: String) {
    for byte in text.utf8 { mix(UInt64(byte)) }
  }

  private mutating func mix(_ word: UInt64) {
    digest = (digest ^ word) &* 0x0000_0100_0000_01B3
  }
}
