internal import Base

/// The session of a client, or of a service that calls others.
final class CallerSession: RouterSession {
  /// The router's number of each of its open calls, by the number that the peer gave the call.
  var calls: NumberMap<UInt64>

  init(_ origin: Origin, seed: UInt64, at now: MonotonicTime) {
    // Peers choose these keys, so the map needs a seed that they do not know.
    calls = NumberMap(seed: seed)
    super.init(origin, at: now)
  }

  override var side: Side { .caller(self) }
}
