internal import Base

/// The session of a client, or of a service that calls others.
final class CallerSession: RouterSession {
  /// The router's numbers of its calls, by its own.
  var calls: NumberMap<UInt64>

  init(_ origin: Origin, seed: UInt64, at now: MonotonicTime) {
    // Peers choose the numbers of their calls.
    calls = NumberMap(seed: seed)
    super.init(origin, at: now)
  }

  override var side: Side { .caller(self) }
}
